import DataModel
import DataStore
import DataText

/// Prints groups of records, or the different values of a field.
struct GroupListing {
  private let query: GroupQuery
  private let columns: [GroupColumn]
  /// Whether the values stand by themselves, without the name of their field.
  private let isPlain: Bool
  private let format: OutputFormat?

  init(
    _ query: GroupQuery, in catalog: Catalog, distinct: Bool, format: OutputFormat?
  ) throws(DataError) {
    self.query = query
    self.format = format
    columns = try query.columns(in: catalog)
    isPlain = distinct
  }

  /// How many groups there are.
  func count(from reader: any StoreReader) async throws(DataError) -> Int {
    let stream = try await reader.groups(query)
    var count = 0
    var memory = Rows(width: columns.count)
    while let rows = try await stream.next(reusing: memory) {
      count += rows.count
      memory = rows
    }
    return count
  }

  func print(from reader: any StoreReader, with invocation: Invocation) async throws {
    let console = invocation.console
    let isTable = format == .table || format == nil && console.output.isTerminal
    let printsValues = isPlain && (format == .json || format == .ndjson || format == nil)
    var values = ValueList(isArray: format == .json)
    var printer = RecordPrinter(
      columns.enumerated().map { place, column in
        RecordWriter.Column(column.name, column.type, slot: place)
      }, format: format, habit: .table, number: .several, on: console)
    let stream = try await reader.groups(query)
    if !printsValues || isTable { try console.output.append { printer.begin(to: &$0) } }
    var memory = Rows(width: columns.count)
    while let rows = try await stream.next(reusing: memory) {
      try console.checkInterruption()
      try console.output.append { output in
        if printsValues && !isTable {
          for row in 0..<rows.count {
            values.append(rows.value(rows[row, 0], of: columns[0].type), to: &output)
          }
        } else {
          printer.write(rows, 0..<rows.count, to: &output)
        }
      }
      memory = rows
    }
    try console.output.append { output in
      if printsValues && !isTable {
        values.end(to: &output)
      } else {
        printer.end(to: &output)
      }
    }
  }
}

/// Values as JSON, a value a line or in an array.
private struct ValueList {
  let isArray: Bool
  private var isEmpty = true

  init(isArray: Bool) {
    self.isArray = isArray
  }

  mutating func append(_ value: Value, to output: inout [UInt8]) {
    if isArray { output += Array((isEmpty ? "[\n" : ",\n").utf8) }
    isEmpty = false
    if value == .null {
      output += Array("null".utf8)
    } else {
      ListText.append(value, to: &output)
    }
    if !isArray { output.append(UInt8(ascii: "\n")) }
  }

  func end(to output: inout [UInt8]) {
    if isArray { output += Array((isEmpty ? "[]\n" : "\n]\n").utf8) }
  }
}

package import DataModel
package import DataStore
package import RecordText

/// Prints groups of records, or the distinct values of a field.
package struct GroupListing {
  private let query: GroupQuery
  private let columns: [GroupColumn]
  /// Whether to print only the values, as for `--distinct`, without the name of the field.
  private let printsValuesOnly: Bool
  private let format: OutputFormat?
  private let numbers: RecordWriter.NumberStyle

  package init(
    _ query: GroupQuery, in catalog: Catalog, distinct: Bool, format: OutputFormat?,
    numbers: RecordWriter.NumberStyle
  ) throws(DataError) {
    self.query = query
    self.format = format
    self.numbers = numbers
    columns = try query.columns(in: catalog)
    printsValuesOnly = distinct
    // The count of an aggregate is not printed.
    if format == .lines, !distinct, !query.keys.isEmpty || columns.count != 2 {
      throw DataError(
        .usage, "-o lines prints a single column",
        hint: "pass --distinct, or a single aggregate without --group-by, such as --sum price")
    }
  }

  /// Returns the number of groups. For this, all groups are fetched.
  package func count(from reader: any StoreReader) async throws(DataError) -> Int {
    let stream = try await reader.groups(query)
    var count = 0
    var memory = Rows(width: columns.count)
    while let rows = try await stream.next(reusing: memory) {
      count += rows.count
      memory = rows
    }
    return count
  }

  package func print(
    from reader: any StoreReader, to output: AnswerOutput
  ) async throws(DataError) {
    var form = form(on: output.terminal)
    let stream = try await reader.groups(query)
    try output.sink.append { form.begin(to: &$0) }
    var memory = Rows(width: columns.count)
    while let rows = try await stream.next(reusing: memory) {
      try await output.prepareForChunk()
      try output.sink.append { form.write(rows, to: &$0) }
      memory = rows
    }
    try output.sink.append { form.end(to: &$0) }
    if let damage = form.damage { throw damage }
  }

  private func form(on terminal: TerminalStyle?) -> Form {
    let outputColumns = columns.enumerated().map { index, column in
      RecordWriter.Column(column.name, column.type, slot: index)
    }
    let isJSON =
      format == .json || format == .ndjson || format == nil && terminal == nil
    if printsValuesOnly, isJSON {
      return .values(ValueList(of: outputColumns[0], isArray: format == .json, numbers: numbers))
    }
    return .records(
      RecordPrinter(
        outputColumns, of: nil, format: format, defaultFormat: .table, cardinality: .several,
        on: terminal, numbers: numbers))
  }
}

/// How groups are written: as a list of JSON values, or like records in the selected format.
private enum Form {
  case values(ValueList)
  case records(RecordPrinter)

  /// An error that names the invalid stored values, which are not printed; nil if there are none.
  var damage: DataError? {
    switch self {
    case .values(let values): values.damage
    case .records(let printer): printer.damage
    }
  }

  func begin(to output: inout [UInt8]) {
    switch self {
    case .values: break
    case .records(let printer): printer.begin(to: &output)
    }
  }

  mutating func write(_ rows: Rows, to output: inout [UInt8]) {
    switch self {
    case .values(var values):
      values.append(rows, to: &output)
      self = .values(values)
    case .records(var printer):
      printer.write(rows, 0..<rows.count, to: &output)
      self = .records(printer)
    }
  }

  func end(to output: inout [UInt8]) {
    switch self {
    case .values(let values): values.end(to: &output)
    case .records(var printer): printer.end(to: &output)
    }
  }
}

/// Writes values as JSON, either one per line or as an array.
private struct ValueList {
  private let column: RecordWriter.Column
  private let isArray: Bool
  private var isEmpty = true
  private let writer: RecordWriter
  private var check: StoredValueCheck
  /// An error that names the invalid stored values, which are not printed; nil if there are none.
  private(set) var damage: DataError?

  init(of column: RecordWriter.Column, isArray: Bool, numbers: RecordWriter.NumberStyle) {
    self.column = column
    self.isArray = isArray
    var writer = RecordWriter([column], format: .ndjson)
    writer.write(numbersAs: numbers)
    self.writer = writer
    check = StoredValueCheck([column])
  }

  /// Appends the value of each row. The rows must have a single column.
  mutating func append(_ rows: Rows, to output: inout [UInt8]) {
    for row in 0..<rows.count {
      if check.invalidSlot(in: rows, row) == nil {
        append(writer.json(rows, row, slot: column.slot), to: &output)
      } else {
        damage.add(.invalidStoredValue(of: column.name))
      }
    }
  }

  private mutating func append(_ json: [UInt8]?, to output: inout [UInt8]) {
    if isArray { output += Array((isEmpty ? "[\n" : ",\n").utf8) }
    isEmpty = false
    output += json ?? Array("null".utf8)
    if !isArray { output.append(UInt8(ascii: "\n")) }
  }

  func end(to output: inout [UInt8]) {
    if isArray { output += Array((isEmpty ? "[]\n" : "\n]\n").utf8) }
  }
}

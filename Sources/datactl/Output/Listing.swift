import DataModel

/// A list of items that are not records, in the selected format.
///
/// The format `ids` prints the first column.
struct Listing {
  private let columns: [String]
  private let format: ListingFormat
  private let console: Console
  private var rows: [[Value]] = []

  init(_ columns: [String], as format: ListingFormat?, on console: Console) {
    self.columns = columns
    self.format = format ?? (console.output.isTerminal ? .table : .ndjson)
    self.console = console
  }

  mutating func add(_ row: [Value]) {
    rows.append(row)
  }

  func print() throws(DataError) {
    try console.output.append { output in
      switch format {
      case .ids: for row in rows { output.append(contentsOf: "\(row[0].cell)\n".utf8) }
      case .ndjson:
        for row in rows {
          write(row, to: &output)
          output.append(UInt8(ascii: "\n"))
        }
      case .json:
        for (index, row) in rows.enumerated() {
          output.append(contentsOf: (index == 0 ? "[\n" : ",\n").utf8)
          write(row, to: &output)
        }
        output.append(contentsOf: (rows.isEmpty ? "[]\n" : "\n]\n").utf8)
      case .table:
        var table = Table(columns.map { Table.Column($0) }, on: console)
        for row in rows { table.add(row.map(\.cell), to: &output) }
        table.end(to: &output)
      }
    }
  }

  private func write(_ row: [Value], to output: inout [UInt8]) {
    for (index, value) in row.enumerated() {
      output.append(UInt8(ascii: index == 0 ? "{" : ","))
      JSONQuote.append(columns[index].utf8.span, to: &output)
      output.append(UInt8(ascii: ":"))
      if value == .null {
        output.append(contentsOf: "null".utf8)
      } else {
        ListText.append(value, to: &output)
      }
    }
    output.append(UInt8(ascii: "}"))
  }
}

/// Writes key-value pairs as a JSON object on one line.
enum JSONLine {
  static func append(_ facts: [(String, String?)], to output: inout [UInt8]) {
    appendObject(facts, to: &output)
    output.append(UInt8(ascii: "\n"))
  }

  static func appendObject(_ facts: [(String, String?)], to output: inout [UInt8]) {
    output.append(UInt8(ascii: "{"))
    for (index, fact) in facts.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      JSONQuote.append(fact.0.utf8.span, to: &output)
      output.append(UInt8(ascii: ":"))
      if let text = fact.1 {
        JSONQuote.append(text.utf8.span, to: &output)
      } else {
        output.append(contentsOf: "null".utf8)
      }
    }
    output.append(UInt8(ascii: "}"))
  }
}

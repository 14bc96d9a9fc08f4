package import DataModel
import JSONText

/// Prints items that are not records, such as schemas, in the selected format.
///
/// The format `ids` prints only the first column.
package struct Listing {
  private let columns: [String]
  private let format: ListingFormat
  private let terminal: TerminalStyle?
  private var rows: [[Value]] = []

  package init(_ columns: [String], as format: ListingFormat?, on terminal: TerminalStyle?) {
    self.columns = columns
    self.format = format ?? (terminal == nil ? .ndjson : .table)
    self.terminal = terminal
  }

  package mutating func add(_ row: [Value]) {
    rows.append(row)
  }

  package func print(to sink: any ByteSink) throws(DataError) {
    try sink.append { output in
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
        var table = TextTable(columns.map { TextTable.Column($0, .left, .cyan) }, on: terminal)
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
package enum JSONLine {
  package static func append(_ facts: [(String, String?)], to output: inout [UInt8]) {
    appendObject(facts, to: &output)
    output.append(UInt8(ascii: "\n"))
  }

  package static func appendObject(_ facts: [(String, String?)], to output: inout [UInt8]) {
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

import SchemaText

/// Formats rows as a Markdown table. The cells are not padded to equal widths, so that each row can
/// be written immediately.
struct MarkdownTable: Sendable {
  private let columns: [TextTable.Column]

  init(_ columns: [TextTable.Column]) {
    self.columns = columns
  }

  /// Appends the header and the line with the alignment of each column.
  func begin(to output: inout [UInt8]) {
    add(columns.map(\.title), to: &output)
    let rules = columns.map { column in
      switch column.alignment {
      case .left: "---"
      case .right: "---:"
      }
    }
    append(rules, to: &output)
  }

  /// Appends a row. In the cells, characters that have a meaning in Markdown are escaped, and line
  /// breaks are replaced with `<br>`.
  func add(_ cells: [String], to output: inout [UInt8]) {
    append(cells.map(MarkdownText.cell), to: &output)
  }

  private func append(_ cells: [String], to output: inout [UInt8]) {
    output.append(contentsOf: "| \(cells.joined(separator: " | ")) |\n".utf8)
  }
}

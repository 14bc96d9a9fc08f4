import DataModel
import JSONText

/// Formats rows as a table with aligned columns.
///
/// The widths of the columns are computed from the first 1,000 rows, so only these rows have to be
/// buffered.
package struct TextTable {
  /// The title and the alignment of a column.
  package struct Column: Sendable {
    package enum Alignment: Sendable {
      case left
      case right
    }

    let title: String
    let alignment: Alignment
    /// The color of the cells, but not of the title. It is used only for the first column.
    let color: TextColor?

    package init(_ title: String, _ alignment: Alignment = .left, _ color: TextColor? = nil) {
      self.title = title
      self.alignment = alignment
      self.color = color
    }
  }

  private static let measuredRowCount = 1_000

  private let columns: [Column]
  /// The terminal that the table is printed on, or nil if lines are not cut off.
  private let terminal: TerminalStyle?
  private var widths: [Int]
  /// The rows that are buffered until the widths of the columns are known; nil after that.
  private var bufferedRows: [[String]]? = []

  /// Creates a table to print on the given terminal, or to a pipe or a file if `terminal` is nil.
  package init(_ columns: [Column], on terminal: TerminalStyle?) {
    self.columns = columns
    self.terminal = terminal
    widths = columns.map { DisplayWidth.of($0.title) }
  }

  /// Creates a table whose lines are cut off at a number of terminal columns, unless it is nil.
  package init(_ columns: [Column], cutAt limit: Int?) {
    self.init(columns, on: limit.map { TerminalStyle(columns: $0, hasColor: false) })
  }

  /// Adds a row. Control characters in the cells are escaped.
  package mutating func add(_ cells: [String], to output: inout [UInt8]) {
    let cells = cells.map(Excerpt.escaped)
    guard bufferedRows != nil else { return write(cells, columns.first?.color, to: &output) }
    for (index, cell) in cells.enumerated() {
      widths[index] = max(widths[index], DisplayWidth.of(cell))
    }
    bufferedRows?.append(cells)
    if bufferedRows?.count == Self.measuredRowCount { writeBufferedRows(to: &output) }
  }

  /// Writes the buffered rows. The titles are written even if there are no rows.
  package mutating func end(to output: inout [UInt8]) {
    writeBufferedRows(to: &output)
  }

  private mutating func writeBufferedRows(to output: inout [UInt8]) {
    guard let rows = bufferedRows else { return }
    bufferedRows = nil
    let hasBoldTitles = terminal?.hasColor ?? false
    if hasBoldTitles { output.append(contentsOf: "\u{1B}[1m".utf8) }
    write(columns.map(\.title), nil, to: &output)
    if hasBoldTitles {
      output.removeLast()
      output.append(contentsOf: "\u{1B}[22m\n".utf8)
    }
    for row in rows { write(row, columns.first?.color, to: &output) }
  }

  /// Writes a line. The first cell gets the color, unless it is cut off.
  private func write(_ cells: [String], _ color: TextColor?, to output: inout [UInt8]) {
    var line = ""
    var position = 0
    var start = 0
    for (index, cell) in cells.enumerated() {
      let width = DisplayWidth.of(cell)
      let indent = columns[index].alignment == .right ? max(0, widths[index] - width) : 0
      if width > 0 {
        // If a cell is wider than its column, the following cells begin further to the right.
        let gap = index == 0 ? indent : max(2, start + indent - position)
        line += String(repeating: " ", count: gap) + cell
        position += gap + width
      }
      start += widths[index] + 2
    }
    if let terminal { line = line.cut(at: terminal.columns) }
    if let terminal, let color, let id = cells.first, line.hasPrefix(id) {
      line = terminal.colored(id, color) + line.dropFirst(id.count)
    }
    output.append(contentsOf: line.utf8)
    output.append(UInt8(ascii: "\n"))
  }
}

extension String {
  /// Returns the text, truncated to a number of terminal columns. A truncated text ends with `…`.
  package func cut(at limit: Int) -> String {
    if utf8.count <= limit || DisplayWidth.of(self) <= limit { return self }
    var result = ""
    var width = 0
    for character in self {
      width += DisplayWidth.of(character)
      if width >= limit { break }
      result.append(character)
    }
    return result + "…"
  }
}

extension Value {
  /// The value as text for a table cell, or an empty string for null.
  var cell: String {
    switch self {
    case .null: ""
    case .text(let text), .json(let text): text
    case .integer, .number, .decimal, .boolean, .date, .datetime: text
    case .geopoint(let point):
      "\(NumberText.text(point.latitude)),\(NumberText.text(point.longitude))"
    case .file(let file): "\(file.name) (\(Int(file.size).counted("byte")))"
    case .list(let values): values.map(\.cell).joined(separator: ", ")
    }
  }
}

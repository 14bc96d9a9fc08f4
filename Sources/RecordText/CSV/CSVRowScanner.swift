package import JSONText

/// Splits rows of CSV into cells as specified in RFC 4180, with two extensions. A line may end with
/// a single LF. In TSV, a cell that does not begin with a quote may contain quotes as part of its
/// text.
package struct CSVRowScanner: Sendable {
  /// The byte range of a cell in the text, excluding the enclosing quotes.
  package struct Cell: BitwiseCopyable, Sendable {
    package var start: Int
    package var end: Int
    package var isQuoted: Bool
    /// Whether the cell contains doubled quotes, each of which represents one quote.
    package var hasDoubledQuotes: Bool

    /// Copies the value of the cell to `value`, and replaces each pair of double quotes (`""`) with
    /// one (`"`).
    package func unquote(from text: Span<UInt8>, into value: inout [UInt8]) {
      value.removeAll(keepingCapacity: true)
      var skipsQuote = false
      for index in start..<end {
        let byte = text[index]
        skipsQuote = hasDoubledQuotes && byte == UInt8(ascii: "\"") && !skipsQuote
        if !skipsQuote { value.append(byte) }
      }
    }
  }

  /// The maximum number of cells that are stored for a row. It exceeds the maximum number of fields
  /// of a schema, so a longer row is always an error.
  private static let maxCells = 1_024

  /// The cells of the row that was scanned last.
  package private(set) var cells: [Cell] = []
  /// The number of cells in the row that was scanned last, including cells that are not stored.
  package private(set) var cellCount = 0
  package var position = 0
  package var isLast = true
  /// The number of the current line, counted from 1. `lineStart` is the offset of its first byte.
  package var line = 1
  package var lineStart = 0
  package let separator: UInt8
  /// Whether quotes are allowed in cells that do not begin with a quote.
  private let allowsQuotes: Bool
  /// The text with which a line begins that is no row. Empty if there are no such lines.
  private let comment: [UInt8]

  package init(separator: UInt8 = UInt8(ascii: ","), comment: [UInt8] = []) {
    self.separator = separator
    self.comment = comment
    allowsQuotes = separator == 0x09
  }

  /// Skips empty lines and comments. Returns whether a row begins at the new position; false means
  /// that more text is needed or that the text has ended.
  package mutating func skipEmptyLines(_ text: Span<UInt8>) -> Bool {
    while position < text.count {
      if text[position] == 0x0A {
        endLine(at: position)
      } else if text[position] == 0x0D && position + 1 < text.count && text[position + 1] == 0x0A {
        endLine(at: position + 1)
      } else if !comment.isEmpty, beginsComment(text) {
        let end = (position..<text.count).first { text[$0] == 0x0A }
        guard let end else {
          if isLast { position = text.count }
          return false
        }
        endLine(at: end)
      } else {
        return text[position] != 0x0D || position + 1 < text.count || isLast
      }
    }
    return false
  }

  /// Returns whether a comment begins at the position. If the text ends within the first bytes of a
  /// comment, the row at the position is not complete either.
  private func beginsComment(_ text: Span<UInt8>) -> Bool {
    text.extracting(position...).extracting(first: comment.count).isEqual(toBytes: comment)
  }

  /// Returns whether the row that was scanned last has the given number of cells. Empty cells beyond
  /// them are removed.
  ///
  /// - Parameter isRagged: Whether cells can be missing.
  package mutating func hasCells(_ count: Int, isRagged: Bool) -> Bool {
    guard cellCount > count else { return cellCount == count || isRagged }
    guard cellCount == cells.count,
      cells[count...].allSatisfy({ !$0.isQuoted && $0.start == $0.end })
    else { return false }
    cells.removeLast(cellCount - count)
    cellCount = count
    return true
  }

  /// Scans a row into `cells` and moves past its line ending.
  package mutating func scan(_ text: Span<UInt8>) throws(ScanError) {
    cells.removeAll(keepingCapacity: true)
    cellCount = 0
    while true {
      if position < text.count && text[position] == UInt8(ascii: "\"") {
        try quotedCell(text)
      } else {
        try plainCell(text)
      }
      guard position < text.count else {
        guard isLast else { throw ScanError(.needsMore, position) }
        return
      }
      switch text[position] {
      case separator: position += 1
      case 0x0A: return endLine(at: position)
      case 0x0D:
        guard position + 1 < text.count else {
          throw ScanError(isLast ? .bareCarriageReturn : .needsMore, position)
        }
        guard text[position + 1] == 0x0A else { throw ScanError(.bareCarriageReturn, position) }
        return endLine(at: position + 1)
      default: throw ScanError(.textAfterQuote, position)
      }
    }
  }

  @inline(__always)
  private mutating func add(_ cell: Cell) {
    cellCount += 1
    if cellCount <= Self.maxCells { cells.append(cell) }
  }

  /// Moves past the line feed at the offset `feed` and counts the line.
  package mutating func endLine(at feed: Int) {
    position = feed + 1
    line += 1
    lineStart = position
  }

  private mutating func plainCell(_ text: Span<UInt8>) throws(ScanError) {
    let start = position
    while position < text.count {
      switch text[position] {
      case separator, 0x0A, 0x0D:
        return add(Cell(start: start, end: position, isQuoted: false, hasDoubledQuotes: false))
      case UInt8(ascii: "\"") where !allowsQuotes: throw ScanError(.bareQuote, position)
      default: position += 1
      }
    }
    guard isLast else { throw ScanError(.needsMore, position) }
    add(Cell(start: start, end: position, isQuoted: false, hasDoubledQuotes: false))
  }

  private mutating func quotedCell(_ text: Span<UInt8>) throws(ScanError) {
    let opening = position
    var hasDoubledQuotes = false
    position += 1
    while position < text.count {
      if text[position] == 0x0A {
        endLine(at: position)
        continue
      }
      guard text[position] == UInt8(ascii: "\"") else {
        position += 1
        continue
      }
      guard position + 1 < text.count || isLast else { throw ScanError(.needsMore, position) }
      if position + 1 < text.count && text[position + 1] == UInt8(ascii: "\"") {
        hasDoubledQuotes = true
        position += 2
        continue
      }
      add(
        Cell(start: opening + 1, end: position, isQuoted: true, hasDoubledQuotes: hasDoubledQuotes))
      position += 1
      return
    }
    throw ScanError(isLast ? .unclosedQuote : .needsMore, opening)
  }
}

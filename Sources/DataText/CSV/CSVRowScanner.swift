/// Splits a row of CSV into cells, strictly by RFC 4180, except that a line may also end with LF
/// alone.
struct CSVRowScanner: Sendable {
  /// The byte range of a cell in the text, without the enclosing quotes.
  struct Cell: BitwiseCopyable, Sendable {
    var start: Int
    var end: Int
    var isQuoted: Bool
    /// Whether the cell contains doubled quotes.
    var hasDoubled: Bool
  }

  /// The maximum number of cells that are stored for a row. It exceeds the number of fields of any
  /// schema, so a longer row is an error in any case.
  private static let mostCells = 1_024

  /// The cells of the last row.
  private(set) var cells: [Cell] = []
  /// The number of cells of the last row, including those that are not stored.
  private(set) var cellCount = 0
  var place = 0
  var isLast = true
  /// The current line, counted from 1, and the offset of its first byte.
  var line = 1
  var lineStart = 0

  /// Skips empty lines. Returns false at the end of the text.
  mutating func passEmptyLines(_ text: Span<UInt8>) -> Bool {
    while place < text.count {
      if text[place] == 0x0A {
        endLine(at: place)
      } else if text[place] == 0x0D && place + 1 < text.count && text[place + 1] == 0x0A {
        endLine(at: place + 1)
      } else {
        return text[place] != 0x0D || place + 1 < text.count || isLast
      }
    }
    return false
  }

  /// Scans a row and moves past its line ending.
  mutating func scan(_ text: Span<UInt8>) throws(ScanFault) {
    cells.removeAll(keepingCapacity: true)
    cellCount = 0
    while true {
      if place < text.count && text[place] == UInt8(ascii: "\"") {
        try quotedCell(text)
      } else {
        try plainCell(text)
      }
      guard place < text.count else {
        guard isLast else { throw ScanFault(.needsMore, place) }
        return
      }
      switch text[place] {
      case UInt8(ascii: ","): place += 1
      case 0x0A: return endLine(at: place)
      case 0x0D:
        guard place + 1 < text.count else {
          throw ScanFault(isLast ? .loneReturn : .needsMore, place)
        }
        guard text[place + 1] == 0x0A else { throw ScanFault(.loneReturn, place) }
        return endLine(at: place + 1)
      default: throw ScanFault(.textBehindQuote, place)
      }
    }
  }

  @inline(__always)
  private mutating func take(_ cell: Cell) {
    cellCount += 1
    if cellCount <= Self.mostCells { cells.append(cell) }
  }

  /// Moves past the line feed at `feed`.
  mutating func endLine(at feed: Int) {
    place = feed + 1
    line += 1
    lineStart = place
  }

  private mutating func plainCell(_ text: Span<UInt8>) throws(ScanFault) {
    let start = place
    while place < text.count {
      switch text[place] {
      case UInt8(ascii: ","), 0x0A, 0x0D:
        return take(Cell(start: start, end: place, isQuoted: false, hasDoubled: false))
      case UInt8(ascii: "\""): throw ScanFault(.bareQuote, place)
      default: place += 1
      }
    }
    guard isLast else { throw ScanFault(.needsMore, place) }
    take(Cell(start: start, end: place, isQuoted: false, hasDoubled: false))
  }

  private mutating func quotedCell(_ text: Span<UInt8>) throws(ScanFault) {
    let opening = place
    var hasDoubled = false
    place += 1
    while place < text.count {
      if text[place] == 0x0A {
        endLine(at: place)
        continue
      }
      guard text[place] == UInt8(ascii: "\"") else {
        place += 1
        continue
      }
      guard place + 1 < text.count || isLast else { throw ScanFault(.needsMore, place) }
      if place + 1 < text.count && text[place + 1] == UInt8(ascii: "\"") {
        hasDoubled = true
        place += 2
        continue
      }
      take(Cell(start: opening + 1, end: place, isQuoted: true, hasDoubled: hasDoubled))
      place += 1
      return
    }
    throw ScanFault(isLast ? .openQuote : .needsMore, opening)
  }
}

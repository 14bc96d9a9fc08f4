/// The text of a record of which only the beginning has arrived.
///
/// Input can arrive in very small pieces. If a reader scanned a long record from its start for each
/// piece, the time would increase with the square of the record's length. Therefore the reader
/// passes the pieces to `mayBeComplete`, which looks at each byte once, and scans the record again
/// only if the result is true.
package struct IncompleteText: Sendable {
  /// What has to arrive before it is useful to scan the text again.
  package enum End {
    /// The end of a JSON value, or a byte that cannot follow in JSON.
    case value
    /// The end of a line.
    case line
  }

  private let end: End
  /// The length of the text when it was last scanned.
  private let scannedCount: Int
  /// The number of bytes that `mayBeComplete` has looked at.
  private var position = 0
  /// The number of objects and arrays that contain the current position.
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// The last byte outside strings. Whitespace is not stored in an object or array.
  private var previous: UInt8 = 0x20
  private var hasEnd = false

  /// Creates the state before any text has arrived. The first bytes may then be complete.
  package init() {
    end = .value
    scannedCount = 0
  }

  /// Creates the state after a text has been scanned and found to be incomplete.
  package init(_ text: Span<UInt8>, until end: End) {
    self.end = end
    scannedCount = text.count
    for index in text.indices { look(at: text[index]) }
    position = text.count
    hasEnd = false
  }

  /// Returns whether it is useful to scan the text again: its end has arrived, it contains a syntax
  /// error, or its length has doubled. The last rule limits the time until other syntax errors are
  /// found.
  ///
  /// - Parameter text: The text that was passed before, and the bytes that have arrived since then.
  package mutating func mayBeComplete(_ text: Span<UInt8>) -> Bool {
    if text.count >= scannedCount * 2 { return true }
    while position < text.count, !hasEnd {
      look(at: text[position])
      position += 1
    }
    return hasEnd
  }

  @inline(__always)
  private mutating func look(at byte: UInt8) {
    switch end {
    case .line: if byte == UInt8(ascii: "\n") { hasEnd = true }
    case .value: lookInValue(at: byte)
    }
  }

  @inline(__always)
  private mutating func lookInValue(at byte: UInt8) {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
        if depth == 0 { hasEnd = true }
      } else if byte < 0x20 {
        hasEnd = true
      }
      return
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      // A record that is cut off is often followed by another record.
      if depth > 0, !Self.canPrecedeValue(previous) { hasEnd = true }
      depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      if depth <= 0 { hasEnd = true }
    case 0x20, 0x09, 0x0A, 0x0D:
      if depth > 0 { return }
      if previous != 0x20 { hasEnd = true }
      previous = 0x20
      return
    case UInt8(ascii: ","): if depth == 0 { hasEnd = true }
    default: break
    }
    previous = byte
  }

  private static func canPrecedeValue(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "[")
  }
}

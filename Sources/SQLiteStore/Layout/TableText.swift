/// A `create table` statement from `sqlite_schema`, split at the commas of its column list.
struct TableDefinition {
  var name: String
  private var parts: [String]
  private let tail: String

  /// Parses a statement; nil if it has no column list.
  init?(_ text: String) {
    var scanner = SQLScanner(text)
    guard let inside = scanner.parts() else { return nil }
    name = ""
    parts = inside
    tail = scanner.rest
  }

  /// The statement that creates the table under its new name.
  var text: String {
    let quoted = name.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"")
    return "create table \"\(quoted)\" (\(parts.joined(separator: ",")))\(tail)"
  }

  /// Replaces the definition of a column.
  mutating func replace(_ column: String, by definition: String) {
    for index in parts.indices where SQLScanner.firstName(of: parts[index]) == column {
      parts[index] = (index == 0 ? "" : " ") + definition
      return
    }
  }
}

/// A scanner that recognizes quoted text, comments and parentheses in SQL.
private struct SQLScanner {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The text after the current offset.
  var rest: String { String(decoding: bytes[offset...], as: UTF8.self) }

  /// Returns the comma-separated parts within the first parentheses.
  mutating func parts() -> [String]? {
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "(") { skip() }
    guard offset < bytes.count else { return nil }
    offset += 1
    var parts: [String] = []
    var start = offset
    var depth = 0
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")") where depth > 0: depth -= 1
      case UInt8(ascii: ")"):
        parts.append(String(decoding: bytes[start..<offset], as: UTF8.self))
        offset += 1
        return parts
      case UInt8(ascii: ",") where depth == 0:
        parts.append(String(decoding: bytes[start..<offset], as: UTF8.self))
        start = offset + 1
      default: break
      }
      skip()
    }
    return nil
  }

  /// Skips one byte, or a whole quoted text or comment.
  private mutating func skip() {
    switch bytes[offset] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): skip(to: bytes[offset])
    case UInt8(ascii: "["): skip(to: UInt8(ascii: "]"))
    case UInt8(ascii: "-") where next == UInt8(ascii: "-"): skip(to: UInt8(ascii: "\n"))
    case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
      offset += 2
      while offset < bytes.count, bytes[offset] != UInt8(ascii: "*") || next != UInt8(ascii: "/") {
        offset += 1
      }
      offset += 2
    default: offset += 1
    }
    offset = min(offset, bytes.count)
  }

  private var next: UInt8? { offset + 1 < bytes.count ? bytes[offset + 1] : nil }

  /// Skips to the closing quote. A doubled quote ends one quoted text and begins the next, which
  /// gives the same result.
  private mutating func skip(to end: UInt8) {
    offset += 1
    while offset < bytes.count, bytes[offset] != end { offset += 1 }
    offset += 1
  }

  /// The name at the beginning of a part. Names of datactl's columns contain no quotes.
  static func firstName(of part: String) -> String {
    let bytes = Array(part.utf8)
    let space: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    guard let start = bytes.firstIndex(where: { !space.contains($0) }) else { return "" }
    let closing: [UInt8: UInt8] = [
      UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "`"): UInt8(ascii: "`"),
      UInt8(ascii: "["): UInt8(ascii: "]"),
    ]
    if let end = closing[bytes[start]] {
      return String(decoding: bytes[(start + 1)...].prefix { $0 != end }, as: UTF8.self)
    }
    let word = bytes[start...].prefix { !space.contains($0) && $0 != UInt8(ascii: "(") }
    return String(decoding: word, as: UTF8.self).lowercased()
  }
}

/// A word of a command line that says something about a field: `FIELD=TEXT` and its kin.
package struct Assignment: Hashable, Sendable {
  /// How the text behind it is read.
  package enum Operator: String, CaseIterable, Sendable {
    /// By the field's type.
    case text = "="
    /// As JSON.
    case json = ":="
    /// As the path of a file, whose bytes are the content.
    case file = "@="
    /// Added to the number, or appended to the list.
    case add = "+="
    /// Subtracted from the number, or removed from the list.
    case subtract = "-="
  }

  /// The field's name, or that of its property.
  package var name: String
  package var operation: Operator
  /// What stands behind the operator.
  package var text: String

  /// Takes a word apart, or gives nil if it is none of these: an id then.
  package init?(_ word: String) {
    let bytes = Array(word.utf8)
    var end = 0
    while end < bytes.count && Self.isNameByte(bytes[end], first: end == 0) { end += 1 }
    guard end > 0, end < bytes.count else { return nil }
    let length = bytes[end] == UInt8(ascii: "=") ? 1 : 2
    guard end + length <= bytes.count,
      let operation = Operator(
        rawValue: String(decoding: bytes[end..<end + length], as: UTF8.self))
    else { return nil }
    name = String(decoding: bytes[..<end], as: UTF8.self)
    self.operation = operation
    text = String(decoding: bytes[(end + length)...], as: UTF8.self)
  }

  private static func isNameByte(_ byte: UInt8, first: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"):
      true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): !first
    default: false
    }
  }
}

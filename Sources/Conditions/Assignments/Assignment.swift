/// A command-line argument that assigns a value to a field, such as `FIELD=TEXT`.
package struct Assignment: Hashable, Sendable {
  /// The operator of the assignment. It determines how the text after it is parsed.
  package enum Operator: String, CaseIterable, Sendable {
    /// The text is parsed according to the type of the field.
    case text = "="
    /// The text is parsed as JSON.
    case json = ":="
    /// The text is the path of a file that provides the value of the field.
    case file = "@="
    /// The text is parsed as a value that is added to a number field or appended to a list field.
    case add = "+="
    /// The text is parsed as a value that is subtracted from a number field or removed from a list
    /// field.
    case subtract = "-="
  }

  /// The name of the field in the schema, such as `year_born`, or its property name, `yearBorn`.
  package var name: String
  package var operation: Operator
  /// The text after the operator, such as `done` in `state=done`.
  package var text: String

  /// Whether the assignment changes the stored value instead of replacing it.
  var isEdit: Bool { operation == .add || operation == .subtract }

  /// Parses an argument. Returns nil if the argument is not an assignment, for example if it is an
  /// id.
  package init?(_ argument: String) {
    let bytes = Array(argument.utf8)
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

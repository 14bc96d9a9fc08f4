/// A JSON value.
///
/// Objects keep the order of their members and numbers keep their text, so that parsing and
/// serializing change only whitespace and character escapes.
public enum JSONValue: Sendable {
  /// A member of an object: a name and a value.
  public struct Member: Hashable, Sendable {
    /// The name, which may occur more than once in an object.
    public var name: String
    /// The value, which can be of any JSON type.
    public var value: JSONValue

    /// Creates a member with a name and a value.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The JSON literal `null`.
  case null
  /// The JSON literal `true` or `false`.
  case boolean(Bool)
  /// A number, with the text it was parsed from.
  case number(JSONNumber)
  /// A string, without quotation marks and escapes.
  case text(String)
  /// An array, with its elements in order.
  case array([JSONValue])
  /// An object, with its members in order.
  case object([Member])

  /// Returns the value of the member with the given name, or nil if the value is not an object or
  /// has no such member.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// Returns the element at the given index, or nil if the value is not an array or the index is
  /// out of bounds.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

extension JSONValue: Hashable {
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)):
      left.elementsEqual(right) { $0.name.utf8.elementsEqual($1.name.utf8) && $0.value == $1.value }
    case (.null, _), (.boolean, _), (.number, _), (.text, _), (.array, _), (.object, _): false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let boolean): hasher.combine(boolean)
    case .number(let number): hasher.combine(number)
    case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
    case .array(let elements): hasher.combine(elements)
    case .object(let members): for member in members { hasher.combine(member.value) }
    }
  }
}

/// A JSON number that keeps the text it was parsed from.
public struct JSONNumber: Hashable, Sendable {
  /// The text of the number, in JSON syntax.
  public let text: String

  /// Creates a number from an integer.
  public init(_ integer: Int64) {
    text = "\(integer)"
  }

  /// Creates a number from a double. Returns nil for infinity and NaN, which JSON cannot represent.
  public init?(_ number: Double) {
    guard number.isFinite else { return nil }
    text = NumberText.text(number)
  }

  /// Creates a number from its JSON text. Returns nil if `text` is not a valid JSON number.
  public init?(text: String) {
    guard NumberText.isJSONNumber(text.utf8.span) else { return nil }
    self.text = text
  }

  /// The number as a 64-bit integer, or nil if it is not an integer or out of range.
  public var integer: Int64? { try? NumberText.integer(text.utf8.span) }

  /// The nearest double, or nil if the number is out of range.
  public var double: Double? { try? NumberText.double(text.utf8.span) }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates `null` from the literal `nil`.
  public init(nilLiteral: ()) { self = .null }
  /// Creates `true` or `false` from a Swift literal.
  public init(booleanLiteral boolean: Bool) { self = .boolean(boolean) }
  /// Creates a number from an integer literal.
  public init(integerLiteral integer: Int64) { self = .number(JSONNumber(integer)) }
  /// Creates a number from a literal. A literal that is infinite becomes null, because JSON cannot
  /// represent infinity.
  public init(floatLiteral number: Double) { self = JSONNumber(number).map(Self.number) ?? .null }
  /// Creates a string from a string literal.
  public init(stringLiteral text: String) { self = .text(text) }
  /// Creates an array from an array literal, such as `[1, "a"]`.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object from a dictionary literal, such as `["a": 1]`. The members keep their order.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { Member($0, $1) })
  }
}

extension JSONValue {
  /// Creates a value from a part of the text that was parsed.
  package init(_ node: JSONNode, of text: Span<UInt8>) {
    switch node.content {
    case .null: self = .null
    case .boolean(let boolean): self = .boolean(boolean)
    case .number:
      let number = JSONNumber(text: String(decoding: text.extracting(node.range)))
      self = number.map(JSONValue.number) ?? .null
    case .text(let string): self = .text(string)
    case .array(let elements):
      var values: [JSONValue] = []
      for element in elements { values.append(JSONValue(element, of: text)) }
      self = .array(values)
    case .object(let members):
      var values: [Member] = []
      for member in members {
        values.append(Member(member.name, JSONValue(member.value, of: text)))
      }
      self = .object(values)
    }
  }

  /// Appends the value to `output` as compact JSON.
  package func write(to output: inout [UInt8]) {
    switch self {
    case .null: output += Array("null".utf8)
    case .boolean(let boolean): output += Array("\(boolean)".utf8)
    case .number(let number): output += Array(number.text.utf8)
    case .text(let text): JSONQuote.append(text.utf8.span, to: &output)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        element.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        JSONQuote.append(member.name.utf8.span, to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON in one line, without whitespace between tokens.
  public var description: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

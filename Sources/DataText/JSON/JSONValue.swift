import DataModel

/// A JSON value.
///
/// Objects keep the order of their members and numbers keep their text, so that parsing and
/// serializing change only whitespace and character escapes.
public enum JSONValue: Sendable {
  /// A member of an object: a name and a value.
  public struct Member: Hashable, Sendable {
    public var name: String
    public var value: JSONValue

    /// Creates a member.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  case null
  case boolean(Bool)
  case number(JSONNumber)
  case text(String)
  case array([JSONValue])
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
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral boolean: Bool) { self = .boolean(boolean) }
  public init(integerLiteral integer: Int64) { self = .number(JSONNumber(integer)) }
  /// Creates a number, or null if the literal is infinite: JSON cannot represent infinity.
  public init(floatLiteral number: Double) { self = JSONNumber(number).map(Self.number) ?? .null }
  public init(stringLiteral text: String) { self = .text(text) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { Member($0, $1) })
  }
}

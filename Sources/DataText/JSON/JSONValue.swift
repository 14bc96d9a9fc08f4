import DataModel

/// Any JSON, as a program takes it apart or puts it together.
///
/// An object keeps the order of its members and a number its text, so that reading and writing
/// change nothing but space and the spelling of characters.
public enum JSONValue: Sendable {
  /// A named value of an object.
  public struct Member: Hashable, Sendable {
    /// The member's name.
    public var name: String
    /// The member's value.
    public var value: JSONValue

    /// Makes a member.
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

  /// The value of an object's member.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The element of an array.
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

/// A number of JSON, exactly as it was written.
public struct JSONNumber: Hashable, Sendable {
  /// The number's text by the grammar of JSON.
  public let text: String

  /// Takes an integer.
  public init(_ integer: Int64) {
    text = "\(integer)"
  }

  /// Takes a number, or gives nil for infinity and what is no number.
  public init?(_ number: Double) {
    guard number.isFinite else { return nil }
    text = NumberText.text(number)
  }

  /// Takes a text, or gives nil if it is no number as JSON writes it.
  public init?(text: String) {
    guard NumberText.isJSONNumber(text.utf8.span) else { return nil }
    self.text = text
  }

  /// The number as an integer of 64 bits, if it is one.
  public var integer: Int64? { try? NumberText.integer(text.utf8.span) }

  /// The nearest double, if the number is not beyond what one can be.
  public var double: Double? { try? NumberText.double(text.utf8.span) }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral boolean: Bool) { self = .boolean(boolean) }
  public init(integerLiteral integer: Int64) { self = .number(JSONNumber(integer)) }
  /// A literal beyond the largest double is infinity, which JSON does not have: null.
  public init(floatLiteral number: Double) { self = JSONNumber(number).map(Self.number) ?? .null }
  public init(stringLiteral text: String) { self = .text(text) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { Member($0, $1) })
  }
}

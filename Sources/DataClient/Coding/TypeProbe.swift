/// Looks at a program's own type by decoding it from nothing, and notes what it asks for.
///
/// A property that is not optional needs some value for the look to go on. An enum gets its first
/// case, or a value that the schema allows; where no value is found, what comes behind the property
/// shows itself only when records are read.
struct TypeProbe: Decoder {
  /// What the look has found so far.
  final class Findings {
    var properties: [Property] = []
    /// The property that may do without a value, as it just turned out.
    var optional: String?
  }

  /// Ends a look that can go no further.
  struct Stopped: Error {}

  let findings: Findings
  let schema: Schema
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Reports everything in which a type does not fit a schema.
  static func check(_ type: any Decodable.Type, against schema: Schema) throws(DataError) {
    let findings = Findings()
    _ = try? type.init(from: TypeProbe(findings: findings, schema: schema))
    let problems = findings.properties.compactMap { $0.mismatch(with: schema, of: "\(type)") }
    if let error = DataError(problems) { throw error }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Keyed(probe: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Stopped() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { Whole(probe: self) }

  struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: TypeProbe
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    /// Only who can do without a value asks whether there is one.
    func decodeNil(forKey key: Key) -> Bool {
      probe.findings.optional = key.stringValue
      return false
    }

    func decode<Wanted: Decodable>(_ type: Wanted.Type, forKey key: Key) throws -> Wanted {
      try probe.note(type, key, isOptional: probe.findings.optional == key.stringValue)
    }

    func decodeIfPresent<Wanted: Decodable>(
      _ type: Wanted.Type, forKey key: Key
    ) throws -> Wanted? {
      _ = try? probe.note(type, key, isOptional: true)
      return nil
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
      probe.note(.object, key)
      return KeyedDecodingContainer(
        Keyed<NestedKey>(probe: TypeProbe(findings: Findings(), schema: probe.schema)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      probe.note(.list(.unknown), key)
      return ValueDecoder.Unkeyed(values: [], codingPath: [])
    }

    func superDecoder() -> any Decoder { probe }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw Stopped() }
  }

  struct Whole: SingleValueDecodingContainer {
    let probe: TypeProbe
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    func decode<Wanted: Decodable>(_ type: Wanted.Type) throws -> Wanted {
      try Wanted(from: probe)
    }
  }

  /// Notes a property and gives some value for it.
  private func note<Wanted: Decodable>(
    _ type: Wanted.Type, _ key: some CodingKey, isOptional: Bool
  ) throws -> Wanted {
    let look = ValueProbe.Look()
    let field = schema.slot(ofProperty: key.stringValue).flatMap {
      $0 < schema.fields.count ? schema.fields[$0] : nil
    }
    let sample = ValueProbe.sample(of: type, for: field, look)
    let optional = type as? any OptionalValue.Type
    findings.properties.append(
      Property(
        name: key.stringValue, typeName: "\(optional?.wrapped ?? type)", shape: look.shape,
        isOptional: isOptional || optional != nil))
    guard let sample else { throw Stopped() }
    return sample
  }

  private func note(_ shape: Property.Shape, _ key: some CodingKey) {
    findings.properties.append(
      Property(name: key.stringValue, typeName: "its type", shape: shape, isOptional: true))
  }
}

/// An optional, seen through its type.
private protocol OptionalValue {
  static var wrapped: any Any.Type { get }
}

extension Optional: OptionalValue {
  static var wrapped: any Any.Type { Wrapped.self }
}

/// A decoder that finds the properties of a model type by decoding it without a record.
///
/// To decode a property that is not optional, the decoder provides a sample value. For an enum, the
/// sample is its first case or a value that the schema allows. If no sample can be created for a
/// property, decoding stops. Mismatches of later properties are then found only when records are
/// read.
struct TypeProbe: Decoder {
  /// The properties found so far.
  final class Findings {
    var properties: [Property] = []
    /// The name of the property for which `decodeNil` was called most recently. Swift calls
    /// `decodeNil` only for optional properties, so the type of this property is optional.
    var optional: String?
  }

  /// The error that stops decoding when no sample value can be created for a property.
  struct NoSampleError: Error {}

  let findings: Findings
  /// The schema of the type, or nil if there is no schema yet. The type is decoded from sample
  /// values, which are the allowed values of the schema's fields (`one_of`), if there are any.
  let schema: Schema?
  /// The schemas that relations refer to.
  var catalog = Catalog()
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns the properties that were found by decoding a type, and whether these are all
  /// properties of the type.
  static func properties(
    of type: any Decodable.Type, for schema: Schema? = nil, in catalog: Catalog = Catalog()
  ) -> (found: [Property], areComplete: Bool) {
    let findings = Findings()
    let probe = TypeProbe(findings: findings, schema: schema, catalog: catalog)
    let value = try? type.init(from: probe)
    return (findings.properties, value != nil)
  }

  /// Returns whether a type has properties. A dictionary has none.
  static func hasProperties(_ type: any Decodable.Type) -> Bool {
    !properties(of: type).found.isEmpty
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Keyed(probe: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoSampleError() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SingleValue(probe: self)
  }

  struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: TypeProbe
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    /// Marks the property as optional. Swift calls this method only when it decodes an optional.
    func decodeNil(forKey key: Key) -> Bool {
      probe.findings.optional = key.stringValue
      return false
    }

    func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
      try probe.note(type, key, isOptional: probe.findings.optional == key.stringValue)
    }

    func decodeIfPresent<Decoded: Decodable>(
      _ type: Decoded.Type, forKey key: Key
    ) throws -> Decoded? {
      _ = try? probe.note(type, key, isOptional: true)
      return nil
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
      probe.note(.object(nil), key)
      return KeyedDecodingContainer(
        Keyed<NestedKey>(probe: TypeProbe(findings: Findings(), schema: probe.schema)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      probe.note(.list(.unknown), key)
      return ValueDecoder.Unkeyed(values: [], codingPath: [])
    }

    func superDecoder() -> any Decoder { probe }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw NoSampleError() }
  }

  struct SingleValue: SingleValueDecodingContainer {
    let probe: TypeProbe
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
      try Decoded(from: probe)
    }
  }

  /// Adds a property to the properties found so far, and returns a sample value for it.
  private func note<Decoded: Decodable>(
    _ type: Decoded.Type, _ key: some CodingKey, isOptional: Bool
  ) throws -> Decoded {
    let recorder = ValueProbe.ShapeRecorder()
    let field = schema.flatMap { schema in
      schema.slot(ofProperty: key.stringValue).flatMap {
        $0 < schema.fields.count ? schema.fields[$0] : nil
      }
    }
    let optional = type as? any OptionalValue.Type
    var sample = ValueProbe.sample(of: type, for: field, recorder)
    if sample == nil, !isOptional, optional == nil,
      let target = field?.type.relation.flatMap({ catalog[$0.target] })
    {
      // Pass the schema of the relation, because it may contain the allowed values of a nested
      // enum.
      sample = try? Decoded(
        from: TypeProbe(findings: Findings(), schema: target, catalog: catalog))
    }
    findings.properties.append(
      Property(
        name: key.stringValue, typeName: "\(optional?.wrapped ?? type)", shape: recorder.shape,
        isOptional: isOptional || optional != nil,
        choices: ((optional?.wrapped ?? type) as? any CaseIterable.Type)?.rawValues ?? []))
    guard let sample else { throw NoSampleError() }
    return sample
  }

  private func note(_ shape: Property.Shape, _ key: some CodingKey) {
    findings.properties.append(
      Property(name: key.stringValue, typeName: "its type", shape: shape, isOptional: true))
  }
}

/// Provides the wrapped type of an optional type, such as `Int` for `Int?`.
private protocol OptionalValue {
  static var wrapped: any Any.Type { get }
}

extension Optional: OptionalValue {
  static var wrapped: any Any.Type { Wrapped.self }
}

/// A decoder that finds the structure of one property's type and creates a sample value of the
/// type.
struct ValueProbe: Decoder {
  /// Stores the structure of a type. The first value that the type decodes determines the
  /// structure.
  final class ShapeRecorder {
    var shape = Property.Shape.unknown

    func note(_ found: Property.Shape) {
      if case .unknown = shape { shape = found }
    }
  }

  let recorder: ShapeRecorder?
  let type: any Decodable.Type
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns a sample value of the type, or nil if none can be created.
  ///
  /// - Parameter recorder: Receives the structure of the type. Nil for samples of nested values,
  ///   because the search for the structure of a recursive type would not end.
  static func sample<Decoded: Decodable>(
    of type: Decoded.Type, for field: Field?, _ recorder: ShapeRecorder?
  ) -> Decoded? {
    if let fieldType = type as? any FieldValue.Type {
      recorder?.note(.scalar(fieldType))
      return fieldType.sample as? Decoded
    }
    if let recorder, let list = type as? any ListValue.Type {
      recorder.note(.list(list.elementShape))
    }
    if let sample = try? Decoded(from: ValueProbe(recorder: recorder, type: type)) { return sample }
    if let cases = type as? any CaseIterable.Type { return cases.firstCase as? Decoded }
    for candidate in candidates(for: field) {
      let decoder = ValueDecoder(form: candidate, codingPath: [])
      if let sample = try? Decoded(from: decoder) { return sample }
    }
    return nil
  }

  /// Returns values to try as raw values of an enum: the values that the field allows, its default
  /// value, and the integers from 0 to 16.
  private static func candidates(for field: Field?) -> [DraftValue.Form] {
    let named = (field?.oneOf ?? []) + [field?.defaultValue].compactMap { $0 }
    return named.map { DraftValue($0).form } + (0...16).map { .value(.integer($0)) }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    recorder?.note(.object(self.type))
    return KeyedDecodingContainer(Keyed(type: self.type))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    recorder?.note(.list(.unknown))
    return ValueDecoder.Unkeyed(values: [], codingPath: [])
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(recorder: recorder) }

  /// A keyed container that provides a sample value for every key.
  struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let type: any Decodable.Type
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool { true }

    func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
      guard let sample = sample(of: type, for: nil, nil) else { throw TypeProbe.NoSampleError() }
      return sample
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedDecodingContainer<NestedKey> {
      KeyedDecodingContainer(Keyed<NestedKey>(type: self.type))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
      ValueDecoder.Unkeyed(values: [], codingPath: [])
    }

    func superDecoder() -> any Decoder { ValueProbe(recorder: nil, type: type) }

    func superDecoder(forKey key: Key) -> any Decoder { ValueProbe(recorder: nil, type: type) }
  }

  struct Single: SingleValueDecodingContainer {
    let recorder: ShapeRecorder?
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
      guard let sample = sample(of: type, for: nil, recorder) else {
        throw TypeProbe.NoSampleError()
      }
      return sample
    }
  }
}

/// A list type, such as `[Int]` or `Set<Int>`. Provides the structure of its elements.
private protocol ListValue {
  static var elementShape: Property.Shape { get }
}

extension Array: ListValue where Element: Decodable {
  static var elementShape: Property.Shape {
    let recorder = ValueProbe.ShapeRecorder()
    _ = ValueProbe.sample(of: Element.self, for: nil, recorder)
    return recorder.shape
  }
}

extension Set: ListValue where Element: Decodable {
  static var elementShape: Property.Shape { [Element].elementShape }
}

extension CaseIterable {
  fileprivate static var firstCase: Self? { allCases.first }

  /// The raw values of an enum's cases, if these are strings or integers; empty for other types.
  fileprivate static var rawValues: [Value] {
    allCases.compactMap { element in
      switch (element as? any RawRepresentable)?.rawValue {
      case let text as String: .text(text)
      case let integer as any FixedWidthInteger: Int64(exactly: integer).map { .integer($0) }
      default: nil
      }
    }
  }
}

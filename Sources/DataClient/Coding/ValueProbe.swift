/// A decoder that finds the structure of one property's type and makes a sample value of it.
struct ValueProbe: Decoder {
  /// The structure found: the first kind of value that the type decoded.
  final class ShapeRecorder {
    var shape = Property.Shape.unknown

    func note(_ found: Property.Shape) {
      if case .unknown = shape { shape = found }
    }
  }

  let recorder: ShapeRecorder?
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns a sample value of the type, or nil if none can be made, and records its structure.
  ///
  /// Inside other values nothing is recorded, because a type may contain lists of itself.
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
    if let sample = try? Decoded(from: ValueProbe(recorder: recorder)) { return sample }
    if let cases = type as? any CaseIterable.Type { return cases.firstCase as? Decoded }
    for candidate in candidates(for: field) {
      let decoder = ValueDecoder(form: candidate, codingPath: [])
      if let sample = try? Decoded(from: decoder) { return sample }
    }
    return nil
  }

  /// Returns values that may be raw values of an enum.
  private static func candidates(for field: Field?) -> [DraftValue.Form] {
    let named = (field?.oneOf ?? []) + [field?.defaultValue].compactMap { $0 }
    return named.map { DraftValue($0).form } + (0...16).map { .integer($0) }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    recorder?.note(.object)
    return KeyedDecodingContainer(Keyed())
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    recorder?.note(.list(.unknown))
    return ValueDecoder.Unkeyed(values: [], codingPath: [])
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(recorder: recorder) }

  /// An object that has a value for every key.
  struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
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
      KeyedDecodingContainer(Keyed<NestedKey>())
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
      ValueDecoder.Unkeyed(values: [], codingPath: [])
    }

    func superDecoder() -> any Decoder { ValueProbe(recorder: nil) }

    func superDecoder(forKey key: Key) -> any Decoder { ValueProbe(recorder: nil) }
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

/// A list type, for access to its element type.
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
}

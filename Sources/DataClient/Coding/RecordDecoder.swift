/// Decodes a value of a model type from a record.
struct RecordDecoder: Decoder {
  let record: Record
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Keyed(record: record))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw ValueDecoder.mismatch("an array", .object([]), [])
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SingleValue(record: record)
  }

  /// The fields of the record, keyed by property name.
  struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let record: Record
    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
      (0..<record.schema.width).compactMap { slot in
        let name = record.schema.name(of: slot)
        let key = Key(stringValue: Names.property(for: name)) ?? Key(stringValue: name)
        return key.flatMap { self.slot($0) == slot ? $0 : nil }
      }
    }

    func contains(_ key: Key) -> Bool { slot(key) != nil }

    func decodeNil(forKey key: Key) -> Bool { form(key).isNull }

    func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
      guard let slot = slot(key) else {
        throw DecodingError.keyNotFound(
          key, .init(codingPath: [], debugDescription: "no field for the key \(key.stringValue)"))
      }
      return try record.decode(type, at: slot)
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
      try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try decoder(key).unkeyedContainer()
    }

    /// Returns a decoder for the superclass, which reads its properties from the same record.
    func superDecoder() -> any Decoder { RecordDecoder(record: record) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func slot(_ key: Key) -> Int? { record.schema.slot(ofProperty: key.stringValue) }

    private func form(_ key: Key) -> DraftValue.Form {
      slot(key).map { DraftValue(record.values[$0]).form } ?? .null
    }

    private func decoder(_ key: Key) throws -> ValueDecoder {
      ValueDecoder(form: try form(key).expanded, codingPath: [key])
    }
  }

  /// A container whose single value is the record. It is used for types that wrap a model type.
  struct SingleValue: SingleValueDecodingContainer {
    let record: Record
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
      try Decoded(from: RecordDecoder(record: record))
    }
  }
}

extension Record {
  /// Decodes the record as a model type.
  ///
  /// If a field has no value, an optional property is decoded as nil, and any other property causes
  /// an error.
  ///
  /// - Parameter type: The type to decode.
  /// - Returns: The decoded value.
  /// - Throws: A ``DataError`` that names the field that could not be decoded.
  public func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    try reporting { try Decoded(from: RecordDecoder(record: self)) }
  }
}

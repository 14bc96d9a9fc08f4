internal import DataText

extension ValueDecoder {
  struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [Draft.Entry]
    var codingPath: [any CodingKey]

    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool { members.contains { $0.name == key.stringValue } }

    func decodeNil(forKey key: Key) -> Bool { members.value(key.stringValue).isNull }

    func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
      guard contains(key) else {
        throw DecodingError.keyNotFound(
          key, .init(codingPath: codingPath, debugDescription: "expected \(key.stringValue)"))
      }
      return try ValueDecoder.decode(
        type, from: members.value(key.stringValue), codingPath + [key])
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
      try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try decoder(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder {
      ValueDecoder(form: .object(members), codingPath: codingPath)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws -> ValueDecoder {
      ValueDecoder(
        form: try members.value(key.stringValue).expanded, codingPath: codingPath + [key])
    }
  }

  struct Unkeyed: UnkeyedDecodingContainer {
    let values: [DraftValue]
    var codingPath: [any CodingKey]
    var currentIndex = 0

    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    init(values: [DraftValue], codingPath: [any CodingKey]) {
      self.values = values
      self.codingPath = codingPath
    }

    mutating func decodeNil() throws -> Bool {
      guard try current().isNull else { return false }
      currentIndex += 1
      return true
    }

    mutating func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
      let value = try ValueDecoder.decode(type, from: current(), codingPath)
      currentIndex += 1
      return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
      try nextDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try nextDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try nextDecoder() }

    private mutating func nextDecoder() throws -> ValueDecoder {
      let decoder = ValueDecoder(form: try current().expanded, codingPath: codingPath)
      currentIndex += 1
      return decoder
    }

    private func current() throws -> DraftValue.Form {
      guard !isAtEnd else {
        throw DecodingError.valueNotFound(
          DraftValue.self,
          .init(codingPath: codingPath, debugDescription: "expected another element"))
      }
      return values[currentIndex].form
    }
  }

  struct Single: SingleValueDecodingContainer {
    let form: DraftValue.Form
    var codingPath: [any CodingKey]

    func decodeNil() -> Bool { form.isNull }

    func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
      try ValueDecoder.decode(type, from: form, codingPath)
    }
  }
}

extension DraftValue.Form {
  /// Whether the value is null or absent.
  var isNull: Bool {
    switch self {
    case .null, .none: true
    case .tree(let value): value == .null
    case .text, .integer, .number, .boolean, .datetime, .point, .file, .upload, .list, .object,
      .json, .add, .edit:
      false
    }
  }
}

internal import JSONText

/// Decodes a value of a model type from the value of a field.
struct ValueDecoder: Decoder {
  let form: DraftValue.Form
  var codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Decodes a value of the given type from the value of a field, or from a part of it.
  static func decode<Decoded: Decodable>(
    _ type: Decoded.Type, from form: DraftValue.Form, _ path: [any CodingKey]
  ) throws -> Decoded {
    guard let fieldType = type as? any FieldValue.Type else {
      return try Decoded(from: ValueDecoder(form: form.expanded, codingPath: path))
    }
    if let value = fieldType.init(form: form) as? Decoded { return value }
    let expanded = try form.expanded
    guard let value = fieldType.init(form: expanded) as? Decoded else {
      throw mismatch("\(type)", expanded, path)
    }
    return value
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if case .record(let tree) = form {
      guard !tree.isTooDeep else {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: codingPath,
            debugDescription: "the tree is deeper than \(RecordTree.maxDepth) records"))
      }
      return RecordDecoder(tree: tree).container(keyedBy: type)
    }
    guard case .object(let members) = form else {
      throw Self.mismatch("an object", form, codingPath)
    }
    return KeyedDecodingContainer(Keyed(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let values) = form else {
      throw Self.mismatch("an array", form, codingPath)
    }
    return Unkeyed(values: values, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    Single(form: form, codingPath: codingPath)
  }

  /// Returns an error for a value that does not have the expected type.
  static func mismatch(
    _ expected: String, _ found: DraftValue.Form, _ path: [any CodingKey]
  ) -> DecodingError {
    .typeMismatch(
      DraftValue.self,
      .init(
        codingPath: path,
        debugDescription: "expected \(expected), found \(DraftValue(form: found).display)"))
  }
}

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
          key,
          .init(codingPath: codingPath, debugDescription: "missing value for \(key.stringValue)"))
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
          .init(codingPath: codingPath, debugDescription: "the array has no more elements"))
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
    case .value(let value): value == .null
    case .none: true
    case .tree(let value): value == .null
    case .upload, .list, .object, .record, .add, .edit: false
    }
  }
}

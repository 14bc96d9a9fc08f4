internal import ClientCore

/// Decodes a value of a model type from a record.
struct RecordDecoder: Decoder {
  let tree: RecordTree
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Keyed(tree: tree))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw ValueDecoder.mismatch("an array", .object([]), [])
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SingleValue(tree: tree)
  }

  /// A keyed container that contains the fields of the record. The keys are property names.
  struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let tree: RecordTree
    var codingPath: [any CodingKey] { [] }

    private var record: Record { tree.record }

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
          key,
          .init(codingPath: [], debugDescription: "the schema has no field \(key.stringValue)"))
      }
      return try tree.decode(type, at: slot)
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
    func superDecoder() -> any Decoder { RecordDecoder(tree: tree) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func slot(_ key: Key) -> Int? { tree.slot(ofProperty: key.stringValue) }

    private func form(_ key: Key) -> DraftValue.Form {
      slot(key).map { tree.form(inSlot: $0) } ?? .value(.null)
    }

    private func decoder(_ key: Key) throws -> ValueDecoder {
      ValueDecoder(form: try form(key).expanded, codingPath: [key])
    }
  }

  /// A container whose single value is the record, for types that wrap a model type.
  struct SingleValue: SingleValueDecodingContainer {
    let tree: RecordTree
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
      try Decoded(from: RecordDecoder(tree: tree))
    }
  }
}

extension Record {
  /// Decodes the record as a model type.
  ///
  /// If a field has no value, an optional property is decoded as nil, and any other property causes
  /// an error. A record contains only the ids of related records, so a property that contains other
  /// records cannot be decoded: get or list the records of the model type itself, with
  /// ``Client/records(of:)``.
  ///
  /// - Parameter type: The type to decode.
  /// - Returns: The decoded value.
  /// - Throws: A ``DataError`` that names the field that could not be decoded.
  public func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    try RecordTree(self).decode(type)
  }
}

extension RecordTree {
  /// Decodes the record as a model type. Properties that contain records are decoded from the
  /// related records.
  func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    try reporting { try Decoded(from: RecordDecoder(tree: self)) }
  }

  /// Decodes the value of one field.
  func decode<Decoded: Decodable>(_ type: Decoded.Type, at slot: Int) throws -> Decoded {
    do {
      return try reporting(slot: slot) {
        try ValueDecoder.decode(type, from: form(inSlot: slot), [])
      }
    } catch let error as DataError where isUnfetched(slot) && !(type is any FieldValue.Type) {
      throw error.modifyingProblems { problem in
        if problem.field == name(of: slot), problem.id == record.id {
          problem.hint = slot < record.schema.width ? Self.unfetchedHint : Self.inverseHint
        }
      }
    }
  }

  private static let unfetchedHint = """
    decode the type with get or list, and make the enum types of the properties before this one \
    CaseIterable
    """

  private static let inverseHint =
    "the records of an inverse are read up to \(Expansion.maxDepth) levels deep"

  /// Calls a closure that decodes a value. If the closure throws a `DecodingError`, converts it to
  /// a ``DataError``.
  private func reporting<Result>(slot: Int? = nil, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DecodingError {
      let (codingPath, message) = error.pathAndMessage
      let names = slot.map { [name(of: $0)] + codingPath } ?? codingPath
      let location = names.dropFirst().map { $0 + ": " }.joined()
      var problem = Problem(
        .invalid, location + message, schema: record.schema.name, id: record.id,
        field: names.first)
      problem.path = path
      throw DataError(problem)
    }
  }
}

extension DecodingError {
  /// The path to the value that caused the error, as the names of its keys, and the error message.
  var pathAndMessage: ([String], String) {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      return (context.codingPath.map(\.stringValue), context.debugDescription)
    case .keyNotFound(let key, let context):
      return (context.codingPath.map(\.stringValue), "missing value for \(key.stringValue)")
    @unknown default: return ([], "the value does not match the type")
    }
  }
}

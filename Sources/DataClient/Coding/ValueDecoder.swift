/// Decodes a value of a model type from the value of a field.
struct ValueDecoder: Decoder {
  let form: DraftValue.Form
  var codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Decodes one value.
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

extension Record {
  /// Decodes the value of one field.
  func decode<Decoded: Decodable>(_ type: Decoded.Type, at slot: Int) throws -> Decoded {
    try reporting(field: schema.name(of: slot)) {
      try ValueDecoder.decode(type, from: DraftValue(values[slot]).form, [])
    }
  }

  /// Executes a decoding closure and converts a `DecodingError` to a ``DataError``.
  func reporting<Result>(field: String? = nil, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DecodingError {
      let (path, message) = error.pathAndMessage
      let names = field.map { [$0] + path } ?? path
      let location = names.dropFirst().map { $0 + ": " }.joined()
      throw DataError(
        Problem(
          .invalid, location + message, schema: schema.name, id: id, field: names.first))
    }
  }
}

extension DecodingError {
  /// The coding path and message of the error.
  fileprivate var pathAndMessage: ([String], String) {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      return (context.codingPath.map(\.stringValue), context.debugDescription)
    case .keyNotFound(let key, let context):
      return (context.codingPath.map(\.stringValue), "expected a value \(key.stringValue)")
    @unknown default: return ([], "the value does not fit the type")
    }
  }
}

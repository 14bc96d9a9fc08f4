package import JSONText

extension DraftValue.Form {
  /// The value, decoded one level deep if it is JSON. For example, a JSON array becomes `.list`,
  /// and its elements remain JSON. A value that is not JSON is returned unchanged.
  var expanded: DraftValue.Form {
    get throws(DataError) {
      switch self {
      case .value(.json(let text)): try DraftValue.Form.tree(JSONValue(parsing: text)).expanded
      case .tree(let value): value.expanded
      case .value, .none, .upload, .list, .object, .record, .add, .edit: self
      }
    }
  }
}

extension JSONValue {
  fileprivate var expanded: DraftValue.Form {
    switch self {
    case .null: .value(.null)
    case .boolean(let boolean): .value(.boolean(boolean))
    case .number(let number):
      number.integer.map { .value(.integer($0)) } ?? number.double.map { .value(.number($0)) }
        ?? .tree(self)
    case .text(let text): .value(.text(text))
    case .array(let values): .list(values.map { DraftValue(form: .tree($0)) })
    case .object(let members):
      .object(members.map { Draft.Entry(name: $0.name, value: DraftValue(form: .tree($0.value))) })
    }
  }
}

extension JSONValue: FieldValue {
  static var sample: JSONValue? { .null }

  static func canRepresent(_ type: FieldType) -> Bool { type == .json }

  /// Creates a JSON value from the value of a field. Returns nil if JSON cannot represent it.
  init?(form: DraftValue.Form) {
    if case .tree(let value) = form {
      self = value
    } else if let value = try? JSONValue(parsing: DraftValue(form: form).jsonText) {
      self = value
    } else {
      return nil
    }
  }

  var form: DraftValue.Form { .tree(self) }
}

extension JSONValue: Codable {
  /// Decodes any JSON value.
  public init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: MemberKey.self) {
      self = .object(
        try members.allKeys.map { key in
          Member(key.stringValue, try members.decode(JSONValue.self, forKey: key))
        })
    } else if var elements = try? decoder.unkeyedContainer() {
      var values: [JSONValue] = []
      while !elements.isAtEnd { values.append(try elements.decode(JSONValue.self)) }
      self = .array(values)
    } else {
      self = try JSONValue(scalar: decoder.singleValueContainer())
    }
  }

  private init(scalar container: any SingleValueDecodingContainer) throws {
    if container.decodeNil() {
      self = .null
    } else if let boolean = try? container.decode(Bool.self) {
      self = .boolean(boolean)
    } else if let integer = try? container.decode(Int64.self) {
      self = .number(JSONNumber(integer))
    } else if let number = try? container.decode(Double.self) {
      self = JSONNumber(number).map(JSONValue.number) ?? .null
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  /// Encodes the JSON value. A number that is not a 64-bit integer is encoded as the nearest
  /// double.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .boolean(let boolean): try boolean.encode(to: encoder)
    case .number(let number):
      if let integer = number.integer {
        try integer.encode(to: encoder)
      } else {
        try (number.double ?? 0).encode(to: encoder)
      }
    case .text(let text): try text.encode(to: encoder)
    case .array(let values): try values.encode(to: encoder)
    case .object(let members):
      var container = encoder.container(keyedBy: MemberKey.self)
      for member in members {
        try container.encode(member.value, forKey: MemberKey(stringValue: member.name))
      }
    }
  }

  private struct MemberKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
      self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
  }
}

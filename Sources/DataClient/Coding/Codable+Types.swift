/// The library's types are `Codable`, so that programs can keep them in types of their own. With any
/// coder they take the form that they have in datactl's JSON.
extension FieldValue where Self: Decodable {
  /// Reads what `encode` wrote.
  fileprivate init(text decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let value = Self(form: .text(text)) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "invalid: \(Excerpt.quoted(text))"))
    }
    self = value
  }
}

extension Timestamp: Codable {
  /// Reads the text of a datetime.
  public init(from decoder: any Decoder) throws { try self.init(text: decoder) }

  /// Writes the datetime as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension RecordID: Codable {
  /// Reads the text of an id.
  public init(from decoder: any Decoder) throws { try self.init(text: decoder) }

  /// Writes the id as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension Reference: Codable {
  /// Reads the id of the record that is referred to.
  public init(from decoder: any Decoder) throws { try self.init(text: decoder) }

  /// Writes the id of the record that is referred to.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}

extension GeoPoint: Codable {
  private enum CodingKeys: String, CodingKey {
    case latitude = "lat"
    case longitude = "lon"
  }

  /// Reads `{"lat":…,"lon":…}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      latitude: container.decode(Double.self, forKey: .latitude),
      longitude: container.decode(Double.self, forKey: .longitude))
  }

  /// Writes `{"lat":…,"lon":…}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(latitude, forKey: .latitude)
    try container.encode(longitude, forKey: .longitude)
  }
}

extension FileReference: Codable {
  private enum CodingKeys: CodingKey {
    case name, type, size, sha256
  }

  /// Reads `{"name":…,"type":…,"size":…,"sha256":…}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      name: container.decode(String.self, forKey: .name),
      type: container.decode(String.self, forKey: .type),
      size: container.decode(Int64.self, forKey: .size),
      sha256: container.decode(String.self, forKey: .sha256))
  }

  /// Writes `{"name":…,"type":…,"size":…,"sha256":…}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(type, forKey: .type)
    try container.encode(size, forKey: .size)
    try container.encode(sha256, forKey: .sha256)
  }
}

/// Makes the library's types `Codable`, so that model types can have properties of these types.
/// Every encoder writes the values as in the JSON that datactl prints, for example dates as text.
extension FieldValue where Self: Decodable {
  /// Creates a value from the text that `encode(to:)` writes.
  fileprivate init(text decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let value = Self(form: .value(.text(text))) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "not a valid \(Self.self): \(Excerpt.quoted(text))"))
    }
    self = value
  }
}

extension CalendarDate: Codable {
  /// Decodes a date from text such as `2026-11-20`.
  ///
  /// - Throws: A `DecodingError` if the text is not a valid date.
  public init(from decoder: any Decoder) throws { try self.init(text: decoder) }

  /// Encodes the date as text such as `2026-11-20`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension DecimalValue: Codable {
  /// Decodes a decimal number from text such as `12.50`.
  public init(from decoder: any Decoder) throws { try self.init(text: decoder) }

  /// Encodes the number as text such as `12.50`, which no decoder rounds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Timestamp: Codable {
  /// Decodes a timestamp from text such as `2026-11-20T03:05:00.000Z`.
  ///
  /// - Throws: A `DecodingError` if the text is not a valid datetime.
  public init(from decoder: any Decoder) throws { try self.init(text: decoder) }

  /// Encodes the timestamp as text such as `2026-11-20T03:05:00.000Z`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension RecordID: Codable {
  /// Decodes an id from its text.
  public init(from decoder: any Decoder) throws { try self.init(text: decoder) }

  /// Encodes the id as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension Reference: Codable {
  /// Decodes a reference from the id of the referenced record.
  public init(from decoder: any Decoder) throws { try self.init(text: decoder) }

  /// Encodes the id of the referenced record.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}

extension ReferenceTo: Codable {
  /// Decodes a reference from the id of the referenced record.
  public init(from decoder: any Decoder) throws { try self.init(text: decoder) }

  /// Encodes the id of the referenced record.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id.text)
  }
}

extension GeoPoint: Codable {
  private enum CodingKeys: String, CodingKey {
    case latitude = "lat"
    case longitude = "lon"
  }

  /// Decodes a point from `{"lat":…,"lon":…}`.
  ///
  /// - Throws: An error if the latitude or longitude is out of range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      latitude: container.decode(Double.self, forKey: .latitude),
      longitude: container.decode(Double.self, forKey: .longitude))
  }

  /// Encodes the point as `{"lat":…,"lon":…}`.
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

  /// Decodes a file reference from `{"name":…,"type":…,"size":…,"sha256":…}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      name: container.decode(String.self, forKey: .name),
      type: container.decode(String.self, forKey: .type),
      size: container.decode(Int64.self, forKey: .size),
      sha256: container.decode(String.self, forKey: .sha256))
  }

  /// Encodes the file reference as `{"name":…,"type":…,"size":…,"sha256":…}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(type, forKey: .type)
    try container.encode(size, forKey: .size)
    try container.encode(sha256, forKey: .sha256)
  }
}

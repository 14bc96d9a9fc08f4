/// The formats of responses that a client can request with the header `Accept`.
package enum ResponseFormat: String, CaseIterable, Sendable {
  case json
  case ndjson
  case csv
  case tsv
  case md
  case xml

  /// The media type without parameters, such as `text/csv`.
  package var mediaType: String {
    switch self {
    case .json: "application/json"
    case .ndjson: "application/x-ndjson"
    case .csv: "text/csv"
    case .tsv: "text/tab-separated-values"
    case .md: "text/markdown"
    case .xml: "application/xml"
    }
  }

  /// The value of the header `Content-Type` of a response in this format.
  package var contentType: String {
    switch self {
    case .json, .ndjson, .xml: mediaType
    case .csv, .tsv, .md: "\(mediaType); charset=utf-8"
    }
  }

  /// Returns the value of `Content-Type` for the output of a command that was run with the given
  /// value of `--output`.
  package static func contentType(ofOutput name: String) -> String {
    if let format = ResponseFormat(rawValue: name) { return format.contentType }
    return name == "page" ? ResponseFormat.json.contentType : "text/plain; charset=utf-8"
  }

  /// Creates the format that the header `Content-Type` describes. Returns nil if the media type is
  /// unknown.
  package init?(contentType: String) {
    let name = ContentType.mediaType(of: contentType)
    guard let format = Self.allCases.first(where: { $0.mediaType == name }) else { return nil }
    self = format
  }
}

/// Functions and constants for the values of the header `Content-Type`.
package enum ContentType {
  /// The media type of a body that contains parameters, such as `limit=10&order=name`.
  package static let form = "application/x-www-form-urlencoded"

  /// The media type of the response to `GET /v1/walk`, which contains a whole store.
  package static let walk = "application/vnd.datactl.walk"

  /// Returns the media type in lowercase, without parameters such as `charset`.
  package static func mediaType(of text: String) -> String {
    text.prefix { $0 != ";" }.trimmed.lowercased()
  }
}

/// The media types that a client accepts, with their weights (`q`), as in the header `Accept`.
package struct AcceptedTypes: Hashable, Sendable {
  /// A media type or a range of types, such as `text/*`.
  package struct Range: Hashable, Sendable {
    package var type: String
    /// The weight (`q`) that the client gives to the type, in thousandths: from 0 (the type is not
    /// acceptable) to 1,000 (the default).
    package var weight: Int

    package init(_ type: String, weight: Int = 1_000) {
      self.type = type
      self.weight = weight
    }
  }

  package var ranges: [Range]

  package init(_ ranges: [Range]) {
    self.ranges = ranges
  }

  /// Parses the value of the header `Accept`. Elements that are not valid are ignored.
  package init(_ header: String) {
    ranges = [Range](header: header).filter { $0.type.utf8.contains(UInt8(ascii: "/")) }
  }

  /// The accepted types in the form of the header `Accept`.
  package var text: String { ranges.header }

  /// Returns the offered format with the highest weight (`q`) in the header `Accept`. If several
  /// formats have this weight, returns the first of them. Returns nil if the client accepts no
  /// offered format.
  package func preferred(among offered: [ResponseFormat]) -> ResponseFormat? {
    var best: (format: ResponseFormat, weight: Int)?
    for format in offered {
      let weight = weight(of: format.mediaType)
      if weight > best?.weight ?? 0 { best = (format, weight) }
    }
    return best?.format
  }

  /// Returns the weight (`q`) that the header `Accept` gives to a media type. If several entries of
  /// the header match the type, the most specific entry applies: `text/csv` takes precedence over
  /// `text/*`.
  private func weight(of type: String) -> Int {
    let family = "\(type.prefix { $0 != "/" })/*"
    for name in [type, family, "*/*"] {
      if let range = ranges.first(where: { $0.type == name }) { return range.weight }
    }
    return 0
  }
}

/// The content codings that a client accepts, such as gzip, with their weights (`q`), as in the
/// header `Accept-Encoding`.
package struct AcceptedCodings: Hashable, Sendable {
  package var codings: [AcceptedTypes.Range]

  package init(_ codings: [AcceptedTypes.Range]) {
    self.codings = codings
  }

  /// Parses the value of the header `Accept-Encoding`. Elements that are not valid are ignored.
  package init(_ header: String) {
    codings = [AcceptedTypes.Range](header: header)
  }

  /// The accepted codings in the form of the header `Accept-Encoding`.
  package var text: String { codings.header }

  /// Whether the client accepts gzip, and does not prefer an uncompressed response.
  package var includesGzip: Bool {
    guard let weight = weight(of: ["gzip", "x-gzip", "*"]) else { return false }
    return weight > 0 && weight >= self.weight(of: ["identity"]) ?? 0
  }

  private func weight(of names: [String]) -> Int? {
    for name in names {
      if let coding = codings.first(where: { $0.type == name }) { return coding.weight }
    }
    return nil
  }
}

/// Parses and writes the lists of names and weights (`q`) in headers. Two examples are `text/csv,
/// application/json;q=0.5` and `gzip;q=1.0`.
extension [AcceptedTypes.Range] {
  fileprivate init(header: String) {
    self = header.split(separator: ",").compactMap { element in
      let parts = element.split(separator: ";").map(\.trimmed)
      guard let name = parts.first, !name.isEmpty else { return nil }
      var range = AcceptedTypes.Range(name.lowercased())
      for part in parts.dropFirst() where part.hasPrefix("q=") || part.hasPrefix("Q=") {
        guard let weight = Self.weight(part.dropFirst(2)) else { return nil }
        range.weight = weight
      }
      return range
    }
  }

  fileprivate var header: String {
    map { range in
      guard range.weight < 1_000 else { return range.type }
      let digits = "\(range.weight)"
      return "\(range.type);q=0.\(String(repeating: "0", count: 3 - digits.count))\(digits)"
    }.joined(separator: ", ")
  }

  private static func weight(_ text: Substring) -> Int? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let decimals = parts.count == 2 ? parts[1] : ""
    guard parts[0] == "0" || parts[0] == "1", decimals.utf8.count <= 3,
      decimals.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
      let whole = Int(parts[0]),
      let thousandths = Int(
        decimals + String(repeating: "0", count: 3 - decimals.utf8.count)),
      whole * 1_000 + thousandths <= 1_000
    else { return nil }
    return whole * 1_000 + thousandths
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at its beginning and end.
  var trimmed: String {
    var text = self[...]
    while let first = text.first, first == " " || first == "\t" { text = text.dropFirst() }
    while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
    return String(text)
  }
}

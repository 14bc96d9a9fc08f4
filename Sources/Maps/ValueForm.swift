import DataModel

/// The notation of a field's values in a document, such as a date pattern or GeoJSON. A map
/// specifies it with the key `as`.
enum ValueForm: Hashable, Sendable {
  case time(TimeForm)
  /// A geopoint as text, such as `47.37,8.54`.
  case pairText(isLatitudeFirst: Bool)
  /// A geopoint as an array of two numbers.
  case pairList(isLatitudeFirst: Bool)
  /// A geopoint as an object with the given keys.
  case pairObject(latitude: String, longitude: String)
  /// A geopoint as a GeoJSON point.
  case geoJSON
  /// A scalar that may have another type in the document than in the record, such as a number
  /// written as text.
  case lenient
  /// The content of a file as base64.
  case base64
  /// A JSON value, serialized in a string.
  case jsonText
  /// The XML inside an element: text and elements.
  case xmlText

  private static let named: [(name: String, form: ValueForm)] = [
    ("iso8601", .time(.iso8601)), ("rfc2822", .time(.rfc2822)),
    ("milliseconds", .time(.milliseconds)), ("seconds", .time(.seconds)),
    ("whole_milliseconds", .time(.wholeMilliseconds)),
    ("lat,lon", .pairText(isLatitudeFirst: true)), ("lon,lat", .pairText(isLatitudeFirst: false)),
    ("[lat,lon]", .pairList(isLatitudeFirst: true)),
    ("[lon,lat]", .pairList(isLatitudeFirst: false)), ("geojson", .geoJSON),
    ("lenient", .lenient),
    ("base64", .base64), ("json_text", .jsonText), ("xml_text", .xmlText),
  ]

  /// The names of the notations, except time patterns.
  static var names: [String] { named.map(\.name) }

  /// Creates a notation from its name or from a time pattern. Returns nil if the text is neither.
  init?(_ text: String) {
    if let form = Self.named.first(where: { $0.name == text })?.form {
      self = form
    } else {
      guard let time = TimeForm(pattern: text) else { return nil }
      self = .time(time)
    }
  }

  /// Returns whether fields of the given type can have this notation.
  func allows(_ type: FieldType) -> Bool {
    switch self {
    case .time: type.elementOrSelf == .datetime || type.elementOrSelf == .date
    case .pairText, .pairList, .pairObject, .geoJSON: type == .geopoint
    case .base64: type == .file
    case .jsonText: type == .json || type.isList
    case .xmlText: type.elementOrSelf == .text
    case .lenient: ![.geopoint, .file, .json, .password].contains(type.descriptor.kind)
    }
  }

  /// A description of the expected value, for error messages.
  var expectation: String {
    switch self {
    case .time: "a date"
    case .pairText(let isLatitudeFirst):
      isLatitudeFirst ? "a point such as \"47.37,8.54\"" : "a point such as \"8.54,47.37\""
    case .pairList(let isLatitudeFirst):
      isLatitudeFirst ? "a point such as [47.37,8.54]" : "a point such as [8.54,47.37]"
    case .pairObject(let latitude, let longitude): "a point with \(latitude) and \(longitude)"
    case .geoJSON: "a point such as {\"type\":\"Point\",\"coordinates\":[8.54,47.37]}"
    case .lenient: "a scalar"
    case .base64: "the content of a file in base64"
    case .jsonText: "JSON as text"
    case .xmlText: "XML as text"
    }
  }
}

extension Value {
  /// The value as JSON, as in schema files.
  package var jsonText: String {
    switch self {
    case .null, .file: return "null"
    case .json(let text): return text
    case .geopoint(let point):
      let (latitude, longitude) = (point.latitude, point.longitude)
      return """
        {"lat": \(NumberText.text(latitude)), "lon": \(NumberText.text(longitude))}
        """
    case .list(let values): return "[\(values.map(\.jsonText).joined(separator: ", "))]"
    case .text, .integer, .number, .boolean, .datetime:
      var bytes: [UInt8] = []
      ListText.append(self, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

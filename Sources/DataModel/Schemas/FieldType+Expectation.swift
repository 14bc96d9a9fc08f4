extension FieldType {
  /// A description of the expected value, with an example for structured types.
  var expectation: String {
    switch self {
    case .id: "id"
    case .text: "text"
    case .integer: "integer"
    case .number: "number"
    case .boolean: "true or false"
    case .datetime: "datetime as text, such as \"2026-11-20T03:05:00Z\""
    case .geopoint: "geopoint, such as {\"lat\": 47.37, \"lon\": 8.54}"
    case .file: "file, such as {\"name\": \"a.png\", \"data\": \"…\"}"
    case .json: "json"
    case .password: "password as text"
    case .relation(let relation):
      relation.isMany ? "an array of ids of \(relation.target)" : "an id of \(relation.target)"
    case .array(let element): "an array of \(element.rawValue)"
    }
  }
}

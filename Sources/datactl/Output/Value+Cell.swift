import DataModel

extension Value {
  /// The value as text for a table cell; null is empty.
  var cell: String {
    switch self {
    case .null: ""
    case .text(let text), .json(let text): text
    case .integer(let integer): "\(integer)"
    case .number(let number): NumberText.text(number)
    case .boolean(let boolean): "\(boolean)"
    case .datetime(let time): "\(time)"
    case .geopoint(let point):
      "\(NumberText.text(point.latitude)),\(NumberText.text(point.longitude))"
    case .file(let file): "\(file.name) (\(Int(file.size).counted("byte")))"
    case .list(let values): values.map(\.cell).joined(separator: ", ")
    }
  }
}

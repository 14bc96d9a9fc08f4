import DataModel

/// What a value is by itself: the narrowest kind that holds all of it.
enum FoundKind: Int, CaseIterable, Sendable {
  case boolean
  case integer
  case number
  /// A number of more digits than any field of numbers keeps.
  case longNumber
  case datetime
  case text
  case geopoint
  /// An array of texts, numbers, booleans or datetimes.
  case array
  /// An array with something else in it.
  case looseArray
  case object

  /// The kind in words, as behind a count.
  var word: String {
    switch self {
    case .boolean: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .longNumber: "number of many digits"
    case .datetime: "datetime"
    case .text: "text"
    case .geopoint: "geopoint"
    case .array: "array"
    case .looseArray: "array of json"
    case .object: "object"
    }
  }

  /// Whether the value is by itself just what a field of this type holds.
  func isWhole(_ type: FieldType) -> Bool {
    switch self {
    case .boolean: type == .boolean
    case .integer: type == .integer
    case .number: type == .number
    case .datetime: type == .datetime
    case .text: type == .text || type == .id
    case .geopoint: type == .geopoint
    case .array: type.isList
    case .longNumber, .looseArray, .object: type == .json || type.relation != nil
    }
  }
}

import DataModel

/// The kind of a single value: the narrowest one that represents it without loss.
enum InferredKind: Int, CaseIterable, Sendable {
  case boolean
  case integer
  case number
  /// A number with more digits than an integer or number field can store.
  case longNumber
  case datetime
  case text
  case geopoint
  /// An array of only texts, numbers, booleans or datetimes.
  case array
  /// An array with other elements.
  case mixedArray
  case object

  /// The name of the kind after a count.
  var label: String {
    switch self {
    case .boolean: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .longNumber: "number of many digits"
    case .datetime: "datetime"
    case .text: "text"
    case .geopoint: "geopoint"
    case .array: "array"
    case .mixedArray: "array of json"
    case .object: "object"
    }
  }

  /// Whether a field of this type is the narrowest one for a value of this kind.
  func matches(_ type: FieldType) -> Bool {
    switch self {
    case .boolean: type == .boolean
    case .integer: type == .integer
    case .number: type == .number
    case .datetime: type == .datetime
    case .text: type == .text || type == .id
    case .geopoint: type == .geopoint
    case .array: type.isList
    case .longNumber, .mixedArray, .object: type == .json || type.relation != nil
    }
  }
}

import DataModel

/// Values of parameters, parsed by the type that they are compared with.
extension ConditionChecker {
  /// Returns the value of a parameter as a value of the given type.
  ///
  /// - Parameter name: The field that the value is compared with, for error messages.
  mutating func value(
    ofParameter parameter: String, _ type: FieldType, _ name: String, _ range: Range<Int>
  ) throws(ConditionError) -> Value {
    switch parameters.lookUp(parameter) {
    case .deferred: return type.anyValue
    case .missing(let names):
      let suggestion = nearest(parameter, among: names)
      var error = ConditionError(
        "the parameter \(parameter) is missing", range,
        hint: suggestion.map { "did you mean :\($0)?" }
          ?? "pass --param \(parameter)\(type == .json ? ":=JSON" : "=VALUE")")
      error.isRepeated = !parameters.noteMissing(parameter)
      throw error
    case .value(.text(let text)):
      guard type != .json else {
        throw ConditionError(
          "\(name) is json, so the parameter needs a JSON value", range,
          hint: "pass it as JSON: --param \(parameter):='\"text\"', or \(parameter):=3"
        )
      }
      return try value(ofText: text, type, name, range)
    case .value(.json(let json)):
      let literal = Literal(json, for: type, range) ?? Literal(kind: .null, range: range)
      return try value(literal, type, name)
    }
  }
}

extension FieldType {
  /// An arbitrary value of the type, used to validate a condition whose parameters have no values
  /// yet.
  fileprivate var anyValue: Value {
    switch elementOrSelf {
    case .integer: .integer(0)
    case .number: .number(0)
    case .boolean: .boolean(false)
    case .datetime: .datetime(.earliest)
    case .geopoint: (try? GeoPoint(latitude: 0, longitude: 0)).map(Value.geopoint) ?? .null
    case .id, .text, .json, .file, .password, .relation, .array: .text("")
    }
  }
}

import JSONText

/// A conversion of a JSON value to a value that stores can sort, group by, or add up.
///
/// JSON values are sorted as in jq: null, false, true, numbers, strings. Objects and arrays have no
/// order.
package enum JSONForm: Hashable, Sendable {
  /// Converts a JSON value to the rank of its type in the sort order: 0 for null, 1 for false, 2
  /// for true, 3 for numbers, 4 for texts. Fails for an object or an array.
  case kind
  /// Converts a number to a double, and any other JSON value to null.
  case number
  /// Keeps an integer whose magnitude exceeds 2^53, and converts any other JSON value to null. The
  /// result determines the order of large integers that are equal as doubles.
  case integer
  /// Converts a JSON string to a text, and any other JSON value to null.
  case text
  /// Converts a boolean, number or string to canonical JSON, so that equal values have equal texts.
  /// Keeps null. Fails for an object or an array.
  case scalar
  /// Converts a number to a double, and keeps null. Fails for other JSON values.
  case summand

  /// The conversions whose results are compared to sort JSON values, in order of precedence.
  package static let sortKeys: [JSONForm] = [.kind, .number, .integer, .text]

  /// Integers up to this magnitude are exact as doubles.
  package static let maxExactInteger: Int64 = 1 << 53

  package var type: FieldType {
    switch self {
    case .kind, .integer: .integer
    case .number, .summand: .number
    case .text: .text
    case .scalar: .json
    }
  }
}

extension JSONForm {
  /// Applies the conversion to a value, which must be JSON text or null.
  func value(of value: Value) throws(DataError) -> Value {
    var scalar = Value.null
    if case .json(let text) = value { scalar = JSONPathEvaluator.scalar(text.utf8.span) }
    switch self {
    case .kind: return .integer(try Self.kind(of: scalar))
    case .number, .summand:
      if scalar == .null { return .null }
      if let number = scalar.double, self == .number || number.isFinite { return .number(number) }
      if self == .summand { throw .unsupportedJSON }
      return .null
    case .integer:
      if case .integer(let integer) = scalar, integer.magnitude > Self.maxExactInteger.magnitude {
        return scalar
      }
      return .null
    case .text:
      if case .text = scalar { return scalar }
      return .null
    case .scalar:
      if try Self.kind(of: scalar) == 0 { return .null }
      return .json(String(decoding: Self.text(of: scalar), as: UTF8.self))
    }
  }

  private static func kind(of scalar: Value) throws(DataError) -> Int64 {
    if case .boolean(let boolean) = scalar { return boolean ? 2 : 1 }
    if scalar.double != nil { return 3 }
    if case .text = scalar { return 4 }
    guard scalar == .null else { throw .unsupportedJSON }
    return 0
  }

  /// Returns the JSON text of a boolean, number or string. An infinite number is written as a
  /// number that is too large for a double.
  static func text(of scalar: Value) -> [UInt8] {
    if case .number(let number) = scalar, !number.isFinite {
      return Array((number < 0 ? "-1e999" : "1e999").utf8)
    }
    var text: [UInt8] = []
    ListText.append(scalar, to: &text)
    return text
  }
}

extension Value {
  /// Returns whether a JSON scalar precedes another one in the order of JSON values.
  package func isJSON(before other: Value) -> Bool {
    for form in JSONForm.sortKeys {
      let (left, right) = (try? form.value(of: self), try? form.value(of: other))
      guard let left, let right, left != right else { continue }
      return left == .null || left.order(comparedTo: right) == .before
    }
    return false
  }

  /// The canonical JSON of a scalar; null for an object or an array.
  package var jsonScalar: Value { (try? JSONForm.scalar.value(of: self)) ?? .null }
}

package import DataModel

extension FieldType {
  /// The type of a decimal with the given numbers of digits, which must be valid.
  package static func decimal(digits: Int, scale: Int) -> FieldType {
    guard let digits = DecimalDigits(digits: digits, scale: scale) else {
      preconditionFailure("A decimal has 1 to 18 digits.")
    }
    return .decimal(digits)
  }
}

import DataModel

/// The form of a computed decimal in SQLite: the coefficient in 16 bytes, the most significant one
/// first, with an inverted sign bit, so that the bytes have the order of the numbers.
enum ComputedDecimal {
  static func bytes(of decimal: DecimalValue) -> [UInt8] {
    let bits = UInt128(bitPattern: decimal.coefficient) ^ (1 << 127)
    return (0..<16).map { UInt8(truncatingIfNeeded: bits >> UInt128(120 - 8 * $0)) }
  }

  /// Returns the decimal with the given bytes and scale, or nil if the bytes are not those of one.
  static func value(_ bytes: Span<UInt8>, scale: Int) -> DecimalValue? {
    guard bytes.count == 16 else { return nil }
    var bits: UInt128 = 0
    for index in bytes.indices { bits = bits << 8 | UInt128(bytes[index]) }
    return DecimalValue(coefficient: Int128(bitPattern: bits ^ (1 << 127)), scale: scale)
  }
}

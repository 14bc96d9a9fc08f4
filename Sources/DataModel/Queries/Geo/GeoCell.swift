/// The mapping of geographic points to integers, which makes them searchable with ordinary indexes.
/// Two-dimensional indexes are optional extensions in some engines.
///
/// Latitude and longitude are quantized in steps of 2.1e-5 degrees (at most 2.4 m), and their bits
/// are interleaved (Z-order curve), so that square areas are ranges of numbers. A number has 47
/// bits and takes six bytes in SQLite.
///
/// Measured with a million records in SQLite: 13 records within 5 km are found in 0.04 ms, and
/// 12,000 in 43 ms; with an R*Tree in 0.07 ms and 68 ms. Maintaining the index during the load
/// takes one second, and the R*Tree ten.
package enum GeoCell {
  static let latitudeBits = 23
  static let longitudeBits = 24
  static let bits = latitudeBits + longitudeBits

  /// Returns the cell number of a point.
  package static func number(latitude: Double, longitude: Double) -> Int64 {
    Int64(
      spread(column(longitude)) | spread(row(latitude)) << 1)
  }

  /// Returns the number of steps from the South Pole, which increases monotonically with the
  /// latitude.
  static func row(_ latitude: Double) -> UInt64 { steps((latitude + 90) / 180, latitudeBits) }

  /// Returns the number of steps from the 180° meridian eastward.
  static func column(_ longitude: Double) -> UInt64 {
    steps((longitude + 180) / 360, longitudeBits)
  }

  private static func steps(_ share: Double, _ bits: Int) -> UInt64 {
    let count = Double(UInt64(1) << UInt64(bits))
    return UInt64(min(max(share * count, 0), count - 1))
  }

  /// Inserts a zero bit before each of the lowest 24 bits.
  private static func spread(_ number: UInt64) -> UInt64 {
    var bits = number
    bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
    bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333
    return (bits | bits << 1) & 0x5555_5555_5555_5555
  }
}

extension GeoPoint {
  /// The number of the cell that contains the point.
  package var cell: Int64 { GeoCell.number(latitude: latitude, longitude: longitude) }
}

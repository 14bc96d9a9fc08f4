/// A point in time with microsecond precision, in UTC, from year 1 to year 9999.
public struct Timestamp: Sendable, Hashable {
  /// The microseconds since the Unix epoch; negative for earlier times.
  public let microseconds: Int64

  /// The first microsecond of year 1.
  public static let earliest = Timestamp(unchecked: -62_135_596_800_000_000)

  /// The last microsecond of year 9999.
  public static let latest = Timestamp(unchecked: 253_402_300_799_999_999)

  /// Creates a timestamp from microseconds since the Unix epoch. Returns nil outside the years 1 to
  /// 9999.
  public init?(microseconds: Int64) {
    guard microseconds >= Self.earliest.microseconds, microseconds <= Self.latest.microseconds
    else { return nil }
    self.microseconds = microseconds
  }

  private init(unchecked microseconds: Int64) {
    self.microseconds = microseconds
  }
}

extension Timestamp: Comparable {
  /// Returns whether the first timestamp is earlier than the second.
  public static func < (first: Timestamp, second: Timestamp) -> Bool {
    first.microseconds < second.microseconds
  }
}

extension Timestamp: CustomStringConvertible {
  /// The timestamp as datactl prints it: `2026-11-20T03:05:00.000Z`.
  public var description: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

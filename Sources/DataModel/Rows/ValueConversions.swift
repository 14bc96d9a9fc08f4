import JSONText

/// Options for accepting values in formats other than those that datactl writes.
package struct ValueConversions: Hashable, Sendable {
  /// Whether seconds with more than six decimal places are rounded instead of rejected.
  package var roundsTimes: Bool
  /// Whether decimals with too many digits after the point are rounded instead of rejected.
  package var roundsDecimals: Bool
  /// The formats of other programs that are accepted. If it is not nil, an empty string is also
  /// accepted as null.
  package var lenience: Lenience?
  /// Whether numbers with more digits than a double keeps are rejected instead of rounded.
  package var keepsDigits: Bool
  /// The time zone of times without a UTC offset, or nil if such times are rejected.
  package var zone: TimeZoneRules?

  package init(
    roundsTimes: Bool = false, roundsDecimals: Bool = false, isLenient: Bool = false,
    keepsDigits: Bool = false, zone: TimeZoneRules? = nil
  ) {
    self.roundsTimes = roundsTimes
    self.roundsDecimals = roundsDecimals
    lenience = isLenient ? Lenience() : nil
    self.keepsDigits = keepsDigits
    self.zone = zone
  }

  /// Whether the formats of other programs are accepted.
  package var isLenient: Bool { lenience != nil }
}

extension Timestamp {
  /// Parses a time in one of the formats that `conversions` permits. The UTC offset can be missing
  /// if `conversions.zone` is set. If `conversions.isLenient` is true, the seconds can be missing,
  /// and the text can also be a number of seconds since the Unix epoch.
  package init(
    parsing text: Span<UInt8>, by conversions: ValueConversions
  ) throws(ParseError) {
    if let iso = conversions.lenience?.isoText(text) {
      var standard = conversions
      standard.lenience?.dates = nil
      self = try Timestamp(parsing: iso.span, by: standard)
      return
    }
    if conversions.isLenient, let seconds = try? NumberText.integer(fromDigits: text) {
      self = try Self.sinceEpoch(seconds)
      return
    }
    let local = try Timestamp.local(
      parsing: text, roundsTimes: conversions.roundsTimes, needsSeconds: !conversions.isLenient)
    if let offset = local.offset {
      self = try Self.checked(local.microseconds - Int64(offset) * 1_000_000)
      return
    }
    guard let zone = conversions.zone else { throw .missingOffset }
    let seconds = local.microseconds.floorDivided(by: 1_000_000)
    guard let instant = zone.instants(ofLocal: seconds).first else {
      throw .skippedTime(zone: zone.name)
    }
    self = try Self.checked(local.microseconds - (seconds - instant) * 1_000_000)
  }

  /// Returns the time that is the given number of seconds after the Unix epoch.
  static func sinceEpoch(_ seconds: Int64) throws(ParseError) -> Timestamp {
    let (microseconds, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
    if overflows { throw .outOfRange }
    return try checked(microseconds)
  }

  private static func checked(_ microseconds: Int64) throws(ParseError) -> Timestamp {
    guard let time = Timestamp(microseconds: microseconds) else { throw .outOfRange }
    return time
  }
}

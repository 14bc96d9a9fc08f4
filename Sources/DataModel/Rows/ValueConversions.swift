import JSONText

/// Options for accepting values in formats other than those that datactl writes.
package struct ValueConversions: Hashable, Sendable {
  /// Whether seconds with more than six decimal places are rounded instead of rejected.
  package var roundsTimes: Bool
  /// Whether decimals with too many digits after the point are rounded instead of rejected.
  package var roundsDecimals: Bool
  /// Whether the formats of other programs are accepted, such as `yes`, `1'234.5`, times without
  /// seconds, and seconds since the Unix epoch. If so, an empty string is also accepted as null.
  package var isLenient: Bool
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
    self.isLenient = isLenient
    self.keepsDigits = keepsDigits
    self.zone = zone
  }
}

/// Functions that parse values in formats that are accepted only if `isLenient` is true.
extension ValueConversions {
  /// Returns the boolean for a text such as `yes` or `0`, in uppercase or lowercase. Returns nil
  /// for other texts.
  package static func boolean(_ text: Span<UInt8>) -> Bool? {
    guard text.count <= 5 else { return nil }
    return switch String(decoding: text).lowercased() {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: nil
    }
  }

  /// Converts a number to JSON syntax by removing the apostrophes that group its digits, as in
  /// `1'234.5`. Returns nil if the text is not a number.
  package static func number(_ text: Span<UInt8>) -> [UInt8]? {
    var number: [UInt8] = []
    // The number of digits in the current group, or nil before the first apostrophe.
    var group: Int?
    var isInteger = true
    var index = 0
    while index < text.count {
      // U+2019, the typographic apostrophe.
      let isTypographic =
        index + 2 < text.count && text[index] == 0xE2 && text[index + 1] == 0x80
        && text[index + 2] == 0x99
      if text[index] == UInt8(ascii: "'") || isTypographic {
        let digits = number.drop { $0 == UInt8(ascii: "-") }.count
        guard isInteger, group == nil ? 1...3 ~= digits : group == 3 else { return nil }
        group = 0
        index += isTypographic ? 3 : 1
        continue
      }
      let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[index]
      if !isDigit, !number.isEmpty {
        if isInteger, let group, group != 3 { return nil }
        isInteger = false
      }
      if isInteger, isDigit { group = group.map { $0 + 1 } }
      number.append(text[index])
      index += 1
    }
    if isInteger, let group, group != 3 { return nil }
    return NumberText.isJSONNumber(number.span) ? number : nil
  }
}

extension Timestamp {
  /// Parses a time in one of the formats that `conversions` permits. The UTC offset can be missing
  /// if `conversions.zone` is set. If `conversions.isLenient` is true, the seconds can be missing,
  /// and the text can also be a number of seconds since the Unix epoch.
  package init(
    parsing text: Span<UInt8>, by conversions: ValueConversions
  ) throws(ParseError) {
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

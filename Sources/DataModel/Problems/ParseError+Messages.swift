package import JSONText

/// Returns the text of a number for error messages: at most its first 60 characters, with control
/// characters escaped.
func numberExcerpt(_ number: Span<UInt8>) -> String {
  let isCut = number.count > Excerpt.maxLength
  return Excerpt.escaped(String(decoding: number.extracting(first: Excerpt.maxLength)))
    + (isCut ? "…" : "")
}

/// The reason why text is not a number of a type. Declarations that other modules use name it by this
/// alias: the compiler does not count a name in `throws` as a use of `package import JSONText`.
package typealias NumberTextError = NumberText.ParseError

extension NumberTextError {
  /// Returns the message for a number that is not valid in a field, such as a fraction in an
  /// integer field.
  ///
  /// - Parameters:
  ///   - number: The text of the number.
  ///   - expected: The expected type, such as `integer`.
  package func message(of number: Span<UInt8>, expected: String) -> String {
    let found = numberExcerpt(number)
    return switch self {
    case .notANumber, .fraction: "expected \(expected), found \(found)"
    case .beyond64Bits: "expected a 64-bit integer, found \(found)"
    case .beyondLargest: "\(found) exceeds the range of a number"
    case .becomesZero: "\(found) is too small: it would become 0"
    }
  }
}

extension Timestamp.ParseError {
  /// Returns the message for text that is not a valid datetime.
  package func message(of text: Span<UInt8>) -> String {
    let found = Excerpt.quoted(text)
    return switch self {
    case .notADateTime: "expected datetime, found text \(found)"
    case .missingOffset: "the datetime has no UTC offset: \(found)"
    case .noSuchDay: "there is no such day: \(found)"
    case .noSuchTime: "there is no such time of day: \(found)"
    case .skippedTime(let zone): "clocks in \(zone) skip this time: \(found)"
    case .tooPrecise: "more than six fractional digits in the seconds: \(found)"
    case .outOfRange: "the year is outside 0001 to 9999: \(found)"
    }
  }

  /// The hint that tells the user how to write a valid datetime; nil if the message is sufficient.
  package var hint: String? {
    switch self {
    case .notADateTime: "write 2026-11-20T03:05:00Z, or 2026-11-20 for midnight UTC"
    case .missingOffset: "add Z for UTC, or an offset such as +01:00"
    case .tooPrecise: "pass --round-times to round to the microsecond"
    case .noSuchDay, .noSuchTime, .skippedTime, .outOfRange: nil
    }
  }
}

extension CalendarDate {
  /// The text to append to a hint if the invalid text may be a date or a time in the notation of
  /// another program.
  static let hintForOtherNotations =
    ", or pass --dates dmy, mdy or ymd to save, or name the notation in a map (datactl help maps)"

  /// Returns whether a text begins like a date in the notation of another program, such as
  /// `3.4.81`: with a day, a month and a year, separated by periods, slashes or hyphens.
  package static func isResembled(by text: Span<UInt8>) -> Bool {
    var lengths = [0]
    var index = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): lengths[lengths.count - 1] += 1
      case UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "-"): lengths.append(0)
      case UInt8(ascii: " "), UInt8(ascii: "T"): index = text.count
      default: return false
      }
      index += 1
    }
    guard lengths.count == 3, 1...2 ~= lengths[1] else { return false }
    return 1...2 ~= lengths[0] && (lengths[2] == 2 || lengths[2] == 4)
      || lengths[0] == 4 && 1...2 ~= lengths[2]
  }
}

extension CalendarDate.ParseError {
  /// Returns the message for text that is not a valid date.
  package func message(of text: Span<UInt8>) -> String {
    let found = Excerpt.quoted(text)
    return switch self {
    case .notADate: "expected date, found text \(found)"
    case .hasTime: "expected a date without a time, found \(found)"
    case .noSuchDay: "there is no such day: \(found)"
    case .outOfRange: "the year is outside 0001 to 9999: \(found)"
    }
  }

  /// The hint that tells the user how to write a valid date; nil if the message is sufficient.
  package var hint: String? {
    switch self {
    case .notADate, .hasTime: "write 2026-11-20"
    case .noSuchDay, .outOfRange: nil
    }
  }
}

extension GeoPoint.ParseError {
  /// Returns the error message for an invalid point.
  ///
  /// - Parameter found: The invalid coordinate or point, as shown in the message.
  package func message(found: String) -> String {
    switch self {
    case .latitude: "expected a latitude from -90 to 90, found \(found)"
    case .longitude: "expected a longitude from -180 to 180, found \(found)"
    case .notAPoint: "expected a point as LAT,LON, found \(found)"
    }
  }
}

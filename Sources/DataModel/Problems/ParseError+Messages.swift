/// Returns the text of a number for error messages: escaped, and truncated to the same length as
/// other values.
func numberExcerpt(_ number: Span<UInt8>) -> String {
  let isCut = number.count > Excerpt.maxLength
  return Excerpt.escaped(String(decoding: number.extracting(first: Excerpt.maxLength)))
    + (isCut ? "…" : "")
}

extension NumberText.ParseError {
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

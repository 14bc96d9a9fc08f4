/// Returns a number's text for error messages, truncated like other values.
func shown(_ number: Span<UInt8>) -> String {
  let isCut = number.count > Excerpt.longest
  return Excerpt.visible(String(decoding: number.extracting(first: Excerpt.longest)))
    + (isCut ? "…" : "")
}

extension NumberText.Fault {
  /// Returns the error message for a number in a field that expects a different one.
  package func message(of number: Span<UInt8>, expected: String) -> String {
    let found = shown(number)
    return switch self {
    case .notANumber, .fraction: "expected \(expected), found \(found)"
    case .beyond64Bits: "expected an integer of 64 bits, found \(found)"
    case .beyondLargest: "\(found) is beyond the largest number"
    case .becomesZero: "\(found) is so small that it would become 0"
    }
  }
}

extension Timestamp.Fault {
  /// Returns the error message for an invalid datetime.
  package func message(of text: Span<UInt8>) -> String {
    let found = Excerpt.quoted(text)
    return switch self {
    case .notADateTime: "expected datetime, found text \(found)"
    case .missingOffset: "a datetime without an offset: \(found)"
    case .noSuchDay: "there is no such day: \(found)"
    case .noSuchTime: "there is no such time of day: \(found)"
    case .tooFine: "more than six digits of the second: \(found)"
    case .outOfRange: "the year is outside 0001 to 9999: \(found)"
    }
  }

  /// The hint with a valid form.
  package var hint: String? {
    switch self {
    case .notADateTime: "write 2026-11-20T03:05:00Z, or 2026-11-20 for its first moment in UTC"
    case .missingOffset: "end it with Z for UTC, or with an offset such as +01:00"
    case .tooFine: "--round-times rounds to the microsecond"
    case .noSuchDay, .noSuchTime, .outOfRange: nil
    }
  }
}

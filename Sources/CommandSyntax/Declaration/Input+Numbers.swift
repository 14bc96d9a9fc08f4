extension Input where Value == Int? {
  /// An optional option with an integer value.
  package static func integer(
    _ name: String, letter: String? = nil, value placeholder: String,
    in range: ClosedRange<Int>, _ summary: String
  ) -> Input {
    let value = OptionDescription.Value(
      placeholder: placeholder, kind: .integer(range), presence: .optional)
    let option = OptionDescription(name, letter: letter, value: value, summary)
    return Input(parameter: .option(option)) { given throws(UsageError) in
      try given.integer(of: name, in: range)
    }
  }
}

extension Input where Value == Int {
  /// An option with an integer value and a default.
  package static func integer(
    _ name: String, letter: String? = nil, value placeholder: String,
    in range: ClosedRange<Int>, default fallback: Int, _ summary: String
  ) -> Input {
    let value = OptionDescription.Value(
      placeholder: placeholder, kind: .integer(range), presence: .defaulted(String(fallback)))
    let option = OptionDescription(name, letter: letter, value: value, summary)
    return Input(parameter: .option(option)) { given throws(UsageError) in
      try given.integer(of: name, in: range) ?? fallback
    }
  }
}

extension InputValues {
  /// Parses the integer value of an option, or returns nil if the option was not given.
  func integer(of name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let word = self[name].first else { return nil }
    if let number = Int(word), range.contains(number) { return number }
    // For a number that exceeds `Int`, the message names both bounds.
    let exceedsInt = word.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    let expectation =
      exceedsInt && !word.isEmpty && Int(word) == nil ? range.fullExpectation : range.expectation
    throw UsageError("\(name): expected \(expectation), found \(EscapedWord(word))")
  }
}

extension ClosedRange<Int> {
  /// The range as a phrase for messages.
  var expectation: String {
    switch (lowerBound, upperBound) {
    case (Int.min, Int.max): "a whole number"
    case (_, Int.max): "a whole number of at least \(lowerBound)"
    case (Int.min, _): "a whole number of at most \(upperBound)"
    default: fullExpectation
    }
  }

  /// The range as a phrase with both bounds.
  var fullExpectation: String { "a whole number from \(lowerBound) to \(upperBound)" }
}

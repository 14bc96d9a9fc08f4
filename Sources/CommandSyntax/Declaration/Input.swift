/// An input of a command, which is an operand or an option. It consists of a description and a
/// closure that reads the value from the command line.
///
/// The kind of input determines the Swift type of the value, so that a command need not check or
/// convert it:
///
/// | input | value |
/// | --- | --- |
/// | `.operand`, `.requiredOption` | `String` |
/// | `.optionalOperand`, `.option` | `String?` |
/// | `.operands`, `.repeatedOption` | `[String]` |
/// | `.option`, `.integer`, `.choice` with `default:` | `String`, `Int`, the choice |
/// | `.integer`, `.choice` | `Int?`, the choice or nil |
/// | `.choiceOperand` | the choice |
/// | `.flag` | `Bool` |
package struct Input<Value: Sendable>: Sendable {
  let parameter: Parameter
  let read: @Sendable (InputValues) throws(UsageError) -> Value

  /// Returns an input whose value is the result of `transform`. An error that `transform` throws is
  /// reported with the other problems of the command line.
  ///
  /// ```swift
  /// Input.operands("FIELD=VALUE", kind: .assignment, "…").map(Assignment.list)
  /// ```
  package func map<New: Sendable>(
    _ transform: @escaping @Sendable (Value) throws(UsageError) -> New
  ) -> Input<New> {
    let read = read
    return Input<New>(parameter: parameter) { given throws(UsageError) in
      try transform(try read(given))
    }
  }
}

/// The description of an input for help and completions. It does not depend on the Swift type of
/// the value.
enum Parameter: Sendable {
  case operand(OperandDescription)
  case option(OptionDescription)

  var name: String {
    switch self {
    case .operand(let operand): operand.name
    case .option(let option): option.name
    }
  }
}

extension Input where Value == String {
  /// Returns a required operand, whose value is one word.
  package static func operand(
    _ name: String, kind: ValueKind = .text, _ summary: String
  ) -> Input {
    Input(parameter: .operand(OperandDescription(name, kind: kind, count: .one, summary))) {
      given throws(UsageError) in try given.value(of: name)
    }
  }
}

extension Input where Value == String? {
  /// Returns an optional operand. The value of the input is nil if the operand is not given.
  ///
  /// If an operand of the kind `.assignment` follows, a word of the form `FIELD=VALUE` is assigned
  /// to that operand instead.
  package static func optionalOperand(
    _ name: String, kind: ValueKind = .text, _ summary: String
  ) -> Input {
    Input(parameter: .operand(OperandDescription(name, kind: kind, count: .optional, summary))) {
      $0[name].first
    }
  }
}

extension Input where Value == [String] {
  /// Returns an operand that takes all remaining words. There must be at least `least` of them.
  package static func operands(
    _ name: String, kind: ValueKind = .text, atLeast least: Int = 0, _ summary: String
  ) -> Input {
    let operand = OperandDescription(name, kind: kind, count: .many(atLeast: least), summary)
    return Input(parameter: .operand(operand)) { $0[name] }
  }
}

extension Input where Value: RawRepresentable<String> {
  /// Returns a required operand whose value must be one of the given choices.
  package static func choiceOperand(
    _ name: String, of choices: [Value], _ summary: String
  ) -> Input {
    let operand = OperandDescription(
      name, kind: .choice(choices.map { $0.rawValue }), count: .one, summary)
    return Input(parameter: .operand(operand)) { given throws(UsageError) in
      try given.choice(try given.value(of: name), of: choices, for: name)
    }
  }
}

extension Input where Value == Bool {
  /// Returns an option without a value. The value of the input is true if the option is given.
  package static func flag(_ name: String, letter: String? = nil, _ summary: String) -> Input {
    Input(parameter: .option(OptionDescription(name, letter: letter, summary))) {
      !$0[name].isEmpty
    }
  }
}

extension Input where Value == String? {
  /// Returns an option with a text value. The value of the input is nil if the option is not given.
  package static func option(
    _ name: String, letter: String? = nil, value placeholder: String, kind: ValueKind = .text,
    _ summary: String
  ) -> Input {
    let value = OptionDescription.Value(placeholder: placeholder, kind: kind, presence: .optional)
    let option = OptionDescription(name, letter: letter, value: value, summary)
    return Input(parameter: .option(option)) { $0[name].first }
  }
}

extension Input where Value == String {
  /// Returns an option with a text value. The value of the input is `fallback` if the option is not
  /// given.
  package static func option(
    _ name: String, letter: String? = nil, value placeholder: String, kind: ValueKind = .text,
    default fallback: String, _ summary: String
  ) -> Input {
    let value = OptionDescription.Value(
      placeholder: placeholder, kind: kind, presence: .defaulted { fallback })
    let option = OptionDescription(name, letter: letter, value: value, summary)
    return Input(parameter: .option(option)) { $0[name].first ?? fallback }
  }

  /// Returns a required option with a text value.
  package static func requiredOption(
    _ name: String, letter: String? = nil, value placeholder: String, kind: ValueKind = .text,
    _ summary: String
  ) -> Input {
    let value = OptionDescription.Value(placeholder: placeholder, kind: kind, presence: .required)
    let option = OptionDescription(name, letter: letter, value: value, summary)
    return Input(parameter: .option(option)) { given throws(UsageError) in
      try given.value(of: name)
    }
  }
}

extension Input where Value == [String] {
  /// Returns an option that may be given several times. The value of the input is a list of all
  /// given values, in the order of the command line.
  package static func repeatedOption(
    _ name: String, letter: String? = nil, value placeholder: String, kind: ValueKind = .text,
    _ summary: String
  ) -> Input {
    let value = OptionDescription.Value(placeholder: placeholder, kind: kind, presence: .repeated)
    let option = OptionDescription(name, letter: letter, value: value, summary)
    return Input(parameter: .option(option)) { $0[name] }
  }
}

extension Input where Value == Int? {
  /// Returns an option with an integer value. The value of the input is nil if the option is not
  /// given.
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
  /// Returns an option with an integer value. The value of the input is `fallback` if the option is
  /// not given.
  package static func integer(
    _ name: String, letter: String? = nil, value placeholder: String,
    in range: ClosedRange<Int>, default fallback: Int, _ summary: String
  ) -> Input {
    let value = OptionDescription.Value(
      placeholder: placeholder, kind: .integer(range), presence: .defaulted { String(fallback) })
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
    // For a number that is too large for `Int`, the message shows both bounds of the range.
    let exceedsInt = word.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    let expectation =
      exceedsInt && !word.isEmpty && Int(word) == nil ? range.fullExpectation : range.expectation
    throw UsageError("\(name): expected \(expectation), found \(EscapedWord(word))")
  }
}

extension ClosedRange<Int> {
  /// A description of the range for messages. It omits a bound that is `Int.min` or `Int.max`.
  var expectation: String {
    switch (lowerBound, upperBound) {
    case (Int.min, Int.max): "a whole number"
    case (_, Int.max): "a whole number of at least \(lowerBound)"
    case (Int.min, _): "a whole number of at most \(upperBound)"
    default: fullExpectation
    }
  }

  /// A description of the range for messages, with both bounds.
  var fullExpectation: String { "a whole number from \(lowerBound) to \(upperBound)" }
}

extension Input {
  /// Returns an option whose value must be one of the given choices. The value of the input is nil
  /// if the option is not given.
  package static func choice<Choice: RawRepresentable<String> & Sendable>(
    _ name: String, letter: String? = nil, value placeholder: String, of choices: [Choice],
    _ summary: String
  ) -> Input where Value == Choice? {
    let value = OptionDescription.Value(
      placeholder: placeholder, kind: .choice(choices.map { $0.rawValue }), presence: .optional)
    let option = OptionDescription(name, letter: letter, value: value, summary)
    return Input(parameter: .option(option)) { given throws(UsageError) in
      guard let word = given[name].first else { return nil }
      return try given.choice(word, of: choices, for: name)
    }
  }

}

extension Input where Value: RawRepresentable<String> {
  /// Returns an option whose value must be one of the given choices. The value of the input is
  /// `fallback` if the option is not given.
  package static func choice(
    _ name: String, letter: String? = nil, value placeholder: String, of choices: [Value],
    default fallback: Value, _ summary: String
  ) -> Input {
    let value = OptionDescription.Value(
      placeholder: placeholder, kind: .choice(choices.map { $0.rawValue }),
      presence: .defaulted { fallback.rawValue })
    let option = OptionDescription(name, letter: letter, value: value, summary)
    return Input(parameter: .option(option)) { given throws(UsageError) in
      guard let word = given[name].first else { return fallback }
      return try given.choice(word, of: choices, for: name)
    }
  }
}

extension InputValues {
  /// Returns the choice whose raw value is `word`. If no choice has this raw value, throws an error
  /// that lists the choices.
  func choice<Choice: RawRepresentable<String>>(
    _ word: String, of choices: [Choice], for name: String
  ) throws(UsageError) -> Choice {
    if let choice = choices.first(where: { $0.rawValue.utf8.elementsEqual(word.utf8) }) {
      return choice
    }
    let names = choices.map { $0.rawValue }
    throw UsageError(
      "\(name): expected \(listed(names, "or")), found \(EscapedWord(word))",
      hint: suggestion(for: word, among: names))
  }
}

/// One value that a command takes from the command line, with its description.
///
/// The kind of input determines the type of the value, so that a command needs no further checks:
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

  /// Returns an input whose value is transformed. An error that `transform` throws is reported as a
  /// usage error.
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

/// The description of an input, independent of the type of its value.
enum Parameter: Sendable, Equatable {
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
  /// A required operand.
  package static func operand(
    _ name: String, kind: ValueKind = .text, _ summary: String
  ) -> Input {
    Input(parameter: .operand(OperandDescription(name, kind: kind, count: .one, summary))) {
      given throws(UsageError) in try given.value(of: name)
    }
  }
}

extension Input where Value == String? {
  /// An optional operand.
  ///
  /// A word in the form of an assignment is left to a following operand of the kind `.assignment`.
  package static func optionalOperand(
    _ name: String, kind: ValueKind = .text, _ summary: String
  ) -> Input {
    Input(parameter: .operand(OperandDescription(name, kind: kind, count: .optional, summary))) {
      $0[name].first
    }
  }
}

extension Input where Value == [String] {
  /// An operand that takes all remaining words.
  package static func operands(
    _ name: String, kind: ValueKind = .text, atLeast least: Int = 0, _ summary: String
  ) -> Input {
    let operand = OperandDescription(name, kind: kind, count: .many(atLeast: least), summary)
    return Input(parameter: .operand(operand)) { $0[name] }
  }
}

extension Input where Value: RawRepresentable<String> {
  /// A required operand whose value is one of a closed list.
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
  /// An option without a value: true if it is given.
  package static func flag(_ name: String, letter: String? = nil, _ summary: String) -> Input {
    Input(parameter: .option(OptionDescription(name, letter: letter, summary))) {
      !$0[name].isEmpty
    }
  }
}

extension Input where Value == String? {
  /// An optional option with a text value.
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
  /// An option with a text value and a default.
  package static func option(
    _ name: String, letter: String? = nil, value placeholder: String, kind: ValueKind = .text,
    default fallback: String, _ summary: String
  ) -> Input {
    let value = OptionDescription.Value(
      placeholder: placeholder, kind: kind, presence: .defaulted(fallback))
    let option = OptionDescription(name, letter: letter, value: value, summary)
    return Input(parameter: .option(option)) { $0[name].first ?? fallback }
  }

  /// A required option with a text value.
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
  /// An option that may be given several times: its values in the order of the command line.
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

extension Input {
  /// An optional option whose value is one of a closed list.
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
  /// An option with a default whose value is one of a closed list.
  package static func choice(
    _ name: String, letter: String? = nil, value placeholder: String, of choices: [Value],
    default fallback: Value, _ summary: String
  ) -> Input {
    let value = OptionDescription.Value(
      placeholder: placeholder, kind: .choice(choices.map { $0.rawValue }),
      presence: .defaulted(fallback.rawValue))
    let option = OptionDescription(name, letter: letter, value: value, summary)
    return Input(parameter: .option(option)) { given throws(UsageError) in
      guard let word = given[name].first else { return fallback }
      return try given.choice(word, of: choices, for: name)
    }
  }
}

extension InputValues {
  /// Returns the choice with the given name.
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

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

extension Input {
  /// Takes one word out of a closed list, and may be left out.
  package static func choice<Choice: RawRepresentable<String> & Sendable>(
    _ name: String, letter: String? = nil, value placeholder: String, of choices: [Choice],
    _ summary: String
  ) -> Input where Value == Choice? {
    let list = ChoiceList(choices)
    let value = OptionDescription.Value(
      placeholder: placeholder, kind: list.kind, presence: .optional)
    let option = OptionDescription(name, letter: letter, value: value, summary)
    return Input(parameter: .option(option)) { given throws(UsageError) in
      guard let word = given.values(of: name).first else { return nil }
      return try list.choice(word, for: name, given)
    }
  }

}

extension Input where Value: RawRepresentable<String> {
  /// Takes one word out of a closed list, and has a value when it is left out.
  package static func choice(
    _ name: String, letter: String? = nil, value placeholder: String, of choices: [Value],
    default fallback: Value, _ summary: String
  ) -> Input {
    let list = ChoiceList(choices)
    let value = OptionDescription.Value(
      placeholder: placeholder, kind: list.kind, presence: .defaulted(fallback.rawValue))
    let option = OptionDescription(name, letter: letter, value: value, summary)
    return Input(parameter: .option(option)) { given throws(UsageError) in
      guard let word = given.values(of: name).first else { return fallback }
      return try list.choice(word, for: name, given)
    }
  }
}

/// The values out of which a choice is made.
struct ChoiceList<Choice: RawRepresentable<String> & Sendable>: Sendable {
  let choices: [Choice]

  init(_ choices: [Choice]) {
    self.choices = choices
  }

  var names: [String] { choices.map(\.rawValue) }
  var kind: ValueKind { .choice(names) }

  func choice(_ word: String, for name: String, _ given: Given) throws(UsageError) -> Choice {
    if let choice = choices.first(where: { $0.rawValue.utf8.elementsEqual(word.utf8) }) {
      return choice
    }
    throw UsageError(
      "\(name): expected \(listed(names, "or")), found \(Shown(word))",
      hint: given.suggestion(for: word, among: names))
  }
}

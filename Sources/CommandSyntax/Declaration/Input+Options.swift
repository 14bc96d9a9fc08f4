extension Input where Value == Bool {
  /// Is true if the option is there.
  package static func flag(_ name: String, letter: String? = nil, _ summary: String) -> Input {
    Input(parameter: .option(OptionDescription(name, letter: letter, summary))) {
      !$0[name].isEmpty
    }
  }
}

extension Input where Value == String? {
  /// Takes a text that may be left out.
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
  /// Takes a text that has a value when it is left out.
  package static func option(
    _ name: String, letter: String? = nil, value placeholder: String, kind: ValueKind = .text,
    default fallback: String, _ summary: String
  ) -> Input {
    let value = OptionDescription.Value(
      placeholder: placeholder, kind: kind, presence: .defaulted(fallback))
    let option = OptionDescription(name, letter: letter, value: value, summary)
    return Input(parameter: .option(option)) { $0[name].first ?? fallback }
  }

  /// Takes a text that must be there.
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
  /// Takes a text as often as the option is there, in the order of the line.
  package static func repeatedOption(
    _ name: String, letter: String? = nil, value placeholder: String, kind: ValueKind = .text,
    _ summary: String
  ) -> Input {
    let value = OptionDescription.Value(placeholder: placeholder, kind: kind, presence: .repeated)
    let option = OptionDescription(name, letter: letter, value: value, summary)
    return Input(parameter: .option(option)) { $0[name] }
  }
}

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

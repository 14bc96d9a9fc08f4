/// Describes an option to those who read help, the manual or completions.
package struct OptionDescription: Sendable, Equatable {
  /// The long name with its dashes, `--limit`.
  package let name: String
  /// The letter of the short form, `l` for `-l`.
  package let letter: Character?
  /// The value that follows, or nil for a flag.
  package let value: Value?
  /// One sentence: what the option does.
  package let summary: String

  /// Describes the value that follows an option.
  package struct Value: Sendable, Equatable {
    /// What stands for the value in help, `N`.
    package let placeholder: String
    package let kind: ValueKind
    package let presence: Presence
  }

  /// Says how often an option with a value may or must be there.
  package enum Presence: Sendable, Equatable {
    case optional
    case required
    case repeated
    /// May be left out, and then has this value.
    case defaulted(String)
  }

  init(_ name: String, letter: String? = nil, value: Value? = nil, _ summary: String) {
    precondition(name.hasPrefix("--"), "an option's name begins with two dashes: \(name)")
    self.name = name
    precondition(letter?.count ?? 1 == 1, "a short form is one letter: \(letter ?? "")")
    self.letter = letter?.first
    self.value = value
    self.summary = summary
  }
}

extension OptionDescription {
  static let help = OptionDescription("--help", letter: "h", "Print help and exit.")
  static let version = OptionDescription("--version", "Print the version and exit.")

  var isRequired: Bool { value?.presence == .required }
  var isRepeated: Bool { value?.presence == .repeated }

  /// The short form, `-l`.
  var short: String? { letter.map { "-\($0)" } }

  /// The value an option has when it is left out.
  var defaultValue: String? {
    guard case .defaulted(let text) = value?.presence else { return nil }
    return text
  }
}

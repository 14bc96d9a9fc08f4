/// The description of an option for help, the manual and completions.
package struct OptionDescription: Sendable, Equatable {
  /// The long name with its dashes, such as `--limit`.
  package let name: String
  /// The letter of the short form: `l` for `-l`.
  package let letter: Character?
  /// The option's value, or nil for a flag.
  package let value: Value?
  /// One sentence that describes the option.
  package let summary: String

  /// The description of an option's value.
  package struct Value: Sendable, Equatable {
    /// The placeholder of the value in help, such as `N`.
    package let placeholder: String
    package let kind: ValueKind
    package let presence: Presence
  }

  /// How often an option with a value may or must be given.
  package enum Presence: Sendable, Equatable {
    case optional
    case required
    case repeated
    /// Optional, with this default.
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

  /// The short form, such as `-l`.
  var short: String? { letter.map { "-\($0)" } }

  /// The value of the option if it is not given.
  var defaultValue: String? {
    guard case .defaulted(let text) = value?.presence else { return nil }
    return text
  }
}

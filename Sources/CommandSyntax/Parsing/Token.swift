/// An operand, or an option with its value, of a command line.
enum Token: Sendable, Equatable {
  case operand(String)
  case option(TypedOption)
}

/// An option as it was typed, before it is checked whether the command allows it.
struct TypedOption: Sendable, Equatable {
  /// The form that was typed, such as `-l` or `--limit`.
  let typed: String
  /// The option of the program with this name, or nil.
  let option: OptionDescription?
  let value: Value

  enum Value: Sendable, Equatable {
    /// No value: the option is a flag.
    case none
    case given(String)
    /// The line ended before the value.
    case missing
    /// A value was joined with `=` to an option without a value.
    case unexpected(String)
  }
}

extension TypedOption {
  /// Whether the option prints help or the version, whatever else is on the line.
  var isHelpOrVersion: Bool {
    value == .none && (option == .help || option == .version)
  }
}

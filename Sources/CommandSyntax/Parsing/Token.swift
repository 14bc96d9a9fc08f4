/// A word or two of a line, as they were typed.
enum Token: Sendable, Equatable {
  case operand(String)
  case option(TypedOption)
}

/// An option as it was typed, before anyone has asked whether it belongs there.
struct TypedOption: Sendable, Equatable {
  /// The form that was typed, `-l` or `--limit`.
  let typed: String
  /// The option that goes by this name in the program, if there is one.
  let option: OptionDescription?
  let value: Value

  enum Value: Sendable, Equatable {
    /// A flag stands alone.
    case none
    case given(String)
    /// The line ended where the value should stand.
    case missing
    /// A value was joined with `=` to an option that takes none.
    case unwanted(String)
  }
}

extension TypedOption {
  /// Help and version are printed whatever else is on the line.
  var asksForDocuments: Bool {
    value == .none && (option == .help || option == .version)
  }
}

/// Splits a command line into operands and options with their values.
///
/// Options can precede the name of the command, because almost every option takes a value either in
/// all commands that declare it or in none. An option that differs, such as `--user`, is that of the
/// command or group whose name precedes it. If no name precedes it, it takes a value, unless the
/// next word is such a name.
struct Lexer: Sendable {
  private let program: ProgramDescription
  /// All options of the program and its commands. An option that several commands declare occurs
  /// several times.
  private let options: [OptionDescription]

  init(_ program: ProgramDescription) {
    self.program = program
    options = program.options + program.commands.flatMap { $0.options }
  }

  /// The options and operands of a command line, as found so far.
  struct Line {
    var tokens: [Token] = []
    /// Whether `--` occurred. All words after it are operands.
    var hasEndedOptions = false
  }

  func line(_ words: some Sequence<String>) -> Line {
    var line = Line()
    var words = Array(words)[...]
    while let word = words.popFirst() {
      if line.hasEndedOptions || word == "-" || !word.utf8.starts(with: "-".utf8) {
        line.tokens.append(.operand(word))
      } else if word == "--" {
        line.hasEndedOptions = true
      } else if word.utf8.starts(with: "--".utf8) {
        line.tokens.append(.option(long(word, after: line.tokens, before: &words)))
      } else {
        line.tokens += short(word, next: { words.popFirst() }).map { .option($0) }
      }
    }
    return line
  }

  private func long(
    _ word: String, after tokens: [Token], before words: inout ArraySlice<String>
  ) -> TypedOption {
    let sign = word.utf8.firstIndex(of: UInt8(ascii: "="))
    let name = String(word[..<(sign ?? word.endIndex)])
    let joined = sign.map { String(word[word.utf8.index(after: $0)...]) }
    let option = option(name, after: tokens, before: joined == nil ? words.first : nil)
    guard let joined else {
      return TypedOption(
        typed: name, option: option,
        value: option?.value == nil ? .none : following { words.popFirst() })
    }
    let takesValue = option == nil || option?.value != nil
    return TypedOption(
      typed: name, option: option, value: takesValue ? .given(joined) : .unexpected(joined))
  }

  /// Returns the declaration of an option between the given tokens and the next word. `next` is nil
  /// if the value is joined with `=`.
  private func option(
    _ name: String, after tokens: [Token], before next: String?
  ) -> OptionDescription? {
    let found = options.filter { $0.name == name }
    guard let flag = found.first(where: { $0.value == nil }),
      let option = found.first(where: { $0.value != nil })
    else { return found.first }
    for case .operand(let word) in tokens {
      return program.entry(word)?.commands.flatMap(\.options).first { $0.name == name } ?? option
    }
    return next.flatMap(program.entry) == nil ? option : flag
  }

  private func short(_ word: String, next: () -> String?) -> [TypedOption] {
    var found: [TypedOption] = []
    var rest = word.dropFirst()
    while let letter = rest.popFirst() {
      let option = options.first { $0.letter == letter }
      let typed = "-\(letter)"
      if option?.value != nil {
        let value = rest.isEmpty ? following(next) : .given(String(rest))
        return found + [TypedOption(typed: typed, option: option, value: value)]
      }
      if rest.first == "=" {
        let value = TypedOption.Value.unexpected(String(rest.dropFirst()))
        return found + [TypedOption(typed: typed, option: option, value: value)]
      }
      found.append(TypedOption(typed: typed, option: option, value: .none))
      if option == nil {
        break
      }
    }
    return found
  }

  private func following(_ next: () -> String?) -> TypedOption.Value {
    next().map { .given($0) } ?? .missing
  }
}

/// One element of a command line: an operand, or an option with its value.
enum Token: Sendable {
  case operand(String)
  case option(TypedOption)
}

/// An option as the user typed it. The lexer does not check whether the command has this option.
struct TypedOption: Sendable {
  /// The option as the user typed it, such as `-l` or `--limit`, without its value.
  let typed: String
  /// The first declared option with the typed name or letter, or nil if there is none.
  let option: OptionDescription?
  let value: Value

  enum Value: Sendable, Equatable {
    /// No value was typed or needed, because the option is a flag or unknown.
    case none
    case given(String)
    /// The option needs a value, but is the last word of the line.
    case missing
    /// A value was joined with `=` to an option that takes no value.
    case unexpected(String)
  }
}

extension TypedOption {
  /// Whether the option is `--help` or `--version`, which are executed even if the rest of the line
  /// is invalid.
  var isHelpOrVersion: Bool {
    value == .none && (option?.name == "--help" || option?.name == "--version")
  }
}

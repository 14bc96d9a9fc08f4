/// Assigns the words of a command line to the inputs of a command, and collects all problems.
struct InputCollector {
  /// The options that are accepted. Any other option is reported as unknown.
  let options: [OptionDescription]
  /// The name of the command or program, for error messages.
  let commandName: String
  private let answers: @Sendable () -> [String: String]
  var given: InputValues
  private(set) var problems: [UsageError.Problem] = []
  private(set) var hasUnknownOption = false

  init(
    options: [OptionDescription], commandName: String,
    answers: @escaping @Sendable () -> [String: String], given: InputValues
  ) {
    self.options = options
    self.answers = answers
    self.commandName = commandName
    self.given = given
  }

  mutating func readOptions(_ typedOptions: [TypedOption]) {
    for typed in typedOptions {
      // Look up the option again in `options`. The lexer may have found an option of the same name
      // that another command declares differently, for example as one that may be repeated.
      guard let option = options.first(where: { $0.name == typed.option?.name }) else {
        noteUnknown(typed)
        continue
      }
      switch typed.value {
      case .none: keep("", for: option)
      // The option takes a value in another command only.
      case .given where option.value == nil: note("\(typed.typed) takes no value")
      case .given(let word):
        if word.isEmpty, option.value?.kind.isPath == true {
          note("empty value for \(typed.typed)")
        }
        keep(word, for: option)
      case .missing: note("\(typed.typed) needs a value")
      case .unexpected: note("\(typed.typed) takes no value")
      }
    }
  }

  mutating func readOperands(_ words: [String], of command: CommandDescription) {
    let outcome = OperandMatcher(operands: command.operands).outcome(of: words)
    for (operand, words) in zip(command.operands, outcome.words) {
      given[operand.name] = words
      if operand.kind.isPath, words.contains("") {
        note("empty \(operand.name) for \(commandName)")
      }
    }
    if let word = outcome.unexpected.first, !hasUnknownOption {
      let expected = command.operands.map(\.usage).joined(separator: " ")
      note(
        "unexpected operand \(EscapedWord(word)) for \(commandName)",
        hint: "\(commandName) expects \(expected.isEmpty ? "no operands" : "only \(expected)")")
    }
    noteMissing(outcome.missing, of: command)
  }

  /// Reads the values of operands that are given by name, and not by their position in a command
  /// line. `operands` contains the words of each operand of the command, in order.
  mutating func readOperands(
    _ operands: [(name: String, words: [String])], of command: CommandDescription
  ) {
    var missing: [String] = []
    for (operand, (_, words)) in zip(command.operands, operands) {
      given[operand.name] = words
      if words.count < operand.minimum { missing.append(operand.name) }
      if operand.kind.isPath, words.contains("") {
        note("empty \(operand.name) for \(commandName)")
      }
    }
    noteMissing(missing, of: command)
  }

  mutating func check(_ rules: [InputRule]) {
    for rule in rules {
      switch rule {
      case .atMostOne(let names, let hint): check(atMostOneOf: names, hint: hint)
      case .exactlyOne(let names): check(atMostOneOf: names)
      case .needs(let name, let other):
        if isGiven(name), !isGiven(other) {
          note("\(name) needs \(other)")
        }
      case .excludes: continue
      }
    }
  }

  private mutating func check(atMostOneOf names: [String], hint: String? = nil) {
    let found = names.filter(isGiven)
    if found.count > 1 { note("\(listed(found)) cannot be used together", hint: hint) }
  }

  private mutating func noteMissing(_ operands: [String], of command: CommandDescription) {
    let options = command.options.filter { $0.isRequired && !isGiven($0.name) }.map { $0.name }
    let choices = command.rules.compactMap { rule -> String? in
      guard case .exactlyOne(let names) = rule, !names.contains(where: isGiven) else { return nil }
      return "one of \(listed(names, "or"))"
    }
    let named = operands.map { "\("AEIOU".contains($0.first ?? " ") ? "an" : "a") \($0)" }
    let missing = named + (hasUnknownOption ? [] : options + choices)
    if !missing.isEmpty {
      note("\(commandName) needs \(listed(missing))")
    }
  }

  private mutating func keep(_ word: String, for option: OptionDescription) {
    if option.value != nil, !option.isRepeated, isGiven(option.name) {
      if !problems.contains(where: { $0.message == "\(option.name) is given twice" }) {
        note("\(option.name) is given twice")
      }
      return
    }
    given.append(word, to: option.name)
  }

  private mutating func noteUnknown(_ typed: TypedOption) {
    hasUnknownOption = true
    let shown = EscapedWord(typed.typed)
    let hint: String? =
      if let answer = answers()["\(commandName) \(typed.typed)"] {
        answer
      } else if typed.typed.utf8.starts(with: "--".utf8) {
        answers()[typed.typed] ?? given.suggestion(for: typed.typed, among: options.map(\.name))
      } else {
        "put -- before an operand that begins with a dash"
      }
    problems.append(UsageError.Problem("\(commandName) has no option \(shown)", hint: hint))
  }

  private func isGiven(_ name: String) -> Bool {
    !given[name].isEmpty
  }

  private mutating func note(_ message: String, hint: String? = nil) {
    problems.append(UsageError.Problem(message, hint: hint))
  }
}

/// The words of a command line that belong to each input of a command.
@usableFromInline struct InputValues: Sendable {
  private var inputs: [(name: String, words: [String])] = []
  /// A closure that takes a misspelled name and a list of names. It returns the name in the list
  /// that the user most likely meant, or nil if none is similar.
  let nearest: @Sendable (String, [String]) -> String?

  init(nearest: @escaping @Sendable (String, [String]) -> String?) {
    self.nearest = nearest
  }

  /// The words that belong to the input with the given name. For a flag, this is one empty word for
  /// each occurrence.
  ///
  /// A linear search is faster than a dictionary here, because a command has few inputs.
  subscript(_ name: String) -> [String] {
    get { inputs.first { $0.name == name }?.words ?? [] }
    set {
      if let index = inputs.firstIndex(where: { $0.name == name }) {
        inputs[index].words = newValue
      } else {
        inputs.append((name, newValue))
      }
    }
  }

  /// Appends a word to the words of an input, without copying them.
  mutating func append(_ word: String, to name: String) {
    if let index = inputs.firstIndex(where: { $0.name == name }) {
      inputs[index].words.append(word)
    } else {
      inputs.append((name, [word]))
    }
  }

  /// Returns the hint "did you mean …?" with the name that is most similar to the word, or nil if
  /// no name is similar.
  func suggestion(for word: String, among names: [String]) -> String? {
    nearest(word, names).map { "did you mean \($0)?" }
  }
}

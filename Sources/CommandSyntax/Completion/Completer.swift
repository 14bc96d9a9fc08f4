/// Completes one word of a command line, depending on the words before and after it.
struct Completer {
  let program: ProgramDescription
  private let conditions: (any IncompleteCondition.Type)?
  private let lexer: Lexer
  private let current: String
  private let hasEndedOptions: Bool
  private let tokensBefore: [Token]
  private let tokensAfter: [Token]

  init(
    program: ProgramDescription, line: CompletionLine, conditions: (any IncompleteCondition.Type)?
  ) {
    self.program = program
    self.conditions = conditions
    lexer = Lexer(program)
    current = line.current
    let before = lexer.line(line.before)
    hasEndedOptions = before.hasEndedOptions
    tokensBefore = before.tokens
    tokensAfter =
      hasEndedOptions ? line.after.map { .operand($0) } : lexer.line(line.after).tokens
  }

  func completion() -> Completion {
    if case .option(let typed) = tokensBefore.last, typed.value == .missing {
      return value(of: typed.option, Completion(typed: current))
    }
    guard !hasEndedOptions, current.utf8.starts(with: "-".utf8) else { return operand() }
    guard case .option(let typed) = lexer.line([current]).tokens.last else { return optionNames() }
    switch typed.value {
    case .given(let value):
      let prefix = String(current.utf8.dropLast(value.utf8.count)) ?? ""
      return self.value(of: typed.option, Completion(typed: value, prefix: prefix))
    case .none, .missing, .unexpected:
      return optionNames()
    }
  }

  private func optionNames() -> Completion {
    let given = (tokensBefore + tokensAfter).compactMap { token in
      if case .option(let option) = token { option.option?.name } else { nil }
    }
    let options = (command?.options ?? []) + program.options
    var completion = Completion(typed: current)
    completion.candidates = options.filter { $0.isRepeated || !given.contains($0.name) }
      .map { Candidate($0.name, $0.summary) }
    return completion
  }

  private func operand() -> Completion {
    var completion = Completion(typed: current)
    let before = tokensBefore.operands
    if before.first == "help" {
      completion.candidates = names(after: before.dropFirst(), topics: true)
      if before.count == 1 { completion.candidateSource = .undeclaredCommands }
      return completion
    }
    switch program.lookup(before[...]) {
    case .nothing:
      completion.candidates = names(after: before[...], topics: false)
      completion.candidateSource = .undeclaredCommands
    case .group:
      completion.candidates = names(after: before[...], topics: false)
    case .unknown:
      break
    case .command(let command):
      let words = Array(before.dropFirst(command.path.count))
      // Any word can be an id, so ids are offered only if no other operand is possible.
      let next = OperandMatcher(operands: command.operands).next(after: words)
      for operand in next.filter({ $0.kind != .id }) + next.filter({ $0.kind == .id }) {
        let offer = value(operand.kind, Completion(typed: current))
        if completion.candidateSource == nil,
          offer.candidateSource != nil || !offer.candidates.isEmpty
        {
          completion = offer
        }
      }
    }
    return completion
  }

  /// Returns the names of the commands that can follow these words. If `topics` is true, the names
  /// of help topics are included.
  private func names(after words: ArraySlice<String>, topics: Bool) -> [Candidate] {
    switch program.lookup(words) {
    case .nothing:
      let topics = topics ? program.topics.map { Candidate($0.name, $0.summary) } : []
      return program.entries.map { Candidate($0.name, $0.summary) } + topics
    case .group(let group):
      return group.commands.map { Candidate($0.path.last ?? "", $0.summary) }
    case .command, .unknown:
      return []
    }
  }

  /// Returns the completion of an option's value. Different commands may declare options with the
  /// same name but different kinds of values, so the declaration of the current command takes
  /// precedence.
  private func value(of option: OptionDescription?, _ completion: Completion) -> Completion {
    let own = command?.options.first { $0.name == option?.name }
    guard let kind = (own ?? option)?.value?.kind else { return completion }
    return value(kind, completion)
  }

  /// Returns the completion of a value, according to its kind.
  private func value(_ kind: ValueKind, _ completion: Completion) -> Completion {
    var completion = completion
    switch kind {
    case .text, .integer:
      break
    case .id:
      completion.candidateSource = schema.map { .ids(ofSchema: $0, from: completion.typed) }
    case .choice(let names):
      completion.candidates = names.map { Candidate($0) }
    case .topic:
      completion.candidates = program.topics.map { Candidate($0.name, $0.summary) }
    case .command:
      completion.candidates = names(after: [], topics: true)
    case .schema:
      completion.candidateSource = .schemas
    case .schemaOrField:
      let path = completion.movePathToPrefix()
      completion.candidateSource =
        path.first.map { .fields(ofSchema: $0, for: .writing) } ?? .schemas
    case .function:
      completion.candidateSource = .functions
    case .field:
      completion.candidateSource = fields(&completion, for: nil)
    case .fieldFor(let purpose):
      completion.candidateSource = fields(&completion, for: purpose)
    case .fields:
      completion.moveTextToPrefix()
      completion.candidateSource = fields(&completion, for: nil, or: .functions)
    case .fieldsFor(let purpose):
      completion.moveTextToPrefix()
      completion.candidateSource = fields(
        &completion, for: purpose,
        or: purpose == .order || purpose == .adding ? .functions : [])
    case .order:
      completion.moveTextToPrefix()
      let path = completion.movePathToPrefix()
      completion.candidateSource = schema.map {
        .orderTerms(
          ofSchema: $0, through: path, options: givenOptions,
          or: completion.operands(.functions, after: path))
      }
    case .relations:
      completion.moveTextToPrefix()
      let path = completion.movePathToPrefix()
      completion.candidateSource = schema.map { .relations(ofSchema: $0, through: path) }
    case .condition:
      guard let end = conditions?.init(of: completion.typed) else { break }
      completion.prefix += completion.typed.dropLast(end.typed.count)
      completion.typed = end.typed
      completion.kind = .part
      if let field = end.field {
        completion.candidateSource = schema.map {
          .values(ofSchema: $0, through: end.path, field: field, from: end.text, in: .condition)
        }
        break
      }
      let path = completion.movePathToPrefix()
      completion.candidateSource = schema.map {
        end.expectsRelation
          ? .manyRelations(ofSchema: $0, through: end.path + path)
          : .fields(
            ofSchema: $0, through: end.path + path,
            or: completion.operands([.functions, .inverses], after: path))
      }
    case .groupCondition:
      completion.moveTextToPrefix()
      completion.candidateSource = schema.map {
        .groupColumns(ofSchema: $0, options: givenOptions)
      }
      completion.kind = .part
    case .timeZone:
      completion.candidateSource = .timeZones
    case .assignment:
      completeAssignment(&completion, of: .assignment, for: .writing)
    case .equality:
      completeAssignment(&completion, of: .equality)
    case .declaration(let types):
      completeDeclaration(&completion, types)
    case .file, .schemaFiles, .outputFile:
      completion.candidateSource = .files
    case .folder:
      completion.candidateSource = .folders
    case .store:
      completion.candidateSource = .stores
    }
    return completion
  }

  /// Returns the source of the candidates for the last name of a field path. Moves the earlier
  /// names to the prefix of the completion, because the prefix is the same for all candidates. If a
  /// purpose is given, such as sorting, only fields that support the purpose are candidates.
  private func fields(
    _ completion: inout Completion, for purpose: FieldPurpose?,
    or operands: Completion.Operands = []
  ) -> Completion.CandidateSource? {
    let path = completion.movePathToPrefix()
    let operands = completion.operands(operands, after: path)
    return schema.map { .fields(ofSchema: $0, through: path, for: purpose, or: operands) }
  }

  private func completeAssignment(
    _ completion: inout Completion, of kind: ValueKind, for purpose: FieldPurpose? = nil
  ) {
    guard Assignment.hasForm(completion.typed, of: kind) else {
      completion.candidateSource = schema.map { .fields(ofSchema: $0, for: purpose) }
      completion.kind = .part
      completion.suffix = "="
      return
    }
    let (name, value) = Assignment.parts(of: completion.typed)
    guard !["+=", "-="].contains(where: name.hasSuffix) else { return }
    completion.prefix += name
    completion.typed = value
    if name.hasSuffix("@=") {
      completion.candidateSource = .files
    } else if !name.hasSuffix(":=") {
      let field = String(name.dropLast())
      completion.candidateSource = schema.map {
        .values(ofSchema: $0, field: [field], from: value, in: .word)
      }
    }
  }

  /// Completes the type in `FIELD:TYPE` with one of the given types or the name of a schema. The
  /// name of the field is not completed, because the field is new.
  private func completeDeclaration(_ completion: inout Completion, _ types: [String]) {
    guard let colon = completion.typed.utf8.firstIndex(of: UInt8(ascii: ":")) else { return }
    let start = completion.typed.utf8.index(after: colon)
    completion.prefix += completion.typed[..<start]
    completion.typed = String(completion.typed[start...])
    completion.candidates = types.map { Candidate($0) }
    completion.candidateSource = .schemas
  }

  /// The options on the command line that have a value, except the option that is being completed.
  private var givenOptions: [GivenOption] {
    (tokensBefore + tokensAfter).compactMap { token in
      guard case .option(let typed) = token, let option = typed.option,
        case .given(let value) = typed.value
      else { return nil }
      return GivenOption(name: option.name, value: value)
    }
  }

  /// The command in the line, or nil if there is none. The name of the command may also come after
  /// the word that is being completed.
  private var command: CommandDescription? {
    guard case .command(let command) = program.lookup(operands[...]) else { return nil }
    return command
  }

  /// The value of the operand that names a schema, or nil if there is none.
  private var schema: String? {
    guard let command,
      let index = command.operands.firstIndex(where: { $0.kind == .schema })
    else { return nil }
    let words = Array(operands.dropFirst(command.path.count))
    return OperandMatcher(operands: command.operands).outcome(of: words).words[index].first
  }

  private var operands: [String] { tokensBefore.operands + tokensAfter.operands }
}

extension [Token] {
  var operands: [String] {
    compactMap { if case .operand(let word) = $0 { word } else { nil } }
  }
}

extension Completion {
  /// Splits `typed` before its last field path and moves the first part to `prefix`, so that only
  /// the path is completed. `typed` must be a list of expressions.
  fileprivate mutating func moveTextToPrefix() {
    let rest = typed.reversed().prefix {
      $0.isLetter || $0.isNumber || $0 == "_" || $0 == "."
    }.count
    prefix += typed.dropLast(rest)
    typed = String(typed.suffix(rest))
  }

  /// Returns the kinds of candidates that can follow a path of relations. Functions are omitted if
  /// the path is not empty, because a path cannot contain functions. Before the first letter is
  /// typed, functions are omitted too, because they would hide the fields.
  fileprivate func operands(_ operands: Operands, after path: [String]) -> Operands {
    path.isEmpty && !typed.isEmpty ? operands : operands.subtracting(.functions)
  }
}

extension Completion {
  /// Splits the path in `typed` before its last name and moves the first part to `prefix`, so that
  /// only the last name is completed. Returns the moved names.
  fileprivate mutating func movePathToPrefix() -> [String] {
    guard let dot = typed.lastIndex(of: ".") else { return [] }
    let names = typed[..<dot].split(separator: ".", omittingEmptySubsequences: false)
    prefix += typed[...dot]
    typed = String(typed[typed.index(after: dot)...])
    return names.map(String.init)
  }
}

extension ProgramDescription {
  /// Returns the possible completions of the current word of a command line.
  ///
  /// - Parameter conditions: The parser of the conditions in options; nil if there are none.
  package func completion(
    of line: CompletionLine, conditions: (any IncompleteCondition.Type)? = nil
  ) -> Completion {
    Completer(program: self, line: line, conditions: conditions).completion()
  }
}

extension ProgramDescription {
  /// Returns a message for each error in the declarations of the program, such as a name that is
  /// declared twice.
  ///
  /// The compiler cannot detect these errors, for example that a rule names an undeclared option,
  /// or that two commands use the same letter for different options.
  func validationErrors() -> [String] {
    var validationErrors = names.repeated.map { "\($0) is the name of two commands or topics" }
    validationErrors += optionErrors()
    validationErrors += commands.flatMap(validationErrors(of:))
    for group in groups {
      validationErrors += missing(group.seeAlso, from: group.name)
    }
    for topic in topics {
      validationErrors += missing(topic.seeAlso, from: topic.name)
    }
    return validationErrors
  }

  /// The names of commands, groups and topics that `help` accepts.
  private var names: [String] {
    groups.map(\.name) + commands.map(\.name) + topics.map(\.name)
  }

  /// Returns a message for each option that is declared inconsistently: it takes a value in only
  /// some commands of a group, has different short forms in different commands, or has the same short form as
  /// another option.
  private func optionErrors() -> [String] {
    let all = options + commands.flatMap(\.options)
    var validationErrors: [String] = []
    for entry in entries {
      let own = options + entry.commands.flatMap(\.options)
      let flags = own.filter { $0.value == nil }.map(\.name)
      for option in own where option.value != nil && flags.contains(option.name) {
        validationErrors.append("\(option.name) takes a value in one command but not in another")
      }
    }
    for option in all {
      guard let first = all.first(where: { $0.name == option.name }) else { continue }
      if first.letter != option.letter {
        validationErrors.append("\(option.name) has different short forms")
      }
      if let short = option.short,
        let other = all.first(where: { $0.short == short && $0.name != option.name })
      {
        validationErrors.append("\(short) means both \(option.name) and \(other.name)")
      }
    }
    return validationErrors
  }

  private func validationErrors(of command: CommandDescription) -> [String] {
    let inputs = command.operands.map(\.name) + command.options.map(\.name)
    var validationErrors = (inputs + options.map(\.name)).repeated.map { "declares \($0) twice" }
    for name in command.rules.flatMap(\.names) where !inputs.contains(name) {
      validationErrors.append("has a rule for \(name), which it does not declare")
    }
    let terms = command.operands.map(\.term) + command.options.flatMap(\.usage) + ["OPTIONS"]
    for word in command.usages.joined() where !terms.flatMap({ [$0, "[\($0)]"] }).contains(word) {
      validationErrors.append("has a usage line with \(word), which it does not declare")
    }
    for (operand, next) in zip(command.operands, command.operands.dropFirst()) {
      if !operand.isRequired, next.isRequired {
        validationErrors.append("has \(next.name) after \(operand.name), which is optional")
      }
      if case .many = operand.count, next.count != .one {
        validationErrors.append(
          "has \(next.name) after \(operand.name), which takes all remaining words")
      }
    }
    if command.examples.count < 2 {
      validationErrors.append("has fewer than two examples")
    }
    for example in command.examples where example.line.count > 78 {
      validationErrors.append("has an example that is wider than 78 columns: \(example.line)")
    }
    return validationErrors.map { "\(command.name) \($0)" }
      + missing(command.seeAlso, from: command.name)
  }

  private func missing(_ references: [String], from page: String) -> [String] {
    references.filter { !names.contains($0) }.map { "\(page) refers to \($0), which is missing" }
  }
}

extension [String] {
  /// The elements that are equal to an earlier element of the array.
  fileprivate var repeated: [String] {
    var seen: Set<String> = []
    return filter { !seen.insert($0).inserted }
  }
}

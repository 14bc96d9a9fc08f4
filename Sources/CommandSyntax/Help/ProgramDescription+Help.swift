extension ProgramDescription {
  /// Returns a help page as text, wrapped at `width` or at 80 columns, whichever is less.
  ///
  /// - Parameter plugins: The names of the commands that other programs provide.
  package func help(
    _ subject: HelpSubject, plugins: [String] = [], width: Int, style: TextStyle
  ) -> String {
    var page = TextPage(width: width, style: style)
    switch subject {
    case .overview:
      writeOverview(to: &page)
    case .program:
      writeProgram(plugins, to: &page)
    case .group(let name):
      if case .group(let group) = entry(name) {
        write(group, to: &page)
      }
    case .command(let path):
      if let command = commands.first(where: { $0.path == path }) {
        write(command, to: &page)
      }
    case .topic(let name):
      if let topic = topic(name) {
        page.paragraph(topic.summary)
        page.blocks(topic.body)
        writeSeeAlso(topic.seeAlso, to: &page)
      }
    case .topicPart(let topic, let name):
      let part = self.topic(topic)?.parts.first { $0.name == name }
      return part.map { "\($0.text)\n" } ?? ""
    }
    return page.text
  }

  private func writeOverview(to page: inout TextPage) {
    page.paragraph(summary)
    page.section("Usage")
    writeUsage(["COMMAND", "[ARGUMENTS]", "[OPTIONS]"], to: &page)
    page.section("Commands")
    page.definitions(entries.map { Definition("`\($0.name)`", $0.summary) })
    page.blank()
    page.paragraph("See `\(name) help COMMAND` for a command, `\(name) help` for an overview.")
  }

  private func writeProgram(_ plugins: [String], to page: inout TextPage) {
    page.paragraph(summary)
    page.section("Usage")
    writeUsage(["COMMAND", "[ARGUMENTS]", "[OPTIONS]"], to: &page)
    page.blocks(discussion)
    page.section("Commands")
    page.definitions(commands.map { Definition("`\($0.name)`", $0.summary) })
    if !plugins.isEmpty {
      page.section("Plugins")
      page.paragraph(plugins.map { "`\($0)`" }.joined(separator: ", "), indent: 2)
    }
    writeOptions(options, rules: rules, title: "Options", to: &page)
    if !topics.isEmpty {
      page.section("Topics")
      page.definitions(topics.map { Definition("`\($0.name)`", $0.summary) })
    }
    if !environment.isEmpty {
      page.section("Environment")
      page.definitions(environment.map { Definition("`\($0.name)`", $0.meaning) })
    }
    writeExitStatuses(exitStatuses, to: &page)
    page.blank()
    page.paragraph("See `\(name) help COMMAND` or `\(name) help TOPIC` for more.")
  }

  private func write(_ group: GroupDescription, to page: inout TextPage) {
    page.paragraph(group.summary)
    page.section("Usage")
    writeUsage([group.name, "COMMAND", "[ARGUMENTS]", "[OPTIONS]"], to: &page)
    page.blocks(group.discussion)
    page.section("Commands")
    page.definitions(group.commands.map { Definition("`\($0.name)`", $0.summary) })
    writeSeeAlso(group.seeAlso, to: &page)
    page.blank()
    page.paragraph("See `\(name) help \(group.name) COMMAND` for more.")
  }

  private func write(_ command: CommandDescription, to page: inout TextPage) {
    page.paragraph(command.summary)
    page.section("Usage")
    for usage in command.usages {
      writeUsage(command.path + usage, to: &page)
    }
    page.blocks(command.introduction)
    page.section("Examples")
    for example in command.examples {
      page.line(page.style.strong(example.line), indent: 2)
      page.paragraph(example.caption, indent: 6)
    }
    page.blocks(command.details)
    if !command.operands.isEmpty {
      page.section("Arguments")
      page.definitions(
        command.operands.map { Definition($0.term, $0.explanation(with: command.rules)) })
    }
    writeOptions(command.options, rules: command.rules, title: "Options", to: &page)
    writeOptions(options, rules: rules, title: "Global options", to: &page)
    writeExitStatuses(command.exitStatuses, to: &page)
    writeSeeAlso(command.seeAlso, to: &page)
  }

  private func writeUsage(_ words: [String], to page: inout TextPage) {
    page.paragraph(([name] + words).joined(separator: " "), indent: 2, hanging: name.count + 1)
  }

  private func writeOptions(
    _ options: [OptionDescription], rules: [InputRule], title: String, to page: inout TextPage
  ) {
    guard !options.isEmpty else { return }
    page.section(title)
    for requirement in rules.requirements {
      page.paragraph(requirement, indent: 2)
    }
    page.definitions(options.map { Definition($0.term, $0.explanation(with: rules)) })
  }

  private func writeExitStatuses(_ statuses: [ExitStatus], to page: inout TextPage) {
    guard !statuses.isEmpty else { return }
    page.section("Exit status")
    page.definitions(statuses.map { Definition("\($0.code)", $0.meaning) })
  }

  private func writeSeeAlso(_ names: [String], to page: inout TextPage) {
    guard !names.isEmpty else { return }
    page.section("See also")
    page.paragraph(names.map { "`\(name) help \($0)`" }.joined(separator: ", "), indent: 2)
  }
}

extension OptionDescription {
  /// The option as shown in a list of options, such as `-l, --limit N`.
  var term: String {
    let short = short.map { "`\($0)`, " } ?? "    "
    let value = value.map { " \($0.placeholder)" } ?? ""
    return "\(short)`\(name)`\(value)"
  }

  /// The words of the option in a usage line, such as `--reason` and `TEXT`.
  var usage: [String] {
    [name, value?.placeholder].compactMap(\.self)
  }

  /// Returns the summary, with notes in parentheses: the choices or the range of the value, whether
  /// the option is required or repeatable, and its default. Sentences about the given rules are at
  /// the end.
  func explanation(with rules: [InputRule]) -> String {
    var notes: [String] = []
    if let kind = value?.kind.note {
      notes.append(kind)
    }
    switch value?.presence {
    case .required: notes.append("required")
    case .repeated: notes.append("may be repeated")
    case .defaulted(let text): notes.append("default \(text())")
    case .optional, nil: break
    }
    return summary.withNotes(notes, sentences: rules.sentences(about: name))
  }
}

extension OperandDescription {
  /// Returns the summary. If the value has choices or a range, they follow in parentheses.
  /// Sentences about the given rules are at the end.
  func explanation(with rules: [InputRule]) -> String {
    summary.withNotes([kind.note].compactMap(\.self), sentences: rules.sentences(about: name))
  }

  /// The operand as shown in a list of operands, such as `ID…`.
  var term: String {
    switch count {
    case .one, .optional: name
    case .many: "\(name)…"
    }
  }
}

extension ValueKind {
  /// The choices or the range of the value, which help shows in parentheses after a summary. Nil if
  /// the value has neither.
  fileprivate var note: String? {
    switch self {
    case .choice(let names): listed(names, "or")
    case .integer(let range): range.note
    case .text, .schema, .schemaOrField, .equality, .field, .fields, .fieldFor, .fieldsFor,
      .order, .relations, .condition, .groupCondition, .timeZone,
      .assignment, .declaration, .id, .function,
      .file, .schemaFiles, .outputFile, .folder, .store, .topic, .command:
      nil
    }
  }
}

extension ClosedRange<Int> {
  fileprivate var note: String? {
    switch (lowerBound, upperBound) {
    case (Int.min, Int.max): nil
    case (_, Int.max): "\(lowerBound) or more"
    case (Int.min, _): "\(upperBound) or less"
    default: "\(lowerBound) to \(upperBound)"
    }
  }
}

extension String {
  /// Returns the text with the notes and sentences added. The notes are in parentheses before the
  /// period of the first sentence. The sentences are at the end.
  fileprivate func withNotes(_ notes: [String], sentences: [String]) -> String {
    ([withNotes(notes)] + sentences).joined(separator: " ")
  }

  private func withNotes(_ notes: [String]) -> String {
    guard !notes.isEmpty else { return self }
    var end = startIndex
    while end < endIndex {
      let next = index(after: end)
      if self[end] == ".", next == endIndex || self[next] == " " { break }
      end = next
    }
    let rest = end < endIndex ? String(self[end...]) : "."
    return "\(self[..<end]) (\(notes.joined(separator: "; ")))\(rest)"
  }
}

/// Generates the manual pages of a program from its description, in mdoc(7) format.
struct ManualWriter {
  let program: ProgramDescription
  let date: String

  func programPage() -> ManualPage {
    let name = ManualName(program.name, section: 1)
    var text = ManualText(name, date: date, summary: program.summary)
    text.macro("Sh", "SYNOPSIS")
    text.macro("Nm")
    text.macro("Ar", "COMMAND")
    text.macro("Op", "Ar ARGUMENTS")
    text.macro("Op", "Ar OPTIONS")
    writeDescription(program.discussion, summary: program.summary, to: &text)
    writeCommands(program.commands, to: &text)
    writeOptions(program.options, rules: program.rules, title: "OPTIONS", to: &text)
    if !program.topics.isEmpty {
      text.macro("Sh", "TOPICS")
      text.list(
        program.topics.map { Definition("Cm \(ManualSyntax.escaped($0.name))", $0.summary) })
    }
    if !program.environment.isEmpty {
      text.macro("Sh", "ENVIRONMENT")
      text.list(
        program.environment.map { Definition("Ev \(ManualSyntax.escaped($0.name))", $0.meaning) })
    }
    writeExitStatuses(program.exitStatuses, to: &text)
    let names = program.entries.map(\.name) + program.topics.map(\.name)
    writeSeeAlso(names.map(program.manualName), of: name, to: &text)
    return ManualPage(file: name.file, text: text.text)
  }

  func page(of command: CommandDescription) -> ManualPage {
    let name = program.manualName(of: command.name)
    var text = ManualText(name, date: date, summary: command.summary)
    text.macro("Sh", "SYNOPSIS")
    for usage in command.usages {
      text.macro("Nm", program.name)
      text.macro("Cm", ManualSyntax.arguments(command.name))
      for word in usage {
        writeUsage(word, to: &text)
      }
    }
    writeDescription(command.introduction, summary: command.summary, to: &text)
    text.macro("Ss", "Examples")
    for (index, example) in command.examples.enumerated() {
      if index > 0 {
        text.macro("Pp")
      }
      text.running(example.caption)
      text.blocks([.literal(example.line)])
    }
    text.blocks(command.details)
    if !command.operands.isEmpty {
      text.macro("Sh", "ARGUMENTS")
      text.list(
        command.operands.map {
          Definition(
            "Ar \(ManualSyntax.escaped($0.term))", $0.explanation(with: command.rules))
        })
    }
    writeOptions(command.options, rules: command.rules, title: "OPTIONS", to: &text)
    writeOptions(
      program.options, rules: program.rules, title: "GLOBAL OPTIONS", to: &text)
    writeExitStatuses(command.exitStatuses, to: &text)
    writeSeeAlso(command.seeAlso.map(program.manualName), of: name, to: &text)
    return ManualPage(file: name.file, text: text.text)
  }

  func page(of group: GroupDescription) -> ManualPage {
    let name = program.manualName(of: group.name)
    var text = ManualText(name, date: date, summary: group.summary)
    text.macro("Sh", "SYNOPSIS")
    text.macro("Nm", program.name)
    text.macro("Cm", ManualSyntax.arguments(group.name))
    text.macro("Ar", "COMMAND")
    text.macro("Op", "Ar ARGUMENTS")
    text.macro("Op", "Ar OPTIONS")
    writeDescription(group.discussion, summary: group.summary, to: &text)
    writeCommands(group.commands, to: &text)
    let names = group.commands.map(\.name) + group.seeAlso
    writeSeeAlso(names.map(program.manualName), of: name, to: &text)
    return ManualPage(file: name.file, text: text.text)
  }

  func page(of topic: Topic) -> ManualPage {
    var text = ManualText(topic.manual, date: date, summary: topic.summary)
    writeDescription(topic.body, summary: topic.summary, to: &text)
    writeSeeAlso(topic.seeAlso.map(program.manualName), of: topic.manual, to: &text)
    return ManualPage(file: topic.manual.file, text: text.text)
  }

  private func writeDescription(_ blocks: [Block], summary: String, to text: inout ManualText) {
    text.macro("Sh", "DESCRIPTION")
    text.blocks(blocks.isEmpty ? [.paragraph(summary)] : blocks)
  }

  private func writeCommands(_ commands: [CommandDescription], to text: inout ManualText) {
    text.macro("Sh", "COMMANDS")
    text.list(
      commands.map { Definition("Cm \(ManualSyntax.arguments($0.name))", $0.summary) })
  }

  private func writeOptions(
    _ options: [OptionDescription], rules: [InputRule], title: String, to text: inout ManualText
  ) {
    guard !options.isEmpty else { return }
    text.macro("Sh", title)
    for requirement in rules.requirements {
      text.running(requirement)
    }
    text.list(options.map { Definition(term(of: $0), $0.explanation(with: rules)) })
  }

  /// Appends a word of a usage line: a placeholder such as `ID`, an option, or an optional
  /// placeholder such as `[ID]`.
  private func writeUsage(_ word: String, to text: inout ManualText) {
    if word.hasPrefix("--") {
      text.macro("Fl", ManualSyntax.escaped(String(word.dropFirst())))
    } else if word.hasPrefix("["), word.hasSuffix("]") {
      text.macro("Op", "Ar \(ManualSyntax.escaped(String(word.dropFirst().dropLast())))")
    } else {
      text.macro("Ar", ManualSyntax.escaped(word))
    }
  }

  private func term(of option: OptionDescription) -> String {
    let short = option.letter.map { "Fl \($0) , " } ?? ""
    let value = option.value == nil ? "" : " Ar \(placeholder(of: option))"
    return "\(short)Fl \(ManualSyntax.escaped(String(option.name.dropFirst())))\(value)"
  }

  private func placeholder(of option: OptionDescription) -> String {
    ManualSyntax.arguments(option.value?.placeholder ?? "")
  }

  private func writeExitStatuses(_ statuses: [ExitStatus], to text: inout ManualText) {
    guard !statuses.isEmpty else { return }
    text.macro("Sh", "EXIT STATUS")
    text.list(statuses.map { Definition("\($0.code)", $0.meaning) })
  }

  /// Appends the section SEE ALSO. It lists the related pages and the page of the program, sorted
  /// by section and name, as mdoc requires.
  private func writeSeeAlso(
    _ names: [ManualName], of page: ManualName, to text: inout ManualText
  ) {
    let main = ManualName(program.name, section: 1)
    let others = (names.contains(main) ? names : names + [main]).filter { $0 != page }
    guard !others.isEmpty else { return }
    text.macro("Sh", "SEE ALSO")
    let sorted = others.sorted { ($0.section, $0.name) < ($1.section, $1.name) }
    for (index, other) in sorted.enumerated() {
      let comma = index < sorted.count - 1 ? " ," : ""
      text.macro("Xr", "\(other.name) \(other.section)\(comma)")
    }
  }
}

/// A page of the manual: its file name and its text in mdoc(7) format.
package struct ManualPage: Sendable, Equatable {
  package let file: String
  package let text: String
}

extension ProgramDescription {
  /// Returns the pages of the manual: one for the program and one for each command, group and
  /// topic.
  ///
  /// - Parameter date: The date in the header of each page, such as `November 20, 2026`.
  package func manual(date: String) -> [ManualPage] {
    let writer = ManualWriter(program: self, date: date)
    return [writer.programPage()] + commands.map(writer.page(of:)) + groups.map(writer.page(of:))
      + topics.map(writer.page(of:))
  }

  /// Returns the name and section of the manual page for a command, a group or a topic.
  func manualName(of name: String) -> ManualName {
    if let topic = topic(name) {
      return topic.manual
    }
    let words = name.split(separator: " ").joined(separator: "-")
    return ManualName("\(self.name)-\(words)", section: 1)
  }
}

extension ProgramDescription {
  /// The result of looking up a command by the first words of a command line.
  enum Lookup {
    case command(CommandDescription)
    /// The command line consists only of the name of a group.
    case group(GroupDescription)
    case nothing
    case unknown(UnknownCommand)
  }

  /// Returns the command or group that the first one or two words identify.
  func lookup(_ words: ArraySlice<String>) -> Lookup {
    guard let word = words.first else { return .nothing }
    switch entry(word) {
    case .command(let command):
      return .command(command)
    case .group(let group):
      guard let next = words.dropFirst().first else { return .group(group) }
      if let command = group.commands.first(where: { $0.path.last == next }) {
        return .command(command)
      }
      let names = group.commands.map(\.name)
      return .unknown(
        UnknownCommand(
          word: next, group: group, names: names, groupCommand: nil,
          answer: answers()["\(group.name) \(next)"]))
    case nil:
      let groupCommand = commands.first { $0.path.last == word }?.name
      let names = entries.map(\.name)
      return .unknown(
        UnknownCommand(
          word: word, group: nil, names: names, groupCommand: groupCommand, answer: answers()[word])
      )
    }
  }
}

/// A word that is typed where a command is expected, but is not the name of a command. It contains
/// the details for the error message, such as the names of the available commands.
struct UnknownCommand {
  let word: String
  /// The group whose name precedes the unknown word, such as `schema` in `schema foo`. Nil if the
  /// unknown word is the first word.
  let group: GroupDescription?
  /// The names that the user may have meant: the full names of the commands in `group`. If `group`
  /// is nil, the names of all commands and groups that can begin a command line.
  let names: [String]
  /// The full name of a command in a group, if its last word is the unknown word. For `create`,
  /// this is `schema create`. Nil if there is no such command.
  let groupCommand: String?
  /// A hint, if other programs have a command with this name. Nil for other words.
  let answer: String?

  func problem(
    _ nearest: (String, [String]) -> String?, undeclared: [String], topics: [String] = []
  ) -> UsageError.Problem {
    let prefix = group.map { "\($0.name) " } ?? ""
    let meant = groupCommand ?? nearest(prefix + word, names + undeclared + topics)
    let kind = topics.isEmpty ? "command" : "command or topic"
    return UsageError.Problem(
      "unknown \(kind) \(prefix)\(EscapedWord(word))",
      hint: answer ?? meant.map { "did you mean \($0)?" })
  }

  func see(_ helpLine: String) -> String {
    [helpLine, group?.name].compactMap(\.self).joined(separator: " ")
  }
}

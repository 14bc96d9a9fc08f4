extension ProgramDescription {
  /// The result of looking up a command by the first words of a command line.
  enum Lookup {
    case command(CommandDescription)
    /// The words consist only of the name of a group.
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

/// A word that is in the position of a command name but is not the name of a command.
struct UnknownCommand {
  let word: String
  /// The group that precedes the word, if there is one.
  let group: GroupDescription?
  /// The full names of the commands and groups that would be valid in that position.
  let names: [String]
  /// The full name of a command in a group, such as `schema create`, if the user typed only its
  /// last word, such as `create`; nil if no command matches.
  let groupCommand: String?
  /// A hint, if the word is a command in other programs but not in this one.
  let answer: String?

  func problem(
    _ nearest: (String, [String]) -> String?, topics: [String] = []
  ) -> UsageError.Problem {
    let prefix = group.map { "\($0.name) " } ?? ""
    let meant = groupCommand ?? nearest(prefix + word, names + topics)
    let kind = topics.isEmpty ? "command" : "command or topic"
    return UsageError.Problem(
      "unknown \(kind) \(prefix)\(EscapedWord(word))",
      hint: answer ?? meant.map { "did you mean \($0)?" })
  }

  func see(_ helpLine: String) -> String {
    [helpLine, group?.name].compactMap(\.self).joined(separator: " ")
  }
}

/// Declares a word that stands before several commands, as `schema` before `schema create`.
package struct GroupDeclaration<Action: Sendable>: Sendable {
  package let description: GroupDescription
  let commands: [CommandDeclaration<Action>]

  package init(
    _ name: String, _ summary: String, discussion: [Block] = [],
    commands: [CommandDeclaration<Action>], seeAlso: [String] = []
  ) {
    self.commands = commands.map { command in
      var command = command
      command.description.path.insert(name, at: 0)
      return command
    }
    description = GroupDescription(
      name: name, summary: summary, discussion: discussion,
      commands: self.commands.map(\.description), seeAlso: seeAlso)
  }
}

/// Describes a group of commands to those who read help, the manual or completions.
package struct GroupDescription: Sendable {
  package let name: String
  package let summary: String
  package let discussion: [Block]
  package let commands: [CommandDescription]
  package let seeAlso: [String]
}

/// A group of commands with a common first word, such as `schema` in `schema create`.
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

/// The description of a group of commands for help, the manual and completions.
package struct GroupDescription: Sendable {
  package let name: String
  package let summary: String
  package let discussion: [Block]
  package let commands: [CommandDescription]
  package let seeAlso: [String]
}

extension ProgramDeclaration {
  /// A first word of the command line. Its declaration is created when it is needed.
  package struct Entry: Sendable {
    let name: String
    let declared: @Sendable () -> EntryDeclaration

    package static func command(
      _ name: String,
      _ declaration: @autoclosure @escaping @Sendable () -> CommandDeclaration<Action>
    ) -> Entry {
      Entry(name: name) {
        let command = declaration()
        return EntryDeclaration(
          description: .command(command.description), inputs: [command.inputs.map { .run($0) }])
      }
    }

    package static func group(
      _ name: String,
      _ declaration: @autoclosure @escaping @Sendable () -> GroupDeclaration<Action>
    ) -> Entry {
      Entry(name: name) {
        let group = declaration()
        return EntryDeclaration(
          description: .group(group.description),
          inputs: group.commands.map { $0.inputs.map { .run($0) } })
      }
    }
  }

  /// The descriptions of an entry, and the inputs of its commands in the same order.
  struct EntryDeclaration: Sendable {
    let description: ProgramDescription.Entry
    let inputs: [Inputs<Request<Action>>]

    init(description: ProgramDescription.Entry, inputs: [Inputs<Request<Action>>]) {
      self.description = description
      self.inputs = inputs
    }

    init(_ command: CommandDeclaration<Request<Action>>) {
      self.init(description: .command(command.description), inputs: [command.inputs])
    }
  }
}

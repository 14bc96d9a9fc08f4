/// The declaration of a command, from which the parser, help, the manual and completions are
/// derived.
///
/// ```swift
/// struct GetCommand: Command, BoundCommand {
///   var schema = ""
///   var ids: [String] = []
///   var format: Format?
///
///   static let declaration = CommandDeclaration(
///     GetCommand.self, "get", "Print records by id.",
///     discussion: ["Records are printed in the order in which their ids are given."],
///     inputs: [
///       .operand("SCHEMA", \.schema, kind: .schema, "The schema of the records."),
///       .operands("ID", \.ids, kind: .id, atLeast: 1, "The ids; - reads them from stdin."),
///       .choice("--output", \.format, value: "FORMAT", "The format."),
///     ],
///     examples: [
///       Example("datactl get todo 7", "Print one record."),
///       Example("datactl get todo 7 9 -o json", "Print two records as an array."),
///     ],
///     exitStatuses: [.done, .usage, .notFound],
///     seeAlso: ["list"])
/// }
/// ```
///
/// For a command with several forms, `usages` contains the operands and options of each form, such
/// as `--all SCHEMA [ID]`.
///
/// Arguments that are used only for help and the manual are evaluated lazily, so that they do not
/// slow down the start of every command.
package struct CommandDeclaration<Action: Sendable>: Sendable {
  package internal(set) var description: CommandDescription
  let inputs: Inputs<Action>

  /// - Parameter command: The type whose properties are bound to the inputs.
  package init<Root: BoundCommand>(
    _ command: Root.Type, _ name: String, _ summary: String,
    usages: @autoclosure @escaping @Sendable () -> [String] = [],
    discussion: @autoclosure @escaping @Sendable () -> [Block] = [],
    inputs: [Input<Root>] = [],
    rules: [InputRule] = [],
    examples: @autoclosure @escaping @Sendable () -> [Example],
    exitStatuses: @autoclosure @escaping @Sendable () -> [ExitStatus],
    seeAlso: @autoclosure @escaping @Sendable () -> [String] = []
  ) where Root.Action == Action {
    self.inputs = Inputs(inputs, rules)
    let parameters = inputs.parameters()
    description = CommandDescription(
      path: [name], summary: summary, operands: parameters.operands, options: parameters.options,
      rules: rules
    ) {
      CommandDescription.Documentation(
        usages: usages(), discussion: discussion(), examples: examples(),
        exitStatuses: exitStatuses(), seeAlso: seeAlso())
    }
  }
}

/// A group of commands with the same first word, such as `schema` in `schema create`.
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

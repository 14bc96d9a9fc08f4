/// The declaration of a command, from which the parser, help, the manual and completions are
/// derived.
///
/// ```swift
/// CommandDeclaration<any Command>(
///   "get", "Print records by id.",
///   discussion: ["Records are printed in the order in which their ids are given."],
///   inputs:
///     .operand("SCHEMA", kind: .schema, "The schema of the records."),
///     .operands("ID", kind: .id, atLeast: 1, "The records' ids; - reads them from stdin."),
///     .choice("--output", letter: "o", value: "FORMAT", of: Format.allCases, "The format."),
///   examples: [
///     Example("datactl get todo 7", "Print one record."),
///     Example("datactl get todo 7 9 -o json", "Print two records as an array."),
///   ],
///   exitStatuses: [.done, .usage, .notFound],
///   seeAlso: ["list"]
/// ) { schema, ids, format in
///   GetCommand(schema: schema, ids: ids, format: format)
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
    inputs: [BoundInput<Root>] = [],
    rules: [InputRule] = [],
    examples: @autoclosure @escaping @Sendable () -> [Example],
    exitStatuses: @autoclosure @escaping @Sendable () -> [ExitStatus],
    seeAlso: @autoclosure @escaping @Sendable () -> [String] = []
  ) where Root.Action == Action {
    let inputs = Inputs(inputs, rules: rules)
    self.inputs = inputs
    description = CommandDescription(
      path: [name], summary: summary, operands: inputs.operands, options: inputs.options,
      rules: rules
    ) {
      CommandDescription.Documentation(
        usages: usages(), discussion: discussion(), examples: examples(),
        exitStatuses: exitStatuses(), seeAlso: seeAlso())
    }
  }

  package init<each Value: Sendable>(
    _ name: String, _ summary: String,
    usages: @autoclosure @escaping @Sendable () -> [String] = [],
    discussion: @autoclosure @escaping @Sendable () -> [Block] = [],
    inputs: repeat Input<each Value>,
    rules: [InputRule] = [],
    examples: @autoclosure @escaping @Sendable () -> [Example],
    exitStatuses: @autoclosure @escaping @Sendable () -> [ExitStatus],
    seeAlso: @autoclosure @escaping @Sendable () -> [String] = [],
    action: @escaping @Sendable (repeat each Value) throws(UsageError) -> Action
  ) {
    let inputs = Inputs(repeat each inputs, make: action)
    self.inputs = inputs
    description = CommandDescription(
      path: [name], summary: summary, operands: inputs.operands, options: inputs.options,
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

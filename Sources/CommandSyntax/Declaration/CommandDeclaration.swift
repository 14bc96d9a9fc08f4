/// A command, declared once for the parser, help, the manual and completions.
///
/// ```swift
/// CommandDeclaration<any Command>(
///   "get", "Print records by id.",
///   discussion: ["Records come in the order in which their ids are given."],
///   inputs:
///     .operand("SCHEMA", kind: .schema, "The kind of record."),
///     .operands("ID", kind: .id, atLeast: 1, "The records' ids; - reads them from stdin."),
///     .choice("--output", letter: "o", value: "FORMAT", of: Format.allCases, "How to print."),
///   examples: [
///     Example("datactl get todo 7", "Print one record."),
///     Example("datactl get todo 7 9 -o json", "Print two as an array."),
///   ],
///   exitStatuses: [.done, .usage, .notFound],
///   seeAlso: ["list"]
/// ) { schema, ids, format in
///   GetCommand(schema: schema, ids: ids, format: format)
/// }
/// ```
package struct CommandDeclaration<Action: Sendable>: Sendable {
  package internal(set) var description: CommandDescription
  let inputs: Inputs<Action>

  package init<each Value: Sendable>(
    _ name: String, _ summary: String,
    discussion: [Block] = [],
    inputs: repeat Input<each Value>,
    rules: [InputRule] = [],
    examples: [Example],
    exitStatuses: [ExitStatus],
    seeAlso: [String] = [],
    action: @escaping @Sendable (repeat each Value) throws(UsageError) -> Action
  ) {
    let inputs = Inputs(repeat each inputs, make: action)
    self.inputs = inputs
    description = CommandDescription(
      path: [name], summary: summary, discussion: discussion, operands: inputs.operands,
      options: inputs.options, rules: rules, examples: examples, exitStatuses: exitStatuses,
      seeAlso: seeAlso)
  }
}

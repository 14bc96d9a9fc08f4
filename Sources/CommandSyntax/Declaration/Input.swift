/// One value that a command takes from the command line, with its description.
///
/// The kind of input determines the type of the value, so that a command needs no further checks:
///
/// | input | value |
/// | --- | --- |
/// | `.operand`, `.requiredOption` | `String` |
/// | `.optionalOperand`, `.option` | `String?` |
/// | `.operands`, `.repeatedOption` | `[String]` |
/// | `.option`, `.integer`, `.choice` with `default:` | `String`, `Int`, the choice |
/// | `.integer`, `.choice` | `Int?`, the choice or nil |
/// | `.choiceOperand` | the choice |
/// | `.flag` | `Bool` |
package struct Input<Value: Sendable>: Sendable {
  let parameter: Parameter
  let read: @Sendable (InputValues) throws(UsageError) -> Value

  /// Returns an input whose value is transformed. An error that `transform` throws is reported as a
  /// usage error.
  ///
  /// ```swift
  /// Input.operands("FIELD=VALUE", kind: .assignment, "…").map(Assignment.list)
  /// ```
  package func map<New: Sendable>(
    _ transform: @escaping @Sendable (Value) throws(UsageError) -> New
  ) -> Input<New> {
    let read = read
    return Input<New>(parameter: parameter) { given throws(UsageError) in
      try transform(try read(given))
    }
  }
}

/// The description of an input, independent of the type of its value.
enum Parameter: Sendable, Equatable {
  case operand(OperandDescription)
  case option(OptionDescription)

  var name: String {
    switch self {
    case .operand(let operand): operand.name
    case .option(let option): option.name
    }
  }
}

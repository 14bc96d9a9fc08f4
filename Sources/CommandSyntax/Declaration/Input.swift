/// One value that a command takes from its line, with the words that describe it.
///
/// The type of the value follows from the kind of input, so that a command's own values
/// need no checking:
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
  let read: @Sendable (Given) throws(UsageError) -> Value

  /// Makes an input of another type out of this one; what `transform` throws is a usage error.
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

/// An input as it is described, whatever the type of its value.
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

/// The inputs of a command and a closure that makes a value of theirs.
///
/// The closure gets one argument for each input, in the order of declaration and of the input's own
/// type. It may throw a usage error for a problem that concerns several inputs; then its signature
/// must declare the error: `{ a, b throws(UsageError) in … }`.
package struct Inputs<Output: Sendable>: Sendable {
  let parameters: [Parameter]
  /// Returns the problems of each input by itself.
  let check: @Sendable (InputValues) -> [UsageError.Problem]
  let make: @Sendable (InputValues) throws(UsageError) -> Output

  package init<each Value: Sendable>(
    _ inputs: repeat Input<each Value>,
    make: @escaping @Sendable (repeat each Value) throws(UsageError) -> Output
  ) {
    var parameters: [Parameter] = []
    for input in repeat each inputs {
      parameters.append(input.parameter)
    }
    self.parameters = parameters
    check = { given in
      var problems: [UsageError.Problem] = []
      for input in repeat each inputs {
        do throws(UsageError) {
          _ = try input.read(given)
        } catch {
          problems += error.problems
        }
      }
      return problems
    }
    self.make = { (given) throws(UsageError) -> Output in
      try make(repeat try (each inputs).read(given))
    }
  }
}

extension Inputs {
  /// Returns the same inputs with a transformed value.
  func map<New: Sendable>(_ transform: @escaping @Sendable (Output) -> New) -> Inputs<New> {
    let make = make
    return Inputs<New>(parameters: parameters, check: check) { given throws(UsageError) in
      transform(try make(given))
    }
  }

  private init(
    parameters: [Parameter], check: @escaping @Sendable (InputValues) -> [UsageError.Problem],
    make: @escaping @Sendable (InputValues) throws(UsageError) -> Output
  ) {
    self.parameters = parameters
    self.check = check
    self.make = make
  }

  var operands: [OperandDescription] {
    parameters.compactMap { parameter in
      if case .operand(let operand) = parameter { operand } else { nil }
    }
  }

  var options: [OptionDescription] {
    parameters.compactMap { parameter in
      if case .option(let option) = parameter { option } else { nil }
    }
  }
}

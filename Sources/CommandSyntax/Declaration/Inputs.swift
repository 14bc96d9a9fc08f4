/// A closure that creates a value from the words of a command line, for example the command to run.
struct Inputs<Output: Sendable>: Sendable {
  /// Creates the value. If there are problems, given or in the inputs, throws an error with all of
  /// them.
  let make: @Sendable (InputValues, [UsageError.Problem]) throws(UsageError) -> Output
  /// Returns a message for each property that several inputs set.
  let bindingErrors: @Sendable () -> [String]
}

extension Inputs {
  init<Root: BoundCommand>(_ inputs: [Input<Root>], _ rules: [InputRule])
  where Root.Action == Output {
    make = { given, problems throws(UsageError) in
      var problems = problems
      var root = Root()
      inputs.read(given, into: &root, &problems)
      guard problems.isEmpty else { throw UsageError(problems: problems) }
      for rule in rules { try rule.checkExclusion(in: given) }
      try root.validate()
      return root.action
    }
    bindingErrors = { inputs.bindingErrors(rules) }
  }

  /// Returns the same inputs, but applies `transform` to the value that is created from them.
  func map<New: Sendable>(_ transform: @escaping @Sendable (Output) -> New) -> Inputs<New> {
    let make = make
    return Inputs<New>(
      make: { given, problems throws(UsageError) in transform(try make(given, problems)) },
      bindingErrors: bindingErrors)
  }
}

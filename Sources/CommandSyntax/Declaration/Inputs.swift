/// The inputs of a command, and a closure that creates a single value from their values. For
/// example, it creates the command to run.
///
/// The closure has one parameter for each input, in the order of declaration and with the type of
/// the input's value. It may throw a usage error for a problem that concerns several inputs. Its
/// signature must then declare the error: `{ a, b throws(UsageError) in … }`.
package struct Inputs<Output: Sendable>: Sendable {
  let parameters: [Parameter]
  /// Reads the values of all inputs, even if some are invalid, and returns all problems.
  let check: @Sendable (InputValues) -> [UsageError.Problem]
  let make: @Sendable (InputValues) throws(UsageError) -> Output
  /// Returns a message for each property that several inputs set.
  let bindingErrors: @Sendable () -> [String]

  init<Root: BoundCommand>(
    _ inputs: [BoundInput<Root>], rules: [InputRule]
  ) where Root.Action == Output {
    var parameters: [Parameter] = []
    for input in inputs {
      for member in input.members { parameters.append(member.parameter) }
    }
    self.parameters = parameters
    check = { given in
      var problems: [UsageError.Problem] = []
      _ = Root(inputs, given, problems: &problems)
      return problems
    }
    make = { given throws(UsageError) in
      var problems: [UsageError.Problem] = []
      var root = Root(inputs, given, problems: &problems)
      guard problems.isEmpty else { throw UsageError(problems: problems) }
      for rule in rules {
        if let problem = rule.exclusion(in: given) { throw UsageError(problems: [problem]) }
      }
      try root.validate()
      return root.action
    }
    bindingErrors = { inputs.bindingErrors(rules) }
  }

  package init<each Value: Sendable>(
    _ inputs: repeat Input<each Value>,
    make: @escaping @Sendable (repeat each Value) throws(UsageError) -> Output
  ) {
    // The closures below capture an array instead of the pack `inputs`. In a closure that captures
    // a pack, each access to an element creates the types of all elements.
    var parameters: [Parameter] = []
    var readers: [any InputReader] = []
    for input in repeat each inputs {
      parameters.append(input.parameter)
      readers.append(TypedInputReader(input.read))
    }
    self.parameters = parameters
    check = { [readers] given in readers.flatMap { $0.problems(in: given) } }
    self.make = { [readers] (given) throws(UsageError) -> Output in
      var index = 0
      func next<Next: Sendable>(_: Next.Type) throws(UsageError) -> Next {
        defer { index += 1 }
        guard let reader = readers[index] as? TypedInputReader<Next> else {
          preconditionFailure("The readers are not in the order of the inputs.")
        }
        return try reader.read(given)
      }
      return try make(repeat try next((each Value).self))
    }
    bindingErrors = { [] }
  }
}

/// An input of a command, without the type of its value. The inputs of a command have values of
/// different types, so this protocol can only validate a value, and not return it.
private protocol InputReader: AnyObject, Sendable {
  /// Reads the value of the input from the words of a command line, and returns the problems of the
  /// value.
  func problems(in given: InputValues) -> [UsageError.Problem]
}

private final class TypedInputReader<Value: Sendable>: InputReader {
  let read: @Sendable (InputValues) throws(UsageError) -> Value

  init(_ read: @escaping @Sendable (InputValues) throws(UsageError) -> Value) {
    self.read = read
  }

  func problems(in given: InputValues) -> [UsageError.Problem] {
    do throws(UsageError) {
      _ = try read(given)
      return []
    } catch {
      return error.problems
    }
  }
}

extension Inputs {
  /// Returns the same inputs, but applies `transform` to the value that is created from them.
  func map<New: Sendable>(_ transform: @escaping @Sendable (Output) -> New) -> Inputs<New> {
    let make = make
    return Inputs<New>(parameters: parameters, check: check, bindingErrors: bindingErrors) {
      given throws(UsageError) in transform(try make(given))
    }
  }

  private init(
    parameters: [Parameter], check: @escaping @Sendable (InputValues) -> [UsageError.Problem],
    bindingErrors: @escaping @Sendable () -> [String],
    make: @escaping @Sendable (InputValues) throws(UsageError) -> Output
  ) {
    self.parameters = parameters
    self.check = check
    self.bindingErrors = bindingErrors
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

/// A rule about which inputs of a command can be combined. Inputs are identified by the names that
/// help shows, such as `--limit` or `ID`.
package enum InputRule: Sendable, Equatable {
  /// At most one of these inputs may be given. If several are given, the error shows the hint.
  case atMostOne([String], hint: String? = nil)
  /// Exactly one of these inputs must be given.
  case exactlyOne([String])
  /// The first input may be given only together with the second.
  case needs(String, String)
  /// The first input cannot be used with any of the others. Help does not mention this, because it
  /// is obvious. The rule is checked only if no other problem was found.
  case excludes(String, [String])

  var names: [String] {
    switch self {
    case .atMostOne(let names, _), .exactlyOne(let names): names
    case .needs(let name, let other): [name, other]
    case .excludes(let name, let others): [name] + others
    }
  }

  /// Whether the rule excludes that both inputs are given.
  func excludes(_ name: String, with other: String) -> Bool {
    switch self {
    case .atMostOne, .exactlyOne: names.contains(name) && names.contains(other)
    case .needs, .excludes: false
    }
  }

  /// Returns the problem if the rule `excludes` is violated.
  fileprivate func exclusion(in given: InputValues) -> UsageError.Problem? {
    guard case .excludes(let name, let others) = self, !given[name].isEmpty,
      let other = others.first(where: { !given[$0].isEmpty })
    else { return nil }
    return UsageError.Problem("\(name) and \(other) cannot be used together")
  }
}

extension [InputRule] {
  /// For each rule `exactlyOne`, a sentence for help, such as "Exactly one of `--all` or `ID` is
  /// required."
  var requirements: [String] {
    compactMap { rule in
      guard case .exactlyOne(let names) = rule else { return nil }
      return "Exactly one of \(listed(names.backquoted, "or")) is required."
    }
  }

  /// Returns sentences for help about the given input: which inputs it requires, and which inputs
  /// cannot be used together with it.
  func sentences(about name: String) -> [String] {
    var required: [String] = []
    var excluded: [String] = []
    for rule in self {
      switch rule {
      case .atMostOne(let names, _), .exactlyOne(let names):
        guard names.contains(name) else { continue }
        excluded += names.filter { $0 != name && !excluded.contains($0) }
      case .needs(let input, let other):
        if input == name { required.append(other) }
      case .excludes: continue
      }
    }
    return [
      required.isEmpty ? nil : "Requires \(listed(required.backquoted)).",
      excluded.isEmpty ? nil : "Cannot be used with \(listed(excluded.backquoted, "or")).",
    ].compactMap(\.self)
  }
}

extension [String] {
  /// The names, each in backquotes, which mark literal text in help.
  fileprivate var backquoted: [String] { map { "`\($0)`" } }
}

/// Returns the names joined as in a sentence: `a, b and c`. `last` is the word before the last
/// name, such as "or".
func listed(_ names: [String], _ last: String = "and") -> String {
  guard let end = names.last, names.count > 1 else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " \(last) \(end)"
}

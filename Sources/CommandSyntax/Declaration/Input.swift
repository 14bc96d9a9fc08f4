/// A type whose properties are bound to inputs, such as a command or the options that several
/// commands share.
public protocol BoundInputs: Sendable {
  /// Creates an instance in which each property has the value for an input that is not given.
  init()
}

/// A command whose properties are bound to its operands and options.
package protocol BoundCommand: BoundInputs {
  associatedtype Action: Sendable

  /// What the program does if the command line contains this command.
  var action: Action { get }

  /// Checks what concerns several inputs, and sets the properties that depend on several inputs. It
  /// is called if all inputs are valid and satisfy the rules of the declaration.
  mutating func validate() throws(UsageError)
}

extension BoundCommand {
  package func validate() throws(UsageError) {}
}

/// An operand or an option of a command, or a group of them. Each input is bound to a property of
/// `Root`, and sets this property if it is given.
///
/// The kind of input determines the Swift type of the property:
///
/// | input | type of the property |
/// | --- | --- |
/// | `.flag` | `Bool`, or the type of the value that the flag sets |
/// | `.operand`, `.requiredOption` | `String` |
/// | `.operands`, `.repeatedOption` | `[String]` |
/// | `.optionalOperand` | `String?` |
/// | `.choiceOperand` | the choice |
/// | `.option`, `.integer`, `.choice` | an optional, or a type whose initial value is the default |
/// | an input with `parse` | the result of `parse` |
///
/// The functions that create inputs are inlinable, so that the compiler replaces the key paths with
/// accesses to the properties. To create a key path at run time would take more than a hundredth of
/// the time of a short command.
public struct Input<Root: Sendable>: Sendable {
  public typealias Property<Value> = @Sendable () -> WritableKeyPath<Root, Value>

  let parameters: Parameters
  /// Returns the name and the property of each input, to find properties that several inputs set.
  let bindings: @Sendable () -> [(name: String, property: AnyKeyPath?)]
  /// Sets the properties of the inputs that are given, and adds the problems of those that are
  /// invalid.
  let read: @Sendable (InputValues, inout Root, inout [UsageError.Problem]) -> Void

  /// - Parameter set: Sets the property to the value of the words, of which there is at least one.
  @usableFromInline init(
    _ name: String, _ parameters: Parameters, property: @escaping @Sendable () -> AnyKeyPath,
    set: @escaping @Sendable ([String], InputValues, inout Root) throws(UsageError) -> Void
  ) {
    self.parameters = parameters
    bindings = { [(name, property())] }
    read = { given, root, problems in
      let words = given[name]
      if words.isEmpty { return }
      do throws(UsageError) {
        try set(words, given, &root)
      } catch {
        problems += error.problems
      }
    }
  }

  @usableFromInline init<Part>(
    group inputs: [Input<Part>], property: @escaping @Sendable () -> AnyKeyPath,
    read: @escaping @Sendable (InputValues, inout Root, inout [UsageError.Problem]) -> Void
  ) {
    parameters = inputs.parameters()
    bindings = {
      let part = property()
      return inputs.flatMap { $0.bindings() }.map { name, property in
        (name, property.flatMap { part.appending(path: $0) })
      }
    }
    self.read = read
  }
}

/// The descriptions of inputs for help and completions.
@usableFromInline struct Parameters: Sendable {
  var operands: [OperandDescription] = []
  var options: [OptionDescription] = []

  @usableFromInline static func operand(
    _ name: String, _ kind: ValueKind, _ count: OperandDescription.Count, _ summary: String
  ) -> Parameters {
    Parameters(operands: [OperandDescription(name, kind: kind, count: count, summary)])
  }

  @usableFromInline static func flag(
    _ name: String, _ letter: String?, _ summary: String
  ) -> Parameters {
    Parameters(options: [OptionDescription(name, letter: letter, summary)])
  }

  @usableFromInline static func option(
    _ name: String, _ letter: String?, _ placeholder: String, _ kind: ValueKind,
    _ presence: OptionDescription.Presence, _ summary: String
  ) -> Parameters {
    let value = OptionDescription.Value(placeholder: placeholder, kind: kind, presence: presence)
    return Parameters(options: [OptionDescription(name, letter: letter, value: value, summary)])
  }
}

extension Input {
  @inlinable static func bind<Value>(
    _ name: String, _ parameters: Parameters, _ property: @escaping Property<Value>,
    parse: @escaping @Sendable ([String], InputValues) throws(UsageError) -> Value
  ) -> Input {
    // The compiler can replace the key path only in a closure that captures nothing else.
    let assign: @Sendable (inout Root, Value) -> Void = { root, value in
      root[keyPath: property()] = value
    }
    return Input(
      name, parameters, property: { property() },
      set: { words, given, root throws(UsageError) in assign(&root, try parse(words, given)) })
  }

  /// Returns inputs that are bound to the properties of `part`, which is a property of `Root`.
  @inlinable public static func group<Part>(
    _ part: @autoclosure @escaping Property<Part>, _ inputs: [Input<Part>]
  ) -> Input {
    let access: @Sendable (inout Root, (inout Part) -> Void) -> Void = { root, use in
      use(&root[keyPath: part()])
    }
    return Input(
      group: inputs, property: { part() },
      read: { given, root, problems in
        access(&root) { inputs.read(given, into: &$0, &problems) }
      })
  }
}

extension Input {
  /// Returns a required operand, whose value is one word.
  @inlinable public static func operand(
    _ name: String, _ property: @autoclosure @escaping Property<String>, kind: ValueKind = .text,
    _ summary: String
  ) -> Input {
    bind(name, .operand(name, kind, .one, summary), property) { words, _ in words[0] }
  }

  /// Returns a required operand whose value must be one of the given choices.
  @inlinable
  public static func choiceOperand<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ property: @autoclosure @escaping Property<Choice>,
    of choices: [Choice] = Array(Choice.allCases), _ summary: String
  ) -> Input {
    let names = choices.map { $0.rawValue }
    return bind(name, .operand(name, .choice(names), .one, summary), property) {
      words, given throws(UsageError) in choices[try given.choice(words[0], of: names, for: name)]
    }
  }

  /// Returns an optional operand.
  ///
  /// If an operand of the kind `.assignment` follows, a word of the form `FIELD=VALUE` is assigned
  /// to that operand instead.
  @inlinable public static func optionalOperand(
    _ name: String, _ property: @autoclosure @escaping Property<String?>, kind: ValueKind = .text,
    _ summary: String
  ) -> Input {
    bind(name, .operand(name, kind, .optional, summary), property) { words, _ in words[0] }
  }

  /// Returns an operand that takes all remaining words. There must be at least `least` of them.
  @inlinable public static func operands(
    _ name: String, _ property: @autoclosure @escaping Property<[String]>, kind: ValueKind = .text,
    atLeast least: Int = 0, _ summary: String
  ) -> Input {
    bind(name, .operand(name, kind, .many(atLeast: least), summary), property) { words, _ in words }
  }
}

extension Input {
  /// Returns an option without a value, which sets the property to true.
  @inlinable public static func flag(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<Bool>,
    _ summary: String
  ) -> Input {
    bind(name, .flag(name, letter, summary), property) { _, _ in true }
  }

  /// Returns an option without a value, which sets the property to `value`.
  @inlinable public static func flag<Value: Sendable>(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<Value>,
    sets value: Value, _ summary: String
  ) -> Input {
    bind(name, .flag(name, letter, summary), property) { _, _ in
      value
    }
  }

  /// Returns an option with a text value.
  @inlinable public static func option(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<String?>,
    value placeholder: String, kind: ValueKind = .text, _ summary: String
  ) -> Input {
    bind(name, .option(name, letter, placeholder, kind, .optional, summary), property) { words, _ in
      words[0]
    }
  }

  /// Returns an option whose value is the result of `parse`.
  @inlinable public static func option<Value>(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<Value>,
    value placeholder: String, kind: ValueKind = .text, _ summary: String,
    parse: @escaping @Sendable (String) throws(UsageError) -> Value
  ) -> Input {
    bind(name, .option(name, letter, placeholder, kind, .optional, summary), property) {
      words, _ throws(UsageError) in try parse(words[0])
    }
  }

  /// Returns a required option with a text value.
  @inlinable public static func requiredOption(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<String>,
    value placeholder: String, kind: ValueKind = .text, _ summary: String
  ) -> Input {
    bind(name, .option(name, letter, placeholder, kind, .required, summary), property) { words, _ in
      words[0]
    }
  }

  /// Returns an option that may be given several times. The property gets all given values, in the
  /// order of the command line.
  @inlinable public static func repeatedOption(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<[String]>,
    value placeholder: String, kind: ValueKind = .text, _ summary: String
  ) -> Input {
    bind(name, .option(name, letter, placeholder, kind, .repeated, summary), property) { words, _ in
      words
    }
  }

  /// Returns an option that may be given several times. The property gets the result of `parse`.
  @inlinable public static func repeatedOption<Value>(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<Value>,
    value placeholder: String, kind: ValueKind = .text, _ summary: String,
    parse: @escaping @Sendable ([String]) throws(UsageError) -> Value
  ) -> Input {
    bind(name, .option(name, letter, placeholder, kind, .repeated, summary), property) {
      words, _ throws(UsageError) in try parse(words)
    }
  }

  /// Returns an option with an integer value.
  @inlinable public static func integer(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<Int?>,
    value placeholder: String, in range: ClosedRange<Int>, _ summary: String
  ) -> Input {
    bind(name, .option(name, letter, placeholder, .integer(range), .optional, summary), property) {
      words, _ throws(UsageError) in try range.number(in: words[0], of: name)
    }
  }

  /// Returns an option whose value must be one of the given choices.
  @inlinable
  public static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<Choice?>,
    value placeholder: String, of choices: [Choice] = Array(Choice.allCases), _ summary: String
  ) -> Input {
    let names = choices.map { $0.rawValue }
    let kind = ValueKind.choice(names)
    return bind(name, .option(name, letter, placeholder, kind, .optional, summary), property) {
      words, given throws(UsageError) in choices[try given.choice(words[0], of: names, for: name)]
    }
  }
}

/// Options whose default is the initial value of the property.
extension Input where Root: BoundInputs {
  /// Returns an option with a text value.
  @inlinable public static func option(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<String>,
    value placeholder: String, kind: ValueKind = .text, _ summary: String
  ) -> Input {
    let presence = OptionDescription.Presence.defaulted { Root()[keyPath: property()] }
    return bind(name, .option(name, letter, placeholder, kind, presence, summary), property) {
      words, _ in words[0]
    }
  }

  /// Returns an option with an integer value.
  @inlinable public static func integer(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<Int>,
    value placeholder: String, in range: ClosedRange<Int>, _ summary: String
  ) -> Input {
    let presence = OptionDescription.Presence.defaulted { String(Root()[keyPath: property()]) }
    return bind(
      name, .option(name, letter, placeholder, .integer(range), presence, summary), property
    ) {
      words, _ throws(UsageError) in try range.number(in: words[0], of: name)
    }
  }

  /// Returns an option whose value must be one of the given choices.
  @inlinable
  public static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<Choice>,
    value placeholder: String, of choices: [Choice] = Array(Choice.allCases), _ summary: String
  ) -> Input {
    let names = choices.map { $0.rawValue }
    let kind = ValueKind.choice(names)
    let presence = OptionDescription.Presence.defaulted { Root()[keyPath: property()].rawValue }
    return bind(name, .option(name, letter, placeholder, kind, presence, summary), property) {
      words, given throws(UsageError) in choices[try given.choice(words[0], of: names, for: name)]
    }
  }
}

extension ClosedRange<Int> {
  /// Parses the integer value of an option.
  @usableFromInline func number(in word: String, of name: String) throws(UsageError) -> Int {
    if let number = Int(word), contains(number) { return number }
    // For a number that is too large for `Int`, the message shows both bounds of the range.
    let exceedsInt = word.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    let expected =
      exceedsInt && !word.isEmpty && Int(word) == nil ? fullExpectation : expectation
    throw UsageError("\(name): expected \(expected), found \(EscapedWord(word))")
  }

  /// A description of the range for messages. It omits a bound that is `Int.min` or `Int.max`.
  var expectation: String {
    switch (lowerBound, upperBound) {
    case (Int.min, Int.max): "a whole number"
    case (_, Int.max): "a whole number of at least \(lowerBound)"
    case (Int.min, _): "a whole number of at most \(upperBound)"
    default: fullExpectation
    }
  }

  /// A description of the range for messages, with both bounds.
  var fullExpectation: String { "a whole number from \(lowerBound) to \(upperBound)" }
}

extension InputValues {
  /// Returns the index of the choice with the given name. If no choice has this name, throws an
  /// error that lists the choices.
  ///
  /// The function is not generic: the runtime would look up the type of the choices, which costs
  /// more than parsing the command line.
  @usableFromInline func choice(
    _ word: String, of choices: [String], for name: String
  ) throws(UsageError) -> Int {
    if let index = choices.firstIndex(where: { $0.utf8.elementsEqual(word.utf8) }) { return index }
    throw UsageError(
      "\(name): expected \(listed(choices, "or")), found \(EscapedWord(word))",
      hint: suggestion(for: word, among: choices))
  }
}

extension Array {
  /// Returns the descriptions of all inputs.
  func parameters<Root>() -> Parameters where Element == Input<Root> {
    var parameters = Parameters()
    for input in self {
      parameters.operands += input.parameters.operands
      parameters.options += input.parameters.options
    }
    return parameters
  }

  /// Sets the properties of the inputs that are given, and adds the problems of those that are
  /// invalid.
  @usableFromInline func read<Root>(
    _ given: InputValues, into root: inout Root, _ problems: inout [UsageError.Problem]
  ) where Element == Input<Root> {
    for input in self { input.read(given, &root, &problems) }
  }

  /// Returns a message for each property that two of the inputs set, unless the rules exclude that
  /// both are given.
  func bindingErrors<Root>(_ rules: [InputRule]) -> [String] where Element == Input<Root> {
    var seen: [AnyKeyPath?: String] = [:]
    return flatMap { $0.bindings() }.compactMap { name, property in
      guard let other = seen.updateValue(name, forKey: property), other != name,
        !rules.contains(where: { $0.excludes(name, with: other) })
      else { return nil }
      return "binds \(other) and \(name) to the same property"
    }
  }
}

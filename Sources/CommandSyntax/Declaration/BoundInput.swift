/// A type whose properties are bound to inputs, such as a command or the options that several
/// commands share.
package protocol BoundInputs: Sendable {
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

/// An input of a command, which is an operand or an option, or a group of such inputs. Each input is
/// bound to a property of `Root`, and sets this property if it is given.
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
/// The key paths are created only when they are used, because creating one takes longer than
/// declaring an option.
package struct BoundInput<Root: Sendable>: Sendable {
  package typealias Property<Value> = @Sendable () -> WritableKeyPath<Root, Value>

  /// The single input, or all inputs of the group.
  let members: [Member]

  struct Member: Sendable {
    let parameter: Parameter
    let property: @Sendable () -> PartialKeyPath<Root>?
    /// Parses the words of the input, of which there is at least one, and sets the property.
    let read: @Sendable ([String], InputValues, inout Root) throws(UsageError) -> Void
  }
}

extension BoundInputs {
  /// Creates an instance from the given inputs. Adds the problems of the inputs that are invalid.
  init(
    _ inputs: [BoundInput<Self>], _ given: InputValues, problems: inout [UsageError.Problem]
  ) {
    self.init()
    for input in inputs {
      for member in input.members {
        let words = given[member.parameter.name]
        if words.isEmpty { continue }
        do throws(UsageError) {
          try member.read(words, given, &self)
        } catch {
          problems += error.problems
        }
      }
    }
  }
}

extension BoundInput {
  private init<Value>(
    _ parameter: Parameter, _ property: @escaping Property<Value>,
    parse: @escaping @Sendable ([String], InputValues) throws(UsageError) -> Value
  ) {
    members = [
      Member(
        parameter: parameter, property: { property() },
        read: { words, given, root throws(UsageError) in
          root[keyPath: property()] = try parse(words, given)
        })
    ]
  }

  private init<Value>(
    operand name: String, _ property: @escaping Property<Value>, _ kind: ValueKind,
    _ count: OperandDescription.Count, _ summary: String,
    parse: @escaping @Sendable ([String], InputValues) throws(UsageError) -> Value
  ) {
    self.init(
      .operand(OperandDescription(name, kind: kind, count: count, summary)), property, parse: parse)
  }

  private init<Value>(
    option name: String, _ letter: String?, _ property: @escaping Property<Value>,
    _ placeholder: String, _ kind: ValueKind, _ presence: OptionDescription.Presence,
    _ summary: String,
    parse: @escaping @Sendable ([String], InputValues) throws(UsageError) -> Value
  ) {
    let value = OptionDescription.Value(placeholder: placeholder, kind: kind, presence: presence)
    self.init(
      .option(OptionDescription(name, letter: letter, value: value, summary)), property,
      parse: parse)
  }

  /// Returns inputs that are bound to the properties of `part`, which is a property of `Root`.
  package static func group<Part>(
    _ part: @autoclosure @escaping Property<Part>, _ inputs: [BoundInput<Part>]
  ) -> BoundInput {
    var members: [Member] = []
    for input in inputs {
      for member in input.members {
        members.append(
          Member(
            parameter: member.parameter,
            property: {
              member.property().flatMap { (part() as PartialKeyPath).appending(path: $0) }
            },
            read: { words, given, root throws(UsageError) in
              try member.read(words, given, &root[keyPath: part()])
            }))
      }
    }
    return BoundInput(members: members)
  }
}

extension BoundInput {
  /// Returns a required operand, whose value is one word.
  package static func operand(
    _ name: String, _ property: @autoclosure @escaping Property<String>, kind: ValueKind = .text,
    _ summary: String
  ) -> BoundInput {
    BoundInput(operand: name, property, kind, .one, summary) { words, _ in words[0] }
  }

  /// Returns a required operand whose value is the result of `parse`.
  package static func operand<Value>(
    _ name: String, _ property: @autoclosure @escaping Property<Value>, kind: ValueKind = .text,
    _ summary: String, parse: @escaping @Sendable (String) throws(UsageError) -> Value
  ) -> BoundInput {
    BoundInput(operand: name, property, kind, .one, summary) { words, _ throws(UsageError) in
      try parse(words[0])
    }
  }

  /// Returns a required operand whose value must be one of the given choices.
  package static func choiceOperand<Choice: RawRepresentable<String> & Sendable>(
    _ name: String, _ property: @autoclosure @escaping Property<Choice>, of choices: [Choice],
    _ summary: String
  ) -> BoundInput {
    BoundInput(operand: name, property, .choice(choices.map { $0.rawValue }), .one, summary) {
      words, given throws(UsageError) in try given.choice(words[0], of: choices, for: name)
    }
  }

  /// Returns an optional operand.
  ///
  /// If an operand of the kind `.assignment` follows, a word of the form `FIELD=VALUE` is assigned
  /// to that operand instead.
  package static func optionalOperand(
    _ name: String, _ property: @autoclosure @escaping Property<String?>, kind: ValueKind = .text,
    _ summary: String
  ) -> BoundInput {
    BoundInput(operand: name, property, kind, .optional, summary) { words, _ in words[0] }
  }

  /// Returns an operand that takes all remaining words. There must be at least `least` of them.
  package static func operands(
    _ name: String, _ property: @autoclosure @escaping Property<[String]>, kind: ValueKind = .text,
    atLeast least: Int = 0, _ summary: String
  ) -> BoundInput {
    BoundInput(operand: name, property, kind, .many(atLeast: least), summary) { words, _ in words }
  }
}

extension BoundInput {
  /// Returns an option without a value, which sets the property to true.
  package static func flag(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<Bool>,
    _ summary: String
  ) -> BoundInput {
    BoundInput(.option(OptionDescription(name, letter: letter, summary)), property) { _, _ in true }
  }

  /// Returns an option without a value, which sets the property to `value`.
  package static func flag<Value: Sendable>(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<Value>,
    sets value: Value, _ summary: String
  ) -> BoundInput {
    BoundInput(.option(OptionDescription(name, letter: letter, summary)), property) { _, _ in
      value
    }
  }

  /// Returns an option with a text value.
  package static func option(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<String?>,
    value placeholder: String, kind: ValueKind = .text, _ summary: String
  ) -> BoundInput {
    BoundInput(option: name, letter, property, placeholder, kind, .optional, summary) { words, _ in
      words[0]
    }
  }

  /// Returns an option whose value is the result of `parse`.
  package static func option<Value>(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<Value>,
    value placeholder: String, kind: ValueKind = .text, _ summary: String,
    parse: @escaping @Sendable (String) throws(UsageError) -> Value
  ) -> BoundInput {
    BoundInput(option: name, letter, property, placeholder, kind, .optional, summary) {
      words, _ throws(UsageError) in try parse(words[0])
    }
  }

  /// Returns a required option with a text value.
  package static func requiredOption(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<String>,
    value placeholder: String, kind: ValueKind = .text, _ summary: String
  ) -> BoundInput {
    BoundInput(option: name, letter, property, placeholder, kind, .required, summary) { words, _ in
      words[0]
    }
  }

  /// Returns an option that may be given several times. The property gets all given values, in the
  /// order of the command line.
  package static func repeatedOption(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<[String]>,
    value placeholder: String, kind: ValueKind = .text, _ summary: String
  ) -> BoundInput {
    BoundInput(option: name, letter, property, placeholder, kind, .repeated, summary) { words, _ in
      words
    }
  }

  /// Returns an option that may be given several times. The property gets the result of `parse`.
  package static func repeatedOption<Value>(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<Value>,
    value placeholder: String, kind: ValueKind = .text, _ summary: String,
    parse: @escaping @Sendable ([String]) throws(UsageError) -> Value
  ) -> BoundInput {
    BoundInput(option: name, letter, property, placeholder, kind, .repeated, summary) {
      words, _ throws(UsageError) in try parse(words)
    }
  }

  /// Returns an option with an integer value.
  package static func integer(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<Int?>,
    value placeholder: String, in range: ClosedRange<Int>, _ summary: String
  ) -> BoundInput {
    BoundInput(option: name, letter, property, placeholder, .integer(range), .optional, summary) {
      words, _ throws(UsageError) in try range.number(in: words[0], of: name)
    }
  }

  /// Returns an option whose value must be one of the given choices.
  package static func choice<Choice: RawRepresentable<String> & Sendable>(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<Choice?>,
    value placeholder: String, of choices: [Choice], _ summary: String
  ) -> BoundInput {
    let kind = ValueKind.choice(choices.map { $0.rawValue })
    return BoundInput(option: name, letter, property, placeholder, kind, .optional, summary) {
      words, given throws(UsageError) in try given.choice(words[0], of: choices, for: name)
    }
  }
}

/// Options whose default is the initial value of the property.
extension BoundInput where Root: BoundInputs {
  /// Returns an option with a text value.
  package static func option(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<String>,
    value placeholder: String, kind: ValueKind = .text, _ summary: String
  ) -> BoundInput {
    let presence = OptionDescription.Presence.defaulted { Root()[keyPath: property()] }
    return BoundInput(option: name, letter, property, placeholder, kind, presence, summary) {
      words, _ in words[0]
    }
  }

  /// Returns an option with an integer value.
  package static func integer(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<Int>,
    value placeholder: String, in range: ClosedRange<Int>, _ summary: String
  ) -> BoundInput {
    let presence = OptionDescription.Presence.defaulted { String(Root()[keyPath: property()]) }
    return BoundInput(
      option: name, letter, property, placeholder, .integer(range), presence, summary
    ) { words, _ throws(UsageError) in try range.number(in: words[0], of: name) }
  }

  /// Returns an option whose value must be one of the given choices.
  package static func choice<Choice: RawRepresentable<String> & Sendable>(
    _ name: String, letter: String? = nil, _ property: @autoclosure @escaping Property<Choice>,
    value placeholder: String, of choices: [Choice], _ summary: String
  ) -> BoundInput {
    let kind = ValueKind.choice(choices.map { $0.rawValue })
    let presence = OptionDescription.Presence.defaulted { Root()[keyPath: property()].rawValue }
    return BoundInput(option: name, letter, property, placeholder, kind, presence, summary) {
      words, given throws(UsageError) in try given.choice(words[0], of: choices, for: name)
    }
  }
}

extension ClosedRange<Int> {
  /// Parses the integer value of an option.
  fileprivate func number(in word: String, of name: String) throws(UsageError) -> Int {
    if let number = Int(word), contains(number) { return number }
    // For a number that is too large for `Int`, the message shows both bounds of the range.
    let exceedsInt = word.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    let expected =
      exceedsInt && !word.isEmpty && Int(word) == nil ? fullExpectation : expectation
    throw UsageError("\(name): expected \(expected), found \(EscapedWord(word))")
  }
}

extension Array {
  /// Returns a message for each property that two of the inputs set, unless the rules exclude that
  /// both are given.
  func bindingErrors<Root>(_ rules: [InputRule]) -> [String] where Element == BoundInput<Root> {
    var seen: [PartialKeyPath<Root>: String] = [:]
    return flatMap(\.members).compactMap { member in
      let name = member.parameter.name
      guard let property = member.property(),
        let other = seen.updateValue(name, forKey: property),
        !rules.contains(where: { $0.excludes(name, with: other) })
      else { return nil }
      return "binds \(other) and \(name) to the same property"
    }
  }
}

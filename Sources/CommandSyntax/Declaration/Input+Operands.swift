extension Input where Value == String {
  /// A required operand.
  package static func operand(
    _ name: String, kind: ValueKind = .text, _ summary: String
  ) -> Input {
    Input(parameter: .operand(OperandDescription(name, kind: kind, count: .one, summary))) {
      given throws(UsageError) in try given.value(of: name)
    }
  }
}

extension Input where Value == String? {
  /// An optional operand.
  ///
  /// A word in the form of an assignment is left to a following operand of the kind `.assignment`.
  package static func optionalOperand(
    _ name: String, kind: ValueKind = .text, _ summary: String
  ) -> Input {
    Input(parameter: .operand(OperandDescription(name, kind: kind, count: .optional, summary))) {
      $0[name].first
    }
  }
}

extension Input where Value == [String] {
  /// An operand that takes all remaining words.
  package static func operands(
    _ name: String, kind: ValueKind = .text, atLeast least: Int = 0, _ summary: String
  ) -> Input {
    let operand = OperandDescription(name, kind: kind, count: .many(atLeast: least), summary)
    return Input(parameter: .operand(operand)) { $0[name] }
  }
}

extension Input where Value: RawRepresentable<String> {
  /// A required operand whose value is one of a closed list.
  package static func choiceOperand(
    _ name: String, of choices: [Value], _ summary: String
  ) -> Input {
    let operand = OperandDescription(
      name, kind: .choice(choices.map { $0.rawValue }), count: .one, summary)
    return Input(parameter: .operand(operand)) { given throws(UsageError) in
      try given.choice(try given.value(of: name), of: choices, for: name)
    }
  }
}

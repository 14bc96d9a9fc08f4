/// The description of an operand for help, the manual and completions.
package struct OperandDescription: Sendable, Equatable {
  /// The placeholder of the operand in help, such as `SCHEMA`.
  package let name: String
  package let kind: ValueKind
  package let count: Count
  /// One sentence that describes the operand.
  package let summary: String

  /// The number of words that an operand takes.
  package enum Count: Sendable, Equatable {
    case one
    case optional
    /// All remaining words, at least this number.
    case many(atLeast: Int)
  }

  init(_ name: String, kind: ValueKind, count: Count, _ summary: String) {
    self.name = name
    self.kind = kind
    self.count = count
    self.summary = summary
  }
}

extension OperandDescription {
  var isRequired: Bool { minimum > 0 }

  var minimum: Int {
    switch count {
    case .one: 1
    case .optional: 0
    case .many(let least): least
    }
  }

  /// The operand in a usage line, such as `[ID…]`.
  var usage: String {
    switch count {
    case .one: name
    case .optional: "[\(name)]"
    case .many(let least): least > 0 ? "\(name)…" : "[\(name)…]"
    }
  }
}

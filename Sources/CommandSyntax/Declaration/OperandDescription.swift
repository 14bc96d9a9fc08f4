/// Describes an operand to those who read help, the manual or completions.
package struct OperandDescription: Sendable, Equatable {
  /// What stands for the operand in help, `SCHEMA`.
  package let name: String
  package let kind: ValueKind
  package let count: Count
  /// One sentence: what the operand says.
  package let summary: String

  /// Says how many words an operand takes.
  package enum Count: Sendable, Equatable {
    case one
    case optional
    /// All words that are left, and no fewer than these.
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

  /// The operand as a usage line shows it, `[ID…]`.
  var usage: String {
    switch count {
    case .one: name
    case .optional: "[\(name)]"
    case .many(let least): least > 0 ? "\(name)…" : "[\(name)…]"
    }
  }
}

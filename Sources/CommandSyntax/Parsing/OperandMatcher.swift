/// Assigns the operand words of a command line to the declared operands, by position.
struct OperandMatcher {
  let operands: [OperandDescription]

  /// The result of assigning words to operands: the words of each operand, the names of the
  /// required operands that have too few words (`missing`), and the words that belong to no operand
  /// (`unexpected`).
  struct Outcome {
    /// The words of each operand, in the order of the operands.
    var words: [[String]] = []
    var missing: [String] = []
    var unexpected: [String] = []
  }

  func outcome(of words: [String]) -> Outcome {
    var outcome = Outcome()
    var rest = words[...]
    for (index, operand) in operands.enumerated() {
      let later = operands[(index + 1)...]
      let assigned = rest.prefix(count(operand, among: rest, before: later))
      rest = rest.dropFirst(assigned.count)
      outcome.words.append(Array(assigned))
      if assigned.count < operand.minimum {
        outcome.missing.append(operand.name)
      }
    }
    outcome.unexpected = Array(rest)
    return outcome
  }

  /// Returns the operands to which the word after `words` could belong. There are several if an
  /// optional operand can be omitted.
  func next(after words: [String]) -> [OperandDescription] {
    var found: [OperandDescription] = []
    var rest = words[...]
    for (index, operand) in operands.enumerated() {
      if rest.isEmpty {
        found.append(operand)
        if operand.isRequired { return found }
      } else if case .many = operand.count {
        return [operand]
      } else {
        rest = rest.dropFirst(count(operand, among: rest, before: operands[(index + 1)...]))
      }
    }
    return found
  }

  private func count(
    _ operand: OperandDescription, among words: ArraySlice<String>,
    before later: ArraySlice<OperandDescription>
  ) -> Int {
    switch operand.count {
    case .one:
      return min(1, words.count)
    case .optional:
      guard let word = words.first,
        !later.contains(where: { Assignment.hasForm(word, of: $0.kind) })
      else { return 0 }
      return 1
    case .many(let least):
      let kept = later.reduce(0) { $0 + $1.minimum }
      return min(words.count, max(least, words.count - kept))
    }
  }
}

/// Recognizes and splits words of the form `FIELD=VALUE`. If an optional operand is declared before
/// the assignments, it can be omitted, because a word of this form is never its value.
enum Assignment {
  /// Returns whether a word is a name followed by `=`, `:=`, `@=`, `+=` or `-=`, and belongs to an
  /// operand of the given kind. In a condition, the name can be a path, such as `owner.name`.
  ///
  /// Names of fields have no upper-case letters, but such letters are allowed here: a user may type
  /// the name of a property in program code, such as `yearBorn`. The error then says that the field
  /// is unknown, and not that there is no record with the id `yearBorn=…`.
  static func hasForm(_ word: String, of kind: ValueKind) -> Bool {
    guard kind == .assignment || kind == .equality else { return false }
    let name = word.utf8.prefix { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      case UInt8(ascii: "."): kind == .equality
      default: false
      }
    }
    guard let first = name.first, first > UInt8(ascii: "9") else { return false }
    let rest = word.utf8.dropFirst(name.count)
    return ["=", ":=", "@=", "+=", "-="].contains { rest.starts(with: $0.utf8) }
  }

  /// Splits a word after its first `=`. The name includes the operator, such as `:=`; the value is
  /// empty if the word has no `=`.
  static func parts(of word: String) -> (name: String, value: String) {
    guard let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (word, "") }
    let start = word.utf8.index(after: sign)
    return (String(word[..<start]), String(word[start...]))
  }
}

/// A word of a condition, and where it stands.
struct ConditionToken {
  enum Kind: Equatable {
    /// Letters, digits and underscores: a name, or a word of the language in any case.
    case word(String)
    /// A name in double quotes.
    case quotedName(String)
    /// A text in single quotes.
    case text(String)
    /// A number, without sign, as JSON writes it.
    case number(String)
    /// A number and the unit that follows it directly: `7d`.
    case quantity(String, unit: String)
    /// `:name`
    case parameter(String)
    /// `%?`
    case nextParameter
    case mark(Mark)
    case end
  }

  enum Mark: String, CaseIterable {
    case open = "("
    case close = ")"
    case comma = ","
    case dot = "."
    case plus = "+"
    case minus = "-"
    case notEqual = "!="
    case equal = "="
    case lessOrEqual = "<="
    case less = "<"
    case greaterOrEqual = ">="
    case greater = ">"
  }

  var kind: Kind
  /// The bytes of the condition that it takes up.
  var range: Range<Int>
}

extension ConditionToken.Kind {
  /// The words that are no names unless they stand in double quotes.
  static let reserved: Set<String> = [
    "and", "or", "not", "in", "between", "like", "ilike", "contains", "is", "null", "within",
    "true", "false",
  ]

  /// The word in small letters, if it is one without quotes.
  var keyword: String? {
    if case .word(let word) = self { word.lowercased() } else { nil }
  }

  func isWord(_ word: String) -> Bool { keyword == word }

  func isMark(_ mark: ConditionToken.Mark) -> Bool { self == .mark(mark) }
}

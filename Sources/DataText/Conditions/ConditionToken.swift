/// A token of a condition with its byte range.
struct ConditionToken {
  enum Kind: Equatable {
    /// Letters, digits and underscores: a name, or a keyword in upper or lower case.
    case word(String)
    /// A name in double quotes.
    case quotedName(String)
    /// A text in single quotes.
    case text(String)
    /// An unsigned number in JSON syntax.
    case number(String)
    /// A number directly followed by a unit, such as `7d`.
    case quantity(String, unit: String)
    /// A named parameter: `:name`.
    case parameter(String)
    /// A positional parameter: `%?`.
    case nextParameter
    case symbol(Symbol)
    case end
  }

  enum Symbol: String, CaseIterable {
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
  /// The byte range of the token in the condition.
  var range: Range<Int>
}

extension ConditionToken.Kind {
  /// Keywords that can be used as names only in double quotes.
  static let reserved: Set<String> = [
    "and", "or", "not", "in", "between", "like", "ilike", "contains", "is", "null", "within",
    "true", "false",
  ]

  /// The word in lower case, or nil if this is not an unquoted word.
  var keyword: String? {
    if case .word(let word) = self { word.lowercased() } else { nil }
  }

  func isWord(_ word: String) -> Bool { keyword == word }

  func isSymbol(_ symbol: ConditionToken.Symbol) -> Bool { self == .symbol(symbol) }
}

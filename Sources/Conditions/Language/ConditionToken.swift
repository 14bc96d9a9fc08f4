import DataModel

/// A token of a condition, with its byte range in the text.
struct ConditionToken {
  enum Kind: Equatable {
    /// Letters, digits and underscores: a name, or a keyword in upper or lower case.
    case word(String)
    /// A name in double quotes, which can also be a keyword.
    case quotedName(String)
    /// Text in single quotes.
    case text(String)
    /// An unsigned number in JSON syntax, except that it may have leading zeros.
    case number(String)
    /// A number directly followed by a unit, such as `7d`.
    case quantity(String, unit: String)
    /// A named parameter, `:name`, without the colon.
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
    case times = "*"
    case over = "/"
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
  /// Keywords that can be used as field names only in double quotes.
  static let reserved: Set<String> = [
    "and", "or", "not", "in", "between", "like", "ilike", "contains", "is", "null", "within",
    "true", "false",
  ]

  /// The word in lower case, or nil if the token is not an unquoted word.
  var keyword: String? {
    if case .word(let word) = self { word.lowercased() } else { nil }
  }

  func isWord(_ word: String) -> Bool { keyword == word }

  func isSymbol(_ symbol: ConditionToken.Symbol) -> Bool { self == .symbol(symbol) }
}

extension ConditionToken.Kind {
  /// The token as error messages show it.
  var displayText: String {
    switch self {
    case .word(let word): Excerpt.quoted(String(word.prefix(Excerpt.longestWord)))
    case .quotedName(let name): "name \(Excerpt.quoted(name))"
    case .text(let text): "text \(Excerpt.quoted(text))"
    case .number(let number): String(number.prefix(Excerpt.longestWord))
    case .quantity(let number, let unit):
      String((number + unit).prefix(Excerpt.longestWord))
    case .parameter(let name): ":" + name.prefix(Excerpt.longestWord)
    case .nextParameter: Excerpt.quoted("%?")
    case .symbol(let symbol): Excerpt.quoted(symbol.rawValue)
    case .end: "the end"
    }
  }
}

extension Excerpt {
  /// The maximum length of a word, number or parameter in error messages.
  fileprivate static let longestWord = 60
}

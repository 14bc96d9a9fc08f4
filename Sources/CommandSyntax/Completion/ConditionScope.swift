/// Which names the user can type at the end of an incomplete condition. This depends on the open
/// brackets and on the words before them.
struct ConditionScope {
  /// The relations that lead from the schema of the condition to the schema whose fields can be
  /// named inside the open brackets. For `any towns (na`, this is `["towns"]`.
  private(set) var path: [String] = []
  /// Whether only a to-many relation can follow, as after `any` and `count(`.
  let expectsRelation: Bool

  private enum Token {
    case word(String)
    case sign(Character)
    case text
  }

  private static let quantifiers: Set<String> = ["any", "all", "no"]

  /// Determines which names can be typed at the end of an incomplete condition.
  init(atEndOf text: Substring) {
    var tokens: [Token] = []
    // For each open bracket, the relations before it.
    var brackets: [[String]] = []
    var rest = text
    while let first = rest.first {
      if first == "'" || first == "\"" {
        let end = rest.dropFirst().firstIndex(of: first)
        rest = end.map { rest[rest.index(after: $0)...] } ?? ""
        tokens.append(.text)
      } else if Self.isLetter(first) {
        let word = rest.prefix(while: Self.isLetter)
        rest = rest[word.endIndex...]
        tokens.append(.word(String(word)))
      } else {
        rest = rest.dropFirst()
        if first.isWhitespace { continue }
        if first == "(" { brackets.append(Self.relation(before: tokens[...])) }
        if first == ")" { _ = brackets.popLast() }
        tokens.append(.sign(first))
      }
    }
    path = brackets.flatMap(\.self)
    switch tokens.last {
    case .word(let word): expectsRelation = Self.quantifiers.contains(word.lowercased())
    case .sign("("):
      guard case .word(let word) = tokens.dropLast().last else {
        expectsRelation = false
        break
      }
      expectsRelation = word.lowercased() == "count"
    case .sign, .text, nil: expectsRelation = false
    }
  }

  private static func isLetter(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "."
  }

  /// Returns the names in the path of relations between a quantifier, such as `any`, and the
  /// bracket after it.
  private static func relation(before tokens: ArraySlice<Token>) -> [String] {
    guard case .word(let relation) = tokens.last,
      case .word(let quantifier) = tokens.dropLast().last,
      quantifiers.contains(quantifier.lowercased())
    else { return [] }
    return relation.split(separator: ".").map(String.init)
  }
}

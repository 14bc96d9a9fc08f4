/// The value at the end of an incomplete condition, such as `'op` in `done and state = 'op`.
struct ConditionOperand {
  /// The path of the field that is compared with the value.
  let field: [String]
  /// The part of the value that has been typed, including an opening quotation mark.
  let typed: String
  /// The part of the value that has been typed, without quotation marks.
  let text: String

  /// Whether the value is the path of another field, such as `author.na`.
  var isPath: Bool { typed == text && typed.contains(".") }

  private enum Token: Equatable {
    case word(String)
    case text
    case sign(String)
  }

  private static let comparisons: Set<String> = ["=", "!=", "<>", "<", "<=", ">", ">="]

  /// Finds the value at the end of a condition. Returns nil if the condition does not end with a
  /// field, a comparison operator, and the beginning of a value, which may be empty. The value can
  /// also be in a list after `in`.
  init?(atEndOf condition: String) {
    var tokens: [Token] = []
    var rest = condition[...]
    var typed = ""
    var text = ""
    while let first = rest.first {
      if first == "'" {
        guard let end = Self.end(ofText: rest) else {
          typed = String(rest)
          text = rest.dropFirst().split(separator: "''", omittingEmptySubsequences: false)
            .joined(separator: "'")
          break
        }
        tokens.append(.text)
        rest = rest[end...]
      } else if first.isLetter || first.isNumber || first == "_" {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        rest = rest[word.endIndex...]
        if rest.isEmpty {
          typed = String(word)
          text = typed
        } else {
          tokens.append(.word(String(word)))
        }
      } else if first.isWhitespace {
        rest = rest.dropFirst()
      } else {
        let isComparison = "=!<>".contains(first)
        let sign = isComparison ? rest.prefix { "=!<>".contains($0) } : rest.prefix(1)
        tokens.append(.sign(String(sign)))
        rest = rest[sign.endIndex...]
      }
    }
    guard let name = Self.field(before: tokens[...]) else { return nil }
    field = name.split(separator: ".").map(String.init)
    self.typed = typed
    self.text = text
  }

  /// Returns the index after the text in quotation marks at the start of `rest`. Returns nil if the
  /// closing quotation mark is missing.
  private static func end(ofText rest: Substring) -> Substring.Index? {
    var index = rest.index(after: rest.startIndex)
    while let quote = rest[index...].firstIndex(of: "'") {
      index = rest.index(after: quote)
      guard index < rest.endIndex, rest[index] == "'" else { return index }
      index = rest.index(after: index)
    }
    return nil
  }

  /// Returns the field in the comparison at the end of the tokens, such as `state` in `state =`.
  /// Returns nil if the tokens do not end with the beginning of a comparison.
  private static func field(before tokens: ArraySlice<Token>) -> String? {
    guard case .sign(let sign) = tokens.last else { return nil }
    if comparisons.contains(sign) {
      guard case .word(let name) = tokens.dropLast().last else { return nil }
      return name
    }
    // The value is in a list: skip the elements before it.
    var before = tokens
    while before.last == .sign(",") { before = before.dropLast(2) }
    guard before.last == .sign("("), case .word(let keyword) = before.dropLast().last,
      keyword.lowercased() == "in"
    else { return nil }
    before = before.dropLast(2)
    if case .word(let word) = before.last, word.lowercased() == "not" { before = before.dropLast() }
    guard case .word(let name) = before.last else { return nil }
    return name
  }
}

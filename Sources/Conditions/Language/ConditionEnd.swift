import DataModel

/// The end of an incomplete condition. The completion of command lines uses it; see
/// `IncompleteCondition` in the module `CommandSyntax`.
package struct ConditionEnd {
  package let typed: String
  package let text: String
  package let field: [String]?
  package let path: [String]
  package let expectsRelation: Bool

  private static let quantifiers: Set<String> = ["any", "all", "no"]
  private static let aggregates = AggregateFunction.ofRelatedRecords.map(\.rawValue)

  package init(of condition: String) {
    let bytes = Array(condition.utf8)
    var (tokens, start) = ConditionLexer.beginning(of: bytes)
    let isText = start < bytes.count && bytes[start] == UInt8(ascii: "'")
    let isName = start < bytes.count && !isText
    if isName { start += 1 }
    if start == bytes.count, !isName {
      while let last = tokens.last, last.range.upperBound == start, last.kind.isPartOfPath {
        start = last.range.lowerBound
        tokens.removeLast()
      }
    }
    let typed = String(decoding: bytes[start...], as: UTF8.self)
    self.typed = typed
    field =
      isName || !isText && typed.contains(".") ? nil : Self.field(before: tokens[...])
    text =
      isText
      ? typed.dropFirst().split(separator: "''", omittingEmptySubsequences: false)
        .joined(separator: "'")
      : typed
    var brackets: [[String]] = []
    for (index, token) in tokens.enumerated() {
      if token.kind.isSymbol(.open) { brackets.append(Self.relation(before: tokens[..<index])) }
      if token.kind.isSymbol(.close) { _ = brackets.popLast() }
    }
    path = brackets.flatMap(\.self)
    let last = tokens.last?.kind
    expectsRelation =
      !isText
      && (last?.keyword.map(Self.quantifiers.contains) == true
        || last?.isSymbol(.open) == true
          && tokens.dropLast().last?.kind.keyword.map { word in
            word == "count" || !typed.contains(".") && Self.aggregates.contains(word)
          } == true)
  }

  /// Returns the field in the comparison at the end of the tokens, such as `state` in `state =`.
  /// Returns nil if the tokens do not end with the beginning of a comparison.
  private static func field(before tokens: ArraySlice<ConditionToken>) -> [String]? {
    var before = tokens.dropLast()
    switch tokens.last?.kind {
    case .symbol(.equal), .symbol(.notEqual), .symbol(.less), .symbol(.lessOrEqual),
      .symbol(.greater), .symbol(.greaterOrEqual):
      break
    case .symbol(.comma), .symbol(.open):
      // The value is in a list: skip the elements before it.
      before = tokens
      while before.last?.kind.isSymbol(.comma) == true { before = before.dropLast(2) }
      guard before.last?.kind.isSymbol(.open) == true,
        before.dropLast().last?.kind.isWord("in") == true
      else { return nil }
      before = before.dropLast(2)
      if before.last?.kind.isWord("not") == true { before = before.dropLast() }
    case .word, .quotedName, .text, .number, .quantity, .parameter, .nextParameter, .symbol, .end,
      nil:
      return nil
    }
    let field = path(atEndOf: &before)
    return field.isEmpty ? nil : field
  }

  /// Returns the path of relations between a quantifier, such as `any`, and the bracket after it.
  private static func relation(before tokens: ArraySlice<ConditionToken>) -> [String] {
    var before = tokens
    let relation = path(atEndOf: &before)
    return before.last?.kind.keyword.map(quantifiers.contains) == true ? relation : []
  }

  /// Removes the path at the end of the tokens, such as `author.name`, and returns its names.
  private static func path(atEndOf tokens: inout ArraySlice<ConditionToken>) -> [String] {
    var names: [String] = []
    while let name = tokens.last?.kind.name {
      names.insert(name, at: 0)
      tokens.removeLast()
      guard tokens.last?.kind.isSymbol(.dot) == true else { break }
      tokens.removeLast()
    }
    return names
  }
}

extension ConditionToken.Kind {
  fileprivate var name: String? {
    switch self {
    case .word(let name), .quotedName(let name): name
    case .text, .number, .quantity, .parameter, .nextParameter, .symbol, .end: nil
    }
  }

  /// Whether the token can be a part of a path or of a number that is being typed.
  fileprivate var isPartOfPath: Bool {
    switch self {
    case .word, .number, .quantity, .parameter, .symbol(.dot): true
    case .quotedName, .text, .nextParameter, .symbol, .end: false
    }
  }
}

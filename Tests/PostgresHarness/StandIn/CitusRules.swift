/// The restrictions that Citus documents for statements: enough of them for the statements that a
/// store sends, and stricter where the documentation leaves doubt.
///
/// A distributed table is split into shards on several servers by its distribution column.
/// Colocated shards can be joined on their servers by that column. Everything else has to be
/// fetched first as an intermediate result, which a subquery with `offset` enforces.
struct CitusRules {
  struct Refusal: Error, Equatable {
    let reason: String
  }

  /// Returns the distribution column of a table, or nil if the table is local.
  let column: (String) -> String?

  /// A table or subquery in a FROM clause.
  private struct Source {
    enum Kind {
      case spread(by: String)
      case local
      case far
    }

    var alias: String
    var kind: Kind

    var column: String? {
      if case .spread(let column) = kind { column } else { nil }
    }
  }

  func check(_ statement: String) throws(Refusal) {
    try check(SQLTokens.of(statement), within: [])
  }

  /// Checks one query or change, and all subqueries in it.
  private func check(_ tokens: [SQLToken], within outer: [Source]) throws(Refusal) {
    guard tokens.contains(where: Self.isVerb) else { return }
    if tokens.first == .word("insert") {
      guard let place = tokens.firstIndex(of: .word("select")) else { return }
      return try check(Array(tokens[place...]), within: outer)
    }
    let parts = tokens.split(separator: .word("union")).map { Array($0) }
    guard parts.count < 2 else {
      if mentions(outer, in: tokens, besides: []) {
        throw Refusal(reason: "a union in a correlated subquery")
      }
      for part in parts {
        try check(part.first == .word("all") ? Array(part.dropFirst()) : part, within: [])
      }
      return
    }
    let sources = try sources(of: tokens, within: outer)
    let own = sources.filter { $0.column != nil }
    let isCorrelated = mentions(outer, in: tokens, besides: sources)
    try checkJoins(own, sources, tokens)
    if isCorrelated, !own.isEmpty, !isTied(own, to: outer, tokens) {
      throw Refusal(reason: "a correlated subquery must be joined by the distribution column")
    }
    if !own.isEmpty { try checkWords(tokens, own) }
    let inner = isCorrelated ? sources + outer : sources
    for case .brackets(let nested) in tokens { try checkWithin(nested, inner, sources) }
  }

  private static func isVerb(_ token: SQLToken) -> Bool {
    ["select", "insert", "update", "delete"].contains { token == .word($0) }
  }

  /// Checks the subqueries in brackets, at any depth.
  private func checkWithin(
    _ tokens: [SQLToken], _ outer: [Source], _ sources: [Source]
  ) throws(Refusal) {
    if tokens.first == .word("select") { return try check(tokens, within: outer) }
    for case .brackets(let nested) in tokens { try checkWithin(nested, outer, sources) }
  }

  private func checkJoins(
    _ own: [Source], _ sources: [Source], _ tokens: [SQLToken]
  ) throws(Refusal) {
    let hasLocal = sources.contains { if case .local = $0.kind { true } else { false } }
    if hasLocal && !own.isEmpty {
      throw Refusal(reason: "a local table is joined with a distributed one")
    }
    if tokens.contains(.word("left")), let first = sources.first, first.column == nil, !own.isEmpty
    {
      throw Refusal(reason: "the outer side of a join is not distributed")
    }
    var joined = Array(own.prefix(1))
    var rest = Array(own.dropFirst())
    while let place = rest.firstIndex(where: { isTied([$0], to: joined, tokens) }) {
      joined.append(rest.remove(at: place))
    }
    if let lone = rest.first {
      throw Refusal(reason: "\(lone.alias) is not joined by the distribution column")
    }
    let isUpdate = tokens.first == .word("update")
    if isUpdate, sources.count > 1, sources.contains(where: { $0.column == nil }) {
      throw Refusal(reason: "an update takes its values from what is not distributed")
    }
  }

  /// Whether the statement requires the distribution columns of two tables, one of each list, to be
  /// equal.
  private func isTied(_ some: [Source], to others: [Source], _ tokens: [SQLToken]) -> Bool {
    guard others.contains(where: { $0.column != nil }) else { return false }
    let flat = tokens.flattened
    return some.contains { one in
      others.contains { other in
        guard let left = one.column, let right = other.column else { return false }
        let (first, second) = (one.alias.columns(left), other.alias.columns(right))
        return flat.hasEquality(of: first, with: second)
          || flat.hasEquality(of: second, with: first)
          || flat.hasEquality(of: [[.name(left)], [.word(left)]], with: second)
      }
    }
  }

  private func checkWords(_ tokens: [SQLToken], _ own: [Source]) throws(Refusal) {
    if let place = tokens.lastIndex(of: .word("for")), place + 1 < tokens.count,
      [.word("update"), .word("share"), .word("key")].contains(tokens[place + 1]),
      !own.contains(where: { isOfOneShard($0, tokens) })
    {
      throw Refusal(reason: "FOR UPDATE and FOR SHARE take rows of one shard only")
    }
    if tokens.contains(.word("recursive")) { throw Refusal(reason: "RECURSIVE") }
    if tokens.contains(.word("over")) { throw Refusal(reason: "a window over all shards") }
    if tokens.contains(.word("ctid")) { throw Refusal(reason: "ctid") }
    if tokens.contains(.word("do")), tokens.contains(.word("now")) {
      throw Refusal(reason: "DO UPDATE SET takes functions only that are immutable")
    }
    guard tokens.first == .word("update"), let set = tokens.firstIndex(of: .word("set")),
      let target = own.first, let column = target.column
    else { return }
    let assigned = tokens[(set + 1)...].split(separator: .mark(",")).compactMap(\.first)
    if assigned.contains(.name(column)) {
      throw Refusal(reason: "the distribution column is changed")
    }
  }

  /// Whether a statement names a single value of the distribution column.
  private func isOfOneShard(_ source: Source, _ tokens: [SQLToken]) -> Bool {
    guard let column = source.column else { return false }
    return tokens.hasEquality(
      of: [[.name(column)]] + source.alias.columns(column), with: [[.parameter]])
      && !tokens.contains(.word("any"))
  }

  private func mentions(
    _ outer: [Source], in tokens: [SQLToken], besides own: [Source]
  ) -> Bool {
    let hidden = Set(own.map(\.alias))
    let visible = outer.filter { !hidden.contains($0.alias) }
    guard !visible.isEmpty else { return false }
    let flat = tokens.flattened
    return visible.contains { source in
      flat.indices.dropLast().contains { place in
        flat[place + 1] == .mark(".")
          && (flat[place] == .name(source.alias) || flat[place] == .word(source.alias))
          && (place == 0 || flat[place - 1] != .mark("."))
      }
    }
  }

  private func sources(
    of tokens: [SQLToken], within outer: [Source]
  ) throws(Refusal) -> [Source] {
    var sources: [Source] = []
    var place = 0
    var isOpen = false
    while place < tokens.count {
      switch tokens[place] {
      case .word("from"), .word("update"), .word("into"), .word("using"), .word("join"):
        isOpen = place == 0 || tokens[place - 1] != .word("for") && tokens[place - 1] != .word("do")
      case .mark(","): break
      case .word("where"), .word("on"), .word("set"), .word("group"), .word("order"),
        .word("select"), .word("limit"), .word("for"), .word("left"), .word("cross"):
        isOpen = false
      case .word("only"), .word("lateral"): break
      case _ where isOpen:
        let source = try source(tokens[place...], within: outer + sources)
        sources.append(source.source)
        place += source.length
        isOpen = place < tokens.count && tokens[place] == .mark(",")
      case .word, .name, .parameter, .literal, .mark, .brackets: break
      }
      place += 1
    }
    return sources
  }

  /// Parses a table, a function or a subquery with its alias, and returns the number of further
  /// tokens.
  private func source(
    _ tokens: ArraySlice<SQLToken>, within outer: [Source]
  ) throws(Refusal) -> (source: Source, length: Int) {
    var rest = tokens
    let first = rest.removeFirst()
    var source: Source
    switch first {
    case .brackets(let inner):
      try check(inner, within: outer)
      source = Source(alias: "", kind: .far)
    case .name(let namespace) where rest.first == .mark("."):
      rest.removeFirst()
      guard case .name(let table)? = rest.popFirst() else {
        throw Refusal(reason: "a table without a name")
      }
      let column = column("\(namespace).\(table)")
      source = Source(alias: table, kind: column.map { .spread(by: $0) } ?? .local)
    case .word(let word) where rest.first == .mark("."):
      rest.removeFirst()
      rest.removeFirst()
      source = Source(alias: word, kind: .local)
    case .word, .name, .parameter, .literal, .mark:
      // A function returns the same rows on every server; an unqualified name is not a table of the
      // store.
      if case .brackets? = rest.first { rest.removeFirst() }
      source = Source(alias: "", kind: .far)
    }
    if rest.first == .word("as") { rest.removeFirst() }
    switch rest.first {
    case .name(let alias)?: source.alias = alias
    case .word(let alias)? where !Self.clauses.contains(alias): source.alias = alias
    case .word, .parameter, .literal, .mark, .brackets, nil:
      return (source, tokens.count - rest.count - 1)
    }
    rest.removeFirst()
    if case .brackets? = rest.first { rest.removeFirst() }
    return (source, tokens.count - rest.count - 1)
  }

  private static let clauses: Set = [
    "where", "on", "set", "group", "order", "select", "limit", "for", "left", "cross", "join",
    "values", "union", "from", "offset", "inner", "using", "having", "returning",
  ]
}

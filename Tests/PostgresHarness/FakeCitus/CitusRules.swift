/// The restrictions that Citus documents for statements: enough of them for the statements that a
/// store sends, and stricter where the documentation leaves doubt.
///
/// A distributed table is split into shards on several servers by its distribution column.
/// Colocated shards can be joined on their servers by that column. Everything else has to be
/// fetched first as an intermediate result, which a subquery with `offset` enforces.
struct CitusRules {
  struct CitusError: Error, Equatable {
    /// What happens to a statement that Citus does not support.
    enum Effect {
      case error(state: String)
      /// The server crashes.
      case crash
    }

    let reason: String
    var effect = Effect.error(state: "0A000")

    static func == (left: Self, right: Self) -> Bool { left.reason == right.reason }
  }

  /// Returns the distribution column of a table, or nil if the table is local.
  let column: (String) -> String?

  /// A table or subquery in a FROM clause.
  private struct Source {
    enum Kind {
      case distributed(by: String)
      case local
      case intermediate
    }

    var alias: String
    var kind: Kind

    var column: String? {
      if case .distributed(let column) = kind { column } else { nil }
    }
  }

  func check(_ statement: String) throws(CitusError) {
    try check(SQLLexer.of(statement), within: [])
  }

  /// Checks one query or change, and all subqueries in it.
  private func check(_ tokens: [SQLToken], within outer: [Source]) throws(CitusError) {
    guard tokens.contains(where: Self.isVerb) else { return }
    if tokens.first == .word("insert") {
      guard let index = tokens.firstIndex(of: .word("select")) else { return }
      return try check(Array(tokens[index...]), within: outer)
    }
    let parts = tokens.split(separator: .word("union")).map { Array($0) }
    guard parts.count < 2 else {
      if references(outer, in: tokens, excluding: []) {
        throw CitusError(reason: "a union in a correlated subquery")
      }
      for part in parts {
        try check(part.first == .word("all") ? Array(part.dropFirst()) : part, within: [])
      }
      return
    }
    let sources = try sources(of: tokens, within: outer)
    let distributedSources = sources.filter { $0.column != nil }
    let isCorrelated = references(outer, in: tokens, excluding: sources)
    if isCorrelated { try checkCorrelated(tokens, within: outer) }
    try checkAssignments(tokens)
    try checkJoins(distributedSources, sources, tokens)
    if isCorrelated, !distributedSources.isEmpty, !isJoined(distributedSources, to: outer, tokens) {
      throw CitusError(reason: "a correlated subquery must be joined by the distribution column")
    }
    if !distributedSources.isEmpty { try checkClauses(tokens, distributedSources) }
    let inner = isCorrelated ? sources + outer : sources
    for case .brackets(let nested) in tokens { try checkSubqueries(nested, inner, sources) }
  }

  /// Checks what a real cluster was seen to reject in a correlated subquery.
  private func checkCorrelated(
    _ tokens: [SQLToken], within outer: [Source]
  ) throws(CitusError) {
    if tokens.contains(.word("lateral")) {
      throw CitusError(
        reason: "invalid attnum 4 for relation \"_values\"", effect: .error(state: "XX000"))
    }
    let subqueries = Self.subqueries(in: tokens)
    let joinsFetch = subqueries.contains { $0.contains(.word("offset")) }
    let isNested = subqueries.contains { references(outer, in: $0, excluding: []) }
    if Self.fetchDepth(tokens) > 2 || joinsFetch && isNested {
      throw CitusError(
        reason: """
          correlated subqueries are not supported when the FROM clause contains a CTE or subquery
          """)
    }
  }

  /// Returns the subqueries of a query, without the subqueries in them.
  private static func subqueries(in tokens: [SQLToken]) -> [[SQLToken]] {
    tokens.flatMap { token -> [[SQLToken]] in
      guard case .brackets(let inner) = token else { return [] }
      return inner.first == .word("select") ? [inner] : subqueries(in: inner)
    }
  }

  /// Returns how many nested subqueries each fetch rows of another table. A fetch is executed
  /// before the query, so its own subqueries do not count.
  private static func fetchDepth(_ tokens: [SQLToken]) -> Int {
    let nested = tokens.map { token in
      guard case .brackets(let inner) = token, !inner.contains(.word("offset")) else { return 0 }
      return fetchDepth(inner)
    }
    let fetches = tokens.contains { token in
      if case .brackets(let inner) = token { inner.contains(.word("offset")) } else { false }
    }
    let isQuery = tokens.first == .word("select")
    return (nested.max() ?? 0) + (isQuery && fetches ? 1 : 0)
  }

  /// Rejects an element of an array as a new value, unless it is a part of an expression: a real
  /// cluster crashes.
  private func checkAssignments(_ tokens: [SQLToken]) throws(CitusError) {
    guard tokens.first == .word("update"), let set = tokens.firstIndex(of: .word("set")) else {
      return
    }
    let rest = tokens[(set + 1)...].prefix { $0 != .word("from") && $0 != .word("where") }
    for assignment in rest.split(separator: .symbol(",")) {
      let isPlain = assignment.allSatisfy { if case .brackets = $0 { false } else { true } }
      if isPlain, assignment.contains(.symbol("[")) {
        throw CitusError(reason: "an element of an array is assigned", effect: .crash)
      }
    }
  }

  private static func isVerb(_ token: SQLToken) -> Bool {
    ["select", "insert", "update", "delete"].contains { token == .word($0) }
  }

  /// Checks the subqueries in brackets, at any depth.
  private func checkSubqueries(
    _ tokens: [SQLToken], _ outer: [Source], _ sources: [Source]
  ) throws(CitusError) {
    if tokens.first == .word("select") { return try check(tokens, within: outer) }
    for case .brackets(let nested) in tokens { try checkSubqueries(nested, outer, sources) }
  }

  private func checkJoins(
    _ distributedSources: [Source], _ sources: [Source], _ tokens: [SQLToken]
  ) throws(CitusError) {
    let hasLocal = sources.contains { if case .local = $0.kind { true } else { false } }
    if hasLocal && !distributedSources.isEmpty {
      throw CitusError(reason: "a local table is joined with a distributed one")
    }
    if tokens.contains(.word("left")), let first = sources.first, first.column == nil,
      !distributedSources.isEmpty
    {
      throw CitusError(reason: "the outer side of a join is not distributed")
    }
    var joined = Array(distributedSources.prefix(1))
    var rest = Array(distributedSources.dropFirst())
    while let index = rest.firstIndex(where: { isJoined([$0], to: joined, tokens) }) {
      joined.append(rest.remove(at: index))
    }
    if let lone = rest.first {
      throw CitusError(reason: "\(lone.alias) is not joined by the distribution column")
    }
  }

  /// Whether the statement requires the distribution columns of two tables, one of each list, to be
  /// equal.
  private func isJoined(_ some: [Source], to others: [Source], _ tokens: [SQLToken]) -> Bool {
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

  private func checkClauses(_ tokens: [SQLToken], _ distributedSources: [Source]) throws(CitusError)
  {
    if let index = tokens.lastIndex(of: .word("for")), index + 1 < tokens.count,
      [.word("update"), .word("share"), .word("key")].contains(tokens[index + 1]),
      !distributedSources.contains(where: { usesSingleShard($0, tokens) })
    {
      throw CitusError(reason: "FOR UPDATE and FOR SHARE take rows of one shard only")
    }
    if tokens.contains(.word("recursive")) { throw CitusError(reason: "RECURSIVE") }
    if tokens.contains(.word("over")) { throw CitusError(reason: "a window over all shards") }
    if tokens.contains(.word("ctid")) { throw CitusError(reason: "ctid") }
    if tokens.contains(.word("do")), tokens.contains(.word("now")) {
      throw CitusError(reason: "DO UPDATE SET takes functions only that are immutable")
    }
    guard tokens.first == .word("update"), let set = tokens.firstIndex(of: .word("set")),
      let target = distributedSources.first, let column = target.column
    else { return }
    let assigned = tokens[(set + 1)...].split(separator: .symbol(",")).compactMap(\.first)
    if assigned.contains(.name(column)) {
      throw CitusError(reason: "the distribution column is changed")
    }
  }

  /// Whether a statement names a single value of the distribution column.
  private func usesSingleShard(_ source: Source, _ tokens: [SQLToken]) -> Bool {
    guard let column = source.column else { return false }
    return tokens.hasEquality(
      of: [[.name(column)]] + source.alias.columns(column), with: [[.parameter]])
      && !tokens.contains(.word("any"))
  }

  private func references(
    _ outer: [Source], in tokens: [SQLToken], excluding hiding: [Source]
  ) -> Bool {
    let aliases = Set(outer.map(\.alias)).subtracting(hiding.map(\.alias))
    return Self.references(aliases, in: tokens)
  }

  /// Returns whether tokens refer to one of several aliases. A subquery hides the aliases that it
  /// declares.
  private static func references(_ aliases: Set<String>, in tokens: [SQLToken]) -> Bool {
    guard !aliases.isEmpty else { return false }
    return tokens.indices.contains { index in
      switch tokens[index] {
      case .brackets(let nested):
        let own = nested.first == .word("select") ? declaredAliases(in: nested) : []
        return references(aliases.subtracting(own), in: nested)
      case .name(let name), .word(let name):
        return aliases.contains(name) && tokens[(index + 1)...].first == .symbol(".")
          && (index == 0 || tokens[index - 1] != .symbol("."))
      default: return false
      }
    }
  }

  /// Returns the names that follow `as`.
  private static func declaredAliases(in tokens: [SQLToken]) -> [String] {
    zip(tokens, tokens.dropFirst()).compactMap { token, next in
      guard token == .word("as") else { return nil }
      switch next {
      case .name(let name), .word(let name): return name
      default: return nil
      }
    }
  }

  private func sources(
    of tokens: [SQLToken], within outer: [Source]
  ) throws(CitusError) -> [Source] {
    var sources: [Source] = []
    var index = 0
    var isOpen = false
    while index < tokens.count {
      switch tokens[index] {
      case .word("from"), .word("update"), .word("into"), .word("using"), .word("join"):
        isOpen = index == 0 || tokens[index - 1] != .word("for") && tokens[index - 1] != .word("do")
      case .symbol(","): break
      case .word("where"), .word("on"), .word("set"), .word("group"), .word("order"),
        .word("select"), .word("limit"), .word("for"), .word("left"), .word("cross"):
        isOpen = false
      case .word("only"), .word("lateral"): break
      case _ where isOpen:
        let source = try source(tokens[index...], within: outer + sources)
        sources.append(source.source)
        index += source.length
        isOpen = index < tokens.count && tokens[index] == .symbol(",")
      case .word, .name, .parameter, .literal, .symbol, .brackets: break
      }
      index += 1
    }
    return sources
  }

  /// Parses a table, a function or a subquery with its alias, and returns the number of further
  /// tokens.
  private func source(
    _ tokens: ArraySlice<SQLToken>, within outer: [Source]
  ) throws(CitusError) -> (source: Source, length: Int) {
    var rest = tokens
    let first = rest.removeFirst()
    var source: Source
    switch first {
    case .brackets(let inner):
      try check(inner, within: outer)
      source = Source(alias: "", kind: .intermediate)
    case .name(let namespace) where rest.first == .symbol("."):
      rest.removeFirst()
      guard case .name(let table)? = rest.popFirst() else {
        throw CitusError(reason: "a table without a name")
      }
      let column = column("\(namespace).\(table)")
      source = Source(alias: table, kind: column.map { .distributed(by: $0) } ?? .local)
    case .word(let word) where rest.first == .symbol("."):
      rest.removeFirst()
      rest.removeFirst()
      source = Source(alias: word, kind: .local)
    case .word, .name, .parameter, .literal, .symbol:
      // A function returns the same rows on every server; an unqualified name is not a table of the
      // store.
      if case .brackets? = rest.first { rest.removeFirst() }
      source = Source(alias: "", kind: .intermediate)
    }
    if rest.first == .word("as") { rest.removeFirst() }
    switch rest.first {
    case .name(let alias)?: source.alias = alias
    case .word(let alias)? where !Self.clauses.contains(alias): source.alias = alias
    case .word, .parameter, .literal, .symbol, .brackets, nil:
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

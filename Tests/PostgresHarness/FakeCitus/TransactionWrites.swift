/// Rejects rows that a transaction of Citus may lose.
///
/// Citus does not record rows that it copies over a connection to a worker that the transaction has
/// only read from, and does not commit that connection in two phases. It reports no error; if the
/// worker fails during the commit, the rows are lost. The fake therefore requires that a
/// transaction writes over all connections, with a `delete` from all shards of a table, before it
/// reads.
struct TransactionWrites {
  private var isOpen = false
  private var hasRead = false
  private var hasWritten = false

  init() {}

  /// Checks the next statement of a connection.
  mutating func check(
    _ statement: String, isDistributed: (String) -> Bool
  ) throws(CitusRules.CitusError) {
    let tokens = SQLLexer.of(statement)
    switch tokens.first {
    case .word("begin"):
      self = Self()
      isOpen = true
    case .word("commit"): self = Self()
    case .word("rollback") where tokens.count == 1: self = Self()
    case .word("delete") where !tokens.contains(.word("where")):
      hasWritten = hasWritten || Self.names(tokens).contains(where: isDistributed)
    case .word("select"), .word("declare"):
      hasRead = hasRead || Self.names(tokens).contains(where: isDistributed)
    case .word("copy"), .word("insert"):
      let isCopied = tokens.first == .word("copy") || tokens.contains(.word("select"))
      if isOpen, isCopied, hasRead, !hasWritten, Self.names(tokens).contains(where: isDistributed) {
        throw CitusRules.CitusError(
          reason: "rows are copied over a connection that has only been read from")
      }
    case .word, .name, .parameter, .literal, .symbol, .brackets, nil: break
    }
  }

  /// Returns the qualified names in a statement.
  private static func names(_ tokens: [SQLToken]) -> [String] {
    let flat = tokens.flattened
    return flat.indices.dropLast(2).compactMap { index in
      guard case .name(let namespace) = flat[index], flat[index + 1] == .symbol("."),
        case .name(let table) = flat[index + 2]
      else { return nil }
      return "\(namespace).\(table)"
    }
  }
}

/// What no statement may do that is meant for PostgreSQL and the engines that speak its protocol.
enum DialectRule: CaseIterable {
  /// Times come from the client: an engine may refuse its own in an upsert.
  case clock
  /// Columns are listed by name, wherever rows are read or written.
  case unlistedColumns
  /// Nothing counts up for all at once.
  case sequence
  case advisoryLock
  /// What a session is told stays with it, and another client may have it next.
  case lastingSetting
  case trigger
  case domain
  /// Columns that an engine has for itself.
  case systemColumn
  case notification
  case skippedLock
  /// A statement with a name is unknown behind a pool.
  case namedStatement

  /// The rules that a statement breaks, as it is without its values.
  static func broken(by statement: String) -> [DialectRule] {
    let statement = StatementWords(statement)
    return allCases.filter { $0.isBroken(by: statement) }
  }

  private static let clocks: Set = [
    "now", "current_timestamp", "current_time", "current_date", "localtime", "localtimestamp",
    "clock_timestamp", "statement_timestamp", "transaction_timestamp", "timeofday",
  ]
  private static let counters: Set = [
    "sequence", "nextval", "currval", "setval", "lastval", "serial", "bigserial", "smallserial",
    "identity",
  ]
  private static let columns: Set = ["xmin", "xmax", "cmin", "cmax", "ctid", "tableoid"]

  private func isBroken(by statement: StatementWords) -> Bool {
    let (words, first) = (statement.vocabulary, statement.words.first)
    switch self {
    case .clock: return !words.isDisjoint(with: Self.clocks)
    case .unlistedColumns:
      // What is read before its schema is known is read by the names that come with the answer.
      return statement.hasUnlistedColumns && !words.contains("_unknown")
    case .sequence: return !words.isDisjoint(with: Self.counters)
    case .advisoryLock:
      return words.contains { $0.hasPrefix("pg_advisory") || $0.hasPrefix("pg_try_advisory") }
    case .lastingSetting: return statement.hasLastingSetting
    case .trigger: return words.contains("trigger")
    case .domain: return statement.has("create", "domain")
    case .systemColumn:
      return words.contains { Self.columns.contains($0) || Self.columns.contains($0.unquoted) }
    case .notification:
      return ["listen", "unlisten", "notify"].contains(first) || words.contains("pg_notify")
    case .skippedLock: return statement.has("skip", "locked")
    case .namedStatement: return ["prepare", "deallocate"].contains(first)
    }
  }
}

extension String {
  fileprivate var unquoted: String {
    hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
  }
}

import DataStore
import Synchronization
import Testing

/// A construct that no statement may use for PostgreSQL and the engines that speak its protocol.
enum DialectRule: CaseIterable {
  /// Times come from the client: an engine may reject its own clock in an upsert.
  case clock
  /// Columns are listed by name, wherever rows are read or written.
  case unlistedColumns
  /// No counter is shared by all clients.
  case sequence
  case advisoryLock
  /// A connection pool keeps session settings and may pass the session to another client.
  case sessionSetting
  case trigger
  case domain
  /// System columns of one engine.
  case systemColumn
  case notification
  case skippedLock
  /// A connection pool does not know named statements.
  case namedStatement

  /// Returns the rules that a statement breaks. The text contains no values.
  static func broken(by statement: String) -> [DialectRule] {
    let statement = StatementTokens(statement)
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

  private func isBroken(by statement: StatementTokens) -> Bool {
    let (tokens, first) = (statement.vocabulary, statement.tokens.first)
    switch self {
    case .clock: return !tokens.isDisjoint(with: Self.clocks)
    case .unlistedColumns:
      // An unknown schema is read with `*`: the result has the column names.
      return statement.hasUnlistedColumns && !tokens.contains("_unknown")
    case .sequence: return !tokens.isDisjoint(with: Self.counters)
    case .advisoryLock:
      return tokens.contains { $0.hasPrefix("pg_advisory") || $0.hasPrefix("pg_try_advisory") }
    case .sessionSetting: return statement.hasSessionSetting
    case .trigger: return tokens.contains("trigger")
    case .domain: return statement.has("create", "domain")
    case .systemColumn:
      return tokens.contains { Self.columns.contains($0) || Self.columns.contains($0.unquoted) }
    case .notification:
      return ["listen", "unlisten", "notify"].contains(first) || tokens.contains("pg_notify")
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

/// Records the statements that a store sends and reports those that break a rule of the dialect.
final class StatementRecorder: Sendable {
  private let recorded = Mutex<Set<String>>([])

  /// The statements without their values, each once.
  var statements: Set<String> { recorded.withLock { $0 } }

  func record(_ sql: SQL) {
    let text = sql.withoutValues
    guard recorded.withLock({ $0.insert(text).inserted }) else { return }
    for rule in DialectRule.broken(by: text) {
      Issue.record("a statement breaks the dialect's rule \(rule): \(text)")
    }
  }
}

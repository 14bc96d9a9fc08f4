import DataStore
import Synchronization
import Testing

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

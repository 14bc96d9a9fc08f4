import DataStore
import Synchronization
import Testing

/// Hears what a store says to its server, keeps it, and reports what breaks the rules of the dialect.
final class StatementRecorder: Sendable {
  private let heard = Mutex<Set<String>>([])

  /// What was said, each statement once, without its values.
  var statements: Set<String> { heard.withLock { $0 } }

  func hear(_ sql: SQL) {
    let text = sql.withoutValues
    guard heard.withLock({ $0.insert(text).inserted }) else { return }
    for rule in DialectRule.broken(by: text) {
      Issue.record("a statement breaks the dialect's rule \(rule): \(text)")
    }
  }
}

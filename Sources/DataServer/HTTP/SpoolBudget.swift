internal import Synchronization

/// The space in temporary files that the responses of a server use while they wait for their
/// readers. All responses together have a limit.
package final class SpoolBudget: Sendable {
  private let limit: Int
  private let used = Mutex(0)

  package init(_ limit: Int) {
    self.limit = limit
  }

  /// Whether no further response may begin that could need a temporary file. Responses that have
  /// begun wait until their readers have caught up, so they exceed the limit by little.
  package var isUsedUp: Bool { used.withLock { $0 >= limit } }

  /// The number of bytes that are in use.
  package var count: Int { used.withLock { $0 } }

  func add(_ count: Int) { used.withLock { $0 += count } }
}

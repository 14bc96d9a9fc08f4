internal import Synchronization

/// The space in temporary files that the responses of a server use while they wait for their
/// readers. All responses together have a limit.
package final class SpoolBudget: Sendable {
  private let limit: Int
  /// The budget of which this one is a part, or nil.
  private let whole: SpoolBudget?
  private let used = Mutex(0)

  package init(_ limit: Int, of whole: SpoolBudget? = nil) {
    self.limit = limit
    self.whole = whole
  }

  /// Whether no further response may begin that could need a temporary file. Responses that have
  /// begun wait until their readers have caught up, so they exceed the limit by little.
  package var isUsedUp: Bool { used.withLock { $0 >= limit } || whole?.isUsedUp == true }

  /// The number of bytes that are in use.
  package var count: Int { used.withLock { $0 } }

  package func add(_ count: Int) {
    used.withLock { $0 += count }
    whole?.add(count)
  }
}

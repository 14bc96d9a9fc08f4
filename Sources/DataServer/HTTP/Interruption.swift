internal import Synchronization

/// Interrupts the work for a request, and keeps the reason. The work consists of steps that are
/// interrupted in different ways, so each step sets the closure that interrupts it.
package final class Interruption<Reason: Sendable>: Sendable {
  private struct State {
    var reason: Reason?
    var closure: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// The reason why the work was interrupted, or nil if it was not.
  package var reason: Reason? { state.withLock { $0.reason } }

  /// Sets the closure that interrupts the current step of the work, and calls it if the work is
  /// already interrupted. Nil removes the closure.
  ///
  /// The closure is never called after it has been removed. The closure must not use this object,
  /// whose lock is held during the call.
  package func set(_ closure: (@Sendable () -> Void)?) {
    state.withLock { state in
      state.closure = closure
      if state.reason != nil { closure?() }
    }
  }

  /// Interrupts the work, unless it was interrupted before. Returns whether this was the first
  /// interruption.
  package func interrupt(_ reason: Reason) -> Bool {
    state.withLock { state in
      guard state.reason == nil else { return false }
      state.reason = reason
      // If the closure were called after the lock is released, it could be removed first, and then
      // interrupt the next request that uses the same client.
      state.closure?()
      return true
    }
  }
}

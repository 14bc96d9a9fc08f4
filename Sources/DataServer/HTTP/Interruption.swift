internal import Synchronization

/// The interruption of work for a reason, by a closure that depends on the step of the work.
package final class Interruption<Reason: Sendable>: Sendable {
  private struct State {
    var reason: Reason?
    var closure: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// The reason why the work was interrupted, or nil if it was not.
  package var reason: Reason? { state.withLock { $0.reason } }

  /// Sets the closure that interrupts the current step, and calls it if the work is already
  /// interrupted. Nil removes the closure, which is never called after that. The closure must not
  /// use this object, whose lock is held while it is called.
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

/// Functions for an alarm: a file descriptor that becomes readable, and remains so, when the program
/// has to stop. Without a descriptor, the program never has to.
package enum Alarm {
  /// The number of seconds after which a wait checks the alarm, if it cannot wait for the descriptor.
  private static let interval = 0.05

  /// Returns whether the program has to stop (`poll`).
  package static func isRaised(_ alarm: Int32?) -> Bool {
    guard let alarm else { return false }
    return (try? Descriptor.wait(for: .input, of: -1, alarm: alarm, seconds: 0)) == .alarm
  }

  /// Waits until the given number of seconds have passed, the alarm is raised, or the task is
  /// canceled, without blocking the thread.
  package static func sleep(seconds: Double, unless alarm: Int32?) async {
    guard alarm != nil else {
      try? await Task.sleep(for: .seconds(seconds))
      return
    }
    let end = ContinuousClock.now + .seconds(seconds)
    while !isRaised(alarm), !Task.isCancelled, ContinuousClock.now < end {
      try? await Task.sleep(for: min(.seconds(interval), end - ContinuousClock.now))
    }
  }
}

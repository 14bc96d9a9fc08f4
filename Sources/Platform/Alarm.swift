/// Functions for the interrupt descriptor: a file descriptor that becomes readable, and stays
/// readable, when the program must stop. If it is nil, only the cancellation of the current task
/// interrupts what the task does.
package enum Alarm {
  /// How often `sleep` checks whether the program must stop, in seconds.
  private static let interval = 0.05

  /// Returns whether the descriptor is readable (`poll`), which means that the program must stop.
  /// If there is no descriptor, returns whether the current task is canceled.
  package static func isRaised(_ alarm: Int32?) -> Bool {
    guard let alarm else { return Task.isCancelled }
    return (try? Descriptor.wait(for: .input, of: -1, alarm: alarm, seconds: 0)) == .alarm
  }

  /// Waits, without blocking the thread, until the given number of seconds have passed, the
  /// interrupt descriptor becomes readable, or the task is canceled.
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

internal import Synchronization

/// Generates the ids of requests, which appear in the log and in error messages.
enum RequestID {
  private static let counter = Atomic<UInt64>(UInt64.random(in: 0...0xFF_FFFF_FFFF))

  /// Returns a new request id, which has at least ten hexadecimal digits.
  static func next() -> String {
    let number = counter.add(1, ordering: .relaxed).newValue
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: max(0, 10 - digits.count)) + digits
  }
}

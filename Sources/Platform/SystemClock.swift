#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads the clocks of the operating system: for the current time, and for measuring intervals.
package enum SystemClock {
  /// Returns the current time in microseconds since 1970 (`CLOCK_REALTIME`), or the nearest `Int64`
  /// if the clock is out of range.
  package static func now() -> Int64 {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
    return microseconds(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }

  /// Converts a time in seconds and nanoseconds to microseconds. Returns the nearest `Int64` if the
  /// time is out of range.
  package static func microseconds(seconds: Int64, nanoseconds: Int64) -> Int64 {
    let (whole, overflowsWhole) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, overflows) = whole.addingReportingOverflow(nanoseconds / 1_000)
    return overflowsWhole || overflows ? (seconds < 0 ? .min : .max) : sum
  }

  /// Returns the time of a monotonic clock in seconds, for measuring intervals (`CLOCK_MONOTONIC`).
  package static func elapsed() -> Double {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_MONOTONIC, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The current time in seconds since 1970 (`time`). It is read from the clock that also
  /// determines the timestamps of files.
  package static var fileSeconds: Int64 { Int64(time(nil)) }
}

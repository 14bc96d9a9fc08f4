/// Reports progress while a chunk is being read.
package struct ReadingMonitor: Sendable {
  /// How many seconds to wait for bytes before `isDue` is called again.
  static var timeout: Double { 0.25 }

  /// The state of the input: bytes are arriving from the source, or the reader waits for them.
  package enum Input: Sendable {
    case flows
    case stalls
  }

  let isDue: @Sendable () -> Bool
  let report: @Sendable (_ records: Int, _ bytes: Int, Input) -> Void

  /// Creates a monitor that calls the given closures while a chunk is read.
  ///
  /// - Parameters:
  ///   - isDue: A closure that returns whether progress should be reported now.
  ///   - report: Receives the number of records and of bytes read so far, and whether bytes are
  ///     arriving.
  package init(
    isDue: @escaping @Sendable () -> Bool,
    report: @escaping @Sendable (_ records: Int, _ bytes: Int, Input) -> Void
  ) {
    self.isDue = isDue
    self.report = report
  }
}

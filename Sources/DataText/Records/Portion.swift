/// The limits of the next chunk.
package struct ChunkLimit: Sendable {
  /// The maximum number of records.
  let rows: Int
  /// How many seconds to wait for bytes before an empty chunk is returned, or nil to wait forever.
  let timeout: Double?

  /// Creates a limit; `rows` is capped to the maximum size of a chunk.
  package init(rows: Int = .max, timeout: Double? = nil) {
    self.rows = min(rows, Self.maxRows)
    self.timeout = timeout
  }

  /// The maximum number of records in a chunk.
  private static var maxRows: Int { 4_096 }
}

/// Reports progress while a chunk is not full yet.
package struct ReadingMonitor: Sendable {
  /// How many seconds to wait for bytes between two calls of `isDue`.
  static var timeout: Double { 0.25 }

  /// Whether the source currently has bytes.
  package enum Input: Sendable {
    case flows
    case stalls
  }

  let isDue: @Sendable () -> Bool
  let report: @Sendable (_ records: Int, _ bytes: Int, Input) -> Void

  /// Creates a monitor.
  ///
  /// - Parameters:
  ///   - isDue: Returns whether a report is due.
  ///   - report: Called with the number of records and bytes read so far.
  package init(
    isDue: @escaping @Sendable () -> Bool,
    report: @escaping @Sendable (_ records: Int, _ bytes: Int, Input) -> Void
  ) {
    self.isDue = isDue
    self.report = report
  }
}

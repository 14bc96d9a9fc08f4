package import DataModel

/// Reads records from a byte source and returns them in chunks of validated changes.
///
/// A chunk is about 256 KiB of text that ends at the end of a record. The changes own that text and
/// refer to it instead of copying strings. Invalid records are collected in `rejected`; only a
/// failing source throws.
package struct RecordReader<Source: ByteSource>: Sendable {
  /// The size of a chunk in bytes of text, unless a single record is longer.
  private static var chunkSize: Int { 256 << 10 }

  /// When a chunk is returned.
  package enum Pace: Sendable {
    /// When it is full or the source is at its end.
    case full
    /// As soon as a record is complete.
    case immediate
  }

  /// The records that the last call of `next` rejected, in order.
  package var rejected: [RejectedRecord] { rejections.records }
  /// Whether reading stopped at an error, so that records may be left unread.
  package var isBroken: Bool { scanner.isBroken }
  /// The number of valid records so far.
  package private(set) var recordCount = 0
  /// The number of bytes read from the source so far.
  package private(set) var bytesRead = 0
  /// The line up to which the text has been scanned.
  package var lastLine: Int { scanner.line }

  private var source: Source
  private let pace: Pace
  private let monitor: ReadingMonitor?
  private let longestText: Int
  private var assign: IDAssigner
  private var rejections: Rejections
  private var scanner: RecordTextScanner
  private var buffer: [UInt8] = []
  private var isAtEnd = false
  /// Whether the text of the last chunk may have left complete records in the buffer.
  private var hasMore = false

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - source: The source of the bytes.
  ///   - schema: The schema of the records.
  ///   - format: The format, or nil to detect it from the first bytes.
  ///   - file: The file name for problems.
  ///   - ids: Generates ids for records without one.
  ///   - id: The id of the only record.
  ///   - keepsRejected: Whether rejected records keep their bytes.
  ///   - pace: When a chunk is returned.
  ///   - monitor: Receives progress reports.
  ///   - emptyKeys: JSON keys that are allowed with null although the schema does not have them.
  ///   - longestText: The maximum length of a record in bytes.
  package init(
    _ source: Source, for schema: Schema, format: RecordFormat? = nil, file: String,
    ids: IDGenerator? = nil, id: String? = nil, keepsRejected: Bool = false, pace: Pace = .full,
    monitor: ReadingMonitor? = nil, emptyKeys: [String] = [], longestText: Int = 96 << 20
  ) {
    self.monitor = monitor
    self.longestText = longestText
    self.source = source
    self.pace = pace
    assign = IDAssigner(generator: ids, given: id)
    rejections = Rejections(file: file, keepsText: keepsRejected)
    scanner = RecordTextScanner(schema, format: format, emptyKeys: emptyKeys)
  }

  /// Fills the changes with the next records and returns them, or nil after the last record.
  ///
  /// A chunk is empty if all its records were rejected or if no bytes arrived in time.
  package mutating func next(
    reusing used: consuming RowChanges, _ chunkLimit: ChunkLimit = ChunkLimit()
  ) throws(DataError) -> RowChanges? {
    var changes = used
    rejections.records.removeAll()
    changes.removeAll()
    var spare: [UInt8] = []
    changes.swapInput(with: &spare)
    if spare.capacity > Self.chunkSize * 4 { spare = [] }
    var targetSize = Self.chunkSize
    var isOutOfTime = false
    while !scanner.isFinished {
      // Records that are already buffered must not wait for bytes that may never arrive.
      if pace == .full || !hasMore {
        isOutOfTime = try !fill(targetSize, chunkLimit, into: &changes)
      }
      scan(into: &changes, chunkLimit)
      hasMore = changes.count >= chunkLimit.rows
      if isOutOfTime { break }
      if changes.count > 0 || !rejections.records.isEmpty { break }
      if scanner.position > 0 {
        discard(into: &spare)
        swap(&buffer, &spare)
      } else if buffer.count >= targetSize {
        let longest = min(longestText, scanner.longestText)
        guard targetSize < longest else {
          scanner.rejectText(longerThan: longest, rejected: &rejections)
          break
        }
        targetSize = min(targetSize * 2, longest)
      }
    }
    guard changes.count > 0 || !rejections.records.isEmpty || isOutOfTime else { return nil }
    discard(into: &spare)
    changes.swapInput(with: &buffer)
    buffer = spare
    recordCount += changes.count
    return changes
  }

  private mutating func scan(into changes: inout RowChanges, _ chunkLimit: ChunkLimit) {
    let text = buffer
    scanner.scan(
      text.span, isLast: isAtEnd, into: &changes, assign: &assign,
      atMost: chunkLimit.rows, rejected: &rejections)
  }

  /// Reads until the buffer has `targetSize` bytes or, at the pace `immediate`, once. Returns false if
  /// no bytes arrived in time.
  private mutating func fill(
    _ targetSize: Int, _ chunkLimit: ChunkLimit, into changes: inout RowChanges
  ) throws(DataError) -> Bool {
    buffer.reserveCapacity(targetSize)
    while buffer.count < targetSize && !isAtEnd && !scanner.isFinished {
      switch pace {
      case .immediate:
        if let timeout = chunkLimit.timeout, try !source.hasBytes(within: timeout) { return false }
        try read(targetSize)
        return true
      case .full:
        guard let monitor else {
          try read(targetSize)
          continue
        }
        let hasBytes = try source.hasBytes(within: ReadingMonitor.timeout)
        if hasBytes { try read(targetSize) }
        if monitor.isDue() {
          scan(into: &changes, chunkLimit)
          monitor.report(recordCount + changes.count, bytesRead, hasBytes ? .flows : .stalls)
        }
        if changes.count >= chunkLimit.rows { return true }
      }
    }
    return true
  }

  private mutating func read(_ targetSize: Int) throws(DataError) {
    let count = try source.read(into: &buffer, atMost: targetSize - buffer.count)
    bytesRead += count
    isAtEnd = count == 0
  }

  /// Moves the bytes that are not scanned yet into `rest`.
  private mutating func discard(into rest: inout [UInt8]) {
    rest.removeAll(keepingCapacity: true)
    rest.append(contentsOf: buffer[scanner.position...])
    scanner.discard()
  }
}

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

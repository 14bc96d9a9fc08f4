package import DataModel

/// Reads records from a byte source and returns them in chunks of validated changes.
///
/// A chunk contains the records in about 256 KiB of text, or in as much text as the `ChunkLimit`
/// allows. If many records are invalid, it contains fewer. The changes keep this text and refer to
/// it, so that strings are not copied. Invalid records are collected in `rejected`. An error is
/// thrown only if the source fails.
package struct RecordReader<Source: ByteSource>: Sendable {
  /// When the reader returns a chunk: when it is full, or as soon as it contains a record.
  package enum Pace: Sendable {
    /// The reader returns a chunk when it is full or the source has ended.
    case full
    /// The reader returns a chunk as soon as it contains at least one complete record.
    case immediate
  }

  /// The records that the last call of `next` rejected, in the order of the input.
  package var rejected: [RejectedRecord] { rejections.records }
  /// Whether reading ended at an error, so that the remaining records were not read.
  package var isBroken: Bool { scanner.isBroken }
  /// The columns of CSV whose names were converted to names of fields.
  package var matchedColumns: [MatchedColumn] { scanner.matchedColumns }
  /// The number of valid records that have been returned.
  package private(set) var recordCount = 0
  /// The number of bytes that have been read from the source.
  package var bytesRead: Int { source.convertedCount ?? bytesReturned }
  private var bytesReturned = 0
  /// The generator of ids for records without an id. Nil if the reader does not generate ids.
  package var ids: IDGenerator? { assign.generator }
  /// The number of the line up to which the text has been scanned.
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
  /// Whether the buffer may contain complete records that did not fit into the most recent chunk.
  private var hasMore = false
  /// The beginning of a record at the end of the buffer. Used only at the pace `immediate`.
  private var incomplete = IncompleteText()
  /// The number of bytes that have been scanned. Bytes that were scanned repeatedly are counted
  /// repeatedly.
  package private(set) var scannedCount = 0

  /// Creates a reader of the records in a byte source.
  ///
  /// - Parameters:
  ///   - source: The source of the bytes.
  ///   - schema: The schema of the records.
  ///   - form: What is known about the format, the encoding and the columns of the text.
  ///   - file: The file name that problems contain.
  ///   - ids: Generates ids for records without an id.
  ///   - id: The id of the record, if the source must contain a single record. A second record is
  ///     then rejected.
  ///   - keepsRejected: Whether rejected records include their bytes.
  ///   - pace: Whether a chunk is returned when it is full, or as soon as it contains a record.
  ///   - monitor: Receives progress reports.
  ///   - longestText: The maximum length of a record in bytes.
  package init(
    _ source: Source, for schema: Schema, _ form: TextForm = TextForm(), file: String,
    ids: IDGenerator? = nil, id: String? = nil, keepsRejected: Bool = false, pace: Pace = .full,
    monitor: ReadingMonitor? = nil, longestText: Int = InputLimitError.longestRecord
  ) {
    self.monitor = monitor
    self.longestText = longestText
    self.source = source
    self.pace = pace
    assign = IDAssigner(generator: ids, given: id)
    rejections = Rejections(
      file: file, keepsText: keepsRejected, hasColumns: form.format != .xml)
    scanner = RecordTextScanner(schema, form)
  }

  /// Returns a copy of this reader that reads from another source. This is faster than creating a
  /// new reader with the same parameters.
  ///
  /// - Precondition: This reader has not read anything yet.
  func reading(_ source: Source) -> RecordReader {
    var reader = self
    reader.source = source
    return reader
  }

  /// Reads the next chunk of records. Returns nil after the last record.
  ///
  /// A chunk is empty if all of its records were rejected, or if no bytes arrived before the
  /// timeout.
  ///
  /// - Parameters:
  ///   - used: Changes that are no longer needed. They are cleared, and their memory is used for
  ///     the chunk.
  ///   - chunkLimit: The maximum number of records in the chunk, and the timeout.
  package mutating func next(
    reusing used: consuming RowChanges, _ chunkLimit: ChunkLimit = ChunkLimit()
  ) throws(DataError) -> RowChanges? {
    var changes = used
    rejections.removeAll()
    changes.removeAll()
    var spare: [UInt8] = []
    changes.swapInput(with: &spare)
    if spare.capacity > chunkLimit.bytes * 4 { spare = [] }
    var targetSize = chunkLimit.bytes
    var isOutOfTime = false
    while !scanner.isFinished {
      // Records that are in the buffer must not wait for bytes that may never arrive.
      if pace == .full || !hasMore {
        isOutOfTime = try !fill(targetSize, chunkLimit, into: &changes)
      }
      scan(into: &changes, chunkLimit)
      hasMore = changes.count >= chunkLimit.rows || rejections.isFull
      if pace == .immediate, !hasMore { noteIncompleteText() }
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
    scannedCount += text.count - scanner.position
    scanner.scan(
      text.span, isLast: isAtEnd, into: &changes, assign: &assign,
      atMost: chunkLimit.rows, rejected: &rejections)
  }

  private mutating func noteIncompleteText() {
    let text = buffer
    incomplete = IncompleteText(
      text.span.extracting(scanner.position...), until: scanner.missingEnd)
  }

  /// Reads from the source until the buffer has `targetSize` bytes. If `pace` is `immediate`, also
  /// stops if the buffer may contain a complete record. Returns false if no bytes arrived before
  /// the timeout.
  private mutating func fill(
    _ targetSize: Int, _ chunkLimit: ChunkLimit, into changes: inout RowChanges
  ) throws(DataError) -> Bool {
    buffer.reserveCapacity(min(targetSize, source.remainingCount ?? targetSize))
    while buffer.count < targetSize && !isAtEnd && !scanner.isFinished {
      switch pace {
      case .immediate:
        if let timeout = chunkLimit.timeout, try !source.hasBytes(within: timeout) { return false }
        try read(targetSize)
        let text = buffer
        if incomplete.mayBeComplete(text.span.extracting(scanner.position...)) { return true }
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
        if changes.count >= chunkLimit.rows || rejections.isFull { return true }
      }
    }
    return true
  }

  private mutating func read(_ targetSize: Int) throws(DataError) {
    let count = try source.read(into: &buffer, atMost: targetSize - buffer.count)
    bytesReturned += count
    isAtEnd = count == 0
    scanner.note(source.takeFindings())
  }

  /// Copies the unscanned bytes to `rest`, and resets the scanner to the start of this copy.
  private mutating func discard(into rest: inout [UInt8]) {
    rest.removeAll(keepingCapacity: true)
    rest.append(contentsOf: buffer[scanner.position...])
    scanner.discard()
  }
}

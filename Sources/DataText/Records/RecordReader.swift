package import DataModel

/// Reads records from bytes that come piece by piece, in batches of changes that have been checked.
///
/// A batch is about 256 KiB of text, cut at a record's end, and its texts stay where they are: the
/// text goes with it. What is wrong with a record is collected in `rejected`; only a source that
/// fails throws.
package struct RecordReader<Source: ByteSource>: Sendable {
  /// How much text one batch has, unless a record is longer.
  private static var batchSize: Int { 256 << 10 }

  /// When a batch is given out.
  package enum Pace: Sendable {
    /// When it is full, or the source at its end.
    case full
    /// As soon as a record has come.
    case asItComes
  }

  /// The records that were refused since the last call of `next`, in their order.
  package var rejected: [RejectedRecord] { rejections.records }
  /// Whether an error ended the reading, so that records may be unread.
  package var isBroken: Bool { scanner.isBroken }
  /// How many records were read and found valid.
  package private(set) var recordCount = 0
  /// How many bytes came from the source.
  package private(set) var bytesRead = 0
  /// The line up to which the text has been read.
  package var lastLine: Int { scanner.line }

  private var source: Source
  private let pace: Pace
  private let watch: ReadingWatch?
  private let longestText: Int
  private var assign: IDAssigner
  private var rejections: Rejections
  private var scanner: RecordTextScanner
  private var buffer: [UInt8] = []
  private var isAtEnd = false
  /// Whether whole records may be left of the text from which the last batch was taken.
  private var hasMore = false

  /// Takes a source and what its records are to be. Without a format the first bytes decide; with
  /// ids, records that have none get one;
  /// an id is that of the only record. Empty keys may stand in JSON, with null, although the schema
  /// does not have them. No record's text may be longer than so many bytes.
  package init(
    _ source: Source, for schema: Schema, format: RecordFormat? = nil, file: String,
    ids: IDGenerator? = nil, id: String? = nil, keepsRejected: Bool = false, pace: Pace = .full,
    watch: ReadingWatch? = nil, emptyKeys: [String] = [], longestText: Int = 96 << 20
  ) {
    self.watch = watch
    self.longestText = longestText
    self.source = source
    self.pace = pace
    assign = IDAssigner(generator: ids, given: id)
    rejections = Rejections(file: file, keepsText: keepsRejected)
    scanner = RecordTextScanner(schema, format: format, emptyKeys: emptyKeys)
  }

  /// Fills the changes with the next records and gives them back, or nil behind the last.
  ///
  /// A batch is empty if all its records were refused, or if nothing came in time.
  package mutating func next(
    reusing used: consuming Changes, _ portion: Portion = Portion()
  ) throws(DataError) -> Changes? {
    var changes = used
    rejections.records.removeAll()
    changes.removeAll()
    var spare: [UInt8] = []
    changes.exchangeInput(with: &spare)
    if spare.capacity > Self.batchSize * 4 { spare = [] }
    var wanted = Self.batchSize
    var isOutOfTime = false
    while !scanner.isFinished {
      // What has come already need not wait for what may never come.
      if pace == .full || !hasMore {
        isOutOfTime = try !fill(wanted, portion, into: &changes)
      }
      scan(into: &changes, portion)
      hasMore = changes.count >= portion.rows
      if isOutOfTime { break }
      if changes.count > 0 || !rejections.records.isEmpty { break }
      if scanner.place > 0 {
        drop(into: &spare)
        swap(&buffer, &spare)
      } else if buffer.count >= wanted {
        let longest = min(longestText, scanner.longestText)
        guard wanted < longest else {
          scanner.refuseText(longerThan: longest, rejected: &rejections)
          break
        }
        wanted = min(wanted * 2, longest)
      }
    }
    guard changes.count > 0 || !rejections.records.isEmpty || isOutOfTime else { return nil }
    drop(into: &spare)
    changes.exchangeInput(with: &buffer)
    buffer = spare
    recordCount += changes.count
    return changes
  }

  private mutating func scan(into changes: inout Changes, _ portion: Portion) {
    let text = buffer
    scanner.scan(
      text.span, isLast: isAtEnd, into: &changes, assign: &assign,
      atMost: portion.rows, rejected: &rejections)
  }

  /// Reads until so many bytes are there, or as many as come at once; gives false if none came in
  /// time.
  private mutating func fill(
    _ wanted: Int, _ portion: Portion, into changes: inout Changes
  ) throws(DataError) -> Bool {
    buffer.reserveCapacity(wanted)
    while buffer.count < wanted && !isAtEnd && !scanner.isFinished {
      switch pace {
      case .asItComes:
        if let patience = portion.patience, try !source.hasBytes(within: patience) { return false }
        try read(wanted)
        return true
      case .full:
        guard let watch else {
          try read(wanted)
          continue
        }
        let hasBytes = try source.hasBytes(within: ReadingWatch.patience)
        if hasBytes { try read(wanted) }
        if watch.isDue() {
          scan(into: &changes, portion)
          watch.hear(recordCount + changes.count, bytesRead, hasBytes ? .flows : .stalls)
        }
        if changes.count >= portion.rows { return true }
      }
    }
    return true
  }

  private mutating func read(_ wanted: Int) throws(DataError) {
    let count = try source.read(into: &buffer, atMost: wanted - buffer.count)
    bytesRead += count
    isAtEnd = count == 0
  }

  /// Copies what has not been scanned yet.
  private mutating func drop(into rest: inout [UInt8]) {
    rest.removeAll(keepingCapacity: true)
    rest.append(contentsOf: buffer[scanner.place...])
    scanner.drop()
  }
}

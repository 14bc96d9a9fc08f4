package import DataModel

/// Reads records from bytes that come piece by piece, in batches of changes that have been checked.
///
/// A batch is about 256 KiB of text, cut at a record's end, and its texts stay where they are: the
/// text goes with it. What is wrong with a record is collected in `rejected`; only a source that
/// fails throws.
package struct RecordReader<Source: ByteSource>: Sendable {
  /// How much text one batch has, unless a record is longer.
  private static var batchSize: Int { 256 << 10 }
  /// How many records one batch has at most.
  private static var mostRows: Int { 4_096 }

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
  private let longestText: Int
  private var assign: IDAssigner
  private var rejections: Rejections
  private var scanner: RecordTextScanner
  private var buffer: [UInt8] = []
  private var isAtEnd = false

  /// Takes a source and what its records are to be. Without a format the first bytes decide; with
  /// ids, records that have none get one;
  /// an id is that of the only record. No record's text may be longer than so many bytes.
  package init(
    _ source: Source, for schema: Schema, format: RecordFormat? = nil, file: String,
    ids: IDGenerator? = nil, id: String? = nil, keepsRejected: Bool = false, pace: Pace = .full,
    longestText: Int = 96 << 20
  ) {
    self.longestText = longestText
    self.source = source
    self.pace = pace
    assign = IDAssigner(generator: ids, given: id)
    rejections = Rejections(file: file, keepsText: keepsRejected)
    scanner = RecordTextScanner(schema, format: format)
  }

  /// Fills the changes with the next records and gives them back, or nil behind the last.
  ///
  /// A batch is empty if all its records were refused.
  package mutating func next(
    reusing used: consuming Changes
  ) throws(DataError) -> Changes? {
    var changes = used
    rejections.records.removeAll()
    changes.removeAll()
    var spare: [UInt8] = []
    changes.exchangeInput(with: &spare)
    if spare.capacity > Self.batchSize * 4 { spare = [] }
    var wanted = Self.batchSize
    while !scanner.isFinished {
      try fill(wanted)
      scan(into: &changes)
      if changes.count > 0 || !rejections.records.isEmpty { break }
      if scanner.place > 0 {
        drop(into: &spare)
        swap(&buffer, &spare)
      } else if buffer.count >= wanted {
        guard wanted < longestText else {
          scanner.refuseRest(
            "a record of more than \(longestText >> 20) MiB of text", rejected: &rejections)
          break
        }
        wanted = min(wanted * 2, longestText)
      }
    }
    guard changes.count > 0 || !rejections.records.isEmpty else { return nil }
    drop(into: &spare)
    changes.exchangeInput(with: &buffer)
    buffer = spare
    recordCount += changes.count
    return changes
  }

  private mutating func scan(into changes: inout Changes) {
    let text = buffer
    scanner.scan(
      text.span, isLast: isAtEnd, into: &changes, assign: &assign, atMost: Self.mostRows,
      rejected: &rejections)
  }

  /// Reads until so many bytes are there, or as many as come at once.
  private mutating func fill(_ wanted: Int) throws(DataError) {
    buffer.reserveCapacity(wanted)
    while buffer.count < wanted && !isAtEnd {
      let count = try source.read(into: &buffer, atMost: wanted - buffer.count)
      bytesRead += count
      isAtEnd = count == 0
      if pace == .asItComes { break }
    }
  }

  /// Copies what has not been scanned yet.
  private mutating func drop(into rest: inout [UInt8]) {
    rest.removeAll(keepingCapacity: true)
    rest.append(contentsOf: buffer[scanner.place...])
    scanner.drop()
  }
}

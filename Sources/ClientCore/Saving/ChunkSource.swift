package import DataModel
package import DataText

/// The source of a save's records, read in chunks: a record reader, drafts, or assignments from a
/// command line.
package protocol ChunkSource: Sendable {
  /// Returns the next chunk, or nil at the end of the input.
  ///
  /// The memory of `changes` is reused. The chunk has at most as many records as `chunkLimit` allows;
  /// it is empty if no input arrived in time.
  mutating func next(
    reusing changes: consuming RowChanges, _ chunkLimit: ChunkLimit
  ) throws(DataError) -> RowChanges?

  /// The records of the last chunk that were invalid and are not in it.
  var rejected: [Rejection] { get }

  /// The number of bytes read; 0 if the source reads no bytes.
  var bytesRead: Int { get }

  /// Returns a problem that the store found, with the location that it has in this source.
  func located(_ problem: Problem) -> Problem
}

/// A record that is not saved, with all its problems.
package struct Rejection: Sendable {
  package var problems: [Problem]
  /// The text of the record, if the reader rejected it and was configured to keep the text.
  package var text: [UInt8]?
  /// The index of the record in its chunk, if the store rejected it.
  package var row: Int?

  package init(problems: [Problem], text: [UInt8]? = nil, row: Int? = nil) {
    self.problems = problems
    self.text = text
    self.row = row
  }
}

/// Receives the progress and outcomes of a save.
///
/// The command formats and spools the records; the library counts or collects them.
package protocol SaveListener: Sendable {
  /// Receives the rows of a chunk as stored, with their outcomes. Rows with the outcome `refused`
  /// are not stored.
  mutating func applied(_ changes: borrowing RowChanges, _ outcomes: [Outcome]) throws(DataError)

  /// Receives a record that is not saved, with the chunk that it came with.
  mutating func rejected(
    _ rejection: Rejection, of changes: borrowing RowChanges
  ) throws(DataError)

  /// Receives the progress of the save, after each chunk.
  mutating func progressed(_ progress: SaveProgress)

  /// Called when the transaction with all records up to a line of the input has been committed.
  mutating func committed(throughLine line: Int) throws(DataError)
}

/// The progress of a save: the records and bytes read so far.
package struct SaveProgress: Hashable, Sendable {
  package var records: Int
  package var bytes: Int
}

/// A source that reads records from text.
package struct ReaderSource<Bytes: ByteSource>: ChunkSource {
  private var reader: RecordReader<Bytes>
  private let file: String
  package private(set) var rejected: [Rejection] = []
  package var bytesRead: Int { reader.bytesRead }

  /// Creates a source of a reader; `file` is the name of the text in problems.
  package init(_ reader: RecordReader<Bytes>, file: String) {
    self.reader = reader
    self.file = file
  }

  package mutating func next(
    reusing changes: consuming RowChanges, _ chunkLimit: ChunkLimit
  ) throws(DataError) -> RowChanges? {
    let chunk = try reader.next(reusing: changes, chunkLimit)
    rejected = reader.rejected.map { Rejection(problems: $0.problems, text: $0.text) }
    return chunk
  }

  package func located(_ problem: Problem) -> Problem {
    var located = problem
    located.file = file
    return located
  }
}

/// A source with one chunk that exists already: the assignments of a command line.
package struct SingleChunkSource: ChunkSource {
  private var changes: RowChanges?
  package let rejected: [Rejection]
  package var bytesRead: Int { 0 }

  /// Creates a source of a chunk and the problems of records that are not in it.
  package init(_ changes: RowChanges, rejected: [Rejection] = []) {
    self.changes = changes
    self.rejected = rejected
  }

  package mutating func next(
    reusing memory: consuming RowChanges, _ chunkLimit: ChunkLimit
  ) throws(DataError) -> RowChanges? {
    defer { changes = nil }
    return changes
  }

  package func located(_ problem: Problem) -> Problem {
    var located = problem
    located.line = nil
    return located
  }
}

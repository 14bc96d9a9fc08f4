package import DataModel
package import Maps
package import RecordText

/// A source of records to save, which are read in chunks. The records come from a record reader,
/// from drafts, or from the assignments of a command line.
package protocol ChunkSource: Sendable {
  /// Returns the next chunk, or nil at the end of the input.
  ///
  /// The first argument is a chunk that is no longer needed: its memory is reused. The second
  /// limits the number of records and the time to wait. If no input arrives within this time, the
  /// returned chunk is empty.
  mutating func next(
    reusing changes: consuming RowChanges, _ chunkLimit: ChunkLimit
  ) throws(DataError) -> RowChanges?

  /// The invalid records that were read together with the chunk that `next` returned most recently.
  /// The chunk does not contain them.
  var rejected: [Rejection] { get }

  /// Whether the chunk that `next` returned most recently contains nested records, and whether it
  /// is the final chunk of their trees.
  var treePart: TreePart { get }

  /// The number of bytes read so far, or 0 if the source does not read bytes.
  var bytesRead: Int { get }

  /// Converts the line numbers in the chunks to locations in the input.
  var locator: InputLocator { get }
}

/// Converts the line numbers in the chunks of a source to locations in its input.
///
/// A locator can be kept after the source has been read, because it does not refer to the text.
package struct InputLocator: Sendable {
  /// A closure that returns a copy of a problem that the store reported. The copy contains the
  /// location of the problem in the input.
  package let located: @Sendable (Problem) -> Problem
  /// A closure that converts the line number of a record in a chunk to its line number in the
  /// input. The two numbers differ if a map converts the input, or if records are nested.
  package let inputLine: @Sendable (Int) -> Int
  /// A closure that returns the original text of the record that has the given line number in a
  /// chunk. It returns nil if no map converts the records, or if the text is not kept.
  package let originalText: @Sendable (Int) -> [UInt8]?

  package init(
    located: @escaping @Sendable (Problem) -> Problem,
    inputLine: @escaping @Sendable (Int) -> Int = { $0 },
    originalText: @escaping @Sendable (Int) -> [UInt8]? = { _ in nil }
  ) {
    self.located = located
    self.inputLine = inputLine
    self.originalText = originalText
  }

  /// A locator for records that have no place in a text, such as those of a command line.
  package static let withoutLines = InputLocator { problem in
    var located = problem
    located.line = nil
    return located
  }
}

/// Describes the records of a chunk as parts of trees: whether they are nested in other records,
/// and whether the chunk is the final chunk of their trees. A record without nested records is a
/// tree of one record.
package struct TreePart: Sendable {
  package var role = TreeRole.root
  /// The number of the chunk among those of the trees that were read together.
  package var number = 0
  /// Whether the trees that were read together contain lists of inverses.
  package var hasLists = false
  /// In the final chunk, the lists of inverses in the trees that were read together.
  package var lists: [PartList] = []
  /// Whether the records are nested in other records. If not, they are the roots of trees.
  package var isInside: Bool { role != .root }
  /// Whether the records of this chunk can occur again in later trees.
  package var mayRecur = false
  /// Whether this chunk is the final chunk of the trees that its records belong to.
  package var isLast = true
  /// The text of the tree, for the file of rejected records; nil if the source does not keep texts.
  /// If the source keeps texts, each chunk contains records of only one tree.
  package var text: [UInt8]?

  package init() {}
}

extension ChunkSource {
  /// The default for sources that have no nested records.
  package var treePart: TreePart { TreePart() }
}

/// A record that is not saved because of its problems.
package struct Rejection: Sendable {
  package var problems: [Problem]
  /// The original text of the record, or nil if it was not kept. The reader can keep the texts of
  /// records that it rejects. The texts of records that the store rejects are kept only if a map
  /// converts the input.
  package var text: [UInt8]?
  /// The index of the record in its chunk if the store rejected it; nil if the reader rejected it.
  package var row: Int?
  /// The ids by which the record and records inside it are stored, if the reader rejected it and its
  /// id could be read; nil if not (see `RejectedRecord.ids`).
  package var ids: [String]?
  /// The part of the input that was not read because of the problems: the whole input, or
  /// everything after this record. Nil if the records after this one were read.
  package var unread: RejectedRecord.Unread?

  package init(problems: [Problem], text: [UInt8]? = nil, row: Int? = nil) {
    self.problems = problems
    self.text = text
    self.row = row
  }

  /// Creates a rejection from a record that the reader rejected.
  ///
  /// - Parameter locations: The locations and the texts of the records in the original document, or
  ///   nil if no map converts the records.
  package init(_ record: RejectedRecord, in locations: MapLocations?) {
    problems = record.problems.map { locations?.located($0) ?? $0 }
    text = record.text
    if let locations, text != nil { text = locations.text(ofRecord: record.line) }
    unread = record.unread
    ids = record.ids
  }
}

/// The rejected records of which it is not known whether they are stored, because the input contains
/// no id of them, or because they could not be read at all.
package struct UnidentifiedRecords: Sendable {
  package fileprivate(set) var count = 1
  /// The problem of the first one, with its location.
  package let first: Problem
}

extension UnidentifiedRecords? {
  mutating func add(_ problem: Problem?) {
    guard let problem else { return }
    if self == nil { self = UnidentifiedRecords(first: problem) } else { self?.count += 1 }
  }
}

/// Receives the progress and the outcomes of a save. For example, a command prints the saved
/// records, and the library counts or collects them.
package protocol SaveListener: Sendable {
  /// Receives a chunk that has been saved, with the values that are now stored, and the outcome of
  /// each row. Rows with the outcome `refused` are not stored.
  mutating func applied(_ changes: borrowing RowChanges, _ outcomes: [Outcome]) throws(DataError)

  /// Receives a chunk of nested records that has been saved, with the values that are now stored,
  /// and the outcome of each row.
  mutating func appliedInside(
    _ changes: borrowing RowChanges, _ outcomes: [Outcome]
  ) throws(DataError)

  /// Receives a record that is not saved, and the chunk that was read together with the record. If
  /// the store rejected the record, `Rejection.row` is the index of its row in this chunk.
  mutating func rejected(
    _ rejection: Rejection, of changes: borrowing RowChanges
  ) throws(DataError)

  /// Whether the listener needs the previous versions of changed records, and the deleted records.
  /// If so, they are passed to `applied` and `deleted`.
  var needsOldRecords: Bool { get }

  /// Receives the records that the save deleted because the input does not contain them.
  mutating func deleted(_ records: Rows) throws(DataError)

  /// Receives parts of the saved records that were deleted, because no list named them.
  mutating func deletedInside(_ records: Rows, of schema: Schema) throws(DataError)

  /// Receives the progress of the save whenever a chunk has been read or saved.
  mutating func progressed(_ progress: SaveProgress)

  /// What will be printed on stdout after the commit, or nil if it is not known or long (see
  /// `OperationSource.output`).
  var output: [UInt8]? { get }

  /// Called after each commit, with the input line of the last record that has been committed.
  mutating func committed(throughLine line: Int) throws(DataError)
}

/// Default implementations for listeners that need only the saved records.
extension SaveListener {
  package var needsOldRecords: Bool { false }

  package var output: [UInt8]? { nil }

  package mutating func appliedInside(
    _ changes: borrowing RowChanges, _ outcomes: [Outcome]
  ) throws(DataError) {}

  package mutating func deleted(_ records: Rows) throws(DataError) {}

  package mutating func deletedInside(_ records: Rows, of schema: Schema) throws(DataError) {}
}

/// The progress of a save: the numbers of records and bytes read so far.
package struct SaveProgress: Hashable, Sendable {
  package var records: Int
  package var bytes: Int
}

/// A source that reads records from text.
package struct ReaderSource<Bytes: ByteSource>: ChunkSource {
  private var reader: RecordReader<Bytes>
  private let file: String
  /// The locations of the records in the original document, or nil if the input is not converted by
  /// a map.
  private let locations: MapLocations?
  package private(set) var rejected: [Rejection] = []
  package var bytesRead: Int { reader.bytesRead }

  /// Creates a source from a record reader.
  ///
  /// - Parameters:
  ///   - reader: The reader of the records.
  ///   - file: The file name that error messages show.
  ///   - locations: The locations of the records in the original document, or nil if the input is
  ///     not converted by a map.
  package init(_ reader: RecordReader<Bytes>, file: String, locations: MapLocations? = nil) {
    self.reader = reader
    self.file = file
    self.locations = locations
  }

  package mutating func next(
    reusing changes: consuming RowChanges, _ chunkLimit: ChunkLimit
  ) throws(DataError) -> RowChanges? {
    let chunk = try reader.next(reusing: changes, chunkLimit)
    rejected = reader.rejected.map { Rejection($0, in: locations) }
    return chunk
  }

  package var locator: InputLocator {
    let (file, locations) = (file, locations)
    return InputLocator { problem in
      var located = locations?.located(problem) ?? problem
      located.file = file
      return located
    }
  }
}

/// A source with a single chunk, for example from the assignments of a command line.
package struct SingleChunkSource: ChunkSource {
  private var changes: RowChanges?
  package let rejected: [Rejection]
  package var bytesRead: Int { 0 }

  /// Creates a source from a chunk of valid records, and the records that were rejected.
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

  package var locator: InputLocator { .withoutLines }
}

package import DataModel
package import DataText

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

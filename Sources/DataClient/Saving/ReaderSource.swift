package import DataModel
package import DataText

/// A source that reads records from text.
package struct ReaderSource<Bytes: ByteSource>: ChangesSource {
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
    reusing changes: consuming Changes, _ portion: Portion
  ) throws(DataError) -> Changes? {
    let batch = try reader.next(reusing: changes, portion)
    rejected = reader.rejected.map { Rejection(problems: $0.problems, text: $0.text) }
    return batch
  }

  package func placed(_ problem: Problem) -> Problem {
    var placed = problem
    placed.file = file
    return placed
  }
}

package import DataModel
package import DataText

/// A source that parses trees of records (`save --deep`).
package struct TreeSource<Bytes: ByteSource>: ChunkSource {
  private var reader: TreeReader<Bytes>
  private let checkInterruption: @Sendable () throws(DataError) -> Void
  package private(set) var rejected: [Rejection] = []
  package private(set) var isInside = false

  /// Creates a source from a tree reader, and a closure that throws an error if the save must stop.
  package init(
    _ reader: TreeReader<Bytes>,
    checkingInterruption: @escaping @Sendable () throws(DataError) -> Void = {}
  ) {
    self.reader = reader
    checkInterruption = checkingInterruption
  }

  package var bytesRead: Int { reader.bytesRead }

  package func located(_ problem: Problem) -> Problem { reader.located(problem) }

  package func inputLine(_ line: Int) -> Int { reader.line(ofLocation: line) }

  package mutating func next(
    reusing memory: consuming RowChanges, _ limit: ChunkLimit
  ) throws(DataError) -> RowChanges? {
    try checkInterruption()
    guard let chunk = try reader.next() else { return nil }
    rejected = chunk.rejected.map { Rejection(problems: $0.problems, text: $0.text) }
    isInside = chunk.isInside
    return chunk.changes
  }
}

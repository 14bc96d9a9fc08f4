import ClientCore
import DataModel
import DataText

/// A source that parses trees of records (`save --deep`).
struct TreeSource<Bytes: ByteSource>: ChunkSource {
  private var reader: TreeReader<Bytes>
  private let console: Console
  private(set) var rejected: [Rejection] = []
  private(set) var isInside = false

  init(
    _ bytes: Bytes, of file: String, for schema: Schema, in catalog: Catalog,
    options: SaveOptions, longestText: Int, ids: IDGenerator, on console: Console
  ) {
    reader = TreeReader(
      bytes, for: schema, in: catalog, file: file, ids: ids,
      roundsTimes: options.roundsTimes, longestText: longestText)
    self.console = console
  }

  var bytesRead: Int { reader.bytesRead }

  func located(_ problem: Problem) -> Problem { reader.located(problem) }

  func inputLine(_ line: Int) -> Int { reader.line(ofLocation: line) }

  mutating func next(
    reusing memory: consuming RowChanges, _ limit: ChunkLimit
  ) throws(DataError) -> RowChanges? {
    try console.checkInterruption()
    guard let chunk = try reader.next() else { return nil }
    rejected = chunk.rejected.map { Rejection(problems: $0.problems, text: $0.text) }
    isInside = chunk.isInside
    return chunk.changes
  }
}

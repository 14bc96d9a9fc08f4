import ClientCore
import DataModel
import DataText

/// A source that parses trees of records (`save --deep`).
struct TreeSource<Bytes: ByteSource>: ChunkSource {
  private var reader: TreeReader<Bytes>
  /// The locations of the trees in the document that a map reads.
  private let locations: MapLocations?
  private let console: Console
  private(set) var rejected: [Rejection] = []
  private(set) var isInside = false

  init(
    _ bytes: Bytes, of file: String, for schema: Schema, in catalog: Catalog,
    options: SaveOptions, longestText: Int, ids: IDGenerator,
    locations: MapLocations? = nil, on console: Console
  ) {
    self.locations = locations
    reader = TreeReader(
      bytes, for: schema, in: catalog, file: file, ids: ids,
      roundsTimes: options.roundsTimes, longestText: longestText)
    self.console = console
  }

  var bytesRead: Int { reader.bytesRead }

  func located(_ problem: Problem) -> Problem {
    let located = reader.located(problem)
    return locations?.located(located) ?? located
  }

  func inputLine(_ line: Int) -> Int {
    let line = reader.line(ofLocation: line)
    return locations?.line(ofRecord: line) ?? line
  }

  mutating func next(
    reusing memory: consuming RowChanges, _ limit: ChunkLimit
  ) throws(DataError) -> RowChanges? {
    try console.checkInterruption()
    guard let chunk = try reader.next() else { return nil }
    rejected = chunk.rejected.map { record in
      Rejection(
        problems: locations.map { record.problems.map($0.located) } ?? record.problems,
        text: record.text)
    }
    isInside = chunk.isInside
    return chunk.changes
  }
}

package import DataModel
package import Maps
package import RecordText

/// A source that parses trees of records (`save --deep`).
package struct TreeSource<Bytes: ByteSource>: ChunkSource {
  private var reader: TreeReader<Bytes>
  /// The locations of the trees in the original document, or nil if the input is not converted by a
  /// map.
  private let locations: MapLocations?
  private let checkInterruption: @Sendable () throws(DataError) -> Void
  package private(set) var rejected: [Rejection] = []
  package private(set) var treePart = TreePart()

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - reader: The reader of the trees.
  ///   - locations: The locations of the trees in the original document, or nil if the input is not
  ///     converted by a map.
  ///   - checkInterruption: A closure that throws an error if the save must stop.
  package init(
    _ reader: TreeReader<Bytes>, locations: MapLocations? = nil,
    checkingInterruption checkInterruption: @escaping @Sendable () throws(DataError) -> Void = {}
  ) {
    self.reader = reader
    self.locations = locations
    self.checkInterruption = checkInterruption
  }

  package var bytesRead: Int { reader.bytesRead }

  package var locator: InputLocator {
    let (trees, locations) = (reader.locations, locations)
    return InputLocator { problem in
      let located = trees.located(problem)
      return locations?.located(located) ?? located
    } inputLine: { location in
      let line = trees.line(location) ?? location
      return locations?.line(ofRecord: line) ?? line
    } originalText: { location in
      trees.line(location).flatMap { locations?.text(ofRecord: $0) }
    }
  }

  package mutating func next(
    reusing memory: consuming RowChanges, _ limit: ChunkLimit
  ) throws(DataError) -> RowChanges? {
    try checkInterruption()
    guard let chunk = try reader.next(limit) else { return nil }
    rejected = chunk.rejected.map { Rejection($0, in: locations) }
    treePart.isInside = chunk.isInside
    treePart.mayRecur = chunk.isInside || reader.canNestRoots
    treePart.isLast = chunk.isLast
    treePart.text = chunk.text
    if locations != nil, chunk.text != nil {
      treePart.text = chunk.changes.lines.first.flatMap { locator.originalText($0) }
    }
    return chunk.changes
  }
}

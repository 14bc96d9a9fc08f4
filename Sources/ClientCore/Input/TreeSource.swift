package import DataModel
package import Maps
package import RecordText

/// A source that parses trees of records (`save --deep`).
package struct TreeSource<Bytes: ByteSource>: ChunkSource {
  private var reader: TreeReader<Bytes>
  /// The locations of the trees in the original document, or nil if the input is not converted by a
  /// map.
  private let locations: MapLocations?
  /// The problem of an input without records; nil if it is none, or if a record has been read.
  private var missingRecord: Problem?
  private let checkInterruption: @Sendable () throws(DataError) -> Void
  package private(set) var rejected: [Rejection] = []
  package private(set) var treePart = TreePart()

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - reader: The reader of the trees.
  ///   - missingRecord: The problem of an input without records, or nil if it is none.
  ///   - locations: The locations of the trees in the original document, or nil if the input is not
  ///     converted by a map.
  ///   - checkInterruption: A closure that throws an error if the save must stop.
  package init(
    _ reader: TreeReader<Bytes>, missingRecord: Problem? = nil, locations: MapLocations? = nil,
    checkingInterruption checkInterruption: @escaping @Sendable () throws(DataError) -> Void = {}
  ) {
    self.reader = reader
    self.missingRecord = missingRecord
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
    guard let chunk = try reader.next(limit) else {
      if let missingRecord { throw DataError(missingRecord) }
      return nil
    }
    missingRecord = nil
    rejected = chunk.rejected.map { Rejection($0, in: locations) }
    treePart.role = chunk.role
    treePart.number = chunk.number
    treePart.hasLists = chunk.hasLists
    treePart.lists = chunk.lists
    treePart.mayRecur = chunk.role != .root || reader.canNestRoots
    treePart.isLast = chunk.isLast
    treePart.text = chunk.text
    if locations != nil, chunk.text != nil {
      treePart.text = chunk.changes.lines.first.flatMap { locator.originalText($0) }
    }
    return chunk.changes
  }
}

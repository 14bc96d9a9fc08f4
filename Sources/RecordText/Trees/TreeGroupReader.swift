package import DataModel

/// Reads the records of trees in chunks of validated changes. The records are in groups, each with
/// records of one schema, and one group is read after another.
struct TreeGroupReader: Sendable {
  /// The groups whose records have not all been read.
  private var groups: [TreeFlattener.Group] = []
  /// The reader of the records in the first group of `groups`.
  private var records: RecordReader<GroupSource>?
  /// For each schema, by its name, a reader that has not read anything. Each group is read by a
  /// copy of such a reader, because copying a reader is faster than creating one.
  private var unusedReaders: [String: RecordReader<GroupSource>] = [:]
  /// The number of lines that have been read from the text of the first group.
  private var lineCount = 0
  /// The number that the first record of the current trees has in `locations`. The indexes in
  /// `groups` are relative to this number.
  private var firstLocation = 0
  private let locations: TreeLocations
  private let file: String
  private let conversions: ValueConversions
  private let longestText: Int

  init(
    _ locations: TreeLocations, file: String, conversions: ValueConversions, longestText: Int
  ) {
    self.locations = locations
    self.file = file
    self.conversions = conversions
    self.longestText = longestText
  }

  /// Whether all records of the current trees have been read.
  var isEmpty: Bool { groups.isEmpty }

  /// Begins to read the groups of further trees.
  ///
  /// - Parameter firstLocation: The number that the first record of these trees has in `locations`.
  mutating func begin(_ groups: [TreeFlattener.Group], firstLocation: Int) {
    self.groups = groups
    self.firstLocation = firstLocation
  }

  /// Returns the next chunk of the first group. Removes the group after its last chunk.
  mutating func next() throws(DataError) -> TreeGroupChunk? {
    guard let group = groups.first else { return nil }
    var reader = records ?? unusedReader(of: group.schema).reading(GroupSource(group))
    // With a second reference to its buffer, the reader would have to copy the buffer.
    records = nil
    let chunk = try reader.next(
      reusing: RowChanges(for: group.schema, conversions: conversions))
    records = reader
    lineCount += (chunk?.count ?? 0) + reader.rejected.count
    if chunk == nil || lineCount >= group.locations.count {
      groups.removeFirst()
      records = nil
      lineCount = 0
    }
    guard var changes = chunk else { return nil }
    let rejected = reader.rejected.map { record in
      var located = record
      let location = firstLocation + group.locations[record.line - 1]
      located.problems = record.problems.map { problem in
        var problem = problem
        problem.line = location
        problem.column = nil
        return locations.located(problem)
      }
      located.line = locations.line(location) ?? location
      return located
    }
    let rows = changes.lines.map { $0 - 1 }
    changes.setOrigins(
      lines: rows.map { firstLocation + group.locations[$0] },
      hasAssignedID: rows.map { group.hasAssignedID[$0] })
    return TreeGroupChunk(
      changes: changes, isInside: group.isInside, isLast: groups.isEmpty, rejected: rejected)
  }

  /// Returns a reader for the records of the schema. This reader has not read anything: call
  /// `reading(_:)` on it to read from a source.
  private mutating func unusedReader(of schema: Schema) -> RecordReader<GroupSource> {
    if let reader = unusedReaders[schema.name] { return reader }
    let reader = RecordReader(
      GroupSource(TreeFlattener.Group(schema: schema, isInside: false)), for: schema,
      TextForm(.ndjson), file: file, longestText: longestText)
    unusedReaders[schema.name] = reader
    return reader
  }
}

/// A chunk of records of one schema.
package struct TreeGroupChunk: Sendable {
  package var changes: RowChanges
  /// Whether the records are nested in other records.
  package var isInside = false
  /// Whether this is the last chunk of the trees that were read together.
  package var isLast = true
  /// The input text of the tree, if trees are read one by one and the reader keeps their texts.
  package var text: [UInt8]?
  /// The records that were rejected while the chunk was read. If invalid trees are skipped, each
  /// element is a whole tree instead.
  package var rejected: [RejectedRecord] = []
}

/// A byte source that returns the records of a group as NDJSON. It also reports the problems that
/// were found when the records were converted from another format.
private struct GroupSource: ByteSource {
  private var bytes: BytesInMemory
  private var findings = SourceFindings()

  init(_ group: TreeFlattener.Group) {
    bytes = BytesInMemory(group.text)
    findings.problems = group.problems
  }

  var remainingCount: Int? { bytes.remainingCount }

  mutating func read(into buffer: inout [UInt8], atMost count: Int) -> Int {
    bytes.read(into: &buffer, atMost: count)
  }

  mutating func takeFindings() -> SourceFindings {
    defer { findings = SourceFindings() }
    return findings
  }
}

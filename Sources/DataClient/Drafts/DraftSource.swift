internal import DataModel
internal import RecordText

/// A source that converts drafts to chunks of validated changes for a save.
struct DraftSource<Records: ChunkSource>: ChunkSource {
  private var records: Records
  /// Problems that cannot be detected in the JSON of the drafts, such as an infinite number. They
  /// are moved to `rejected` when the first chunk is read.
  private var draftProblems: [Rejection] = []
  private(set) var rejected: [Rejection] = []
  var bytesRead: Int { records.bytesRead }
  var treePart: TreePart { records.treePart }
  var locator: InputLocator { records.locator }

  /// Creates a source of drafts.
  ///
  /// - Parameters:
  ///   - invalid: The drafts that cannot be written as text.
  ///   - records: A source that parses the text of the drafts.
  init(rejecting invalid: [Rejection] = [], readBy records: Records) {
    self.records = records
    draftProblems = invalid
  }

  mutating func next(
    reusing changes: consuming RowChanges, _ chunkLimit: ChunkLimit
  ) throws(DataError) -> RowChanges? {
    let chunk = try records.next(reusing: changes, chunkLimit)
    rejected = draftProblems + records.rejected
    draftProblems = []
    return chunk
  }
}

extension Problem {
  /// The problem of a draft without its location in a file, because drafts are not in a file. If
  /// there are several drafts, the message begins with the number of the draft.
  ///
  /// - Parameter line: The number of the draft, or nil for the line of the problem.
  func ofDraft(_ line: Int? = nil, of count: Int) -> Problem {
    var problem = self
    let number = line ?? problem.line ?? 0
    problem.file = nil
    problem.line = nil
    problem.column = nil
    if count > 1, number > 0 { problem.message = "record \(number): \(message)" }
    return problem
  }
}

/// Collects the saved rows as records.
struct RecordCollector: SaveListener {
  var records: [Record] = []

  mutating func applied(
    _ changes: borrowing RowChanges, _ outcomes: [Outcome]
  ) throws(DataError) {
    var check = StoredValueCheck(of: changes.schema)
    for (row, outcome) in outcomes.enumerated() {
      switch outcome {
      case .created, .changed, .same:
        records.append(
          try Record(changes.schema, changes.rows, row, checkedBy: &check))
      case .refused: break
      }
    }
  }

  mutating func rejected(_ rejection: Rejection, of changes: borrowing RowChanges) {}
  mutating func progressed(_ progress: SaveProgress) {}
  mutating func committed(throughLine line: Int) {}
}

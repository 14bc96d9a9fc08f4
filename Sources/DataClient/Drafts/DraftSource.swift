internal import DataModel
internal import RecordText

/// A source that converts drafts to chunks of validated changes for a save.
struct DraftSource<Records: ChunkSource>: ChunkSource {
  private var records: Records
  private let count: Int
  /// Problems that cannot be detected in the JSON of the drafts, such as an infinite number. They
  /// are moved to `rejected` when the first chunk is read.
  private var draftProblems: [Rejection] = []
  private(set) var rejected: [Rejection] = []
  var bytesRead: Int { records.bytesRead }
  var treePart: TreePart { records.treePart }

  /// Creates a source of drafts.
  ///
  /// - Parameters:
  ///   - count: The number of drafts.
  ///   - invalid: The drafts that cannot be written as text.
  ///   - records: A source that parses the text of the drafts.
  init(_ count: Int, rejecting invalid: [Rejection] = [], readBy records: Records) {
    self.records = records
    self.count = count
    draftProblems = invalid
  }

  mutating func next(
    reusing changes: consuming RowChanges, _ chunkLimit: ChunkLimit
  ) throws(DataError) -> RowChanges? {
    let chunk: RowChanges?
    do throws(DataError) {
      chunk = try records.next(reusing: changes, chunkLimit)
    } catch {
      throw error.map { $0.ofDraft(of: count) }
    }
    rejected = draftProblems
    draftProblems = []
    for record in records.rejected {
      let problems = record.problems.map { $0.ofDraft(of: count) }
      rejected.append(Rejection(problems: problems))
    }
    return chunk
  }

  var locator: InputLocator {
    InputLocator { [locator = records.locator, count] problem in
      locator.located(problem).ofDraft(of: count)
    }
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

internal import DataModel
internal import DataText

/// A source that converts drafts to chunks of validated changes for a save.
struct DraftSource: ChunkSource {
  private var reader: RecordReader<DraftText>
  private let count: Int
  /// The problems in drafts that cannot be detected in their JSON. The array is empty after they
  /// have been reported.
  private var draftProblems: [Rejection]
  private(set) var rejected: [Rejection] = []
  var bytesRead: Int { reader.bytesRead }

  init(_ drafts: [Draft], for schema: Schema) {
    count = drafts.count
    draftProblems = []
    for (index, draft) in drafts.enumerated() {
      let problems = DraftText.draftProblems(of: draft, in: schema)
      if !problems.isEmpty {
        draftProblems.append(
          Rejection(problems: problems.map { Self.located($0, line: index + 1, of: drafts.count) }))
      }
    }
    reader = RecordReader(DraftText(drafts, for: schema), for: schema, format: .ndjson, file: "")
  }

  mutating func next(
    reusing changes: consuming RowChanges, _ chunkLimit: ChunkLimit
  ) throws(DataError) -> RowChanges? {
    let chunk = try reader.next(reusing: changes, chunkLimit)
    rejected = draftProblems
    draftProblems = []
    for record in reader.rejected {
      let problems = record.problems.map { Self.located($0, line: record.line, of: count) }
      rejected.append(Rejection(problems: problems))
    }
    return chunk
  }

  func located(_ problem: Problem) -> Problem {
    Self.located(problem, line: problem.line ?? 0, of: count)
  }

  /// Returns the problem without its location in a file, because drafts are not in a file. If there
  /// are several drafts, the message begins with the number of the draft.
  private static func located(_ found: Problem, line: Int, of count: Int) -> Problem {
    var problem = found
    problem.file = nil
    problem.line = nil
    problem.column = nil
    if count > 1, line > 0 { problem.message = "record \(line): \(found.message)" }
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

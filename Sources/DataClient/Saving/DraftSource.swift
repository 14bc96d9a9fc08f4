package import DataModel
package import DataText

/// A source that reads drafts.
struct DraftSource: ChangesSource {
  private var reader: RecordReader<DraftText>
  private let count: Int
  /// The drafts with problems that their JSON does not show, until they have been reported.
  private var faults: [Rejection]
  private(set) var rejected: [Rejection] = []
  var bytesRead: Int { reader.bytesRead }

  init(_ drafts: [Draft], for schema: Schema) {
    count = drafts.count
    faults = []
    for (index, draft) in drafts.enumerated() {
      let problems = DraftText.faults(of: draft, in: schema)
      if !problems.isEmpty {
        faults.append(
          Rejection(problems: problems.map { Self.placed($0, line: index + 1, of: drafts.count) }))
      }
    }
    reader = RecordReader(DraftText(drafts, for: schema), for: schema, format: .ndjson, file: "")
  }

  mutating func next(
    reusing changes: consuming Changes, _ portion: Portion
  ) throws(DataError) -> Changes? {
    let batch = try reader.next(reusing: changes, portion)
    rejected = faults
    faults = []
    for record in reader.rejected {
      let problems = record.problems.map { Self.placed($0, line: record.line, of: count) }
      rejected.append(Rejection(problems: problems))
    }
    return batch
  }

  func placed(_ problem: Problem) -> Problem {
    Self.placed(problem, line: problem.line ?? 0, of: count)
  }

  /// Removes the location in a file, which drafts do not have. If there are several, the message
  /// has the number of the draft.
  private static func placed(_ found: Problem, line: Int, of count: Int) -> Problem {
    var problem = found
    problem.file = nil
    problem.line = nil
    problem.column = nil
    if count > 1, line > 0 { problem.message = "record \(line): \(found.message)" }
    return problem
  }
}

/// A source with one chunk that exists already: the assignments of a command line.
package struct FilledSource: ChangesSource {
  private var changes: Changes?
  package let rejected: [Rejection]
  package var bytesRead: Int { 0 }

  /// Creates a source of a chunk and the problems of records that are not in it.
  package init(_ changes: Changes, rejected: [Rejection] = []) {
    self.changes = changes
    self.rejected = rejected
  }

  package mutating func next(
    reusing memory: consuming Changes, _ portion: Portion
  ) throws(DataError) -> Changes? {
    defer { changes = nil }
    return changes
  }

  package func placed(_ problem: Problem) -> Problem {
    var placed = problem
    placed.line = nil
    return placed
  }
}

/// Collects the saved rows as records.
struct RecordCollector: SaveListener {
  var records: [Record] = []

  mutating func settled(_ changes: borrowing Changes, _ outcomes: [Outcome]) {
    for (row, outcome) in outcomes.enumerated() {
      switch outcome {
      case .created, .changed, .same:
        records.append(Record(changes.schema, changes.rows, row))
      case .refused: break
      }
    }
  }

  mutating func rejected(_ rejection: Rejection, of changes: borrowing Changes) {}
  mutating func progressed(_ progress: SaveProgress) {}
  mutating func committed(throughLine line: Int) {}
}

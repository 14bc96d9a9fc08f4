import DataModel
import DataStore

/// Supplies chunks to a store and records what it reports.
struct RecordingExchange: SaveExchange {
  /// The chunks that the store has not yet taken.
  var chunks: [RowChanges]
  /// Whether invalid records are skipped instead of rejecting the save.
  var skipsInvalid = false
  /// The error that it throws at the end to roll back the save.
  var finalError: DataError?
  private(set) var outcomes: [Outcome] = []
  private(set) var saved: [Record] = []
  private(set) var problems: [Problem] = []
  private(set) var committedLines: [Int] = []

  init(_ chunks: [RowChanges]) {
    self.chunks = chunks
  }

  var canRestart: Bool { true }

  mutating func next() throws(DataError) -> RowChanges? {
    chunks.isEmpty ? nil : chunks.removeFirst()
  }

  mutating func applied(_ chunk: consuming RowChanges, outcomes: [Outcome]) throws(DataError) {
    for (row, outcome) in outcomes.enumerated() {
      self.outcomes.append(outcome)
      if case .refused(let found) = outcome {
        problems += found
      } else {
        saved.append(Record(chunk.rows, row, of: chunk.schema))
      }
    }
  }

  mutating func refused(_ problem: Problem) {
    problems.append(problem)
  }

  mutating func finish() throws(DataError) {
    if let finalError { throw finalError }
    if !skipsInvalid, let error = DataError(problems) { throw error }
  }

  mutating func committed(throughLine line: Int) throws(DataError) {
    committedLines.append(line)
  }
}

import DataModel
import DataStore

/// Supplies chunks to a store and records what it reports.
struct Exchange: SaveExchange {
  /// The chunks that the store has not yet taken.
  var batches: [Changes]
  /// Whether invalid records are skipped instead of rejecting the save.
  var skipsInvalid = false
  /// The error that it throws at the end to roll back the save.
  var lastWord: DataError?
  private(set) var outcomes: [Outcome] = []
  private(set) var saved: [Record] = []
  private(set) var problems: [Problem] = []
  private(set) var committedLines: [Int] = []

  init(_ batches: [Changes]) {
    self.batches = batches
  }

  var canRestart: Bool { true }

  mutating func next() throws(DataError) -> Changes? {
    batches.isEmpty ? nil : batches.removeFirst()
  }

  mutating func settled(_ batch: consuming Changes, outcomes: [Outcome]) throws(DataError) {
    for (row, outcome) in outcomes.enumerated() {
      self.outcomes.append(outcome)
      if case .refused(let found) = outcome {
        problems += found
      } else {
        saved.append(Record(batch.rows, row, of: batch.schema))
      }
    }
  }

  mutating func refused(_ problem: Problem) {
    problems.append(problem)
  }

  mutating func finish() throws(DataError) {
    if let lastWord { throw lastWord }
    if !skipsInvalid, let error = DataError(problems) { throw error }
  }

  mutating func committed(throughLine line: Int) throws(DataError) {
    committedLines.append(line)
  }
}

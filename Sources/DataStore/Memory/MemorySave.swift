import DataModel

/// A save on its way: the state as it would be, and what has to be looked at before it is.
struct MemorySave {
  let request: SaveRequest
  private(set) var state: MemoryState
  /// What is wrong, if the whole save is to be refused for it.
  private(set) var refusal: DataError?
  private var written: [MemoryState.Reference: Int] = [:]
  private var count = 0
  /// Whether nothing came with the last batch.
  private var isPaused = false
  private var lastLine: Int?

  init(_ request: SaveRequest, over state: MemoryState) {
    self.request = request
    self.state = state
  }

  var isRefused: Bool { refusal != nil }

  /// Whether it is time to commit what has come so far.
  var isDue: Bool { request.commitEvery.map { count >= $0 || isPaused } ?? false }

  /// Saves a batch and tells its outcomes.
  mutating func take<Exchange: SaveExchange>(
    _ batch: Changes, through exchange: inout Exchange
  ) throws(DataError) {
    var batch = batch
    var outcomes: [Outcome] = []
    for row in 0..<batch.count {
      let outcome = try state.save(row, of: &batch, by: request, written: &written)
      if case .refused(let problems) = outcome, request.onInvalid == .refuseAll {
        for problem in problems { note(problem) }
      }
      outcomes.append(outcome)
    }
    count += batch.count
    isPaused = batch.count == 0
    lastLine = batch.lines.last ?? lastLine
    try exchange.settled(batch, outcomes: outcomes)
  }

  /// Looks whether every reference that was written leads to a record.
  mutating func check<Exchange: SaveExchange>(
    through exchange: inout Exchange
  ) throws(DataError) {
    for problem in state.dangling(among: written, of: request.schema) {
      note(problem)
      exchange.refused(problem)
    }
    written = [:]
  }

  /// Begins the next part after a commit, and gives the line of the last record before it.
  mutating func endPart() -> Int? {
    defer {
      count = 0
      lastLine = nil
    }
    return lastLine
  }

  private mutating func note(_ problem: Problem) {
    if refusal == nil { refusal = DataError(problem) } else { refusal?.add(problem) }
  }
}

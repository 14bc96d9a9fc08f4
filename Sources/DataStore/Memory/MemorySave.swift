import DataModel

/// A save in progress: the new state, and the references to check before it is committed.
struct MemorySave {
  let request: SaveRequest
  private(set) var state: MemoryState
  /// The problems for which the whole save is refused.
  private(set) var refusal: DataError?
  private var written: [MemoryState.Reference: Int] = [:]
  private var count = 0
  /// Whether the last chunk was empty, which means that the input stalls.
  private var isPaused = false
  private var lastLine: Int?

  init(_ request: SaveRequest, over state: MemoryState) {
    self.request = request
    self.state = state
  }

  var isRefused: Bool { refusal != nil }

  /// Whether the records so far are to be committed now.
  var isDue: Bool { request.commitEvery.map { count >= $0 || isPaused } ?? false }

  /// Saves a chunk, and passes its outcomes to the exchange.
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

  /// Checks that every reference written since the last check has a target.
  mutating func check<Exchange: SaveExchange>(
    through exchange: inout Exchange
  ) throws(DataError) {
    for problem in state.dangling(among: written, of: request.schema) {
      note(problem)
      exchange.refused(problem)
    }
    written = [:]
  }

  /// Starts the next part after a commit, and returns the line of the last committed record.
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

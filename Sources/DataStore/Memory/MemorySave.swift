import DataModel

/// A save in progress: the new state, and the references to check before it is committed.
struct MemorySave {
  let request: SaveRequest
  private(set) var state: MemoryState
  /// The problems for which the whole save is refused.
  private(set) var saveError: DataError?
  private var written: [MemoryState.Reference: Int] = [:]
  private var count = 0
  /// Whether the last chunk was empty, which means that the input stalls.
  private var isStalled = false
  private var lastLine: Int?

  init(_ request: SaveRequest, over state: MemoryState) {
    self.request = request
    self.state = state
  }

  var isRejected: Bool { saveError != nil }

  /// Whether the records so far are to be committed now.
  var isCommitDue: Bool { request.commitEvery.map { count >= $0 || isStalled } ?? false }

  /// Saves a chunk, and passes its outcomes to the exchange.
  mutating func apply<Exchange: SaveExchange>(
    _ chunk: RowChanges, through exchange: inout Exchange
  ) throws(DataError) {
    var chunk = chunk
    var outcomes: [Outcome] = []
    for row in 0..<chunk.count {
      let outcome = try state.save(row, of: &chunk, by: request, written: &written)
      if case .refused(let problems) = outcome, request.onInvalid == .refuseAll {
        for problem in problems { addProblem(problem) }
      }
      outcomes.append(outcome)
    }
    count += chunk.count
    isStalled = chunk.count == 0
    lastLine = chunk.lines.last ?? lastLine
    try exchange.applied(chunk, outcomes: outcomes)
  }

  /// Checks that every reference written since the last check has a target.
  mutating func check<Exchange: SaveExchange>(
    through exchange: inout Exchange
  ) throws(DataError) {
    for problem in state.dangling(among: written, of: request.schema) {
      addProblem(problem)
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

  private mutating func addProblem(_ problem: Problem) {
    if saveError == nil { saveError = DataError(problem) } else { saveError?.add(problem) }
  }
}

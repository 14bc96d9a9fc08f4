package import DataModel

/// A write transaction on a copy of the state of a memory store.
package final class MemoryTransaction: WriteTransaction {
  private(set) var state: MemoryState
  private let request: SaveRequest
  /// The relation fields to check before the commit, each with the input line of its record.
  private var written: [MemoryState.Reference: Int] = [:]

  init(_ request: SaveRequest, over state: MemoryState) {
    self.request = request
    self.state = state
  }

  package func prepare(_ request: SaveRequest) throws(DataError) -> SchemaVersions {
    if let plan = request.plan {
      try state.apply(plan)
      try state.checkIsCurrent(request.schema)
    } else {
      try state.checkIsCurrent(request.schema, validatedAgainst: request.versions)
    }
    return state.stored.versions(concerning: request.schema)
  }

  package func save(_ chunk: inout RowChanges) throws(DataError) -> [Outcome] {
    var outcomes: [Outcome] = []
    for row in 0..<chunk.count {
      outcomes.append(try state.save(row, of: &chunk, by: request, written: &written))
    }
    return outcomes
  }

  package func unresolvedReferences(_ found: (Problem) -> Void) {
    state.dangling(among: written, of: request.schema).forEach(found)
    written = [:]
  }

  package func finish(_ end: SaveRequest.End) {}
}

extension MemoryStore {
  package func begin(
    _ request: SaveRequest, continuing previous: MemoryTransaction?
  ) -> MemoryTransaction {
    MemoryTransaction(request, over: state)
  }

  package func commit(_ transaction: MemoryTransaction) { state = transaction.state }

  package func rollBack(_ transaction: MemoryTransaction) {}
}

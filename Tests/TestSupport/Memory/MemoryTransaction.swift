package import DataModel
package import DataStore

/// A write transaction on a copy of the state of a memory store.
package final class MemoryTransaction: WriteTransaction {
  fileprivate(set) var state: MemoryState
  private let request: WriteRequest
  /// The relation fields to check before the commit, each with the input line of its record.
  private var written: [MemoryState.Reference: Int] = [:]
  /// The states at the savepoints.
  private var savepoints: [MemoryState] = []
  package var ownership: Ownership?

  init(_ request: WriteRequest, over state: MemoryState) {
    self.request = request
    self.state = state
  }

  package func prepare(_ request: WriteRequest) throws(DataError) -> SchemaVersions {
    if let plan = request.plan {
      try state.apply(plan)
      for schema in request.schemas { try state.checkIsCurrent(schema) }
    } else {
      try state.stored.check(request.versions, of: request.schemas)
    }
    return state.stored.versions(concerning: request.schemas)
  }

  package func save(
    _ chunk: inout RowChanges, _ policy: SavePolicy
  ) throws(DataError) -> [Outcome] {
    var outcomes: [Outcome] = []
    for row in 0..<chunk.count {
      outcomes.append(
        try state.save(row, of: &chunk, by: policy, request, written: &written))
    }
    return outcomes
  }

  package var catalog: Catalog { state.stored.catalog }

  package func touch(_ ids: [String], in schema: Schema) {
    for id in ids { state.touch(Array(id.utf8), in: schema, request.stamp) }
  }

  package func delete(_ deletion: DeleteRequest) throws(DataError) -> DeleteResult {
    try state.delete(deletion, stamp: request.stamp)
  }

  package func rows(_ query: Query) throws(DataError) -> [Rows] {
    try MemorySnapshot(state: state).rows(query)
  }

  package func claim(_ key: [UInt8], at time: Timestamp) {
    if state.sessions[key] == nil {
      state.sessions[key] = Session(user: "", created: time, expires: time)
    }
  }

  package func store(_ row: Session, for key: [UInt8]) { state.sessions[key] = row }

  package func session(_ tokenHash: [UInt8], at time: Timestamp) -> Session? {
    state.session(tokenHash, at: time)
  }

  package func unresolvedReferences(_ found: (Problem) -> Void) {
    state.dangling(among: written).forEach(found)
    written = [:]
  }

  package func setSavepoint() { savepoints.append(state) }

  package func releaseSavepoint() { _ = savepoints.popLast() }

  package func rollBackToSavepoint() {
    if let savepoint = savepoints.popLast() { state = savepoint }
    written = [:]
  }

  package func finish(_ end: WriteRequest.End) {}
}

extension MemoryStore {
  package func begin(
    _ request: WriteRequest, continuing previous: MemoryTransaction?
  ) -> MemoryTransaction {
    MemoryTransaction(request, over: state)
  }

  package func commit(_ transaction: MemoryTransaction) { state = transaction.state }

  package func rollBack(_ transaction: MemoryTransaction) {}
}

/// Writes the contents of files to the records of a transaction.
private struct MemoryPieceWriter: FilePieceWriter {
  let schema: Schema
  let transaction: MemoryTransaction

  func remove(_ id: String, _ slot: Int) { transaction.setFile(slot, of: id, in: schema, to: nil) }

  func add(_ piece: [UInt8], _ number: Int64, of id: String, _ slot: Int) {
    let bytes = number == 0 ? [] : transaction.file(slot, of: id, in: schema) ?? []
    transaction.setFile(slot, of: id, in: schema, to: bytes + piece)
  }
}

extension MemoryTransaction {
  package func filePieceWriter(of schema: Schema) -> any FilePieceWriter {
    MemoryPieceWriter(schema: schema, transaction: self)
  }

  package func hasContent(_ field: FileField) -> Bool {
    file(field.slot, of: field.id, in: field.schema)?.isEmpty == false
  }

  fileprivate func file(_ slot: Int, of id: String, in schema: Schema) -> [UInt8]? {
    state.tables[schema.name]?.records[Array(id.utf8)]?.files[schema.name(of: slot)]
  }

  fileprivate func setFile(_ slot: Int, of id: String, in schema: Schema, to bytes: [UInt8]?) {
    state.tables[schema.name]?.records[Array(id.utf8)]?.files[schema.name(of: slot)] = bytes
  }
}

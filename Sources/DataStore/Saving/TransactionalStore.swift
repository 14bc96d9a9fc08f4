package import DataModel

/// A store that executes each write in a transaction of its engine. The engine implements the
/// transactions; the save loop that uses them is implemented here, for all engines.
package protocol TransactionalStore: Store, Actor {
  associatedtype Transaction: WriteTransaction

  /// Whether a transaction can conflict with another writer, so that the write must be retried.
  static var retriesConflicts: Bool { get }

  /// Returns a transaction for the operations of a write up to the next commit. The engine may
  /// begin the transaction later, but at the latest in `WriteTransaction.prepare`.
  ///
  /// - Parameter previous: The transaction that the same write has committed most recently, or nil
  ///   before the first commit.
  func begin(
    _ request: WriteRequest, continuing previous: Transaction?
  ) async throws(DataError) -> Transaction

  /// Commits a transaction. If this method throws an error, the caller must call `rollBack`,
  /// because the transaction may still be open.
  func commit(_ transaction: Transaction) async throws(DataError)

  /// Rolls a transaction back, unless it was already committed or rolled back.
  func rollBack(_ transaction: Transaction)

  /// Returns the error to report for a transaction that failed and was rolled back. An engine can
  /// return another error that names the actual cause, such as a table that another program
  /// dropped.
  func diagnosed(_ error: DataError, of transaction: Transaction) -> DataError
}

extension TransactionalStore {
  package static var retriesConflicts: Bool { false }

  package func diagnosed(_ error: DataError, of transaction: Transaction) -> DataError { error }

  package func write<Source: OperationSource>(
    _ request: WriteRequest, from source: inout Source
  ) async throws(DataError) {
    // The source is copied only if a retry is possible. Copies share the memory of the chunks, so
    // while the copy exists, each chunk has to be copied before it is changed.
    let start: Source? = Self.retriesConflicts && source.canRestart ? source : nil
    var retries = RetryBackoff(request.wait)
    while true {
      var progress = PartProgress<Transaction>(request)
      do throws(DataError) {
        return try await write(&progress, from: &source)
      } catch {
        guard let failed = progress.transaction else { throw error }
        rollBack(failed)
        guard failed.isRetryable, progress.previous == nil, let start, await retries.pause() else {
          throw diagnosed(error, of: failed)
        }
        source = start
      }
    }
  }

  private func write<Source: OperationSource>(
    _ progress: inout PartProgress<Transaction>, from source: inout Source
  ) async throws(DataError) {
    while let operation = try source.next() {
      let transaction = try await transaction(&progress)
      switch consume operation {
      case .save(var chunk, let policy):
        let outcomes = try save(&chunk, policy, &progress.access, in: transaction)
        progress.add(chunk)
        progress.request.receipt?.add(outcomes)
        // The chunk is consumed, so that the source can reuse its memory.
        try source.applied(consume chunk, outcomes: outcomes)
      case .saveTrees(let chunks, let lists):
        let result = try save(
          chunks, lists, progress.request, &progress.access,
          returningRemoved: source.needsRemovedParts, in: transaction)
        progress.add(result.chunks)
        for (chunk, outcomes) in zip(result.chunks, result.outcomes) where !chunk.isInside {
          progress.request.receipt?.add(outcomes)
        }
        try source.appliedTrees(
          result.chunks, outcomes: result.outcomes, problems: result.problems)
      case .content(let content, let fields):
        guard progress.access == nil else {
          throw DataError(.administratorsOnly("add contents to saved records"))
        }
        try transaction.add(
          content, to: fields, mayExist: progress.request.copy?.isContinued == true)
      case .delete(let request):
        let result = try delete(request, progress.access, in: transaction)
        progress.request.receipt?.add(result.summary)
        try source.deleted(result)
      case .read(let query, let ids):
        if !ids.isEmpty { try transaction.lock(ids, in: query.schema) }
        try source.read(rows(query, progress.access, in: transaction))
      }
      if progress.isPartComplete { try await endPart(&progress, from: &source) }
    }
    try await endPart(&progress, from: &source)
    if let transaction = progress.transaction.take() { rollBack(transaction) }
  }

  /// Saves the rows of a chunk. If access rules apply to the caller, rejects the rows that the
  /// rules do not allow.
  private func save(
    _ chunk: inout RowChanges, _ policy: SavePolicy, _ access: inout WriteAccess?,
    in transaction: Transaction
  ) throws(DataError) -> [Outcome] {
    if let outcomes = try access?.save(&chunk, policy, in: transaction) { return outcomes }
    return try transaction.saveParts(&chunk, policy)
  }

  private func delete(
    _ request: DeleteRequest, _ access: WriteAccess?, in transaction: Transaction
  ) throws(DataError) -> DeleteResult {
    if let access { return try access.delete(request, in: transaction) }
    return try transaction.deleteParts(request)
  }

  private func rows(
    _ query: Query, _ access: WriteAccess?, in transaction: Transaction
  ) throws(DataError) -> [Rows] {
    if let access { return try access.rows(query, in: transaction) }
    return try transaction.rows(query)
  }

  /// Saves the chunks of one or more trees. If the request skips invalid trees, the chunks belong
  /// to a single tree, which is saved completely or not at all.
  private func save(
    _ chunks: consuming [TreeChunk], _ lists: [PartList], _ request: WriteRequest,
    _ access: inout WriteAccess?, returningRemoved: Bool, in transaction: Transaction
  ) throws(DataError) -> (chunks: [TreeChunk], outcomes: [[Outcome]], problems: [Problem]) {
    let isSkipping = request.onInvalid == .skipTrees
    let accessBefore = access
    let ownershipBefore = transaction.ownership
    if isSkipping { try transaction.setSavepoint() }
    let removals = try transaction.begin(lists, in: &chunks, for: access)
    let mayCollide = removals.contains { $0.schema.fields.contains(where: \.isUnique) }
    let originals = mayCollide ? chunks : []
    var outcomes: [[Outcome]] = []
    for index in chunks.indices {
      outcomes.append(
        try save(&chunks[index].changes, chunks[index].policy, &access, in: transaction))
    }
    for (schema, ids) in removals where mayCollide {
      for index in chunks.indices where chunks[index].changes.schema.name == schema.name {
        var ids = Set(ids)
        while let holders = Self.holders(among: ids, outcomes[index]) {
          // The parts to remove do not hold their unique values against the others.
          ids.subtract(holders)
          try remove(
            Array(holders), of: schema, access, returning: returningRemoved, in: transaction)
          var again = originals[index].changes
          let refused = again.denyAll(except: outcomes[index])
          let saved = try save(&again, chunks[index].policy, &access, in: transaction)
          for row in refused {
            outcomes[index][row] = saved[row]
            chunks[index].changes.replace(row, by: again)
          }
        }
      }
    }
    transaction.ownership?.mark(&chunks, &outcomes)
    guard isSkipping else { return (chunks, outcomes, []) }
    var problems: [Problem] = []
    try transaction.unresolvedReferences { problems.append($0) }
    problems += try access?.problems(in: transaction) ?? []
    problems += try transaction.ownership?.chainProblems(in: transaction) ?? []
    if problems.isEmpty, !outcomes.joined().contains(where: \.isRefused) {
      problems += try problemsOfRemoving(removals, access, in: transaction)
    }
    if problems.isEmpty, !outcomes.joined().contains(where: \.isRefused) {
      try transaction.releaseSavepoint()
    } else {
      try transaction.rollBackToSavepoint()
      access = accessBefore
      transaction.ownership = ownershipBefore
      transaction.ownership?.spare(lists, in: chunks)
    }
    return (chunks, outcomes, problems)
  }

  /// Returns which of the parts to remove have the unique values of rejected rows, or nil if none
  /// has.
  private static func holders(among ids: Set<[UInt8]>, _ outcomes: [Outcome]) -> Set<[UInt8]>? {
    var holders: Set<[UInt8]> = []
    for case .refused(let problems) in outcomes {
      holders.formUnion(
        problems.compactMap { $0.holder.map { Array($0.utf8) } }.filter(ids.contains))
    }
    return holders.isEmpty ? nil : holders
  }

  /// Returns the problems that prevent the deletion of the parts that the lists of a tree do not
  /// name. They are deleted at the end, because a later list can name them.
  private func problemsOfRemoving(
    _ removals: [(schema: Schema, ids: [[UInt8]])], _ access: WriteAccess?,
    in transaction: Transaction
  ) throws(DataError) -> [Problem] {
    guard !removals.isEmpty else { return [] }
    let ownership = transaction.ownership
    try transaction.setSavepoint()
    var problems: [Problem] = []
    do throws(DataError) {
      for (schema, ids) in removals {
        try remove(ids, of: schema, access, returning: false, in: transaction)
      }
    } catch {
      guard [.referenced, .forbidden].contains(error.code) else { throw error }
      problems = error.problems
    }
    try transaction.rollBackToSavepoint()
    transaction.ownership = ownership
    return problems
  }

  /// Deletes parts that no list names.
  private func remove(
    _ ids: [[UInt8]], of schema: Schema, _ access: WriteAccess?, returning: Bool,
    in transaction: Transaction
  ) throws(DataError) {
    let list = IDList(ids.map { String(decoding: $0, as: UTF8.self) })
    var request = DeleteRequest(schema, .ids(list), missing: .ignored)
    request.returnsRecords = returning
    let result = try delete(request, access, in: transaction)
    transaction.ownership?.results.append((schema, result))
  }

  /// Deletes the parts that no list of the transaction names, and gives the owners of changed parts a
  /// new revision. Returns the problems with chains of owners.
  private func endOwnership<Source: OperationSource>(
    _ access: WriteAccess?, from source: inout Source, in transaction: Transaction
  ) throws(DataError) -> [Problem] {
    guard transaction.ownership != nil else { return [] }
    for (schema, ids) in try transaction.remainingRemovals() {
      try remove(ids, of: schema, access, returning: source.needsRemovedParts, in: transaction)
    }
    let results = transaction.ownership?.results ?? []
    transaction.ownership?.results = []
    for (schema, result) in results { try source.removed(result, of: schema) }
    return try transaction.ownership?.chainProblems(in: transaction) ?? []
  }

  /// Returns the open transaction, or begins and prepares a new one.
  private func transaction(
    _ progress: inout PartProgress<Transaction>
  ) async throws(DataError) -> Transaction {
    if let transaction = progress.transaction { return transaction }
    let transaction = try await begin(progress.request, continuing: progress.previous)
    progress.begin(transaction)
    progress.versions = try transaction.prepare(progress.request)
    transaction.ownership =
      progress.request.copy == nil ? Ownership(transaction.catalog, progress.request) : nil
    progress.access = nil
    let request = progress.request
    if let receipt = request.receipt { try receipt.begin(transaction, at: request.stamp.time) }
    if let scope = progress.request.scope {
      progress.access = try WriteAccess(scope, progress.request, in: transaction)
    }
    return transaction
  }

  /// Checks the references and the access rules for the changes since the last commit, and then
  /// commits the changes. In a dry run, keeps the transaction open instead.
  private func endPart<Source: OperationSource>(
    _ progress: inout PartProgress<Transaction>, from source: inout Source
  ) async throws(DataError) {
    guard let transaction = progress.transaction else { return try source.finish() }
    var found = try endOwnership(progress.access, from: &source, in: transaction)
    try transaction.unresolvedReferences { found.append($0) }
    let denied = try progress.access?.problems(in: transaction)
    // A reference to a hidden record is reported like one to a missing record, so that the caller
    // cannot find out that the record exists.
    if let denied {
      found = (found + denied).sorted { ($0.line ?? 0, $0.message) < ($1.line ?? 0, $1.message) }
    }
    for problem in found { source.refused(problem) }
    try source.finish()
    // The source may skip invalid records. However, these records are already saved, so the whole
    // transaction must be rolled back.
    if let denied, let error = DataError(denied) { throw error }
    try transaction.ownership?.touchOwners(in: transaction)
    try progress.access?.reserveSignUps()
    if let receipt = progress.request.receipt {
      try receipt.finish(
        transaction, rejecting: source.rejectedCount, printing: source.output,
        at: progress.request.stamp.time)
    }
    try transaction.finish(progress.request.end)
    let lastLine = progress.lastLine
    switch progress.request.end {
    case .rollBack: progress.begin(transaction)
    case .commit:
      try await commit(transaction)
      progress.access?.keepSignUps()
      progress.committed()
      if let lastLine { try source.committed(throughLine: lastLine) }
    }
  }
}

/// The progress of a write since its last commit.
private struct PartProgress<Transaction> {
  /// The request for the next transaction. Its schema plan is removed as soon as a transaction that
  /// has executed the plan is committed.
  private(set) var request: WriteRequest
  /// The open transaction; nil if no operation was executed since the last commit.
  var transaction: Transaction?
  /// The transaction that this write has committed most recently; nil before the first commit.
  private(set) var previous: Transaction?
  /// The versions of the schemas when the open transaction was prepared.
  var versions: SchemaVersions
  /// The checks of the access rules; nil for administrators.
  var access: WriteAccess?
  /// The input line of the last record that was saved since the last commit.
  private(set) var lastLine: Int?
  private var count = 0
  /// Whether the most recent chunk was empty, which means that no further input is available at
  /// present.
  private var isStalled = false
  private let clock = ContinuousClock()
  private var began: ContinuousClock.Instant

  init(_ request: WriteRequest) {
    self.request = request
    versions = request.versions
    began = clock.now
  }

  mutating func begin(_ transaction: Transaction) {
    self.transaction = transaction
    count = 0
    isStalled = false
    lastLine = nil
    began = clock.now
  }

  mutating func add(_ chunk: borrowing RowChanges) {
    count += chunk.count
    isStalled = chunk.count == 0
    lastLine = chunk.lines.last ?? lastLine
  }

  mutating func add(_ chunks: [TreeChunk]) {
    isStalled = false
    for chunk in chunks where !chunk.isInside {
      count += chunk.changes.count
      lastLine = chunk.changes.lines.last ?? lastLine
    }
  }

  /// Whether to commit now: after `commitEvery` records or one second, or because no further input
  /// is available yet. False if everything is committed at the end, as is a write with a receipt,
  /// because the receipt describes one transaction.
  var isPartComplete: Bool {
    guard let most = request.commitEvery, request.receipt == nil else { return false }
    return isStalled || count >= most || clock.now - began >= .seconds(1)
  }

  mutating func committed() {
    previous = transaction.take()
    request.plan = nil
    request.versions = versions
  }
}

package import DataModel
package import DataStore
private import RecordText

/// A chunk that has been read, and the invalid records that were read together with it.
private struct Chunk {
  var changes: RowChanges
  var rejected: [Rejection]
  var treePart: TreePart
}

/// A chunk that has been passed to the store. Some of its results have not been returned yet.
private struct PendingChunk {
  /// The number of rows whose results the store has not returned yet.
  var rows: Int
  var rejected: [Rejection]
  var treePart: TreePart
}

/// A save. It passes records from a source to a store, and the outcomes from the store to a
/// listener.
///
/// Before the store acquires its lock, the first chunks are read and their passwords are hashed.
/// The save collects the problems that the reader and the store find, and determines whether a
/// transaction is committed.
package struct RecordSave<Source: ChunkSource, Listener: SaveListener>: OperationSource {
  /// The number of chunks that are read before the store acquires its lock, so that the lock is
  /// held for a shorter time. These chunks take about 4 MB of memory. More chunks would need more
  /// memory than the rest of the save.
  package static var readAhead: Int { 8 }
  /// The maximum number of stored messages about references to rejected records. It limits the
  /// memory for these messages.
  private static var maxRejectedReferences: Int { 10_000 }
  /// When this many records have been rejected, no more chunks are read before the save begins.
  /// This limits the memory for the problems of these records.
  private static var maxRejectedAhead: Int { 1_000 }

  /// The listener that receives the outcomes. It may collect records, which the caller can read
  /// after the save.
  package var listener: Listener
  /// The numbers of records that have been created, changed, left unchanged, and rejected so far.
  package private(set) var summary = SaveSummary()
  private var nestedRecords: NestedRecordCounts
  /// The numbers of records that were deleted because the input does not contain them. Nil until
  /// these records are deleted.
  package private(set) var pruned: DeleteSummary?
  /// The warnings about the stored functions that are being saved.
  package private(set) var warnings: [String] = []

  package let request: WriteRequest
  private let schema: Schema
  private let policy: SavePolicy
  private let functions: FunctionCheck?
  /// The request to delete the records that are not in the input, or nil if no records are to be
  /// deleted. It is executed after all records are saved.
  private var pruning: DeleteRequest?
  /// The ids of the records in the input. They are collected only if `pruning` is not nil.
  private var savedIDs = SavedIDs()
  /// The rejected records because of which no records are deleted with `pruning`. Nil if there are
  /// none.
  package private(set) var unidentified: UnidentifiedRecords?
  /// The number of records that have been read but not committed.
  private var uncommitted = 0
  private var source: Source
  private let catalog: Catalog
  private var readChunks: [Chunk] = []
  /// The chunks that were passed to the store, oldest first. Some of their results have not been
  /// returned yet.
  private var pending: [PendingChunk] = []
  /// The chunks of trees that are not complete yet. They are passed to the store together when the
  /// final chunk has been read.
  private var treeChunks: [TreeChunk] = []
  /// The lists of inverses in these trees.
  private var treeLists: [PartList] = []
  private var spare: RowChanges?
  /// How many bytes of text the store prefers in a chunk, or nil for the default.
  fileprivate var preferredChunkSize: Int?
  fileprivate var passwordLimit = PasswordLimit.one
  private var isAtEnd = false
  /// Whether an invalid function was saved. If so, the transaction must be rolled back.
  private var hasInvalidFunction = false
  private var problems: DataError?
  /// Whether the header or the format of the input is invalid, so that no record could be read.
  package private(set) var isUnreadable = false
  /// The syntax error that prevented the rest of the input from being read, or nil if there was
  /// none.
  package private(set) var readingFailure: Problem?
  private var records = 0
  /// Whether the source contains nested records.
  private var hasInsideRecords = false
  private var savedRevisions = SavedRevisions()
  /// The messages of errors that the store may report about references to rejected nested records.
  /// These errors are not shown, because the rejection of the nested record itself is shown.
  private var rejectedReferences: Set<String> = []

  package init(
    _ source: Source, of schema: Schema, by policy: SavePolicy = SavePolicy(),
    _ request: WriteRequest, in catalog: Catalog = Catalog(), pruning: DeleteRequest? = nil,
    listener: Listener
  ) {
    self.pruning = pruning
    self.catalog = catalog
    self.source = source
    self.schema = schema
    self.policy = policy
    self.request = request
    functions = schema.isBuiltIn ? FunctionCheck(catalog) : nil
    nestedRecords = NestedRecordCounts(
      createdAt: policy.systemFields == .kept ? request.stamp.time : nil, rootSchema: schema.name)
    self.listener = listener
  }

  /// The number of records that have been saved or rejected so far.
  package var count: Int { summary.saved + summary.rejected }

  package var rejectedCount: Int { summary.rejected }

  /// The numbers of nested records that have been saved so far. A record that occurs several times
  /// is counted once.
  package var insideSummary: SaveSummary { nestedRecords.summary }

  /// Reads up to `readAhead` chunks, and hashes their passwords. Call this before the store acquires
  /// its lock.
  package mutating func prepare() async throws(DataError) {
    var rejectedCount = 0
    while !isAtEnd, readChunks.count < Self.readAhead, rejectedCount < Self.maxRejectedAhead {
      guard let chunk = try read() else { break }
      rejectedCount += chunk.rejected.count
      readChunks.append(chunk)
    }
    readChunks.reverse()
    for index in readChunks.indices {
      try await readChunks[index].changes.hashPasswordsBeforehand()
    }
  }

  /// Whether a copy of the save can be executed again after a conflict with another writer.
  ///
  /// This is the case if the input has been read completely, all file contents can be read again,
  /// and invalid records are not skipped. A skipped record is reported at once, and would be
  /// reported a second time.
  package var canRestart: Bool {
    isAtEnd && request.onInvalid == .refuseAll
      && readChunks.allSatisfy { chunk in chunk.changes.contents.allSatisfy(\.canRestart) }
  }

  package mutating func next() throws(DataError) -> WriteOperation? {
    while var chunk = try nextChunk() {
      if chunk.changes.count > 0 || chunk.rejected.isEmpty {
        let part = chunk.treePart
        pending.append(
          PendingChunk(rows: chunk.changes.count, rejected: chunk.rejected, treePart: part))
        let policy = policy.policy(of: part.role)
        if part.mayRecur, policy.revisions != .ignored { savedRevisions.expect(in: &chunk.changes) }
        guard isPartOfTrees(part), chunk.changes.count > 0 else {
          return .save(chunk.changes, policy)
        }
        treeChunks.append(
          TreeChunk(chunk.changes, policy, isInside: part.isInside, number: part.number))
        treeLists += part.lists
        if !part.isLast { continue }
        return takeTreeChunks()
      }
      if pending.isEmpty {
        try report(chunk.rejected, of: chunk.changes)
      } else {
        pending[pending.count - 1].rejected += chunk.rejected
      }
      spare = chunk.changes
      treeLists += chunk.treePart.lists
      // If the tree will not be complete, the problems are thrown when the store returns the outcomes
      // of its other records.
      if !treeChunks.isEmpty, stopsAtProblems || chunk.treePart.isLast { return takeTreeChunks() }
    }
    return try deletion().map(WriteOperation.delete)
  }

  private mutating func takeTreeChunks() -> WriteOperation {
    defer { (treeChunks, treeLists) = ([], []) }
    return .saveTrees(treeChunks, treeLists)
  }

  /// Returns the request to delete the records that are not in the input. Returns nil if no records
  /// are to be deleted, or if the save fails because of problems.
  private mutating func deletion() throws(DataError) -> DeleteRequest? {
    guard var deletion = pruning.take(), unidentified == nil,
      problems == nil || request.onInvalid != .refuseAll && !isUnreadable
    else { return nil }
    guard records + summary.rejected > 0 else {
      throw DataError(
        Problem(
          .invalid, "the input contains no records, so --prune would delete all matching records",
          hint: "to delete them, run datactl delete", schema: schema.name))
    }
    deletion.kept = savedIDs.list
    deletion.returnsRecords = listener.needsOldRecords
    return deletion
  }

  package mutating func deleted(_ result: DeleteResult) throws(DataError) {
    pruned = result.summary
    for records in result.records { try listener.deleted(records) }
  }

  package var needsRemovedParts: Bool { listener.needsOldRecords }

  package mutating func removed(_ result: DeleteResult, of schema: Schema) throws(DataError) {
    nestedRecords.count(result.summary)
    for records in result.records { try listener.deletedInside(records, of: schema) }
  }

  package mutating func applied(
    _ chunk: consuming RowChanges, outcomes: [Outcome]
  ) throws(DataError) {
    try add(chunk, outcomes)
    savedRevisions.removePending()
  }

  /// Counts the outcomes of a chunk, and passes them to the listener.
  private mutating func add(
    _ chunk: consuming RowChanges, _ outcomes: [Outcome]
  ) throws(DataError) {
    savedRevisions.add(chunk, outcomes)
    if let functions {
      let check = functions.check(chunk, outcomes)
      note(check.problems.map(source.locator.located))
      hasInvalidFunction = hasInvalidFunction || !check.problems.isEmpty
      warnings += check.warnings
    }
    let isInside = pending.first?.treePart.isInside == true
    if isInside {
      try listener.appliedInside(chunk, outcomes)
    } else {
      try listener.applied(chunk, outcomes)
    }
    var rejected = takeRejected(rows: chunk.count)
    let problems = located(outcomes, of: chunk)
    for (row, outcome) in outcomes.enumerated() {
      if let problems = problems[row] {
        rejected.append(
          Rejection(
            problems: problems, text: source.locator.originalText(chunk.lines[row]), row: row))
        if !isInside, chunk.hasAssignedID[row] { unidentified.add(problems.first) }
      } else if isInside {
        nestedRecords.count(outcome, of: chunk, row)
      } else {
        summary.count(outcome)
      }
    }
    try report(rejected, of: chunk)
    listener.progressed(SaveProgress(records: records, bytes: source.bytesRead))
    if chunk.schema.passwordSlot != nil { chunk.wipe() }
    spare = chunk
  }

  package mutating func appliedTrees(
    _ chunks: consuming [TreeChunk], outcomes: [[Outcome]], problems: [Problem]
  ) throws(DataError) {
    let isSaved = problems.isEmpty && !outcomes.joined().contains(where: \.isRefused)
    if isSaved || request.onInvalid != .skipTrees {
      for (chunk, outcomes) in zip(chunks, outcomes) {
        try add(chunk.changes, outcomes)
      }
    } else if let root = chunks.last {
      try skipTree(chunks, outcomes, problems, endingWith: root.changes)
    }
    savedRevisions.removePending()
  }

  /// Reports a tree that was not saved, because some of its records were refused or have problems.
  private mutating func skipTree(
    _ chunks: [TreeChunk], _ outcomes: [[Outcome]], _ unresolved: [Problem],
    endingWith root: RowChanges
  ) throws(DataError) {
    var problems: [Problem] = []
    for (chunk, outcomes) in zip(chunks, outcomes) {
      let found = located(outcomes, of: chunk.changes)
      for row in found.keys.sorted() { problems += found[row] ?? [] }
    }
    // References to the refused records dangle too.
    let refused = Set(problems.compactMap(\.danglingReferenceMessage))
    problems += unresolved.filter { !refused.contains($0.message) }.map(source.locator.located)
    let text = pending.first?.treePart.text
    var rejected = takeRejected(rows: outcomes.reduce(0) { $0 + $1.count })
    rejected.append(Rejection(problems: problems, text: text))
    if root.hasAssignedID.contains(true) { unidentified.add(problems.first) }
    try report(rejected, of: root)
    listener.progressed(SaveProgress(records: records, bytes: source.bytesRead))
  }

  /// Returns the problems of the refused records of a chunk, with their locations in the input.
  ///
  /// If a unique value is already used by a nested record of the same chunk whose id was generated,
  /// the message contains the path of this record instead: the id exists nowhere.
  private func located(_ outcomes: [Outcome], of chunk: RowChanges) -> [Int: [Problem]] {
    guard outcomes.contains(where: \.isRefused) else { return [:] }
    var lines: [String: Int] = [:]
    for row in 0..<chunk.count where chunk.hasAssignedID[row] {
      lines[chunk.rows.text(chunk.rows[row, chunk.schema.keySlot])] = chunk.lines[row]
    }
    var located: [Int: [Problem]] = [:]
    for (row, outcome) in outcomes.enumerated() {
      guard case .refused(let problems) = outcome else { continue }
      located[row] = problems.map { problem in
        var located = source.locator.located(problem)
        guard located.path != nil, let id = problem.holder, let line = lines[id] else {
          return located
        }
        let holder = source.locator.located(
          Problem(.notUnique, "", schema: problem.schema, line: line))
        guard let path = holder.path else { return located }
        located.message.removeLast(Excerpt.quoted(id).count)
        located.message += path
        if let line = holder.line, line != located.line { located.message += " in line \(line)" }
        return located
      }
    }
    return located
  }

  package mutating func refused(_ problem: Problem) {
    if problem.code == .danglingReference, rejectedReferences.contains(problem.message) { return }
    note([source.locator.located(problem)])
  }

  package mutating func finish() throws(DataError) {
    guard let problems else { return }
    switch request.onInvalid {
    case .refuseAll: throw problems
    case .skip, .skipTrees: if hasInvalidFunction || isUnreadable { throw problems }
    }
  }

  package mutating func committed(throughLine line: Int) throws(DataError) {
    // The outcomes of all committed rows have been returned, so only the pending rows are
    // uncommitted.
    uncommitted = pending.reduce(0) { $0 + ($1.treePart.isInside ? 0 : $1.rows) }
    try listener.committed(throughLine: source.locator.inputLine(line))
  }

  package var output: [UInt8]? { listener.output }

  /// The problems of the records that were skipped, or nil if there are none.
  package var skippedProblems: DataError? { problems }

  /// Removes rows from the chunks in `pending`, because the store has returned their results.
  /// Chunks without remaining rows are removed too. Returns the invalid records that were read
  /// together with these chunks.
  private mutating func takeRejected(rows: Int) -> [Rejection] {
    var rejected: [Rejection] = []
    var rows = rows
    while let first = pending.first, first.rows <= rows {
      rows -= first.rows
      rejected += first.rejected
      pending.removeFirst()
    }
    if !pending.isEmpty { pending[0].rows -= rows }
    return rejected
  }

  /// Counts the records that are not saved, and passes them to the listener in the order of the
  /// input.
  private mutating func report(
    _ rejected: [Rejection], of chunk: borrowing RowChanges
  ) throws(DataError) {
    for rejection in rejected.sorted(by: { ($0.line, $0.row ?? -1) < ($1.line, $1.row ?? -1) }) {
      if hasInsideRecords { noteReferences(to: rejection) }
      note(rejection.problems)
      switch rejection.unread {
      case nil: break
      case .rest: readingFailure = rejection.problems.first
      case .wholeInput:
        isUnreadable = true
        continue
      }
      summary.rejected += 1
      try listener.rejected(rejection, of: chunk)
    }
    if let problems, stopsAtProblems { throw problems }
  }

  /// Whether the save stops at the first problem. This is necessary if the save commits several
  /// times, because records that have been committed cannot be rolled back when a later problem is
  /// found.
  private var stopsAtProblems: Bool {
    request.commitEvery != nil && request.onInvalid == .refuseAll
  }

  /// Returns whether a chunk must be passed to the store together with the other chunks of its
  /// trees. This is necessary so that invalid trees can be skipped as a whole, and so that no
  /// commit divides a tree.
  private func isPartOfTrees(_ part: TreePart) -> Bool {
    switch request.onInvalid {
    case .skipTrees: true
    case .refuseAll, .skip:
      part.hasLists || request.commitEvery != nil && (!part.isLast || !treeChunks.isEmpty)
    }
  }

  /// The limits on the next chunk. If `commitEvery` is set, the chunk contains at most as many
  /// records as can be saved before the next commit. While records wait for a commit, the save
  /// waits at most a second for more input.
  private var chunkLimit: ChunkLimit {
    guard let commitEvery = request.commitEvery else {
      return preferredChunkSize.map { ChunkLimit(bytes: $0) } ?? ChunkLimit()
    }
    return ChunkLimit(
      rows: max(1, commitEvery - uncommitted), timeout: uncommitted > 0 ? 1 : nil)
  }

  private mutating func nextChunk() throws(DataError) -> Chunk? {
    if let chunk = readChunks.popLast() { return chunk }
    guard var chunk = try read() else { return nil }
    try chunk.changes.hashPasswords()
    return chunk
  }

  private mutating func read() throws(DataError) -> Chunk? {
    if isAtEnd { return nil }
    guard
      var changes = try source.next(reusing: spare.take() ?? RowChanges(for: schema), chunkLimit)
    else {
      isAtEnd = true
      return nil
    }
    let treePart = source.treePart
    records += changes.count
    if treePart.isInside { hasInsideRecords = true } else { uncommitted += changes.count }
    if pruning != nil, changes.schema.name == schema.name { try savedIDs.add(changes) }
    changes.keepsOldRecords = listener.needsOldRecords
    do throws(DataError) {
      try changes.countPasswords(within: &passwordLimit)
    } catch {
      throw error.modifyingProblems { $0 = source.locator.located($0) }
    }
    listener.progressed(SaveProgress(records: records, bytes: source.bytesRead))
    let rejected = source.rejected.map { rejection in
      var rejection = rejection
      for index in rejection.problems.indices { addHint(to: &rejection.problems[index]) }
      return rejection
    }
    if pruning != nil {
      for rejection in rejected {
        try savedIDs.add(rejection.ids ?? [])
        if rejection.ids == nil || rejection.unread != nil {
          unidentified.add(rejection.problems.first)
        }
      }
    }
    return Chunk(changes: changes, rejected: rejected, treePart: treePart)
  }

  /// Adds a hint if the problem is an unknown field whose name is that of an inverse relation.
  private func addHint(to problem: inout Problem) {
    guard problem.code == .unknownField, let name = problem.field,
      let schema = problem.schema.flatMap({ catalog[$0] }),
      let relation = catalog.relation(withInverse: name, of: schema)
    else { return }
    let other = relation.prefix { $0 != "." }
    problem.hint = """
      \(name) is the inverse of \(relation): to save its records, pass --deep, or save them in \
      \(other)
      """
  }

  /// Remembers a rejected nested record, so that errors of the store about references to this
  /// record are not shown.
  private mutating func noteReferences(to rejection: Rejection) {
    guard rejectedReferences.count < Self.maxRejectedReferences else { return }
    rejectedReferences.formUnion(rejection.problems.compactMap(\.danglingReferenceMessage))
  }

  private mutating func note(_ found: [Problem]) {
    for problem in found { problems.add(problem) }
  }
}

extension Client {
  /// Executes a save: reads the first chunks, then passes all records to the store.
  ///
  /// If `commitEvery` is set, no chunks are read in advance, because the source may be an endless
  /// stream whose records must be committed as they arrive.
  package func run<Source, Listener>(
    _ save: inout RecordSave<Source, Listener>
  ) async throws(DataError) {
    let request = save.request
    let store = try store
    save.preferredChunkSize = await store.preferredChunkSize
    save.passwordLimit = try await passwordLimit(of: request)
    if request.commitEvery == nil { try await save.prepare() }
    if let plan = request.plan?.plan, !plan.isEmpty, request.end == .commit { try makeFolder() }
    try await store.write(request, from: &save)
  }
}

extension SavePolicy {
  /// Returns the policy for records with a role. Nested records are created or changed, except that
  /// `--update` only changes them. `--create` and `--replace` do not apply to them, but `--replace`
  /// applies to parts, and with `--update`, parts can be added.
  func policy(of role: TreeRole) -> SavePolicy {
    var policy = self
    switch (role, mode) {
    case (.root, _), (.part, .replace), (.inside, .update): break
    case (.link, _): policy.mode = .update
    case (.inside, _), (.part, _): policy.mode = .createOrChange
    }
    return policy
  }
}

extension Problem {
  /// The error message for references to the record with this problem. The record is not saved, so
  /// the references dangle. Nil if the schema or the id of the record is not known.
  fileprivate var danglingReferenceMessage: String? {
    guard let schema, let id else { return nil }
    return Problem.danglingReferenceMessage(to: id, of: schema)
  }
}

extension Rejection {
  fileprivate var line: Int { problems.first?.line ?? 0 }
}

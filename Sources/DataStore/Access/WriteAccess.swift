package import DataModel

/// Enforces the access rules in one transaction of a write. The rules are checked twice: before a
/// record is changed or deleted, against its stored values; and before the commit, against the new
/// values of all created and changed records.
struct WriteAccess {
  private let scope: Scope
  private let queries: AccessQueries
  /// The created and changed records whose new values must still be checked. For each operation
  /// (such as `create`) and schema, contains the ids of the records, and the input line of each.
  /// Operations that the caller may perform on all records of a schema are omitted.
  private var written: [Target: [[UInt8]: Int]] = [:]
  /// The ids of the records that the transaction has created, by schema. Schemas in which the
  /// caller may read every record are omitted.
  private var created: [String: Set<[UInt8]>] = [:]
  private var references: [Reference] = []
  /// The number of users that the transaction has created.
  private var newUserCount = 0
  private let signUps: (limit: SignUpLimit, address: String)?
  private var reservation: SignUpLimit.Reservation?
  private var rewriteLimit = RewriteLimit()
  /// Whether invalid records are skipped. If so, the access rules are checked after each chunk, so
  /// that the records that violate them can be skipped, too.
  private let skipsInvalid: Bool

  private struct Target: Hashable {
    var verb: AccessVerb
    var schema: String
  }

  /// A reference that the caller has added to a record, and whose target the caller must be allowed
  /// to read. References to schemas in which the caller may read every record need no such check.
  private struct Reference {
    var schema: Schema
    var slot: Int
    var id: [UInt8]
    var target: [UInt8]
    var line: Int
    /// Whether the target of the reference was hidden from the caller before the record was saved.
    /// This has to be determined before the save, because the saved record can make its target
    /// readable.
    var isHidden: Bool
  }

  /// Creates the checks for a transaction. Throws an error if the session of the user has ended, if
  /// the user is disabled, if the roles of the user have changed since the scope was computed, or if the request changes
  /// schemas.
  init(_ scope: Scope, _ request: WriteRequest, in transaction: some WriteTransaction)
    throws(DataError)
  {
    self.scope = scope
    queries = AccessQueries(scope: scope)
    skipsInvalid = request.onInvalid == .skip
    signUps = request.signUps
    guard request.plan == nil else { throw DataError(.administratorsOnly("change schemas")) }
    guard let user = scope.user else { return }
    if case .session(let tokenHash) = request.caller,
      try transaction.session(tokenHash, at: request.stamp.time)?.user != user
    {
      throw .sessionEnded
    }
    let schema = try scope.fullCatalog.usersOfRules()
    let query = Query(
      schema, where: .equals(field: schema.key.name, value: .text(user)),
      slots: schema.slotsOfRoles)
    let found = try transaction.rows(query).first { $0.count > 0 }
    if let found, schema.isDisabled(in: found, 0) { throw .userDisabled(.notLoggedIn) }
    guard let found, schema.roles(in: found, 0) == scope.roles else {
      throw .changedConcurrently
    }
  }

  /// Saves a chunk of rows. Rejects the rows that the rules do not allow the caller to save.
  mutating func save(
    _ chunk: inout RowChanges, _ policy: SavePolicy, in transaction: some WriteTransaction
  ) throws(DataError) -> [Outcome] {
    guard skipsInvalid else { return try saveRows(&chunk, policy, in: transaction) }
    // Each round denies at least one row, so the loop ends.
    while true {
      try transaction.checkInterruption()
      var saved = chunk
      var checked = self
      let ownership = transaction.ownership
      try transaction.setSavepoint()
      let outcomes = try checked.saveRows(&saved, policy, in: transaction)
      let problems = try checked.problems(in: transaction)
      if problems.isEmpty {
        try transaction.releaseSavepoint()
        (chunk, self) = (saved, checked)
        return outcomes
      }
      transaction.ownership = ownership
      // The changes are undone, and the rows without problems are saved again. This is impossible
      // if the content of a file comes from a stream that can be read only once.
      try transaction.rollBackToSavepoint()
      let problemsByID = Dictionary(problems.map { ($0.id, $0) }) { first, _ in first }
      var deniedCount = 0
      for row in 0..<chunk.count {
        let id = chunk.rows.text(chunk.rows[row, chunk.schema.keySlot])
        if let problem = problemsByID[id] {
          chunk.deny(row, problem)
          deniedCount += 1
        }
      }
      guard deniedCount > 0, chunk.contents.allSatisfy(\.canRestart) else {
        throw DataError(problems) ?? .changedConcurrently
      }
    }
  }

  private mutating func saveRows(
    _ chunk: inout RowChanges, _ policy: SavePolicy, in transaction: some WriteTransaction
  ) throws(DataError) -> [Outcome] {
    let known = try scope.catalog.schema(chunk.schema.name)
    let schema = try scope.fullCatalog.schema(known.name)
    guard policy.systemFields == .kept else {
      throw DataError(.administratorsOnly("set system fields"))
    }
    try checkSavePermission(policy, schema)
    let ids = (0..<chunk.count).map { chunk.rows.bytes(chunk.rows[$0, schema.keySlot]) }
    let old = try queries.storedRecords(ids, of: schema, in: transaction)
    try denyRows(of: &chunk, ids, over: old, policy, known, schema, in: transaction)
    try rewriteLimit.count(chunk, ids, over: old)
    let hiddenTargets = try hiddenTargets(of: chunk, in: transaction)
    // Records that no rule can deny are not collected for the check before the commit, so that they
    // need no memory.
    let isReadable = scope.permission(to: .read, schema.name) == .all
    let isCreatable = scope.permission(to: .create, schema.name) == .all
    let isUpdatable = scope.permission(to: .update, schema.name) == .all
    let relationSlots = schema.fields.indices.filter { slot in
      schema.type(of: slot).relation.map { scope.permission(to: .read, $0.target) != .all } == true
    }
    var revisions = old.mapValues { $0[0, schema.slot(.revision)].integer }
    var outcomes = try transaction.saveParts(&chunk, policy)
    for (row, outcome) in outcomes.enumerated() {
      let line = chunk.lines[row]
      let revision = chunk.rows[row, schema.slot(.revision)].integer
      switch outcome {
      case .created:
        guard revisions[ids[row]] == nil else { throw .changedConcurrently }
        if schema.kind == .user { newUserCount += 1 }
        if !isReadable { created[schema.name, default: []].insert(ids[row]) }
        if !isCreatable {
          written[Target(verb: .create, schema: schema.name), default: [:]][ids[row]] = line
        }
        addReferences(row, of: chunk, in: relationSlots, schema, over: nil, hiddenTargets)
        revisions[ids[row]] = revision
      case .changed(let slots):
        guard revisions[ids[row]] == revision - 1 else { throw .changedConcurrently }
        if !isUpdatable {
          written[Target(verb: .update, schema: schema.name), default: [:]][ids[row]] = line
        }
        addReferences(
          row, of: chunk, in: slots.filter(relationSlots.contains), schema, over: old[ids[row]],
          hiddenTargets)
        revisions[ids[row]] = revision
      case .same: break
      case .refused(let problems):
        outcomes[row] = .refused(problems.map { scope.withoutSecrets($0, known) })
      }
    }
    chunk.hide(known.hiddenSlots)
    return outcomes
  }

  /// Throws an error if the caller may not save any record of the schema.
  private func checkSavePermission(_ policy: SavePolicy, _ schema: Schema) throws(DataError) {
    let verbs: [AccessVerb] =
      switch policy.mode {
      case .create: [.create]
      case .update: [.update]
      case .createOrChange, .replace: [.create, .update]
      }
    guard verbs.allSatisfy({ scope.permission(to: $0, schema.name) == .none }) else { return }
    var problem = scope.denial(verbs[0], schema)
    if verbs.count > 1 {
      problem.message =
        "the access rules do not allow you to create or change records of \(schema.name)"
    }
    throw DataError(problem)
  }

  /// Denies the rows of a chunk that create or change records although the access rules do not
  /// allow this. In rows that replace a record, keeps the stored values of the fields that the
  /// caller may not write.
  private func denyRows(
    of chunk: inout RowChanges, _ ids: [[UInt8]], over old: [[UInt8]: Rows], _ policy: SavePolicy,
    _ known: Schema, _ schema: Schema, in transaction: some WriteTransaction
  ) throws(DataError) {
    let found = Array(old.keys)
    let readable = try queries.permitted(.read, found, schema, in: transaction)
    let updatable = try queries.permitted(.update, found, schema, in: transaction)
    let readOnlySlots = scope.readOnlySlots(of: schema).sorted()
    for (row, id) in ids.enumerated() {
      let (record, line) = (old[id], chunk.lines[row])
      let problem: Problem? =
        if record == nil, policy.mode == .update {
          scope.hiddenRecordProblem(id, schema, policy.mode, line: line)
        } else if record == nil {
          scope.permission(to: .create, schema.name) == .none
            ? scope.denial(.create, schema, id: id, line: line) : nil
        } else if !readable.contains(id) {
          scope.hiddenRecordProblem(id, schema, policy.mode, line: line)
        } else if policy.mode != .create, !updatable.contains(id) {
          scope.denial(.update, schema, id: id, line: line)
        } else if let slot = schema.passwordSlot, chunk.rows[row, slot].kind != .missing {
          scope.passwordDenial(of: id, schema, line: line)
        } else {
          nil
        }
      if let problem {
        chunk.deny(row, problem)
        continue
      }
      for slot in readOnlySlots where slot != schema.keySlot {
        if chunk.wouldChange(row, slot, over: record) {
          let field = known.hiddenSlots.contains(slot) ? nil : schema.name(of: slot)
          chunk.deny(row, scope.denial(.update, schema, id: id, field: field, line: line))
        } else if let record, policy.mode == .replace {
          chunk.keep(row, slot, of: record)
        }
      }
    }
  }

  /// Deletes the records that the request selects. Throws an error if the caller may not delete one
  /// of them. The result does not count the records of other schemas that are deleted or changed as
  /// a consequence, because the caller may not be allowed to read them.
  func delete(
    _ request: DeleteRequest, in transaction: some WriteTransaction
  ) throws(DataError) -> DeleteResult {
    let known = try scope.catalog.schema(request.schema.name)
    let schema = try scope.fullCatalog.schema(known.name)
    guard scope.permission(to: .delete, schema.name) != .none else {
      throw DataError(scope.denial(.delete, schema))
    }
    var error: DataError?
    var selected: [[UInt8]] = []
    switch request.selection {
    case .ids(let list):
      let next = try list.reader()
      while let ids = try next() {
        try transaction.lock(ids, in: schema)
        let bytes = ids.map { Array($0.utf8) }
        let readable = try queries.permitted(.read, bytes, schema, in: transaction)
        for id in bytes where !readable.contains(id) && request.missing == .refused {
          error.add(.recordNotFound(id: String(decoding: id, as: UTF8.self), of: schema))
        }
        selected += bytes.filter(readable.contains)
      }
    case .matching(let condition):
      let query = Query(known, where: condition, slots: [known.keySlot])
      selected = try AccessQueries.ids(transaction.rows(query.bound(to: scope)), schema)
      if !selected.isEmpty {
        // Another transaction may have changed the records before they were locked.
        try transaction.lock(selected.map { String(decoding: $0, as: UTF8.self) }, in: schema)
        selected = try AccessQueries.ids(transaction.rows(query.bound(to: scope)), schema)
      }
    }
    if let kept = request.kept {
      var ids: Set<[UInt8]> = []
      let next = try kept.reader()
      while let chunk = try next() { ids.formUnion(chunk.map { Array($0.utf8) }) }
      selected.removeAll(where: ids.contains)
    }
    let deletable = try queries.permitted(.delete, selected, schema, in: transaction)
    for id in selected where !deletable.contains(id) {
      error.add(scope.denial(.delete, schema, id: id))
    }
    if let error { throw error }
    var deletion = request
    deletion.schema = schema
    deletion.selection = .ids(IDList(selected.map { String(decoding: $0, as: UTF8.self) }))
    deletion.missing = .ignored
    (deletion.kept, deletion.confirmed) = (nil, nil)
    do throws(DataError) {
      var result = try transaction.deleteParts(deletion)
      result.summary = DeleteSummary(deleted: result.summary.deleted)
      try request.check(result.summary)
      for index in result.records.indices { result.records[index].hide(known.hiddenSlots) }
      return result
    } catch {
      guard error.code == .referenced else {
        throw error.modifyingProblems { $0 = scope.withoutSecrets($0, known) }
      }
      // The record that cannot be deleted may be one to which the deletion cascades.
      throw DataError(
        Problem(
          .referenced,
          "cannot be deleted: a remaining record refers to it, or to a record deleted with it",
          schema: schema.name,
          id: selected.count == 1 ? String(decoding: selected[0], as: UTF8.self) : nil))
    }
  }

  /// Executes a query to which the access rules apply, and returns the rows in chunks.
  func rows(
    _ query: Query, in transaction: some WriteTransaction
  ) throws(DataError) -> [Rows] {
    try transaction.rows(query.bound(to: scope))
  }

  /// Returns a problem for each record whose new values the rules do not allow, and for each new
  /// reference to a record that the caller may not read. Checks only the changes since the last
  /// call.
  mutating func problems(in transaction: some WriteTransaction) throws(DataError) -> [Problem] {
    defer { (written, references) = ([:], []) }
    var problems: [Problem] = []
    for (target, lines) in written {
      let schema = try scope.fullCatalog.schema(target.schema)
      let ids = Array(lines.keys)
      let permitted = try queries.permitted(target.verb, ids, schema, in: transaction)
      let denied = ids.filter { !permitted.contains($0) }
      // A record may have been deleted again by a later operation.
      for id in try queries.existing(denied, schema, nil, in: transaction) {
        problems.append(scope.denial(target.verb, schema, id: id, line: lines[id]))
      }
    }
    for reference in try hiddenReferences(in: transaction) {
      problems.append(
        .danglingReference(
          to: String(decoding: reference.target, as: UTF8.self), slot: reference.slot,
          of: reference.schema, id: String(decoding: reference.id, as: UTF8.self),
          line: reference.line))
    }
    return problems.sorted { Self.order(of: $0) < Self.order(of: $1) }
  }

  /// Counts the users that an anonymous caller has created. Throws an error if there are too many.
  /// Call this immediately before the commit.
  mutating func reserveSignUps() throws(DataError) {
    guard newUserCount > 0, let (limit, address) = signUps else { return }
    reservation = try limit.reserve(newUserCount, for: address)
  }

  /// Keeps counting the users, because they were committed.
  func keepSignUps() { reservation?.keep() }

  /// The order of problems: by line, record and field. It does not depend on the order of the
  /// dictionaries from which the problems result.
  private static func order(of problem: Problem) -> (Int, String, String, String, String) {
    (
      problem.line ?? 0, problem.schema ?? "", problem.id ?? "", problem.field ?? "",
      problem.message
    )
  }

  /// Returns the new references to records that the caller may not read. References that a later
  /// operation has removed again are omitted.
  private func hiddenReferences(
    in transaction: some WriteTransaction
  ) throws(DataError) -> [Reference] {
    var hidden = references.filter(\.isHidden)
    let others = Dictionary(grouping: references.filter { !$0.isHidden }) { reference in
      reference.schema.type(of: reference.slot).relation?.target ?? ""
    }
    for (name, references) in others {
      let ids = Set(references.map(\.target))
      let targets = try queries.hidden(ids, scope.fullCatalog.schema(name), in: transaction)
      hidden += references.filter { targets.contains($0.target) }
    }
    var remaining: [Reference] = []
    for reference in hidden {
      let path = FieldPath(reference.schema.name(of: reference.slot))
      let target = Value.text(String(decoding: reference.target, as: UTF8.self))
      let isMany = reference.schema.type(of: reference.slot).relation?.isMany == true
      let test = Condition.test(path, isMany ? .contains(target) : .compare(.equal, target))
      if try !queries.existing([reference.id], reference.schema, [test], in: transaction).isEmpty {
        remaining.append(reference)
      }
    }
    return remaining
  }

  /// Returns the ids of the hidden records to which the rows of a chunk refer, by schema. Records
  /// that the transaction itself has created are omitted, because later operations can still make
  /// them readable.
  private func hiddenTargets(
    of chunk: RowChanges, in transaction: some WriteTransaction
  ) throws(DataError) -> [String: Set<[UInt8]>] {
    var given: [String: Set<[UInt8]>] = [:]
    for slot in chunk.schema.fields.indices {
      guard let target = chunk.schema.type(of: slot).relation?.target,
        scope.permission(to: .read, target) != .all
      else { continue }
      for row in 0..<chunk.count {
        for id in chunk.givenTargets(row, slot) {
          given[target, default: []].insert(Array(id.utf8))
        }
      }
    }
    var hidden: [String: Set<[UInt8]>] = [:]
    for (target, ids) in given {
      hidden[target] = try queries.hidden(
        ids.subtracting(created[target] ?? []), scope.fullCatalog.schema(target), in: transaction)
    }
    return hidden
  }

  private mutating func addReferences(
    _ row: Int, of chunk: RowChanges, in slots: [Int], _ schema: Schema, over old: Rows?,
    _ hiddenTargets: [String: Set<[UInt8]>]
  ) {
    for slot in slots {
      guard let relation = schema.type(of: slot).relation else { continue }
      let before = old.map { Set($0.targets($0[0, slot], of: relation)) } ?? []
      let id = chunk.rows.bytes(chunk.rows[row, schema.keySlot])
      for target in chunk.rows.targets(chunk.rows[row, slot], of: relation)
      where !before.contains(target) {
        references.append(
          Reference(
            schema: schema, slot: slot, id: id, target: target, line: chunk.lines[row],
            isHidden: hiddenTargets[relation.target]?.contains(target) == true))
      }
    }
  }
}

extension DataError {
  /// The error for a record or user that another transaction has changed after the rules were
  /// checked.
  fileprivate static var changedConcurrently: DataError {
    DataError(
      .changed, "a record or the user was changed concurrently", hint: "run the command again")
  }
}

extension Rows {
  /// Returns a copy of the bytes of a cell.
  package func bytes(_ cell: Cell) -> [UInt8] {
    withBytes(of: cell) { bytes in
      var copy: [UInt8] = []
      copy.reserveCapacity(bytes.count)
      for index in bytes.indices { copy.append(bytes[index]) }
      return copy
    }
  }

  /// Returns the ids in the cell of a relation.
  package func targets(_ cell: Cell, of relation: Relation) -> [[UInt8]] {
    guard cell.hasValue else { return [] }
    guard relation.isMany else { return [bytes(cell)] }
    let ids = withBytes(of: cell) { ListText.values(in: $0, of: .text) } ?? []
    return ids.compactMap { id in
      if case .text(let id) = id { Array(id.utf8) } else { nil }
    }
  }
}

import CSQLite
import DataModel
import DataStore

/// Saves chunks of rows of one schema, within a transaction that the caller begins and ends.
struct SaveWriter: ~Copyable {
  private let request: WriteRequest
  private var policy: SavePolicy
  private let layout: TableLayout
  private let allSlots: [Int]
  private let relationSlots: [Int]
  private let reader: RowReader
  private let lookup: Statement
  private var insertion: RowInsertion
  private var updates: RowUpdates
  private var references: ReferenceChecks
  private let uniques: UniqueChecks
  private let links: [LinkWriter]
  private let files: FileWriter?
  /// The stored record that has the same id as the row that is being saved. Empty if there is no
  /// such record.
  private var old: Rows
  /// The indexes that a bulk load drops at its beginning and creates again at its end; nil before
  /// the first chunk.
  private var deferredIndexes: DeferredIndexes?

  var schema: Schema { layout.schema }

  /// Prepares the statements that save records of a schema.
  ///
  /// - Parameter number: A number that distinguishes the temporary tables of the writers of a
  ///   transaction.
  init(
    _ schema: Schema, _ policy: SavePolicy, _ request: WriteRequest, number: Int,
    catalog: Catalog, on connection: borrowing Connection
  ) throws(DataError) {
    let layout = TableLayout(schema)
    let selectList = SelectList(layout, slots: Array(0..<schema.width), SQLiteDialect())
    let reader = RowReader(selectList)
    let lookup = try Statement(
      """
      select \(selectList.columns) from \(layout.table) where \(layout.key) = \(SQL.parameter)
      """, on: connection)
    let insertion = try RowInsertion(layout, policy, request.stamp, on: connection)
    let references = try ReferenceChecks(
      layout, allowsForwardReferences: request.allowsForwardReferences, number: number,
      catalog: catalog, on: connection)
    let uniques = try UniqueChecks(layout, on: connection)
    var links: [LinkWriter] = []
    for slot in layout.linkSlots {
      links.append(try LinkWriter(slot, of: layout, on: connection))
    }
    let files = layout.fileSlots.isEmpty ? nil : try FileWriter(schema, on: connection)
    updates = RowUpdates(layout, policy)
    allSlots = Array(schema.fields.indices)
    relationSlots = request.copy == nil ? layout.relationSlots : []
    self.request = request
    self.policy = policy
    self.layout = layout
    self.reader = reader
    self.lookup = lookup
    self.insertion = insertion
    self.references = references
    self.uniques = uniques
    self.links = links
    self.files = files
    old = Rows(width: schema.width)
  }

  /// Forgets which referenced records exist, so that they are looked up again. Call this after
  /// records were deleted.
  mutating func forgetTargets() { references.forgetTargets() }

  /// Forgets which references of saved records have no target yet. Call this before these records
  /// are rolled back.
  mutating func discardReferences() { references.discard() }

  /// Calls `report` with a problem for each reference whose target was never saved. Then empties
  /// the list of open references.
  mutating func takeUnresolved(
    on connection: borrowing Connection, _ report: (Problem) -> Void
  ) throws(DataError) {
    try references.takeUnresolved(on: connection, report)
  }

  /// Creates the indexes again that were dropped at the beginning of a bulk load. Call this before
  /// the commit.
  func finish(on connection: borrowing Connection) throws(DataError) {
    try deferredIndexes?.create(on: connection)
  }

  /// Saves the rows of a chunk in order, and returns one outcome for each row.
  mutating func apply(
    _ chunk: inout RowChanges, by policy: SavePolicy, on connection: borrowing Connection
  ) throws(DataError) -> [Outcome] {
    if policy.systemFields != self.policy.systemFields {
      insertion = try RowInsertion(layout, policy, request.stamp, on: connection)
      updates = RowUpdates(layout, policy)
    }
    self.policy = policy
    if deferredIndexes == nil {
      deferredIndexes = try DeferredIndexes(
        of: layout, for: request, firstCount: chunk.count, on: connection)
    }
    var outcomes: [Outcome] = []
    outcomes.reserveCapacity(chunk.count)
    var pending: [Int] = []
    pending.reserveCapacity(RowInsertion.maximumRows)
    let insertsMany = canInsertTogether && chunk.contents.isEmpty
    for row in 0..<chunk.count {
      let outcome: Outcome
      if insertsMany && chunk.hasAssignedID[row] {
        outcome = try applyNew(row, of: &chunk, on: connection)
        if case .created = outcome { pending.append(row) }
        if pending.count == RowInsertion.maximumRows {
          try insert(&pending, of: chunk, on: connection)
        }
      } else {
        try insert(&pending, of: chunk, on: connection)
        outcome = try apply(row, of: &chunk, on: connection)
      }
      outcomes.append(outcome)
    }
    try insert(&pending, of: chunk, on: connection)
    return outcomes
  }

  /// Inserts the rows in `pending`, and empties this list. Rows that are checked later can then
  /// refer to the inserted records.
  private mutating func insert(
    _ pending: inout [Int], of chunk: RowChanges, on connection: borrowing Connection
  ) throws(DataError) {
    guard !pending.isEmpty else { return }
    try insertion.insert(all: pending, of: chunk.rows, on: connection)
    pending.removeAll(keepingCapacity: true)
  }

  /// Whether many new records can be inserted with one statement. This is the case if the schema
  /// has no to-many relations and no unique fields, and if no row can refer to an earlier row of
  /// the same chunk.
  private var canInsertTogether: Bool {
    links.isEmpty && uniques.isEmpty && !references.needsEarlierRows
  }

  /// Completes and validates a row that creates a record. Does not insert the row: the caller
  /// inserts it together with other rows.
  private mutating func applyNew(
    _ row: Int, of chunk: inout RowChanges, on connection: borrowing Connection
  ) throws(DataError) -> Outcome {
    let outcome = chunk.resolve(row, over: nil, by: policy, stamp: request.stamp)
    guard case .created = outcome, !relationSlots.isEmpty else { return outcome }
    var openReferences: [ReferenceChecks.OpenReference] = []
    let problems = try references.problems(
      of: row, in: chunk, slots: relationSlots, openReferences: &openReferences)
    try references.record(openReferences, on: connection)
    return problems.isEmpty ? outcome : .refused(problems)
  }

  /// Saves one row: updates the stored record with the same id, or creates the record if there is
  /// none.
  private mutating func apply(
    _ row: Int, of chunk: inout RowChanges, on connection: borrowing Connection
  ) throws(DataError) -> Outcome {
    old.removeAll()
    if !chunk.hasAssignedID[row] { try findStored(row, of: chunk) }
    let isNew = old.count == 0
    let outcome = chunk.resolve(
      row, over: isNew ? nil : old, by: policy, stamp: request.stamp)
    let slots: [Int]
    switch outcome {
    case .refused, .same: return outcome
    case .created: slots = allSlots
    case .changed(let changed): slots = changed
    }
    let problems = try store(row, of: chunk, slots: slots, isNew: isNew, on: connection)
    return problems.isEmpty ? outcome : .refused(problems)
  }

  private mutating func findStored(_ row: Int, of chunk: RowChanges) throws(DataError) {
    let rows = chunk.rows
    try rows.withBytes(of: rows[row, chunk.schema.keySlot]) { (id) throws(DataError) in
      try lookup.bind(id, at: 1)
    }
    if try lookup.step() { try reader.read(lookup, into: &old) }
    lookup.reset()
  }

  /// Writes a row with its links and its files. If there are problems, returns them, and keeps none
  /// of the changes.
  ///
  /// - Parameter slots: The fields to write. The row has a value for each of them, because defaults
  ///   and stored values have been filled in.
  private mutating func store(
    _ row: Int, of chunk: RowChanges, slots: [Int], isNew: Bool, on connection: borrowing Connection
  ) throws(DataError) -> [Problem] {
    let hasContents = chunk.contents.contains { $0.row == row }
    if hasContents { try connection.run("savepoint one_record") }
    var openReferences: [ReferenceChecks.OpenReference] = []
    let dangling = try references.problems(
      of: row, in: chunk, slots: slots.filter(relationSlots.contains),
      openReferences: &openReferences)
    var problems =
      dangling.isEmpty
      ? try writeRow(row, of: chunk, slots: slots, isNew: isNew, on: connection)
      : try uniques.problems(of: row, in: chunk, slots: slots)
    try writeFiles(row, of: chunk, slots: slots, isNew: isNew, &problems)
    if !dangling.isEmpty { problems += dangling }
    if hasContents {
      if !problems.isEmpty { try connection.run("rollback to one_record") }
      try connection.run("release one_record")
    }
    guard problems.isEmpty else { return problems }
    try references.record(openReferences, on: connection)
    try endSessions(row, of: chunk, slots: slots, isNew: isNew, on: connection)
    return []
  }

  /// Writes the record and its links. If another record already has one of its unique values,
  /// writes nothing and returns the problems.
  private mutating func writeRow(
    _ row: Int, of chunk: RowChanges, slots: [Int], isNew: Bool, on connection: borrowing Connection
  ) throws(DataError) -> [Problem] {
    let code =
      isNew
      ? try insertion.insert(row, of: chunk.rows)
      : try updates.update(row, of: chunk.rows, slots: slots, on: connection)
    if code == csqlite_constraint_unique {
      let problems = try uniques.problems(of: row, in: chunk, slots: slots)
      if !problems.isEmpty { return problems }
    }
    try connection.check(code)
    for link in links where slots.contains(link.slot) {
      try link.write(row, of: chunk, isNew: isNew)
    }
    return []
  }

  private func writeFiles(
    _ row: Int, of chunk: RowChanges, slots: [Int], isNew: Bool, _ problems: inout [Problem]
  ) throws(DataError) {
    guard let files else { return }
    for slot in layout.fileSlots where slots.contains(slot) {
      if let problem = try files.write(slot, row, of: chunk, isNew: isNew) {
        problems.append(problem)
      }
    }
  }

  /// If the row disables a user, deletes all sessions of the user. If the row changes the password,
  /// keeps the session that the request names (`keptSession`).
  private func endSessions(
    _ row: Int, of chunk: RowChanges, slots: [Int], isNew: Bool, on connection: borrowing Connection
  ) throws(DataError) {
    guard !isNew, let passwordSlot = chunk.schema.passwordSlot else { return }
    let isDisabled = chunk.disables(row, changing: slots)
    guard isDisabled || slots.contains(passwordSlot) else { return }
    let user = chunk.rows.text(chunk.rows[row, chunk.schema.keySlot])
    try connection.endSessions(of: [user], except: isDisabled ? nil : request.keptSession)
  }
}

import DataModel
import DataStore

/// Saves the chunks of one save in a transaction that the caller begins and ends.
///
/// The rows of a chunk are processed together. This takes one round trip for the existing records,
/// one for each unique field, and one for each relation, regardless of the number of rows.
struct SaveWriter {
  /// The number of changes after which the enqueued statements are sent. The server then executes
  /// them while the next changes are prepared.
  private static let flushThreshold = 1_250

  private let request: WriteRequest
  private var policy: SavePolicy
  private let layout: TableLayout
  let connection: Connection
  private let selectList: SelectList
  private let reader: RowReader
  var writer: RowWriter
  private var references: ReferenceChecks
  var uniques: UniqueChecks
  let uniqueTables: UniqueValueTables
  let links: [LinkWriter]
  private let files: FileWriter
  let width: RowWidth

  var schema: Schema { layout.schema }

  /// Creates a writer that saves the records of a schema.
  ///
  /// - Parameter number: A number that makes the name of the temporary table of this writer unique
  ///   in the transaction.
  init(
    _ schema: Schema, _ policy: SavePolicy, _ request: WriteRequest, number: Int, catalog: Catalog,
    on connection: Connection
  ) {
    self.request = request
    self.policy = policy
    self.connection = connection
    let layout = TableLayout(schema)
    self.layout = layout
    selectList = SelectList(layout, slots: Array(0..<schema.width), connection.dialect)
    reader = RowReader(selectList, store: connection.store)
    writer = RowWriter(layout, policy, on: connection)
    references = ReferenceChecks(
      layout, slots: request.copy == nil ? layout.relationSlots : [],
      allowsForwardReferences: request.allowsForwardReferences, number: number,
      catalog: catalog, on: connection)
    uniques = UniqueChecks(layout, on: connection)
    uniqueTables = UniqueValueTables(layout, on: connection)
    links = layout.linkSlots.map { LinkWriter($0, of: layout, on: connection) }
    files = FileWriter(schema: schema, connection: connection)
    width = RowWidth(layout)
  }

  /// Calls a closure with a problem for each reference whose target was never saved. Then discards
  /// all references that the writer has collected.
  mutating func takeUnresolved(_ report: (Problem) -> Void) throws(DataError) {
    try references.takeUnresolved(report)
  }

  /// Discards the collected references, whose targets do not exist yet. Call this before the
  /// records that contain them are rolled back.
  mutating func discardReferences() { references.discard() }

  /// Saves the rows of a chunk in order, and returns the outcome of each.
  mutating func apply(
    _ chunk: inout RowChanges, by policy: SavePolicy
  ) throws(DataError) -> [Outcome] {
    if policy.systemFields != self.policy.systemFields {
      writer = RowWriter(layout, policy, on: connection)
    }
    self.policy = policy
    var outcomes: [Outcome] = []
    outcomes.reserveCapacity(chunk.count)
    for range in ranges(of: chunk) {
      outcomes += try apply(range, of: &chunk)
    }
    if chunk.count >= Self.flushThreshold { try connection.flush() }
    return outcomes
  }

  /// Splits a chunk into ranges of rows that can be processed together. All rows of a range have
  /// different ids. A row with file contents is in a range of its own.
  private func ranges(of chunk: RowChanges) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    var ids: Set<[UInt8]> = []
    let alone = Set(chunk.contents.map(\.row))
    func end(at row: Int) {
      if row > start { ranges.append(start..<row) }
      start = row
      ids.removeAll(keepingCapacity: true)
    }
    for row in 0..<chunk.count {
      if alone.contains(row) || alone.contains(row - 1) { end(at: row) }
      if chunk.hasAssignedID[row] { continue }
      let id = id(of: row, in: chunk)
      if ids.contains(id) { end(at: row) }
      ids.insert(id)
    }
    end(at: chunk.count)
    return ranges
  }

  private func id(of row: Int, in chunk: RowChanges) -> [UInt8] {
    chunk.rows.withBytes(of: chunk.rows[row, chunk.schema.keySlot]) { bytes in
      unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }
  }

  /// A row of a chunk that creates a record, or changes the fields in `slots` of an existing one.
  struct ResolvedRow {
    let row: Int
    let slots: [Int]
    /// The index of the existing record among the records that were read from the store; nil for a
    /// new record.
    let old: Int?
  }

  private mutating func apply(
    _ range: Range<Int>, of chunk: inout RowChanges
  ) throws(DataError) -> [Outcome] {
    // The server reads the records of the next part while the rows of a part are resolved.
    let parts = parts(of: range)
    var lookups: [Lookup] = []
    for part in parts { lookups.append(try lookUp(part, in: chunk)) }
    var found = FoundRows(width: chunk.schema.width)
    var outcomes: [Outcome] = []
    var resolvedRows: [ResolvedRow] = []
    let allSlots = Array(chunk.schema.fields.indices)
    for (part, lookup) in zip(parts, lookups) {
      try receive(lookup, of: chunk.schema, into: &found)
      for row in part {
        let old = found.indexByID.isEmpty ? nil : found.indexByID[id(of: row, in: chunk)]
        let outcome = chunk.resolve(
          row, over: old == nil ? nil : found.rows, at: old ?? 0, by: policy,
          stamp: request.stamp)
        switch outcome {
        case .created: resolvedRows.append(ResolvedRow(row: row, slots: allSlots, old: nil))
        case .changed(let slots): resolvedRows.append(ResolvedRow(row: row, slots: slots, old: old))
        case .same, .refused: break
        }
        outcomes.append(outcome)
      }
      if part.upperBound < range.upperBound, !found.indexByID.isEmpty {
        try write(resolvedRows, of: chunk, over: found.rows)
        try connection.flush()
        resolvedRows.removeAll(keepingCapacity: true)
      }
    }
    let written = try check(resolvedRows, of: chunk, over: found.rows) { row, problems in
      outcomes[row - range.lowerBound] = .refused(problems)
    }
    try write(written, of: chunk, over: found.rows)
    return outcomes
  }

  /// Splits a range of rows into the parts that are looked up and written one after another.
  private func parts(of range: Range<Int>) -> [Range<Int>] {
    guard connection.engine.writesWhileResolving, isIndependent else { return [range] }
    return stride(from: range.lowerBound, to: range.upperBound, by: Self.flushThreshold).map {
      $0..<min($0 + Self.flushThreshold, range.upperBound)
    }
  }

  /// Whether a row can be checked without further queries. This is the case if the schema has no
  /// unique fields, relations or files, and if every possible row is small enough for a page. The
  /// writer can then write the first rows before it has checked the next ones.
  private var isIndependent: Bool {
    uniques.isEmpty && references.isEmpty && layout.fileSlots.isEmpty && width.alwaysFits
  }

  /// The existing records that were read for a range of rows.
  private struct FoundRows {
    var rows: Rows
    var indexByID: [[UInt8]: Int] = [:]

    init(width: Int) { rows = Rows(width: width) }
  }

  /// The queries for the existing records of a part, and their results that have been received.
  private final class Lookup {
    var queryCount = 0
    var resultSets: [ResultSet] = []
  }

  /// Sends the queries for the existing records whose ids occur in a range of rows. If the engine
  /// supports it, they also lock these records until the transaction ends.
  private func lookUp(_ range: Range<Int>, in chunk: RowChanges) throws(DataError) -> Lookup {
    let lookup = Lookup()
    let key = chunk.schema.keySlot
    let given = range.filter { !chunk.hasAssignedID[$0] }
    guard !given.isEmpty else { return lookup }
    let ids = RowEncoding(TableLayout.columns(of: key, in: chunk.schema))
    let statement: SQL = """
      select \(selectList.columns) from \(layout.table) \
      where \(layout.key) = any(\(SQL.parameter)) order by \(layout.key)\(connection.postgresDialect.changeLockClause)
      """
    let groups = connection.grouped(given, of: chunk.rows, byShardOf: key)
    lookup.queryCount = groups.count
    try connection.finishCopying()
    for group in groups {
      connection.enqueue(statement, binding: ids.arrays(group, of: chunk.rows)) {
        lookup.resultSets.append($0)
      }
    }
    try connection.flush()
    return lookup
  }

  /// Waits for the results of a lookup, and adds their records.
  private func receive(
    _ lookup: Lookup, of schema: Schema, into found: inout FoundRows
  ) throws(DataError) {
    guard lookup.queryCount > 0 else { return }
    try connection.receive { lookup.resultSets.count == lookup.queryCount }
    for resultSet in lookup.resultSets {
      for row in 0..<resultSet.count {
        try reader.read(row, of: resultSet, into: &found.rows)
        let cell = found.rows[found.rows.count - 1, schema.keySlot]
        let id = found.rows.withBytes(of: cell) { bytes in
          unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
        }
        found.indexByID[id] = found.rows.count - 1
      }
    }
  }

  /// Returns the rows that can be written. Calls `reject` for each row that violates a unique
  /// constraint, contains a dangling reference or invalid file contents, or is too large for a
  /// page.
  private mutating func check(
    _ resolvedRows: [ResolvedRow], of chunk: RowChanges, over old: Rows,
    reject: (Int, [Problem]) -> Void
  ) throws(DataError) -> [ResolvedRow] {
    let rows = resolvedRows.map { (row: $0.row, slots: $0.slots) }
    if !uniques.isEmpty { try uniques.lookUp(for: rows, of: chunk) }
    if !references.isEmpty { try references.lookUp(for: rows, of: chunk) }
    var written: [ResolvedRow] = []
    for resolvedRow in resolvedRows {
      let dangling = references.problems(of: resolvedRow.row, in: chunk, slots: resolvedRow.slots)
      var problems = uniques.problems(of: resolvedRow.row, in: chunk, slots: resolvedRow.slots)
      problems += try writeFiles(
        resolvedRow, of: chunk, keeping: problems.isEmpty && dangling.isEmpty)
      problems += dangling
      if problems.isEmpty { problems += try checkWidth(resolvedRow, of: chunk, over: old) }
      if problems.isEmpty {
        uniques.assign(
          resolvedRow.row, in: chunk, slots: resolvedRow.slots,
          old: resolvedRow.old.map { (old, $0) })
        references.record(
          resolvedRow.row, in: chunk, slots: resolvedRow.slots)
        written.append(resolvedRow)
      } else {
        reject(resolvedRow.row, problems)
      }
    }
    references.writeUnresolved()
    return written
  }

  /// Writes the file contents that were sent with a row, and returns the problems found. If there
  /// are problems, or if `isValid` is false because the row itself is invalid, rolls the file
  /// contents back.
  private func writeFiles(
    _ resolvedRow: ResolvedRow, of chunk: RowChanges, keeping isValid: Bool
  ) throws(DataError) -> [Problem] {
    let slots = layout.fileSlots.filter(resolvedRow.slots.contains)
    guard !slots.isEmpty else { return [] }
    let hasContents = chunk.contents.contains { $0.row == resolvedRow.row }
    if hasContents { connection.enqueue("savepoint one_record") }
    var problems: [Problem] = []
    for slot in slots where hasContents || isValid {
      if let problem = try files.write(
        slot, resolvedRow.row, of: chunk, isNew: resolvedRow.old == nil)
      {
        problems.append(problem)
      }
    }
    if hasContents {
      if !isValid || !problems.isEmpty { connection.enqueue("rollback to savepoint one_record") }
      connection.enqueue("release savepoint one_record")
    }
    return problems
  }
}

/// Writes the rows that passed the checks.
extension SaveWriter {
  /// Returns a problem if a row is too large for a page. If only the server can determine that,
  /// sets a savepoint, writes the row to find out whether the server accepts it, and then rolls
  /// back to the savepoint.
  mutating func checkWidth(
    _ resolvedRow: ResolvedRow, of chunk: RowChanges, over old: Rows
  ) throws(DataError) -> [Problem] {
    if width.fits(resolvedRow.row, of: chunk.rows) { return [] }
    connection.enqueue("savepoint one_record")
    let discarded = connection.discardedRows
    do throws(DataError) {
      if resolvedRow.old == nil {
        try writer.insert([resolvedRow.row], of: chunk.rows)
      } else {
        try writer.update(changes([resolvedRow], of: chunk, over: old), of: chunk.rows)
      }
      try connection.drain()
    } catch {
      // A unique violation does not matter here: another row may give the value up before this row
      // is finally written.
      guard [.rowTooWide, .collision, .rejectedByForeignObject].contains(connection.failure) else {
        throw error
      }
    }
    let isTooWide = connection.failure == .rowTooWide
    connection.discardedRows = discarded
    connection.failure = nil
    connection.enqueue("rollback to savepoint one_record")
    connection.enqueue("release savepoint one_record")
    guard isTooWide else { return [] }
    let schema = chunk.schema
    return [
      .tooWide(
        schema.fields.indices.count { chunk.rows[resolvedRow.row, $0].hasValue }, of: schema,
        id: chunk.rows.text(chunk.rows[resolvedRow.row, schema.keySlot]),
        line: chunk.lines[resolvedRow.row])
    ]
  }

  private func changes(
    _ resolvedRows: [ResolvedRow], of chunk: RowChanges, over old: Rows
  ) -> [RowWriter.Change] {
    let revision = chunk.schema.slot(.revision)
    return resolvedRows.compactMap { resolvedRow in
      resolvedRow.old.map { index in
        RowWriter.Change(
          row: resolvedRow.row, slots: resolvedRow.slots, revision: old[index, revision].integer)
      }
    }
  }

  mutating func write(
    _ resolvedRows: [ResolvedRow], of chunk: RowChanges, over old: Rows
  ) throws(DataError) {
    let changes = changes(resolvedRows, of: chunk, over: old)
    if uniques.movesValues, connection.dialect.uniqueness == .index {
      // A unique value moves from one row to another, so the rows are updated one by one and in
      // order.
      for change in changes { try writer.update([change], of: chunk.rows) }
    } else {
      try writer.update(changes, of: chunk.rows)
    }
    try writer.insert(resolvedRows.filter { $0.old == nil }.map(\.row), of: chunk.rows)
    try uniqueTables.write(
      resolvedRows.map { (row: $0.row, slots: $0.slots, old: $0.old) }, of: chunk.rows, over: old)
    for link in links {
      let changed = resolvedRows.filter { $0.slots.contains(link.slot) }
      try link.write(
        changed.map(\.row), of: chunk,
        replacing: changed.filter { $0.old != nil }.map(\.row))
    }
    try endSessions(resolvedRows, of: chunk)
  }

  /// Ends the login sessions of the users who were disabled, and, except `request.keptSession`, of
  /// the users whose passwords have changed.
  private func endSessions(
    _ resolvedRows: [ResolvedRow], of chunk: RowChanges
  ) throws(DataError) {
    guard let slot = chunk.schema.passwordSlot else { return }
    func endSessions(
      except kept: [UInt8]?, where isEnding: (ResolvedRow) -> Bool
    ) throws(DataError) {
      let users = resolvedRows.filter { $0.old != nil && isEnding($0) }.map { resolvedRow in
        chunk.rows.text(chunk.rows[resolvedRow.row, chunk.schema.keySlot])
      }
      if !users.isEmpty { try connection.endSessions(of: users, except: kept) }
    }
    try endSessions(except: request.keptSession) { $0.slots.contains(slot) }
    try endSessions(except: nil) { chunk.disables($0.row, changing: $0.slots) }
  }
}

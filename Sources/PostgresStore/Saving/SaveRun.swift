import DataModel
import DataStore

/// Saves the chunks of one save, inside a transaction of the caller.
///
/// Rows are processed together: one round trip for the existing records, one for the unique values
/// and one for the targets of references, regardless of the number of rows.
struct SaveRun {
  /// The number of changes that are sent at once, so that the server writes them while the next
  /// ones are prepared.
  private static let changesAtOnce = 1_250

  private let request: SaveRequest
  private let layout: TableLayout
  let connection: Connection
  private let selection: Selection
  private let reader: RowReader
  var writer: RowWriter
  private var references: ReferenceChecks
  var uniques: UniqueChecks
  let holders: UniqueHolders
  let links: [LinkWriter]
  private let files: FileWriter
  let width: RowWidth
  /// The problems for which the whole save is rejected.
  private(set) var refusal: DataError?

  init(_ request: SaveRequest, catalog: Catalog, on connection: Connection) {
    self.request = request
    self.connection = connection
    let layout = TableLayout(request.schema)
    self.layout = layout
    selection = Selection(
      layout, slots: Array(0..<request.schema.width), connection.dialect)
    reader = RowReader(selection, store: connection.store)
    writer = RowWriter(layout, request.policy, on: connection)
    references = ReferenceChecks(
      layout, waitsForTargets: request.onInvalid == .refuseAll, catalog: catalog, on: connection)
    uniques = UniqueChecks(layout, on: connection)
    holders = UniqueHolders(layout, on: connection)
    links = layout.linkSlots.map { LinkWriter($0, of: layout, on: connection) }
    files = FileWriter(schema: request.schema, connection: connection)
    width = RowWidth(layout)
  }

  /// Ends a part of the save, and reports the references that are still unresolved.
  mutating func endPart<Exchange: SaveExchange>(
    through exchange: inout Exchange
  ) throws(DataError) {
    var found = refusal
    try references.takeUnmet { problem in
      found.add(problem)
      exchange.refused(problem)
    }
    refusal = found
  }

  /// Saves the rows of a chunk in order, and returns the outcome of each.
  mutating func settle(_ batch: inout Changes) throws(DataError) -> [Outcome] {
    var outcomes: [Outcome] = []
    outcomes.reserveCapacity(batch.count)
    for portion in portions(of: batch) {
      outcomes += try settle(portion, of: &batch)
    }
    if batch.count >= Self.changesAtOnce { try connection.hurry() }
    guard request.onInvalid == .refuseAll else { return outcomes }
    for case .refused(let problems) in outcomes {
      for problem in problems { refusal.add(problem) }
    }
    return outcomes
  }

  /// Splits a chunk into ranges of rows that can be processed together: no two rows have the same
  /// id, and a row with file contents is alone.
  private func portions(of batch: Changes) -> [Range<Int>] {
    var portions: [Range<Int>] = []
    var start = 0
    var ids: Set<[UInt8]> = []
    let alone = Set(batch.contents.map(\.row))
    func end(at row: Int) {
      if row > start { portions.append(start..<row) }
      start = row
      ids.removeAll(keepingCapacity: true)
    }
    for row in 0..<batch.count {
      if alone.contains(row) || alone.contains(row - 1) { end(at: row) }
      if batch.hasAssignedID[row] { continue }
      let id = id(of: row, in: batch)
      if ids.contains(id) { end(at: row) }
      ids.insert(id)
    }
    end(at: batch.count)
    return portions
  }

  private func id(of row: Int, in batch: Changes) -> [UInt8] {
    batch.rows.withBytes(of: batch.rows[row, batch.schema.keySlot]) { bytes in
      unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }
  }

  /// A row to be written.
  struct Settled {
    let row: Int
    let slots: [Int]
    /// The index of the existing record, if there is one.
    let old: Int?
  }

  private mutating func settle(
    _ portion: Range<Int>, of batch: inout Changes
  ) throws(DataError) -> [Outcome] {
    let found = try records(of: portion, in: batch)
    var outcomes: [Outcome] = []
    var settled: [Settled] = []
    let allSlots = Array(batch.schema.fields.indices)
    for row in portion {
      let old = found.places.isEmpty ? nil : found.places[id(of: row, in: batch)]
      let outcome = batch.resolve(
        row, over: old == nil ? nil : found.rows, at: old ?? 0, by: request.policy,
        stamp: request.stamp)
      switch outcome {
      case .created: settled.append(Settled(row: row, slots: allSlots, old: nil))
      case .changed(let slots): settled.append(Settled(row: row, slots: slots, old: old))
      case .same, .refused: break
      }
      outcomes.append(outcome)
      if standAlone, !found.places.isEmpty, settled.count >= Self.changesAtOnce {
        try write(settled, of: batch, over: found.rows)
        try connection.hurry()
        settled.removeAll(keepingCapacity: true)
      }
    }
    let written = try check(settled, of: batch, over: found.rows) { row, problems in
      outcomes[row - portion.lowerBound] = .refused(problems)
    }
    try write(written, of: batch, over: found.rows)
    return outcomes
  }

  /// Whether a row can be checked without reading other records than the one that it changes.
  private var standAlone: Bool {
    uniques.isEmpty && references.isEmpty && layout.fileSlots.isEmpty && width.alwaysFits
  }

  /// Reads the existing records and locks them until the transaction ends, where the engine
  /// supports it.
  private func records(
    of portion: Range<Int>, in batch: Changes
  ) throws(DataError) -> (rows: Rows, places: [[UInt8]: Int]) {
    var rows = Rows(width: batch.schema.width)
    var places: [[UInt8]: Int] = [:]
    let key = batch.schema.keySlot
    let given = portion.filter { !batch.hasAssignedID[$0] }
    guard !given.isEmpty else { return (rows, places) }
    let ids = RowEncoding(TableLayout.columns(of: key, in: batch.schema))
    let answer = try connection.run(
      """
      select \(selection.columns) from \(layout.table) \
      where \(layout.key) = any(\(SQL.parameter)) order by \(layout.key)\(connection.dialect.holding)
      """, binding: ids.arrays(given, of: batch.rows))
    for row in 0..<answer.count {
      try reader.read(row, of: answer, into: &rows)
      let id = rows.withBytes(of: rows[row, key]) { bytes in
        unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
      }
      places[id] = row
    }
    return (rows, places)
  }

  /// Returns the rows that can be written, without those that violate a unique constraint, contain
  /// a dangling reference, or come with invalid file contents.
  private mutating func check(
    _ settled: [Settled], of batch: Changes, over old: Rows,
    refuse: (Int, [Problem]) -> Void
  ) throws(DataError) -> [Settled] {
    let rows = settled.map { (row: $0.row, slots: $0.slots) }
    if !uniques.isEmpty { try uniques.look(for: rows, of: batch) }
    if !references.isEmpty { try references.look(for: rows, of: batch) }
    var written: [Settled] = []
    for one in settled {
      let dangling = references.problems(of: one.row, in: batch, slots: one.slots)
      var problems = uniques.problems(of: one.row, in: batch, slots: one.slots)
      problems += try writeFiles(one, of: batch, keeping: problems.isEmpty && dangling.isEmpty)
      problems += dangling
      if problems.isEmpty { problems += try checkWidth(one, of: batch, over: old) }
      if problems.isEmpty {
        uniques.take(
          one.row, in: batch, slots: one.slots, old: one.old.map { (old, $0) })
        references.keep(one.row, in: batch, slots: one.slots, isNew: one.old == nil)
        written.append(one)
      } else {
        refuse(one.row, problems)
      }
    }
    references.note()
    return written
  }

  /// Writes the file contents that came with a row, and rolls them back if there are problems.
  private func writeFiles(
    _ one: Settled, of batch: Changes, keeping isSound: Bool
  ) throws(DataError) -> [Problem] {
    let slots = layout.fileSlots.filter(one.slots.contains)
    guard !slots.isEmpty else { return [] }
    let hasContents = batch.contents.contains { $0.row == one.row }
    if hasContents { connection.later("savepoint one_record") }
    var problems: [Problem] = []
    for slot in slots where hasContents || isSound {
      if let problem = try files.write(slot, one.row, of: batch, isNew: one.old == nil) {
        problems.append(problem)
      }
    }
    if hasContents {
      if !isSound || !problems.isEmpty { connection.later("rollback to savepoint one_record") }
      connection.later("release savepoint one_record")
    }
    return problems
  }
}

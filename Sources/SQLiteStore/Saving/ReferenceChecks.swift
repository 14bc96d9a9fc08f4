import DataModel
import DataStore
import JSONText

/// Checks that the records to which a row refers exist.
///
/// A save can allow forward references: a record may be saved before the records that it refers to.
/// A reference whose target does not exist yet is called open. Open references are kept in a
/// temporary table, so their number is not limited by the memory. They are checked again before the
/// transaction ends.
struct ReferenceChecks {
  /// A reference whose target did not exist when the row was first checked.
  struct OpenReference {
    let slot: Int
    let id: String
    let target: String
    let line: Int
  }

  private let layout: TableLayout
  private let allowsForwardReferences: Bool
  private var schema: Schema { layout.schema }
  private var targets: [Int: TargetLookup] = [:]
  private var targetLayouts: [Int: TableLayout] = [:]
  private let openTableName: String
  private var openTable: OpenReferenceTable?
  /// Whether the temporary table contains references that still have to be checked.
  private var hasOpenReferences = false

  /// Prepares the reference checks for a schema.
  ///
  /// - Parameters:
  ///   - allowsForwardReferences: Whether a record may be saved before the records that it refers
  ///     to. If not, references to missing records are reported immediately.
  ///   - number: A number that distinguishes the temporary tables of a transaction.
  init(
    _ layout: TableLayout, allowsForwardReferences: Bool, number: Int, catalog: Catalog,
    on connection: borrowing Connection
  ) throws(DataError) {
    self.layout = layout
    self.allowsForwardReferences = allowsForwardReferences
    openTableName = "_open_\(number)"
    for slot in layout.relationSlots {
      guard let relation = layout.schema.type(of: slot).relation,
        let target = catalog[relation.target]
      else { continue }
      let other = TableLayout(target)
      targetLayouts[slot] = other
      targets[slot] = TargetLookup(
        try Statement(
          "select 1 from \(other.table) where \(other.key) = \(SQL.parameter)", on: connection))
    }
  }

  /// Whether the rows of a chunk must be inserted one by one. This is the case if references to
  /// missing records are reported immediately, and a row may refer to an earlier row of the same
  /// schema.
  var needsEarlierRows: Bool {
    !allowsForwardReferences
      && layout.relationSlots.contains { schema.type(of: $0).relation?.target == schema.name }
  }

  /// Checks the references in the given slots of a row, and returns a problem for each reference
  /// whose target does not exist. If forward references are allowed, returns no problems, and
  /// instead adds the references without a target to `openReferences`.
  mutating func problems(
    of row: Int, in chunk: RowChanges, slots: [Int], openReferences: inout [OpenReference]
  ) throws(DataError) -> [Problem] {
    let rows = chunk.rows
    for slot in slots where rows[row, slot].hasValue {
      let cell = rows[row, slot]
      switch schema.slots[slot].kind {
      case .reference:
        if try targets[slot]?.exists(cell, of: rows) != true {
          note(rows.text(cell), slot, row, chunk, &openReferences)
        }
      case .references:
        for id in rows.value(cell, of: schema.type(of: slot)).texts {
          if try targets[slot]?.exists(id.utf8.span) != true {
            note(id, slot, row, chunk, &openReferences)
          }
        }
      case .key, .text, .scalar, .geopoint, .file, .json, .password, .array, .system: continue
      }
    }
    if allowsForwardReferences || openReferences.isEmpty { return [] }
    defer { openReferences = [] }
    return openReferences.map(problem)
  }

  private func note(
    _ target: String, _ slot: Int, _ row: Int, _ chunk: RowChanges,
    _ openReferences: inout [OpenReference]
  ) {
    let id = chunk.rows.text(chunk.rows[row, schema.keySlot])
    let isSelfReference =
      schema.type(of: slot).relation?.target == schema.name && target.utf8.elementsEqual(id.utf8)
    // A record may refer to itself: after the save, the target exists.
    if isSelfReference { return }
    openReferences.append(OpenReference(slot: slot, id: id, target: target, line: chunk.lines[row]))
  }

  /// Forgets which referenced records exist, so that they are looked up again. Call this after
  /// records were deleted.
  mutating func forgetTargets() {
    for slot in targets.keys { targets[slot]?.forget() }
  }

  /// Forgets which references have no target yet, and which targets exist. Call this before a
  /// rollback. The rollback may remove the temporary table of references without a target, so this
  /// table is created again when it is needed.
  mutating func discard() {
    forgetTargets()
    openTable = nil
    hasOpenReferences = false
  }

  /// Stores references of a saved row in a temporary table, so that they are checked again later.
  /// The targets of these references do not exist yet.
  mutating func record(
    _ openReferences: [OpenReference], on connection: borrowing Connection
  ) throws(DataError) {
    guard !openReferences.isEmpty else { return }
    if openTable == nil {
      openTable = try OpenReferenceTable(named: openTableName, on: connection)
    }
    guard let openTable else { return }
    hasOpenReferences = true
    for open in openReferences {
      try openTable.insertion.bind(Int64(open.line), at: 1)
      try openTable.insertion.bind(Int64(open.slot), at: 2)
      try openTable.insertion.bind(open.id, at: 3)
      try openTable.insertion.bind(open.target, at: 4)
      try openTable.insertion.run()
    }
  }

  /// Checks the references in the temporary table again, and empties the table. Calls `report` with
  /// a problem for each reference whose target still does not exist. References that the records no
  /// longer contain are ignored.
  mutating func takeUnresolved(
    on connection: borrowing Connection, _ report: (Problem) -> Void
  ) throws(DataError) {
    guard hasOpenReferences else { return }
    hasOpenReferences = false
    let parts = targetLayouts.map { slot, target -> SQL in
      let reference: SQL =
        schema.type(of: slot).relation?.isMany == true
        ? "\(layout.link(slot)) as own where own.source = open.id and own.target = open.target"
        : """
        \(layout.table) as own where own.\(layout.key) = open.id \
        and own.\(layout.column(slot)) = open.target
        """
      return """
        select max(line) as line, slot, max(place) as place, id, target \
        from temp.\(name: openTableName) as open where slot = \(.integer(Int64(slot))) \
        and not exists (select 1 from \(target.table) as there \
        where there.\(target.key) = open.target) \
        and exists (select 1 from \(reference)) group by id, target
        """
    }
    let statement = try Statement(
      SQL.list(parts, separator: " union all ") + " order by line, slot, place", on: connection)
    while try statement.step() {
      report(
        problem(
          OpenReference(
            slot: Int(statement.integer(1)), id: statement.text(3) ?? "",
            target: statement.text(4) ?? "", line: Int(statement.integer(0)))))
    }
    statement.reset()
    try connection.run("delete from temp.\(name: openTableName)")
  }

  private func problem(_ open: OpenReference) -> Problem {
    .danglingReference(to: open.target, slot: open.slot, of: schema, id: open.id, line: open.line)
  }
}

/// The temporary table of the references in a save whose targets do not exist yet.
private final class OpenReferenceTable {
  let insertion: Statement

  init(named name: String, on connection: borrowing Connection) throws(DataError) {
    try connection.run("drop table if exists temp.\(name: name)")
    try connection.run(
      """
      create temp table \(name: name) (place integer primary key, line integer not null, \
      slot integer not null, id text not null, target text not null) strict
      """)
    insertion = try Statement(
      """
      insert into temp.\(name: name) (line, slot, id, target) values (\(SQL.parameter), \
      \(SQL.parameter), \(SQL.parameter), \(SQL.parameter))
      """, on: connection)
  }
}

/// Checks whether records of one schema exist, by id.
private struct TargetLookup {
  private let shared: SharedStatement
  /// The id that was found most recently. If the next id is the same, it is not looked up again:
  /// consecutive records often refer to the same record.
  private var last: [UInt8] = []

  init(_ statement: consuming Statement) {
    shared = SharedStatement(statement)
  }

  mutating func forget() { last.removeAll(keepingCapacity: true) }

  mutating func exists(_ cell: Cell, of rows: Rows) throws(DataError) -> Bool {
    try rows.withBytes(of: cell) { (bytes) throws(DataError) in try exists(bytes) }
  }

  mutating func exists(_ id: Span<UInt8>) throws(DataError) -> Bool {
    if id.isEqual(toBytes: last) && !last.isEmpty { return true }
    try shared.statement.bind(id, at: 1)
    let exists = try shared.statement.step()
    shared.statement.reset()
    if exists {
      last.removeAll(keepingCapacity: true)
      for index in id.indices { last.append(id[index]) }
    }
    return exists
  }
}

import DataModel
import DataStore

/// Checks for many rows at once whether the targets of their references exist. If the save allows
/// forward references, the references whose targets do not exist yet are collected, and are checked
/// again before the transaction ends.
struct ReferenceChecks {
  /// The maximum number of referenced ids that are looked up in one query.
  private static let maxTargetsPerQuery = 10_000

  private let layout: TableLayout
  private let slots: [Int]
  private let targets: [Int: TableLayout]
  private let allowsForwardReferences: Bool
  private let connection: Connection
  /// For each relation field, by slot, the ids of the records that the most recent lookup found.
  private var present: [Int: Set<[UInt8]>] = [:]
  /// The ids of the rows that have been saved since the last lookup. Records of the same schema may
  /// refer to them.
  private var saved: Set<[UInt8]> = []
  private var openReferences: OpenReferenceTable

  /// Creates the reference checks for the table of a schema.
  ///
  /// - Parameters:
  ///   - slots: The relation fields to check.
  ///   - allowsForwardReferences: Whether a record may be saved before the records that it refers
  ///     to. If not, a missing target is a problem of the row.
  ///   - number: A number that makes the name of the temporary table unique in the transaction.
  ///   - catalog: The catalog that contains the schemas of the targets.
  init(
    _ layout: TableLayout, slots: [Int], allowsForwardReferences: Bool, number: Int,
    catalog: Catalog, on connection: Connection
  ) {
    self.layout = layout
    self.slots = slots
    self.allowsForwardReferences = allowsForwardReferences
    self.connection = connection
    openReferences = OpenReferenceTable(number: number, on: connection)
    var targets: [Int: TableLayout] = [:]
    for slot in slots {
      targets[slot] = layout.schema.type(of: slot).relation.flatMap { catalog[$0.target] }
        .map { TableLayout($0) }
    }
    self.targets = targets
  }

  private var schema: Schema { layout.schema }

  var isEmpty: Bool { slots.isEmpty }

  /// Whether the schema has a relation whose target is the schema itself.
  private var hasSelfReferences: Bool { slots.contains(where: isSelfReference) }

  private func isSelfReference(_ slot: Int) -> Bool {
    schema.type(of: slot).relation?.target == schema.name
  }

  /// Looks up which of the referenced records exist. If the engine supports it, also locks these
  /// records against deletion until the transaction ends.
  mutating func lookUp(for rows: [(row: Int, slots: [Int])], of chunk: RowChanges) throws(DataError)
  {
    present = [:]
    saved = []
    for slot in slots {
      var targetIDs: Set<[UInt8]> = []
      for (row, changed) in rows where changed.contains(slot) {
        for target in targets(of: row, slot, in: chunk) { targetIDs.insert(Array(target.utf8)) }
      }
      present[slot] = try existing(targetIDs, slot)
    }
  }

  private func existing(
    _ ids: Set<[UInt8]>, _ slot: Int
  ) throws(DataError) -> Set<[UInt8]> {
    guard !ids.isEmpty, let target = targets[slot] else { return [] }
    var found: Set<[UInt8]> = []
    let ids = ids.map { Value.text(String(decoding: $0, as: UTF8.self)) }
    for start in stride(from: 0, to: ids.count, by: Self.maxTargetsPerQuery) {
      let chunkIDs = Array(ids[start..<min(start + Self.maxTargetsPerQuery, ids.count)])
      try connection.forEachRow(
        connection.grouped(byShard: chunkIDs).map { ids in
          """
          select \(target.key) from \(target.table) \
          where \(target.key) = any(\(values: ids, of: .id)) order by \(target.key)\(connection.postgresDialect.keyShareClause)
          """
        }, [.id]
      ) { values in
        if case .text(let id) = values[0] { found.insert(Array(id.utf8)) }
      }
    }
    return found
  }

  private func targets(of row: Int, _ slot: Int, in chunk: RowChanges) -> [String] {
    let cell = chunk.rows[row, slot]
    guard cell.hasValue else { return [] }
    return schema.slots[slot].kind == .reference
      ? [chunk.rows.text(cell)] : chunk.rows.value(cell, of: schema.type(of: slot)).texts
  }

  /// Returns the missing targets of a relation field of a row: ids of records that do not exist.
  /// The record of the row itself, and the records of rows that were saved earlier, count as
  /// existing.
  private func missing(_ row: Int, _ slot: Int, in chunk: RowChanges) -> [String] {
    let isSelfReference = isSelfReference(slot)
    let id = chunk.rows.text(chunk.rows[row, schema.keySlot])
    return targets(of: row, slot, in: chunk).filter { target in
      let bytes = Array(target.utf8)
      if present[slot]?.contains(bytes) == true { return false }
      return !(isSelfReference && (target.utf8.elementsEqual(id.utf8) || saved.contains(bytes)))
    }
  }

  /// Checks the references in the changed slots of a row. Returns a problem for each target that
  /// does not exist. If forward references are allowed, returns no problems, because later rows may
  /// create the targets.
  func problems(of row: Int, in chunk: RowChanges, slots changed: [Int]) -> [Problem] {
    guard !allowsForwardReferences else { return [] }
    let id = chunk.rows.text(chunk.rows[row, schema.keySlot])
    return slots.filter(changed.contains).flatMap { slot in
      missing(row, slot, in: chunk).map { target in
        .danglingReference(
          to: target, slot: slot, of: schema, id: id, line: chunk.lines[row])
      }
    }
  }

  /// Collects the references from a saved row to records that do not exist yet, so that the
  /// references are checked again later.
  mutating func record(_ row: Int, in chunk: RowChanges, slots changed: [Int]) {
    let key = chunk.rows[row, schema.keySlot]
    if hasSelfReferences { saved.insert(chunk.rows.withBytes(of: key) { Array($0) }) }
    guard allowsForwardReferences else { return }
    let id = chunk.rows.text(key)
    for slot in slots where changed.contains(slot) {
      for target in missing(row, slot, in: chunk) {
        openReferences.add(
          OpenReferenceTable.OpenReference(
            slot: slot, id: id, target: target, line: chunk.lines[row]))
      }
    }
  }

  /// Discards the collected references whose targets have been saved in the meantime. Moves the
  /// other collected references from memory to a temporary table.
  mutating func writeUnresolved() {
    let own = Set(slots.filter(isSelfReference))
    openReferences.removeAdded { [saved] reference in
      own.contains(reference.slot) && saved.contains(Array(reference.target.utf8))
    }
    openReferences.write()
  }

  /// Discards the collected references, because the records that contain them are rolled back.
  mutating func discard() { openReferences.discard() }

  /// Calls a closure with a problem for each collected reference that is dangling: its target does
  /// not exist, and the record still contains the reference. Then removes all collected references.
  mutating func takeUnresolved(_ report: (Problem) -> Void) throws(DataError) {
    var references = openReferences
    defer { openReferences = references }
    try references.take { (part) throws(DataError) in
      var found: [Int: Set<[UInt8]>] = [:]
      for slot in slots {
        let targetIDs = Set(part.filter { $0.slot == slot }.map { Array($0.target.utf8) })
        found[slot] = try existing(targetIDs, slot)
      }
      let dangling = part.filter { reference in
        found[reference.slot]?.contains(Array(reference.target.utf8)) != true
      }
      var stored: [Int: [[UInt8]: Set<[UInt8]>]] = [:]
      for slot in slots {
        stored[slot] = try targets(in: slot, of: dangling.filter { $0.slot == slot }.map(\.id))
      }
      for reference in dangling {
        let targets = stored[reference.slot]?[Array(reference.id.utf8)]
        guard targets?.contains(Array(reference.target.utf8)) == true else { continue }
        report(
          .danglingReference(
            to: reference.target, slot: reference.slot, of: schema, id: reference.id,
            line: reference.line))
      }
    }
  }

  /// Returns the ids that a relation field contains in the given records, keyed by the id of the
  /// record.
  private func targets(
    in slot: Int, of ids: [String]
  ) throws(DataError) -> [[UInt8]: Set<[UInt8]>] {
    var targets: [[UInt8]: Set<[UInt8]>] = [:]
    guard !ids.isEmpty else { return targets }
    let owners = ids.map(Value.text)
    let isMany = schema.type(of: slot).relation?.isMany == true
    try connection.forEachRow(
      isMany
        ? """
        select source, target from \(layout.link(slot)) where source = any(\(values: owners, of: .id))
        """
        : """
        select \(layout.key), \(layout.column(slot)) from \(layout.table) \
        where \(layout.key) = any(\(values: owners, of: .id))
        """, [.id, .id]
    ) { values in
      guard case .text(let id) = values[0], case .text(let target) = values[1] else { return }
      targets[Array(id.utf8), default: []].insert(Array(target.utf8))
    }
    return targets
  }
}

extension Array where Element == UInt8 {
  fileprivate init(_ span: Span<UInt8>) {
    self = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
  }
}

import DataModel
import DataStore

/// Checks whether the targets of references exist, for many rows at once, and records those that
/// may still be created by the save.
struct ReferenceChecks {
  /// The maximum number of targets in one query.
  private static let targetsAtOnce = 10_000

  private let schema: Schema
  private let slots: [Int]
  private let targets: [Int: TableLayout]
  private let waitsForTargets: Bool
  private let connection: Connection
  /// The existing targets, by slot.
  private var present: [Int: Set<[UInt8]>] = [:]
  /// The ids of the rows saved so far, for references within the schema.
  private var saved: Set<[UInt8]> = []
  private var openings: OpenReferences

  /// Creates the checks for a table. A save may allow a record to come before one that it refers
  /// to.
  init(
    _ layout: TableLayout, waitsForTargets: Bool, catalog: Catalog, on connection: Connection
  ) {
    schema = layout.schema
    slots = layout.relationSlots
    self.waitsForTargets = waitsForTargets
    self.connection = connection
    openings = OpenReferences(on: connection)
    var targets: [Int: TableLayout] = [:]
    for slot in slots {
      targets[slot] = layout.schema.type(of: slot).relation.flatMap { catalog[$0.target] }
        .map { TableLayout($0) }
    }
    self.targets = targets
  }

  var isEmpty: Bool { slots.isEmpty }

  /// Whether records refer to others of their own schema.
  private var hasOwn: Bool { slots.contains(where: isOwn) }

  private func isOwn(_ slot: Int) -> Bool {
    schema.type(of: slot).relation?.target == schema.name
  }

  /// Looks up all targets in the rows, and locks them against deletion until the save ends, where
  /// the engine supports it.
  mutating func look(for rows: [(row: Int, slots: [Int])], of batch: Changes) throws(DataError) {
    present = [:]
    saved = []
    for slot in slots {
      var wanted: Set<[UInt8]> = []
      for (row, changed) in rows where changed.contains(slot) {
        for target in targets(of: row, slot, in: batch) { wanted.insert(Array(target.utf8)) }
      }
      present[slot] = try existing(wanted, slot)
    }
  }

  private func existing(
    _ ids: Set<[UInt8]>, _ slot: Int
  ) throws(DataError) -> Set<[UInt8]> {
    guard !ids.isEmpty, let target = targets[slot] else { return [] }
    var found: Set<[UInt8]> = []
    let ids = ids.map { Value.text(String(decoding: $0, as: UTF8.self)) }
    for start in stride(from: 0, to: ids.count, by: Self.targetsAtOnce) {
      let some = Array(ids[start..<min(start + Self.targetsAtOnce, ids.count)])
      try connection.each(
        """
        select \(target.key) from \(target.table) \
        where \(target.key) = any(\(values: some, of: .id)) order by \(target.key)\(connection.words.holdingKeys)
        """, [.id]
      ) { values in
        if case .text(let id) = values[0] { found.insert(Array(id.utf8)) }
      }
    }
    return found
  }

  private func targets(of row: Int, _ slot: Int, in batch: Changes) -> [String] {
    let cell = batch.rows[row, slot]
    guard cell.hasValue else { return [] }
    return schema.slots[slot].kind == .reference
      ? [batch.rows.text(cell)] : batch.rows.value(cell, of: schema.type(of: slot)).texts
  }

  /// Returns the targets of a row's relation that do not exist. A record may refer to itself and to
  /// rows saved before it.
  private func missing(_ row: Int, _ slot: Int, in batch: Changes) -> [String] {
    let isOwn = isOwn(slot)
    let id = batch.rows.text(batch.rows[row, schema.keySlot])
    return targets(of: row, slot, in: batch).filter { target in
      let bytes = Array(target.utf8)
      if present[slot]?.contains(bytes) == true { return false }
      return !(isOwn && (target.utf8.elementsEqual(id.utf8) || saved.contains(bytes)))
    }
  }

  /// Returns the dangling references of a row, unless their targets may still be created.
  func problems(of row: Int, in batch: Changes, slots changed: [Int]) -> [Problem] {
    guard !waitsForTargets else { return [] }
    let id = batch.rows.text(batch.rows[row, schema.keySlot])
    return slots.filter(changed.contains).flatMap { slot in
      missing(row, slot, in: batch).map { target in
        .danglingReference(
          to: target, slot: slot, of: schema, id: id, line: batch.lines[row])
      }
    }
  }

  /// Records the references of a saved row in place of its earlier ones.
  mutating func keep(_ row: Int, in batch: Changes, slots changed: [Int], isNew: Bool) {
    let key = batch.rows[row, schema.keySlot]
    if hasOwn { saved.insert(batch.rows.withBytes(of: key) { Array($0) }) }
    guard waitsForTargets else { return }
    let id = batch.rows.text(key)
    for slot in slots where changed.contains(slot) {
      if !isNew { openings.renew(id, slot) }
      for target in missing(row, slot, in: batch) {
        openings.add(
          OpenReferences.Open(slot: slot, id: id, target: target, line: batch.lines[row]))
      }
    }
  }

  /// Writes the recorded references that are still unresolved to the temporary table.
  mutating func note() {
    let own = Set(slots.filter(isOwn))
    openings.removeAdded { [saved] open in
      own.contains(open.slot) && saved.contains(Array(open.target.utf8))
    }
    openings.write()
  }

  /// Reports the references whose targets were never created, and clears the list.
  func takeUnmet(_ give: (Problem) -> Void) throws(DataError) {
    try openings.take { (part) throws(DataError) in
      var found: [Int: Set<[UInt8]>] = [:]
      for slot in slots {
        let wanted = Set(part.filter { $0.slot == slot }.map { Array($0.target.utf8) })
        found[slot] = try existing(wanted, slot)
      }
      for open in part where found[open.slot]?.contains(Array(open.target.utf8)) != true {
        give(
          .danglingReference(
            to: open.target, slot: open.slot, of: schema, id: open.id, line: open.line))
      }
    }
  }
}

extension Array where Element == UInt8 {
  fileprivate init(_ span: Span<UInt8>) {
    self = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
  }
}

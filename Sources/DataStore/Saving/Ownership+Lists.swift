import DataModel

/// The owned lists of trees: the order of the parts, and what is to be deleted.
extension WriteTransaction {
  /// Prepares the lists of trees before their chunks are saved: locks their owners, sets the
  /// positions of the parts, and finds the parts that the lists do not name. These are remembered,
  /// and returned by schema.
  ///
  /// - Parameter access: The access rules of the caller, or nil for an administrator.
  func begin(
    _ lists: [PartList], in chunks: inout [TreeChunk], for access: WriteAccess?
  ) throws(DataError) -> [(schema: Schema, ids: [[UInt8]])] {
    var removals: [(schema: Schema, ids: [[UInt8]])] = []
    let indexes = Dictionary(chunks.indices.map { (chunks[$0].number, $0) }) { first, _ in first }
    let isCreating = chunks.contains { !$0.isInside && $0.policy.mode == .create }
    for (_, lists) in Dictionary(grouping: lists, by: { $0.schema.name }).sorted(by: {
      $0.key < $1.key
    }) {
      let lists = lists.filter { $0.isOwned || isCreating }
      guard let schema = lists.first?.schema else { continue }
      try lockOwners(of: lists, schema)
      let parts = lists.map { list in
        list.parts.compactMap { part in
          indexes[Int(part.chunk)].map { (chunk: $0, row: Int(part.row)) }
        }
      }
      let stored = try storedParts(lists, parts, chunks, schema, all: isCreating, for: access)
      for (list, parts) in zip(lists, parts) {
        if isCreating { deny(parts, in: &chunks, of: list, stored) }
        if list.isOwned { setPositions(parts, in: &chunks, schema, stored) }
      }
      guard !stored.isEmpty else { continue }
      let named = Set(parts.joined().map { chunks[$0.chunk].changes.id($0.row) })
      let found = stored.filter { id, part in part.isOfListedOwner && !named.contains(id) }
      guard !found.isEmpty, let target = schema.ownership?.target else { continue }
      let ids = found.keys.sorted { $0.lexicographicallyPrecedes($1) }
      removals.append((schema, ids))
      for id in ids {
        guard let owner = found[id]?.owner else { continue }
        ownership?.touch(owner, of: target)
        ownership?.removals[schema.name, default: []].append(
          Ownership.Removal(id: id, owner: owner))
      }
    }
    return removals
  }

  /// Returns the parts to delete that still have the owner whose list did not name them.
  func remainingRemovals() throws(DataError) -> [(schema: Schema, ids: [[UInt8]])] {
    guard let ownership else { return [] }
    self.ownership?.removals = [:]
    var remaining: [(schema: Schema, ids: [[UInt8]])] = []
    for (name, removals) in ownership.removals.sorted(by: { $0.key < $1.key }) {
      guard let schema = ownership.catalog[name], let slot = schema.ownerSlot else { continue }
      let known = Set(removals)
      var ids: [[UInt8]] = []
      for rows in try Ownership.records(removals.map(\.id), schema, [slot], in: self) {
        for row in 0..<rows.count {
          let id = rows.bytes(rows[row, schema.keySlot])
          let removal = Ownership.Removal(id: id, owner: rows.bytes(rows[row, slot]))
          let isSpared = ownership.spared[name]?.contains(id) == true
          if known.contains(removal), !isSpared { ids.append(id) }
        }
      }
      if !ids.isEmpty { remaining.append((schema, ids)) }
    }
    return remaining
  }

  private func lockOwners(of lists: [PartList], _ schema: Schema) throws(DataError) {
    guard locksRecords, let ownership else { return }
    let owners = Set(lists.filter { $0.isOwned && !$0.isOfNewOwner }.map(\.owner))
    try ownership.lockOwners(owners, ofParts: [], schema, in: self)
  }

  /// Returns the owners of owned lists that are stored. A bulk load has no index with which the parts
  /// of new owners would be found.
  private func storedOwners(of lists: [PartList], _ schema: Schema) throws(DataError) -> [[UInt8]] {
    guard let owner = schema.ownership.flatMap({ ownership?.catalog[$0.target] }) else { return [] }
    let given = lists.filter { $0.isOwned && !$0.isOfNewOwner }.map(\.owner)
    return try Ownership.records(given, owner, [], in: self).flatMap { rows in
      (0..<rows.count).map { rows.bytes(rows[$0, owner.keySlot]) }
    }
  }

  /// Returns the stored parts of the owners of lists. Also returns the parts that the lists name, if
  /// the order depends on their positions, or if `all` is true.
  private func storedParts(
    _ lists: [PartList], _ parts: [[(chunk: Int, row: Int)]], _ chunks: [TreeChunk],
    _ schema: Schema, all: Bool, for access: WriteAccess?
  ) throws(DataError) -> [[UInt8]: StoredPart] {
    guard let slot = schema.ownerSlot ?? lists.first?.slot else { return [:] }
    let slots = [slot] + [schema.positionSlot].compactMap(\.self)
    var stored: [[UInt8]: StoredPart] = [:]
    func add(_ found: [Rows], isOfListedOwner: Bool) {
      for rows in found {
        for row in 0..<rows.count {
          stored[rows.bytes(rows[row, schema.keySlot])] = StoredPart(
            owner: rows.bytes(rows[row, slot]),
            position: schema.positionSlot.flatMap {
              rows[row, $0].hasValue ? rows[row, $0].integer : nil
            }, isOfListedOwner: isOfListedOwner)
        }
      }
    }
    let owners = try storedOwners(of: lists, schema)
    add(
      try Ownership.records(owners, by: slot, schema, slots, for: access, in: self),
      isOfListedOwner: true)
    guard all || schema.positionSlot != nil else { return stored }
    let others = parts.joined().compactMap { part -> [UInt8]? in
      let changes = chunks[part.chunk].changes
      let id = changes.id(part.row)
      if changes.hasAssignedID[part.row] || stored[id] != nil { return nil }
      let hasPosition = schema.positionSlot.map { changes.rows[part.row, $0].kind != .missing }
      return all || hasPosition != true ? id : nil
    }
    add(
      try Ownership.records(others, schema, slots, for: access, in: self), isOfListedOwner: false)
    return stored
  }

  /// Rejects the parts that have another owner, because `--create` changes no other records.
  private func deny(
    _ parts: [(chunk: Int, row: Int)], in chunks: inout [TreeChunk], of list: PartList,
    _ stored: [[UInt8]: StoredPart]
  ) {
    for part in parts {
      let id = chunks[part.chunk].changes.id(part.row)
      guard let found = stored[id], found.owner != list.owner, !found.owner.isEmpty else {
        continue
      }
      let line = chunks[part.chunk].changes.lines[part.row]
      let owner = Excerpt.quoted(String(decoding: found.owner, as: UTF8.self))
      chunks[part.chunk].changes.deny(
        part.row,
        Problem(
          .exists, "the record already belongs to \(owner)", schema: list.schema.name,
          id: String(decoding: id, as: UTF8.self), field: list.schema.name(of: list.slot),
          line: line))
    }
  }

  /// Sets the positions of the parts of a list to 1, 2, 3 and so on, unless their positions and ids
  /// already result in the order of the list.
  private func setPositions(
    _ parts: [(chunk: Int, row: Int)], in chunks: inout [TreeChunk], _ schema: Schema,
    _ stored: [[UInt8]: StoredPart]
  ) {
    guard let slot = schema.positionSlot, !schema.hiddenSlots.contains(slot) else { return }
    let keys = parts.map { part in
      let (changes, policy) = (chunks[part.chunk].changes, chunks[part.chunk].policy)
      let cell = changes.rows[part.row, slot]
      let id = changes.id(part.row)
      let isKept = stored[id] != nil && policy.mode != .replace || cell.operation != .set
      var position = cell.hasValue ? cell.integer : nil
      if cell.kind == .missing || cell.operation != .set {
        position = stored[id]?.position
        if !isKept, case .integer(let value)? = schema.fields[slot].defaultValue {
          position = value
        }
      }
      return (position: position, id: id)
    }
    let isOrdered = zip(keys, keys.dropFirst()).allSatisfy { first, second in
      let (left, right) = (first.position ?? .min, second.position ?? .min)
      return left < right || left == right && first.id.lexicographicallyPrecedes(second.id)
    }
    if isOrdered { return }
    for (index, part) in parts.enumerated() {
      chunks[part.chunk].changes.setPosition(index + 1, slot, in: part.row)
    }
  }
}

/// A part as it is stored.
private struct StoredPart {
  let owner: [UInt8]
  let position: Int64?
  /// Whether the owner is that of one of the lists.
  let isOfListedOwner: Bool
}

extension Ownership {
  /// Keeps the parts that the lists of a rejected tree name.
  mutating func spare(_ lists: [PartList], in chunks: [TreeChunk]) {
    let indexes = Dictionary(chunks.indices.map { (chunks[$0].number, $0) }) { first, _ in first }
    for list in lists {
      let named = Set(
        list.parts.compactMap { part in
          indexes[Int(part.chunk)].map { chunks[$0].changes.id(Int(part.row)) }
        })
      spared[list.schema.name, default: []].formUnion(named)
    }
  }
}

extension RowChanges {
  fileprivate func id(_ row: Int) -> [UInt8] { bytes(row, schema.keySlot) }

  func bytes(_ row: Int, _ slot: Int) -> [UInt8] { rows.bytes(rows[row, slot]) }
}

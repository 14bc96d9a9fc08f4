package import DataModel

/// What a transaction does to wholes and their parts, such as orders and their lines.
///
/// An owner of which a part changes gets a new revision at the end of the transaction, unless the
/// transaction changes the owner itself. What an owned list does not name is deleted at the end, too.
package struct Ownership: Sendable {
  /// The maximum number of ids that one query looks up.
  static let maxIDs = 1_000

  /// A stored part that an owned list does not name.
  struct Removal: Hashable {
    let id: [UInt8]
    let owner: [UInt8]
  }

  let catalog: Catalog
  let stamp: Stamp
  /// The schemas that own others.
  private let owners: Set<String>
  /// The owners whose changes are remembered, because the write can also change their parts.
  private let written: Set<String>
  /// The owners of which a part has changed, by schema.
  private(set) var touched: [String: Set<[UInt8]>] = [:]
  /// The owners that the transaction itself has created or changed, by schema.
  private var changed: [String: Set<[UInt8]>] = [:]
  /// The parts that got another owner, by schema, each with its line.
  private(set) var moved: [String: [[UInt8]: Int]] = [:]
  /// The parts to delete at the end of the transaction, by schema.
  var removals: [String: [Removal]] = [:]
  /// The parts that rejected trees name, by schema. They are not deleted.
  var spared: [String: Set<[UInt8]>] = [:]
  /// The results of the deletions of parts, which the source has not received yet.
  var results: [(schema: Schema, result: DeleteResult)] = []

  /// Returns nil if no schema is owned.
  init?(_ catalog: Catalog, _ request: WriteRequest) {
    let owned = catalog.schemas.filter { $0.ownerSlot != nil }
    if owned.isEmpty { return nil }
    self.catalog = catalog
    stamp = request.stamp
    owners = Set(owned.compactMap { $0.ownership?.target })
    let names = Set(request.schemas.map(\.name))
    written = Set(owned.filter { names.contains($0.name) }.compactMap { $0.ownership?.target })
  }

  /// Returns whether saving records of a schema concerns owners or parts.
  func concerns(_ schema: Schema) -> Bool {
    schema.ownerSlot != nil || written.contains(schema.name)
  }

  /// Returns whether records of a schema can own others.
  func isOwner(_ name: String) -> Bool { owners.contains(name) }

  /// Remembers the owners of the rows that were created or changed.
  mutating func note(_ chunk: borrowing RowChanges, _ outcomes: [Outcome], _ policy: SavePolicy) {
    let (schema, isOwner) = (chunk.schema, written.contains(chunk.schema.name))
    let ownership = schema.ownership
    // Saved revisions are restored, so no further ones are made.
    let ownerSlot = policy.systemFields == .kept ? schema.ownerSlot : nil
    for (row, outcome) in outcomes.enumerated() {
      var before: [UInt8]?
      var isMoved = false
      switch outcome {
      case .same, .refused: continue
      case .created: isMoved = true
      case .changed(let slots):
        guard let slot = ownerSlot, slots.contains(slot), let old = chunk.oldIndexes[row] else {
          break
        }
        isMoved = true
        before = chunk.oldRecords.bytes(chunk.oldRecords[old, slot])
      }
      let id = chunk.rows.bytes(chunk.rows[row, schema.keySlot])
      if isOwner { changed[schema.name, default: []].insert(id) }
      guard let slot = ownerSlot, let target = ownership?.target else { continue }
      touch(chunk.rows.bytes(chunk.rows[row, slot]), of: target)
      if let before { touch(before, of: target) }
      if isMoved, target == schema.name { moved[schema.name, default: [:]][id] = chunk.lines[row] }
    }
  }

  /// Remembers an owner of which a part has changed. An empty id means that there is no owner.
  mutating func touch(_ id: [UInt8], of schema: String) {
    guard !id.isEmpty, changed[schema]?.contains(id) != true else { return }
    touched[schema, default: []].insert(id)
  }

  /// Marks the unchanged owners in the chunks of trees as changed if one of their parts was.
  mutating func mark(_ chunks: inout [TreeChunk], _ outcomes: inout [[Outcome]]) {
    // The parts follow their owners.
    for index in chunks.indices.reversed() {
      let schema = chunks[index].changes.schema
      guard let touched = touched[schema.name], !touched.isEmpty else { continue }
      for row in outcomes[index].indices where outcomes[index][row] == .same {
        guard touched.contains(chunks[index].changes.bytes(row, schema.keySlot)) else { continue }
        if let slot = schema.ownerSlot, let target = schema.ownership?.target {
          touch(chunks[index].changes.bytes(row, slot), of: target)
        }
        chunks[index].changes.touch(row, stamp)
        outcomes[index][row] = .changed([])
      }
    }
  }

  /// Gives the owners of changed parts, and the owners of these owners, a new revision.
  mutating func touchOwners(in transaction: some WriteTransaction) throws(DataError) {
    guard !touched.isEmpty else { return }
    // Parts come before their owners, so that the owners of touched owners are found first.
    let schemas = catalog.schemas.filter { owners.contains($0.name) }
      .sorted { (-catalog.ownerDepth(of: $0), $0.name) < (-catalog.ownerDepth(of: $1), $1.name) }
    for schema in schemas {
      guard let slot = schema.ownerSlot, let target = schema.ownership?.target else { continue }
      var known: Set<[UInt8]> = []
      while let found = touched[schema.name]?.subtracting(known), !found.isEmpty {
        known.formUnion(found)
        for rows in try Self.records(Array(found), schema, [slot], in: transaction) {
          for row in 0..<rows.count { touch(rows.bytes(rows[row, slot]), of: target) }
        }
      }
    }
    for schema in schemas.reversed() {
      let ids = (touched[schema.name] ?? []).subtracting(changed[schema.name] ?? []).sorted {
        $0.lexicographicallyPrecedes($1)
      }
      for part in Self.parts(ids) {
        try transaction.lock(part, in: schema)
        try transaction.touch(part, in: schema)
      }
    }
    touched = [:]
  }

  /// Divides ids into parts that one statement can look up.
  static func parts(_ ids: [[UInt8]]) -> [[String]] {
    stride(from: 0, to: ids.count, by: maxIDs).map { start in
      ids[start..<min(start + maxIDs, ids.count)].map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Returns the stored records with the given ids, with their keys and the fields in the slots.
  ///
  /// - Parameter field: The slot of the field that contains the ids; nil for the primary key.
  static func records(
    _ ids: [[UInt8]], by field: Int? = nil, _ schema: Schema, _ slots: [Int],
    for access: WriteAccess? = nil, in transaction: some WriteTransaction
  ) throws(DataError) -> [Rows] {
    let name = schema.name(of: field ?? schema.keySlot)
    var found: [Rows] = []
    for part in parts(ids) {
      let query = Query(
        schema, where: .test(FieldPath(name), .isIn(part.map(Value.text))),
        slots: [schema.keySlot] + slots)
      if let access {
        found += try access.rows(query, in: transaction)
      } else {
        found += try transaction.rows(query)
      }
    }
    return found
  }
}

/// The locks on owners, and the limits of chains.
extension Ownership {
  /// Locks the owners of the rows of a chunk, old and new, and the owners of these owners. Writes
  /// that lock owners before parts cannot deadlock.
  func lockOwners(
    of chunk: borrowing RowChanges, in transaction: some WriteTransaction
  ) throws(DataError) {
    guard transaction.locksRecords, let slot = chunk.schema.ownerSlot else { return }
    var found: Set<[UInt8]> = []
    var given: [[UInt8]] = []
    for row in 0..<chunk.count {
      let owner = chunk.rows[row, slot]
      if owner.hasValue { found.insert(chunk.rows.bytes(owner)) }
      if !chunk.hasAssignedID[row] {
        given.append(chunk.rows.bytes(chunk.rows[row, chunk.schema.keySlot]))
      }
    }
    try lockOwners(found, ofParts: given, chunk.schema, in: transaction)
  }

  /// Locks the owners of stored parts, further owners of the same schema, and their owners.
  func lockOwners(
    _ further: Set<[UInt8]> = [], ofParts ids: [[UInt8]], _ schema: Schema,
    in transaction: some WriteTransaction
  ) throws(DataError) {
    var (part, ids, found) = (schema, ids, further)
    var levels: [(schema: Schema, ids: [[UInt8]])] = []
    while levels.count < Schema.maxOwners, let slot = part.ownerSlot,
      let target = part.ownership?.target, let owner = catalog[target]
    {
      for rows in try Self.records(ids, part, [slot], in: transaction) {
        for row in 0..<rows.count where rows[row, slot].hasValue {
          found.insert(rows.bytes(rows[row, slot]))
        }
      }
      if found.isEmpty { break }
      levels.append((owner, found.sorted { $0.lexicographicallyPrecedes($1) }))
      (part, ids, found) = (owner, levels[levels.count - 1].ids, [])
    }
    for level in levels.reversed() {
      for part in Self.parts(level.ids) { try transaction.lock(part, in: level.schema) }
    }
  }

  /// Returns a problem for each part that the transaction has moved into a circle of owners, or into
  /// a chain that is too long.
  mutating func chainProblems(in transaction: some WriteTransaction) throws(DataError) -> [Problem]
  {
    defer { moved = [:] }
    var problems: [Problem] = []
    for (name, lines) in moved.sorted(by: { $0.key < $1.key }) {
      guard let schema = catalog[name], let slot = schema.ownerSlot else { continue }
      var owners: [[UInt8]: [UInt8]] = [:]
      var next = Set(lines.keys)
      for _ in 0...Schema.maxOwners where !next.isEmpty {
        var found: Set<[UInt8]> = []
        for rows in try Self.records(Array(next), schema, [slot], in: transaction) {
          for row in 0..<rows.count where rows[row, slot].hasValue {
            let owner = rows.bytes(rows[row, slot])
            owners[rows.bytes(rows[row, schema.keySlot])] = owner
            if owners[owner] == nil { found.insert(owner) }
          }
        }
        next = found
      }
      let heights = try heights(of: Set(lines.keys), schema, slot, in: transaction)
      for (id, line) in lines.sorted(by: { $0.value < $1.value }) {
        var path = [id]
        while let owner = owners[path[path.count - 1]], path.count <= Schema.maxOwners {
          path.append(owner)
          if owner == id { break }
        }
        let isCircle = path.count > 1 && path.last == id
        guard isCircle || path.count + (heights[id] ?? 0) > Schema.maxOwners else { continue }
        let names = path.prefix(5).map { Excerpt.truncated(String(decoding: $0, as: UTF8.self)) }
        let chain = names.joined(separator: ", ") + (path.count > 5 ? " …" : "")
        problems.append(
          Problem(
            .invalid,
            isCircle
              ? "the record would own itself: \(chain)"
              : "more than \(Schema.maxOwners) records in a chain of owners: \(chain)",
            schema: name, id: String(decoding: id, as: UTF8.self), field: schema.name(of: slot),
            line: line))
      }
    }
    return problems
  }

  /// Returns the number of levels of parts below each of some records of a schema that owns itself.
  private func heights(
    of ids: Set<[UInt8]>, _ schema: Schema, _ slot: Int, in transaction: some WriteTransaction
  ) throws(DataError) -> [[UInt8]: Int] {
    var heights: [[UInt8]: Int] = [:]
    var roots = Dictionary(uniqueKeysWithValues: ids.map { ($0, $0) })
    for level in 1...Schema.maxOwners where !roots.isEmpty {
      var next: [[UInt8]: [UInt8]] = [:]
      let parts = try Self.records(Array(roots.keys), by: slot, schema, [slot], in: transaction)
      for rows in parts {
        for row in 0..<rows.count {
          let id = rows.bytes(rows[row, schema.keySlot])
          guard let root = roots[rows.bytes(rows[row, slot])], !ids.contains(id) else { continue }
          heights[root] = level
          next[id] = root
        }
      }
      roots = next
    }
    return heights
  }
}

extension Catalog {
  /// Returns the number of schemas of which a record of the schema is a part. Records are locked in
  /// the order of these numbers, and of the names of their schemas.
  package func ownerDepth(of schema: Schema) -> Int {
    var (depth, part) = (0, schema)
    while let target = part.ownership?.target, target != part.name, let owner = self[target] {
      (depth, part) = (depth + 1, owner)
    }
    return depth
  }
}

extension WriteTransaction {
  /// Saves the rows of a chunk, and remembers the owners of the parts that change.
  func saveParts(
    _ chunk: inout RowChanges, _ policy: SavePolicy
  ) throws(DataError) -> [Outcome] {
    guard let ownership, ownership.concerns(chunk.schema) else { return try save(&chunk, policy) }
    if chunk.schema.ownerSlot != nil {
      chunk.keepsOldRecords = true
      if policy.systemFields == .kept { try ownership.lockOwners(of: chunk, in: self) }
    }
    let outcomes = try save(&chunk, policy)
    self.ownership?.note(chunk, outcomes, policy)
    return outcomes
  }

  /// Deletes records, and remembers the owners of the parts that are deleted or changed.
  func deleteParts(_ request: DeleteRequest) throws(DataError) -> DeleteResult {
    if let ownership, locksRecords, request.schema.ownerSlot != nil {
      try ownership.lockOwners(ofParts: selected(request), request.schema, in: self)
    }
    let result = try delete(request)
    for (schema, ids) in result.owners {
      for id in ids { ownership?.touch(Array(id.utf8), of: schema) }
    }
    return result
  }

  /// Returns the ids of the records that a request selects.
  private func selected(_ request: DeleteRequest) throws(DataError) -> [[UInt8]] {
    switch request.selection {
    case .matching(let condition):
      return try AccessQueries.ids(
        rows(Query(request.schema, where: condition, slots: [request.schema.keySlot])),
        request.schema)
    case .ids(let list):
      var ids: [[UInt8]] = []
      let next = try list.reader()
      while let part = try next() { ids += part.map { Array($0.utf8) } }
      return ids
    }
  }
}

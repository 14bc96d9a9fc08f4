import DataModel
import DataStore

extension MemoryState {
  /// Deletes the requested records and the records to which the deletion cascades. Clears the
  /// references from the remaining records to the deleted ones.
  mutating func delete(
    _ request: DeleteRequest, stamp: Stamp
  ) throws(DataError) -> DeleteResult {
    let selected = try selection(of: request)
    let deleted = closure(over: selected.map { RecordKey(schema: request.schema.name, id: $0) })
    let referrers = remainingReferrers(referringTo: deleted)
    if let denial = DataError(referrers.compactMap(denial)) { throw denial }
    let nullified = try nullify(referrers, stamp: stamp)
    var records = Rows(width: request.schema.width)
    if request.returnsRecords, let table = tables[request.schema.name] {
      for (id, record) in table.sorted where selected.contains(id) {
        records.append(0, of: record.row, slots: Array(0..<request.schema.width))
      }
    }
    let changed = Set(referrers.map(\.key))
    let owners = owners(of: deleted.union(changed))
    for key in deleted {
      tables[key.schema]?.records[key.id] = nil
      if tables[key.schema]?.schema.kind == .user {
        endSessions(of: key.id)
      }
    }
    var counts: [String: Int] = [:]
    for key in deleted { counts[key.schema, default: 0] += 1 }
    counts[request.schema.name, default: 0] -= selected.count
    let summary = DeleteSummary(
      deleted: selected.count,
      cascaded: counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }
        .map { .init(schema: $0.key, count: $0.value) },
      nullified: nullified)
    try request.check(summary)
    var result = DeleteResult(summary, records: request.returnsRecords ? [records] : [])
    result.owners = owners
    return result
  }

  /// Returns the ids of the owners of records, by schema.
  private func owners(of keys: Set<RecordKey>) -> [String: [String]] {
    var owners: [String: [String]] = [:]
    for key in keys {
      guard let table = tables[key.schema], let slot = table.schema.ownerSlot,
        let relation = table.schema.ownership, let record = table.records[key.id]
      else { continue }
      for owner in record.row.targets(record.row[0, slot], of: relation) {
        owners[relation.target, default: []].append(String(decoding: owner, as: UTF8.self))
      }
    }
    return owners
  }

  /// Gives a record a new revision.
  mutating func touch(_ id: [UInt8], in schema: Schema, _ stamp: Stamp) {
    guard let record = tables[schema.name]?.records[id] else { return }
    var row = record.row
    let modified = schema.slot(.modifiedAt)
    row[0, modified] = .integer(max(row[0, modified].integer, stamp.time.microseconds))
    row[0, schema.slot(.modifiedBy)] = stamp.user.map { row.store($0) } ?? .null
    row[0, schema.slot(.revision)] = .integer(row[0, schema.slot(.revision)].integer + 1)
    tables[schema.name]?.records[id]?.row = row
  }

  private struct RecordKey: Hashable {
    var schema: String
    var id: [UInt8]

    var text: String { String(decoding: id, as: UTF8.self) }
  }

  /// A reference from a remaining record to a deleted one.
  private struct Referrer {
    var key: RecordKey
    var slot: Int
    var target: RecordKey
  }

  /// Returns the ids of the records that the request selects, either by id or by a condition. The
  /// result has no duplicates.
  private func selection(of request: DeleteRequest) throws(DataError) -> Set<[UInt8]> {
    let schema = request.schema
    let records = tables[schema.name]?.records ?? [:]
    var problems: [Problem] = []
    var selected: Set<[UInt8]> = []
    switch request.selection {
    case .matching(let condition):
      try condition.checkSize(of: schema, in: catalog)
      let matcher = try ConditionMatcher(condition, of: schema, in: catalog)
      let related = MemoryRelations(self)
      for (id, record) in records where try matcher.matches(record.row, 0, related) {
        selected.insert(id)
      }
      if let kept = request.kept {
        let next = try kept.reader()
        while let chunk = try next() { for id in chunk { selected.remove(Array(id.utf8)) } }
      }
    case .ids(let ids):
      var seen: Set<[UInt8]> = []
      let next = try ids.reader()
      while let chunk = try next() {
        for id in chunk where seen.insert(Array(id.utf8)).inserted {
          guard let record = records[Array(id.utf8)] else {
            if request.missing == .refused { problems.append(.recordNotFound(id: id, of: schema)) }
            continue
          }
          let found = record.row[0, schema.slot(.revision)].integer
          if let expected = request.revision, expected != found {
            problems.append(.revisionChanged(id: id, of: schema, expected: expected, found: found))
          }
          selected.insert(Array(id.utf8))
        }
      }
    }
    if let error = DataError(problems) { throw error }
    return selected
  }

  /// Returns the given records and all records to which their deletion cascades.
  private func closure(over keys: [RecordKey]) -> Set<RecordKey> {
    var deleted = Set(keys)
    var hasGrown = true
    while hasGrown {
      let further = remainingReferrers(referringTo: deleted).filter { onDelete($0) == .cascade }
      hasGrown = !further.isEmpty
      deleted.formUnion(further.map(\.key))
    }
    return deleted
  }

  /// Returns the references from remaining records to deleted ones, sorted by schema, id and field.
  private func remainingReferrers(referringTo deleted: Set<RecordKey>) -> [Referrer] {
    catalog.all.flatMap { schema in
      (tables[schema.name]?.sorted ?? []).flatMap { id, record -> [Referrer] in
        let key = RecordKey(schema: schema.name, id: id)
        if deleted.contains(key) { return [] }
        return schema.fields.indices.flatMap { slot -> [Referrer] in
          guard let relation = schema.fields[slot].type.relation else { return [] }
          return record.row.targets(record.row[0, slot], of: relation)
            .map { RecordKey(schema: relation.target, id: $0) }
            .filter(deleted.contains)
            .map { Referrer(key: key, slot: slot, target: $0) }
        }
      }
    }
  }

  private func field(_ referrer: Referrer) -> Field? {
    tables[referrer.key.schema]?.schema.fields[referrer.slot]
  }

  private func onDelete(_ referrer: Referrer) -> Relation.OnDelete? {
    field(referrer)?.type.relation?.onDelete
  }

  private func denial(_ referrer: Referrer) -> Problem? {
    guard let field = field(referrer), let relation = field.type.relation,
      let schema = tables[referrer.key.schema]?.schema,
      let target = tables[referrer.target.schema]?.schema,
      relation.onDelete == .deny || (field.isRequired && !relation.isMany)
    else { return nil }
    return .referenced(
      id: referrer.target.text, of: target, by: referrer.key.text, of: schema, slot: referrer.slot)
  }

  /// Clears references by updating each record in the same way as a save. Returns the number of
  /// updated records.
  private mutating func nullify(
    _ referrers: [Referrer], stamp: Stamp
  ) throws(DataError) -> Int {
    let byRecord = Dictionary(grouping: referrers, by: \.key)
    for (key, referrers) in byRecord {
      guard let schema = tables[key.schema]?.schema,
        let record = tables[key.schema]?.records[key.id]
      else { continue }
      var change = RowChanges(for: schema)
      change.beginRecord(line: 0)
      change.set(schema.keySlot, text: key.id.span)
      for (slot, referrers) in Dictionary(grouping: referrers, by: \.slot) {
        if schema.type(of: slot).isList {
          change.openList(slot, as: .remove)
          for referrer in referrers { change.append(text: referrer.target.id.span) }
          change.closeList()
        } else {
          change.setNull(slot)
        }
      }
      var problems = change.endRecord()
      if problems.isEmpty {
        let outcome = change.resolve(
          0, over: record.row, by: SavePolicy(mode: .update), stamp: stamp)
        if case .refused(let refusals) = outcome { problems = refusals }
      }
      if let error = DataError(problems) { throw error }
      var row = Rows(width: schema.width)
      row.append(0, of: change.rows, slots: Array(0..<schema.width))
      if let slot = schema.passwordSlot {
        row[0, slot] = row.copy(record.row[0, slot], of: record.row)
      }
      tables[key.schema]?.records[key.id]?.row = row
    }
    return byRecord.count
  }
}

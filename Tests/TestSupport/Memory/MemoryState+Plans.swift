import DataModel
import DataStore

extension MemoryState {
  /// Applies a plan, and increments the catalog version unless the plan is empty.
  mutating func apply(_ request: PlanRequest) throws(DataError) {
    guard request.plan.catalogVersion == version else { throw .schemaChanged }
    guard !request.plan.isEmpty else { return }
    let before = catalog
    var problems: [Problem] = []
    for stage in request.plan.stages { problems += try apply(stage, request) }
    if let error = DataError(problems) { throw error }
    catalog = try Catalog(checking: tables.values.map(\.schema).filter { !$0.isBuiltIn })
    if let error = DataError(request.review(functions, before, catalog)) { throw error }
    if let users = catalog.userSchema, users != before.userSchema {
      for (id, record) in tables[users.name]?.records ?? [:] {
        if users.isDisabled(in: record.row, 0) { endSessions(of: id) }
      }
    }
    version += 1
    schemaVersions = catalog.schemas.map { schema in
      let old = schemaVersions.first { $0.name == schema.name && before[schema.name] == schema }
      return SchemaVersions.Entry(name: schema.name, version: old?.version ?? version)
    }
    log.append(AppliedPlan(request))
  }

  /// Applies one stage of a plan, and returns the problems found in the existing records.
  private mutating func apply(
    _ stage: SchemaPlan.Stage, _ request: PlanRequest
  ) throws(DataError) -> [Problem] {
    switch stage {
    case .create(let schema):
      tables[schema.name] = MemoryTable(schema: schema)
      return []
    case .dropFields(let slots, let schema, let rest):
      return drop(slots, of: schema, leaving: rest, request.consents)
    case .dropSchema(let schema): return drop(schema, request.consents)
    case .rename(let renamings):
      rename(renamings)
      return []
    case .change(let alteration): return change(alteration, request.consents)
    }
  }

  private mutating func drop(_ schema: Schema, _ consents: Set<String>) -> [Problem] {
    let count = tables[schema.name]?.records.count ?? 0
    tables[schema.name] = nil
    if schema.kind == .user { sessions = [:] }
    if count == 0 || consents.contains(schema.name) { return [] }
    return [.loss(of: schema, slot: nil, count: count)]
  }

  private mutating func drop(
    _ slots: [Int], of schema: Schema, leaving rest: Schema, _ consents: Set<String>
  ) -> [Problem] {
    let records = tables[schema.name]?.records.values.map(\.row) ?? []
    let problems = slots.compactMap { slot -> Problem? in
      let field = schema.fields[slot]
      let empty: Value = field.type.relation?.isMany == true ? .list([]) : .null
      let count = records.count { row in
        row[0, slot].hasValue && row.value(row[0, slot], of: field.type) != empty
      }
      if count == 0 || consents.contains("\(schema.name).\(field.name)") { return nil }
      return .loss(of: schema, slot: slot, count: count)
    }
    tables[schema.name]?.rearrangeCells(for: rest) { rest.fields[$0].name }
    return problems
  }

  private mutating func rename(_ renamings: [SchemaPlan.Renaming]) {
    let old = tables
    for renaming in renamings { tables[renaming.before.name] = nil }
    for renaming in renamings {
      let (before, after) = (renaming.before, renaming.after)
      guard var table = old[before.name] else { continue }
      table.rearrangeCells(for: after) { before.fields[$0].name }
      tables[after.name] = table
    }
  }

  private mutating func change(
    _ alteration: Alteration, _ consents: Set<String>
  ) -> [Problem] {
    let (from, to) = (alteration.from, alteration.to)
    guard let table = tables[to.name] else { return [] }
    var migrator = RowMigrator(alteration, consents: consents)
    var fitted: [[UInt8]: Rows] = [:]
    if migrator.isNeeded {
      for (id, record) in table.sorted { fitted[id] = migrator.migrate(record.row).rows }
    }
    var changed = MemoryTable(schema: to)
    for (id, record) in table.records {
      var row = Rows(width: to.width)
      row.addRow()
      for slot in 0..<to.width {
        let name = to.name(of: slot)
        if slot < to.fields.count, alteration.conversion(of: slot) != nil {
          // If a record is invalid, the whole change is discarded, so the value that is stored here
          // does not matter.
          let rows = fitted[id].flatMap { $0.count > 0 && $0[0, slot].hasValue ? $0 : nil }
          row[0, slot] = rows.map { row.copy($0[0, slot], of: $0) } ?? .null
        } else if let source = (0..<from.width).first(where: { from.name(of: $0) == name }) {
          row[0, slot] = row.copy(record.row[0, source], of: record.row)
        } else {
          row[0, slot] = row.cell(for: to.fields[slot].initialValue)
        }
        if slot < to.fields.count, !row[0, slot].hasValue, let value = alteration.fill(of: slot) {
          row[0, slot] = row.cell(for: value)
        }
      }
      changed.records[id] = MemoryRecord(row: row, files: record.files)
    }
    tables[to.name] = changed
    if migrator.problems.isEmpty { findViolations(at: alteration, &migrator) }
    return migrator.problems
  }

  /// Finds duplicate values of unique fields, dangling references, and users without a password.
  /// Adds them to the problems of the migrator.
  private func findViolations(at alteration: Alteration, _ migrator: inout RowMigrator) {
    let schema = alteration.to
    let records = tables[schema.name]?.sorted ?? []
    func ids(where isInvalid: (Rows) -> Bool) -> [String] {
      records.filter { isInvalid($0.record.row) }.map { String(decoding: $0.id, as: UTF8.self) }
    }
    func addProblem(_ kind: PlanProblems.Kind, _ ids: [String], _ slot: Int) {
      migrator.addProblem(
        kind, ids: Array(ids.prefix(PlanProblems.maxListedIDs)), count: ids.count, slot: slot)
    }
    for slot in alteration.newlyUnique {
      let type = schema.type(of: slot)
      var counts: [Value: Int] = [:]
      for (_, record) in records where record.row[0, slot].hasValue {
        counts[record.row.value(record.row[0, slot], of: type), default: 0] += 1
      }
      let duplicates = ids { row in
        row[0, slot].hasValue && counts[row.value(row[0, slot], of: type), default: 0] > 1
      }
      addProblem(.duplicate, duplicates, slot)
    }
    for slot in alteration.retargetedRelations {
      guard let relation = schema.type(of: slot).relation else { continue }
      let dangling = ids { row in
        row.targets(row[0, slot], of: relation).contains { !hasRecord($0, in: relation.target) }
      }
      addProblem(.dangling, dangling, slot)
    }
    if let slot = alteration.newlyRequiredPassword {
      addProblem(.missing, ids { !$0[0, slot].hasValue }, slot)
    }
  }

  /// The records of the stored functions.
  private var functions: Rows {
    var rows = Rows(width: Schema.function.width)
    for (_, record) in tables[Schema.function.name]?.sorted ?? [] {
      rows.append(0, of: record.row, slots: Array(0..<Schema.function.width))
    }
    return rows
  }
}

extension MemoryTable {
  /// Converts the table to another version of its schema: moves each cell to its slot in the new
  /// version, and stores each file under the new name of its field.
  ///
  /// - Parameter oldName: A closure that returns the current name of the field in a slot of the new
  ///   version.
  fileprivate mutating func rearrangeCells(for new: Schema, oldName: (Int) -> String) {
    let old = schema
    schema = new
    for (id, record) in records {
      var changed = MemoryRecord(row: Rows(width: new.width))
      changed.row.addRow()
      for slot in 0..<new.width {
        let isOwn = slot < new.fields.count
        let name = isOwn ? oldName(slot) : new.name(of: slot)
        guard let source = (0..<old.width).first(where: { old.name(of: $0) == name }) else {
          continue
        }
        changed.row[0, slot] = changed.row.copy(record.row[0, source], of: record.row)
        if isOwn { changed.files[new.name(of: slot)] = record.files[name] }
      }
      records[id] = changed
    }
  }
}

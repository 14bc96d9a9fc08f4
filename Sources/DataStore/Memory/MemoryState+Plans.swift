import DataModel

extension MemoryState {
  /// Carries out a plan; the version moves if it has a step.
  mutating func carryOut(_ plan: SchemaPlan) throws(DataError) {
    guard plan.catalogVersion == version else { throw .schemaChanged }
    guard !plan.steps.isEmpty else { return }
    for step in plan.steps {
      try check(step.demands)
      switch step {
      case .create(let schema):
        tables[schema.name] = MemoryTable(schema: schema)
      case .addFields(_, let schema), .changeIndexes(_, let schema), .describe(let schema):
        tables[schema.name]?.rearrange(for: schema)
      case .drop(let schema):
        tables[schema.name] = nil
        if schema.kind == .user { sessions = [:] }
      }
    }
    catalog = try Catalog(checking: tables.values.map(\.schema).filter { !$0.isBuiltIn })
    version += 1
  }

  private func check(_ demands: [SchemaPlan.Demand]) throws(DataError) {
    let problems = demands.compactMap { demand in
      demand.problem(withRecords: tables[demand.schema]?.records.count ?? 0)
    }
    if let error = DataError(problems) { throw error }
  }
}

extension MemoryTable {
  /// Gives each record the cells of another version of the schema; new fields get their defaults.
  fileprivate mutating func rearrange(for new: Schema) {
    let old = schema
    schema = new
    for (id, record) in records {
      var row = Rows(width: new.width)
      row.addRow()
      for slot in 0..<new.width {
        if let source = (0..<old.width).first(where: { old.name(of: $0) == new.name(of: slot) }) {
          row[0, slot] = row.copy(record.row[0, source], of: record.row)
        } else {
          row[0, slot] = row.cell(for: new.fields[slot].initialValue)
        }
      }
      records[id]?.row = row
    }
  }
}

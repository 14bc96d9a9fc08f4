package import DataModel

/// Converts records to another version of their schema, and validates them.
///
/// An engine passes the records of the old version to `migrate`, a chunk at a time. Values are set
/// with the same functions as in a save, so the same constraints apply.
package struct RowMigrator {
  package let alteration: Alteration
  /// The slots in the old version of the schema that have to be read from the existing records.
  /// Empty if no record has to be read.
  package let slots: [Int]
  /// The fields whose values are converted to another type, as slots in the new version of the
  /// schema.
  package let converted: [Int]
  private let isConsented: [Bool]
  private typealias FieldPair = (origin: Int?, slot: Int)
  private let fieldPairs: [FieldPair]
  private var planProblems = PlanProblems()
  private var line = 0

  package init(_ alteration: Alteration, consents: Set<String>) {
    self.alteration = alteration
    converted = alteration.converted
    let to = alteration.to
    isConsented = to.fields.map { consents.contains("\(to.name).\($0.name)") }
    let checked = alteration.slotsToCheck
    fieldPairs = checked.map { (origin: alteration.origin(of: $0), slot: $0) }
    let origins = fieldPairs.compactMap(\.origin)
    slots = fieldPairs.isEmpty ? [] : Set(origins + [alteration.from.keySlot]).sorted()
  }

  /// Whether the existing records have to be read. This is the case if values are converted or may
  /// be invalid.
  package var isNeeded: Bool { !fieldPairs.isEmpty }

  /// Converts and validates records of the old version, and returns the valid ones. The result
  /// contains only their primary keys and the fields that had to be checked.
  package mutating func migrate(_ rows: Rows) -> RowChanges {
    var changes = RowChanges(for: alteration.to)
    let from = alteration.from
    for row in 0..<rows.count {
      line += 1
      let id = rows.text(rows[row, from.keySlot])
      changes.beginRecord(line: line)
      changes.set(alteration.to.keySlot, text: id.utf8.span)
      for fieldPair in fieldPairs {
        let value = value(of: fieldPair, row, rows)
        let result = usesDefault(value, fieldPair) ? nil : changes.assign(value, to: fieldPair.slot)
        if result == .lossy || result == nil && value != .null && !isRelation(fieldPair),
          !isConsented[fieldPair.slot]
        {
          planProblems.addProblem(.loss, nil, id: id, slot: fieldPair.slot)
        }
      }
      var problems = changes.endRecord()
      if problems.isEmpty { problems = changes.indexEntryProblems(of: changes.count - 1) }
      for problem in problems {
        let slot = problem.field.flatMap { alteration.to.slot(named: $0) } ?? 0
        planProblems.addProblem(.incompatibleData, problem.message, id: id, slot: slot)
      }
    }
    return changes
  }

  /// Returns the value of a field in an existing record. If the field is new, returns its default.
  private func value(of fieldPair: FieldPair, _ row: Int, _ rows: Rows) -> Value {
    guard let origin = fieldPair.origin else {
      return alteration.to.fields[fieldPair.slot].initialValue
    }
    return rows.value(rows[row, origin], of: alteration.from.type(of: origin))
  }

  /// Returns whether the default of the field replaces the value. This is the case if the value is
  /// null, or if the value is an empty list and the new type is neither a list nor JSON.
  private func usesDefault(_ value: Value, _ fieldPair: FieldPair) -> Bool {
    guard fieldPair.origin != nil, alteration.fill(of: fieldPair.slot) != nil else { return false }
    let type = alteration.to.type(of: fieldPair.slot)
    return value == .null || value == .list([]) && !type.isList && type != .json
  }

  /// Returns whether the field was a relation in the old version. An empty relation means the same
  /// as null, so replacing it with null loses no information. An empty array differs from null.
  private func isRelation(_ fieldPair: FieldPair) -> Bool {
    fieldPair.origin.map { alteration.from.type(of: $0).relation != nil } ?? false
  }

  /// Adds a problem that only the engine can find: duplicate values, dangling references, or
  /// missing passwords.
  ///
  /// - Parameter ids: The first ids of the `count` records that have the problem.
  package mutating func addProblem(_ kind: PlanProblems.Kind, ids: [String], count: Int, slot: Int)
  {
    planProblems.addProblem(kind, ids: ids, count: count, slot: slot)
  }

  /// All problems found so far.
  package var problems: [Problem] { planProblems.problems(of: alteration) }
}

extension Alteration {
  /// The fields whose values are converted or may be invalid, as slots in the new version of the
  /// schema.
  fileprivate var slotsToCheck: [Int] {
    var slots = Set(converted)
    for slot in to.fields.indices where to.fields[slot].type != .password {
      let field = to.fields[slot]
      if let origin = origin(of: slot) {
        if field.isStricter(than: from.fields[origin]) { slots.insert(slot) }
      } else if field.isRequired && field.initialValue == .null {
        slots.insert(slot)
      }
    }
    // Only text can exceed the maximum length of an index entry.
    let before = Set(from.indexedSlots.map { $0.map { from.fields[$0].name } })
    for entry in to.indexedSlots {
      let isNew = !before.contains(entry.map { to.fields[$0].name })
      guard isNew || !slots.isDisjoint(with: entry) else { continue }
      if entry.contains(where: { to.fields[$0].type == .text }) { slots.formUnion(entry) }
    }
    slots.remove(to.keySlot)
    return slots.sorted()
  }
}

package import DataModel

/// Looks whether records fit an alteration, and converts their values on the way.
///
/// An engine gives it the records of the old version, batch by batch; the values pass through the
/// setters that those of a save pass through, so that nothing is valid here that would not be there.
package struct Fitting {
  package let alteration: Alteration
  /// The slots of the old version that it needs to see; none if the records need not be read.
  package let slots: [Int]
  /// The slots of the new version whose values it gives back.
  package let converted: [Int]
  private let isConsented: [Bool]
  private typealias Task = (origin: Int?, slot: Int)
  private let tasks: [Task]
  private var faults = PlanFaults()
  private var line = 0

  package init(_ alteration: Alteration, consents: Set<String>) {
    self.alteration = alteration
    converted = alteration.converted
    let to = alteration.to
    isConsented = to.fields.map { consents.contains("\(to.name).\($0.name)") }
    let looked = alteration.slotsToLookAt
    tasks = looked.map { (origin: alteration.origin(of: $0), slot: $0) }
    let origins = tasks.compactMap(\.origin)
    slots = tasks.isEmpty ? [] : Set(origins + [alteration.from.keySlot]).sorted()
  }

  /// Whether the records have to be read at all.
  package var isNeeded: Bool { !tasks.isEmpty }

  /// Looks at records of the old version, and gives those that fit, with the key and the values of
  /// the fields that it looked at.
  package mutating func take(_ rows: Rows) -> Changes {
    var changes = Changes(for: alteration.to)
    let from = alteration.from
    for row in 0..<rows.count {
      line += 1
      let id = rows.text(rows[row, from.keySlot])
      changes.beginRecord(line: line)
      changes.set(alteration.to.keySlot, text: id.utf8.span)
      for task in tasks {
        let value = value(of: task, row, rows)
        let handover = isFilled(value, task) ? nil : changes.hand(value, to: task.slot)
        if handover == .lessened || handover == nil && value != .null && !isRelation(task),
          !isConsented[task.slot]
        {
          faults.note(.loss, nil, id: id, slot: task.slot)
        }
      }
      var problems = changes.endRecord()
      if problems.isEmpty { problems = changes.indexEntryProblems(of: changes.count - 1) }
      for problem in problems {
        let slot = problem.field.flatMap { alteration.to.slot(named: $0) } ?? 0
        faults.note(.misfit, problem.message, id: id, slot: slot)
      }
    }
    return changes
  }

  /// What a record has for a field.
  private func value(of task: Task, _ row: Int, _ rows: Rows) -> Value {
    guard let origin = task.origin else { return alteration.to.fields[task.slot].initialValue }
    return rows.value(rows[row, origin], of: alteration.from.type(of: origin))
  }

  /// Whether the default takes the place of a value, since the new type has no form of it.
  private func isFilled(_ value: Value, _ task: Task) -> Bool {
    guard task.origin != nil, alteration.fill(of: task.slot) != nil else { return false }
    let type = alteration.to.type(of: task.slot)
    return value == .null || value == .list([]) && !type.isList && type != .json
  }

  /// A relation to none holds nothing, where an array of nothing is a value.
  private func isRelation(_ task: Task) -> Bool {
    task.origin.map { alteration.from.type(of: $0).relation != nil } ?? false
  }

  /// Notes what only the engine could find: values that are there twice, references to nothing.
  package mutating func note(_ fault: PlanFaults.Kind, ids: [String], count: Int, slot: Int) {
    faults.note(fault, ids: ids, count: count, slot: slot)
  }

  /// Everything that is wrong.
  package var problems: [Problem] { faults.problems(of: alteration) }
}

extension Alteration {
  /// The slots of the new version whose values may not fit.
  fileprivate var slotsToLookAt: [Int] {
    var slots = Set(converted)
    for slot in to.fields.indices where to.fields[slot].type != .password {
      let field = to.fields[slot]
      if let origin = origin(of: slot) {
        if field.isStricter(than: from.fields[origin]) { slots.insert(slot) }
      } else if field.isRequired && field.initialValue == .null {
        slots.insert(slot)
      }
    }
    // An entry of an index has a greatest length, which only texts can reach.
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

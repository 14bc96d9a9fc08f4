package import DataModel

/// Validates stored records against the rules of their schema, with the functions that validate a
/// save.
package struct StoredRuleCheck {
  private let schema: Schema
  /// The fields that can have an invalid value although it is valid for their type.
  private let slots: [Int]
  private let requiredSlots: [Int]
  private var changes: RowChanges
  private let revision: Int
  private let times: [Int]

  package init(of schema: Schema) {
    self.schema = schema
    let own = schema.fields.indices.filter { slot in
      ![.password, .references, .key].contains(schema.slots[slot].kind)
    }
    slots = own.filter { schema.slots[$0].hasRules || schema.type(of: $0).digits != nil }
    requiredSlots = own.filter { schema.slots[$0].isRequired }
    changes = RowChanges(for: schema)
    revision = schema.slot(.revision)
    times = [schema.slot(.createdAt), schema.slot(.modifiedAt)]
  }

  /// The slots that a query must select. To-many relations are not checked, because their elements
  /// can only dangle.
  package var selectedSlots: [Int] {
    (0..<schema.width).filter { slot in
      ![.password, .references].contains(schema.slots[slot].kind)
    }
  }

  /// Returns the findings for a record whose values are valid for their types.
  package mutating func findings(in rows: borrowing Rows, _ row: Int) -> [Finding] {
    var findings: [Finding] = []
    func add(_ code: Finding.Code, _ message: String, _ field: String?) {
      findings.append(
        Finding(
          code, message, schema: schema.name, id: rows.text(rows[row, schema.keySlot]), field: field
        )
      )
    }
    if !rows[row, revision].hasValue || rows[row, revision].integer < 1 {
      add(.revision, "expected a revision of at least 1", nil)
    }
    for slot in times + requiredSlots where !rows[row, slot].hasValue {
      add(.invalidValue, "expected a value, found null", schema.name(of: slot))
    }
    changes.removeAll()
    changes.beginRecord(line: 1)
    rows.withBytes(of: rows[row, schema.keySlot]) { changes.set(schema.keySlot, text: $0) }
    for slot in slots where rows[row, slot].hasValue && !isShort(rows[row, slot], slot) {
      _ = changes.assign(rows.value(rows[row, slot], of: schema.type(of: slot)), to: slot)
    }
    for problem in changes.endRecord() { add(.invalidValue, problem.message, problem.field) }
    return findings
  }

  /// Returns whether a text is so short that it satisfies the only rule of its field.
  private func isShort(_ cell: Cell, _ slot: Int) -> Bool {
    schema.slots[slot].kind == .text && cell.range.count <= schema.slots[slot].uncheckedLength
  }
}

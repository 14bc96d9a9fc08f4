extension Schema {
  /// The slots of each index and each unique field, whose entries have a greatest length.
  package var indexedSlots: [[Int]] {
    let unique = fields.indices.filter { fields[$0].isUnique }.map { [$0] }
    let declared = indexes.map { index in
      index.terms.compactMap { term in fields.firstIndex { $0.name == term.field } }
    }
    return unique + declared
  }

  /// Whether an index, declared or of the store's own accord, begins with a field.
  package func hasIndex(beginningWith slot: Int) -> Bool {
    slot == keySlot || slots[slot].kind == .reference
      || indexedSlots.contains { $0.first == slot }
  }
}

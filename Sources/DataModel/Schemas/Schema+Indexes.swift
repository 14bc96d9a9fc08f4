extension Schema {
  /// The slots of each index and each unique field, whose entries have a maximum size.
  package var indexedSlots: [[Int]] {
    let unique = fields.indices.filter { fields[$0].isUnique }.map { [$0] }
    let declared = indexes.map { index in
      index.terms.compactMap { term in fields.firstIndex { $0.name == term.field } }
    }
    return unique + declared
  }

  /// Returns whether an index starts with the field: a declared one, or one that the store creates
  /// for keys, references, and unique fields.
  package func hasIndex(beginningWith slot: Int) -> Bool {
    slot == keySlot || slots[slot].kind == .reference
      || indexedSlots.contains { $0.first == slot }
  }
}

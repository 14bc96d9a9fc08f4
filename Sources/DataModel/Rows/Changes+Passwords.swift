extension RowChanges {
  /// Replaces a row's password with its hash, and overwrites the password with zeros.
  ///
  /// The input that the chunk was parsed from still contains the password until `wipe` is called.
  package mutating func replacePassword(_ row: Int, by hash: String) {
    guard let slot = schema.passwordSlot, rows[row, slot].kind == .arena else { return }
    for index in rows[row, slot].range { rows.arena[index] = 0 }
    rows[row, slot] = rows.store(hash)
  }

  /// Overwrites the input and the arena with zeros; call it when the cells are no longer used.
  package mutating func wipe() {
    for index in rows.input.indices { rows.input[index] = 0 }
    for index in rows.arena.indices { rows.arena[index] = 0 }
  }
}

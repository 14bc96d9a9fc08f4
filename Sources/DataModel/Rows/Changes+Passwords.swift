extension Changes {
  /// Puts a hash in the place of a row's password, whose bytes are overwritten with zeros.
  ///
  /// The text that the batch was read from still holds it; `wipe` takes it from there when the batch is done.
  package mutating func replacePassword(_ row: Int, by hash: String) {
    guard let slot = schema.passwordSlot, rows[row, slot].kind == .arena else { return }
    for place in rows[row, slot].range { rows.arena[place] = 0 }
    rows[row, slot] = rows.store(hash)
  }

  /// Overwrites all that the batch was read from, once nothing points into it any more.
  package mutating func wipe() {
    for place in rows.input.indices { rows.input[place] = 0 }
    for place in rows.arena.indices { rows.arena[place] = 0 }
  }
}

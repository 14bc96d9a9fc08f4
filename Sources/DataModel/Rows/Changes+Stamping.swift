extension Changes {
  /// Sets the system fields of a new record.
  mutating func stampCreation(_ row: Int, policy: SavePolicy, stamp: Stamp) {
    for field in SystemField.allCases {
      let slot = schema.slot(field)
      if policy.systemFields == .given && rows[row, slot].kind != .missing { continue }
      switch field {
      case .createdAt, .modifiedAt: rows[row, slot] = .integer(stamp.time.microseconds)
      case .createdBy, .modifiedBy: rows[row, slot] = userCell(stamp)
      case .revision: rows[row, slot] = .integer(1)
      }
    }
  }

  /// Sets the system fields of a record that was there, and tells whether anything changed at all.
  mutating func stampChange(
    _ row: Int, over old: Rows, at oldRow: Int, isChanged: Bool, policy: SavePolicy, stamp: Stamp
  ) -> Bool {
    var isTouched = isChanged
    for field in SystemField.allCases {
      let slot = schema.slot(field)
      let before = old[oldRow, slot]
      if policy.systemFields == .given && rows[row, slot].kind != .missing {
        isTouched = isTouched || !isEqual(rows[row, slot], to: before, of: old)
        continue
      }
      rows[row, slot] = copy(before, of: old)
      guard isChanged else { continue }
      switch field {
      case .createdAt, .createdBy: break
      case .modifiedAt: rows[row, slot] = .integer(max(before.integer, stamp.time.microseconds))
      case .modifiedBy: rows[row, slot] = userCell(stamp)
      case .revision: rows[row, slot] = .integer(before.integer + 1)
      }
    }
    return isTouched
  }

  private mutating func userCell(_ stamp: Stamp) -> Cell {
    guard let user = stamp.user else { return .null }
    return rows.store(user)
  }
}

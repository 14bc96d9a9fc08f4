extension RowChanges {
  /// Sets the system fields of a new record.
  mutating func stampCreation(_ row: Int, policy: SavePolicy, stamp: Stamp) {
    for field in SystemField.allCases {
      let slot = schema.slot(field)
      if isGiven(field, row, policy) { continue }
      switch field {
      case .createdAt, .modifiedAt: rows[row, slot] = .integer(stamp.time.microseconds)
      case .createdBy, .modifiedBy: rows[row, slot] = userCell(stamp)
      case .revision: rows[row, slot] = .integer(1)
      }
    }
  }

  /// Sets the system fields of an existing record, and returns whether anything changed.
  mutating func stampChange(
    _ row: Int, over old: Rows, at oldRow: Int, isChanged: Bool, policy: SavePolicy, stamp: Stamp
  ) -> Bool {
    var isModified = isChanged
    for field in SystemField.allCases {
      let slot = schema.slot(field)
      let before = old[oldRow, slot]
      if isGiven(field, row, policy) {
        isModified = isModified || !isEqual(rows[row, slot], to: before, of: old)
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
    return isModified
  }

  /// Returns whether the record sets a system field and the policy allows it. Only the user fields
  /// can be null.
  private func isGiven(_ field: SystemField, _ row: Int, _ policy: SavePolicy) -> Bool {
    guard policy.systemFields == .given else { return false }
    let cell = rows[row, schema.slot(field)]
    switch field {
    case .createdAt, .modifiedAt, .revision: return cell.hasValue
    case .createdBy, .modifiedBy: return cell.kind != .missing
    }
  }

  private mutating func userCell(_ stamp: Stamp) -> Cell {
    guard let user = stamp.user else { return .null }
    return rows.store(user)
  }
}

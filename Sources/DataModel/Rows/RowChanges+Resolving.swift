import JSONText

extension RowChanges {
  /// Applies the changes in a row to the stored record, and replaces the row with the resulting
  /// record. Returns whether the record is created, changed, unchanged, or rejected.
  ///
  /// This function defines how changes apply to a record; the SQL of the engines is tested against
  /// it. If the changes do not set a file, the row receives the stored reference. In contrast, the
  /// row never receives the stored password.
  ///
  /// - Parameters:
  ///   - row: The index of the row with the changes.
  ///   - old: The rows that contain the stored record, or nil if the record does not exist.
  ///   - oldRow: The index of the stored record in `old`.
  ///   - policy: How the save treats existing and new records.
  ///   - stamp: The user and the time to write into the system fields.
  package mutating func resolve(
    _ row: Int, over old: Rows?, at oldRow: Int = 0, by policy: SavePolicy, stamp: Stamp
  ) -> Outcome {
    if !deniedRows.isEmpty, let denied = deniedRows[row] { return .refused([denied]) }
    var problems = invalidRows.isEmpty ? [] : invalidRows[row] ?? []
    if let rejection = rejection(of: row, over: old, at: oldRow, by: policy) {
      return .refused(problems + [rejection])
    }
    let isChangedBefore = old.map { hasEarlierChange(row, over: $0, at: oldRow) } ?? false
    var isChangedAgain = false
    var changed: [Int] = []
    for slot in schema.fields.indices {
      if slot == schema.keySlot { continue }
      let mustNotChange = isChangedBefore && rows[row, slot].operation == .set
      let isChanged = resolve(row, slot, over: old, at: oldRow, by: policy, stamp, &problems)
      // The changed slots of a new record are not used, and creating a list for each record would
      // take 3 % of the time of a load.
      if isChanged && old != nil { changed.append(slot) }
      if isChanged && mustNotChange { isChangedAgain = true }
    }
    checkSizes(of: row, &problems)
    guard problems.isEmpty else { return .refused(problems) }
    guard let old else {
      stampCreation(row, policy: policy, stamp: stamp)
      return .created
    }
    if isChangedAgain {
      return .refused([
        problem(
          row, .changed, "the record occurs several times with different values",
          hint: "make the same change in each copy, or write only the id in the others")
      ])
    }
    let isModified = stampChange(
      row, over: old, at: oldRow, isChanged: !changed.isEmpty, policy: policy, stamp: stamp)
    guard isModified else { return .same }
    if keepsOldRecords {
      oldIndexes[row] = oldRecords.count
      oldRecords.append(oldRow, of: old, slots: Array(0..<schema.width))
    }
    return .changed(changed)
  }

  private func rejection(
    of row: Int, over old: Rows?, at oldRow: Int, by policy: SavePolicy
  ) -> Problem? {
    if policy.systemFields == .given {
      let given = rows[row, schema.slot(.revision)]
      if given.hasValue && given.integer > Self.maxRevision / 2 {
        return problem(
          row, .invalid, "expected a revision of at most 2^52",
          slot: schema.slot(.revision))
      }
    }
    guard let old else {
      guard policy.mode == .update else { return nil }
      return problem(row, .notFound, "there is no such record")
    }
    if policy.mode == .create {
      return problem(row, .exists, "the record already exists")
    }
    let expected = rows[row, schema.slot(.revision)]
    let found = old[oldRow, schema.slot(.revision)]
    guard found.integer < .max || policy.systemFields == .given && expected.hasValue else {
      return problem(
        row, .storeDamaged, "the revision cannot be increased any further",
        hint: "to reset it, save the record with a smaller revision and --keep-system-fields")
    }
    if policy.revisions == .checkedWithCreation {
      let creation = schema.slot(.createdAt)
      let given = rows[row, creation]
      if given.hasValue && given.integer != old[oldRow, creation].integer {
        return problem(
          row, .changed, "the record was deleted and created again", slot: creation,
          hint: "read the record again")
      }
    }
    if policy.revisions != .ignored && expected.hasValue && expected.integer != found.integer
      && repeatedRevisions[row] != expected.integer
    {
      return problem(
        row, .changed,
        "changed concurrently: expected revision \(expected.integer), found \(found.integer)",
        hint: "read the record again, or pass --any-revision")
    }
    return nil
  }

  /// Returns whether an earlier row with the same record and revision has changed the record. Then
  /// removes the revision from the row.
  private mutating func hasEarlierChange(
    _ row: Int, over old: Rows, at oldRow: Int
  ) -> Bool {
    let slot = schema.slot(.revision)
    guard !repeatedRevisions.isEmpty, let given = repeatedRevisions[row],
      given != old[oldRow, slot].integer
    else { return false }
    expect(nil, in: row)
    return true
  }

  /// Determines the resulting value of one field, and returns whether the value changes.
  private mutating func resolve(
    _ row: Int, _ slot: Int, over old: Rows?, at oldRow: Int, by policy: SavePolicy,
    _ stamp: Stamp, _ problems: inout [Problem]
  ) -> Bool {
    let cell = rows[row, slot]
    let kind = schema.slots[slot].kind
    if kind == .password {
      if old == nil && schema.slots[slot].isRequired && !cell.hasValue
        && policy.attachments == .inline
      {
        reportMissing(row, slot, &problems)
      }
      return cell.kind != .missing
    }
    if cell.kind == .missing {
      let isKept = policy.mode != .replace || kind == .file || schema.slots[slot].defaultsToUser
      if let old, isKept {
        rows[row, slot] = copy(old[oldRow, slot], of: old)
        return false
      }
      if schema.slots[slot].defaultsToUser {
        fillUser(row, slot, by: policy, stamp, &problems)
      } else {
        fillMissing(row, slot, &problems)
      }
    } else {
      switch cell.operation {
      case .set: break
      case .add: add(row, slot, to: old?[oldRow, slot] ?? .null, &problems)
      case .edit: edit(row, slot, list: old?[oldRow, slot] ?? .null, of: old, &problems)
      }
      if kind == .file, policy.attachments == .inline {
        checkContent(row, slot, old: old?[oldRow, slot] ?? .null, of: old, &problems)
      }
    }
    guard let old else { return true }
    return !isEqual(rows[row, slot], to: old[oldRow, slot], of: old)
  }

  /// Fills a field that the input does not set: with its default, an empty list, or null. Reports a
  /// problem if the field is required and has no default.
  private mutating func fillMissing(_ row: Int, _ slot: Int, _ problems: inout [Problem]) {
    let field = schema.fields[slot]
    rows[row, slot] = rows.cell(for: field.initialValue)
    if field.isRequired && !rows[row, slot].hasValue { reportMissing(row, slot, &problems) }
  }

  /// Fills a missing field that defaults to the acting user. In an imported record, this is the user
  /// who created it.
  private mutating func fillUser(
    _ row: Int, _ slot: Int, by policy: SavePolicy, _ stamp: Stamp, _ problems: inout [Problem]
  ) {
    let field = schema.fields[slot]
    let isImported = isGiven(.createdBy, row, policy)
    rows[row, slot] = isImported ? rows[row, schema.slot(.createdBy)] : userCell(stamp)
    let value = rows.value(rows[row, slot], of: field.type)
    problems += field.violations(of: value).map { problem(row, .invalid, $0, slot: slot) }
    if field.isRequired && value == .null { reportMissing(row, slot, &problems) }
  }

  /// Reports that a required field is missing. Does nothing if a problem with the field has already
  /// been reported, such as an invalid value.
  private func reportMissing(_ row: Int, _ slot: Int, _ problems: inout [Problem]) {
    let name = schema.name(of: slot)
    if problems.contains(where: { $0.field == name }) { return }
    problems.append(problem(row, .invalid, "required", slot: slot))
  }

  private mutating func add(
    _ row: Int, _ slot: Int, to old: Cell, _ problems: inout [Problem]
  ) {
    let delta = rows[row, slot]
    let field = schema.fields[slot]
    if schema.slots[slot].storage == .integer {
      let base = old.hasValue ? old.integer : 0
      let (sum, overflow) = base.addingReportingOverflow(delta.integer)
      guard !overflow else {
        problems.append(
          problem(row, .invalid, "\(base) plus \(delta.integer) overflows 64 bits", slot: slot))
        return
      }
      if let digits = field.type.digits, digits.isExceeded(by: Int128(sum)) {
        let message = "the sum has more than \(digits.digits) digits"
        problems.append(problem(row, .invalid, message, slot: slot))
        return
      }
      rows[row, slot] = .integer(sum)
      let value = rows.value(.integer(sum), of: field.type)
      problems += field.violations(of: value).map { problem(row, .invalid, $0, slot: slot) }
    } else {
      let base = old.hasValue ? old.number : 0
      let sum = base + delta.number
      guard sum.isFinite else {
        problems.append(
          problem(row, .invalid, "the sum exceeds the range of a number", slot: slot))
        return
      }
      rows[row, slot] = .number(sum == 0 ? 0 : sum)
      problems += field.violations(of: .number(sum)).map { problem(row, .invalid, $0, slot: slot) }
    }
  }

  /// Applies an edit to the stored list: removes elements first, then appends elements. Ids that a
  /// relation already contains are not appended again.
  private mutating func edit(
    _ row: Int, _ slot: Int, list old: Cell, of oldRows: Rows?, _ problems: inout [Problem]
  ) {
    let element = schema.type(of: slot).elementType
    var values: [Value] = []
    if let oldRows, old.hasValue {
      guard let stored = oldRows.withBytes(of: old, { ListText.values(in: $0, of: element) }) else {
        let id = rows.text(rows[row, schema.keySlot])
        problems.append(
          .invalidStoredValue(of: schema.name(of: slot), id: id, schema: schema.name))
        rows[row, slot] = .null
        return
      }
      values = stored
    }
    let edit = ListEdit(rows[row, slot])
    if let offset = edit.removed {
      let removed = Set(ListText.values(in: rows.arena.span, from: offset, of: element) ?? [])
      values.removeAll(where: removed.contains)
    }
    if let offset = edit.appended {
      let appended = ListText.values(in: rows.arena.span, from: offset, of: element) ?? []
      if schema.slots[slot].kind == .references {
        var existing = Set(values)
        values += appended.filter { existing.insert($0).inserted }
      } else {
        values += appended
      }
    }
    rows[row, slot] = rows.cell(for: .list(values))
    problems += schema.fields[slot].violations(ofList: values).map {
      problem(row, .invalid, $0, slot: slot)
    }
  }

  /// Reports a problem if the input has a file reference without content, and the stored record
  /// does not contain a file with the same size and hash.
  private mutating func checkContent(
    _ row: Int, _ slot: Int, old: Cell, of oldRows: Rows?, _ problems: inout [Problem]
  ) {
    let cell = rows[row, slot]
    guard cell.hasValue, !contents.contains(where: { $0.row == row && $0.slot == slot }) else {
      return
    }
    let named = rows.withBytes(of: cell) { FileReference(canonicalText: $0) }
    let existing = oldRows?.withBytes(of: old) { FileReference(canonicalText: $0) }
    if named?.sha256 != existing?.sha256 || named?.size != existing?.size {
      problems.append(
        problem(
          row, .invalid, "the stored content of the field does not match this size and sha256",
          slot: slot,
          hint: "add the content in base64 as \"data\", or pass \(schema.name(of: slot))@=PATH"))
    }
  }

  private func problem(
    _ row: Int, _ code: ErrorCode, _ message: String, slot: Int? = nil, hint: String? = nil
  ) -> Problem {
    Problem(
      code, message, hint: hint, schema: schema.name, id: rows.text(rows[row, schema.keySlot]),
      field: slot.map { schema.name(of: $0) }, line: lines[row])
  }

  mutating func copy(_ cell: Cell, of other: Rows) -> Cell {
    switch cell.kind {
    case .missing, .null, .integer, .number: cell
    case .input, .arena: other.withBytes(of: cell) { bytes in rows.store(bytes) }
    }
  }

  func isEqual(_ cell: Cell, to old: Cell, of other: Rows) -> Bool {
    guard cell.hasValue, old.hasValue else { return cell.hasValue == old.hasValue }
    switch cell.kind {
    case .missing, .null, .integer, .number: return cell.bits == old.bits
    case .input, .arena:
      return rows.withBytes(of: cell) { bytes in
        other.withBytes(of: old) { bytes.isEqual(to: $0) }
      }
    }
  }

  /// Reports a problem if the record or one of its index entries is too large. The limits,
  /// `Schema.maxRecordSize` and `Schema.maxIndexEntrySize`, are the same for all engines.
  private func checkSizes(of row: Int, _ problems: inout [Problem]) {
    var size = 0
    for slot in schema.fields.indices { size += Int(rows[row, slot].length) }
    // In an index entry, a field without bytes counts as 8 bytes.
    if size + 8 * Schema.maxIndexFields > Schema.maxIndexEntrySize {
      checkIndexEntries(of: row, &problems)
    }
    if size > Schema.maxRecordSize {
      problems.append(
        problem(
          row, .invalid,
          hidesSizes
            ? "the record is larger than 16 MiB"
            : "the record has \(size) bytes; the limit is 16 MiB"))
    }
  }

  /// Whether messages must not contain the size of a record or an index entry, because it would
  /// reveal the length of values that the caller may not read.
  private var hidesSizes: Bool { !schema.hiddenSlots.isEmpty }

  /// Returns a problem for each oversized index entry of the record.
  package func indexEntryProblems(of row: Int) -> [Problem] {
    var problems: [Problem] = []
    checkIndexEntries(of: row, &problems)
    return problems
  }

  private func checkIndexEntries(of row: Int, _ problems: inout [Problem]) {
    for entry in schema.indexedSlots {
      var size = Int(rows[row, schema.keySlot].length)
      for slot in entry where slot != schema.keySlot {
        size += max(8, Int(rows[row, slot].length))
      }
      if size > Schema.maxIndexEntrySize {
        problems.append(
          problem(
            row, .invalid,
            hidesSizes
              ? "an index entry, including the id, is larger than 2,400 bytes"
              : "the index entry, including the id, has \(size) bytes; the limit is 2,400",
            slot: hidesSizes ? nil : entry.first))
      }
    }
  }
}

extension RowChanges {
  /// Sets the system fields of a new record, except those that are taken from the input.
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

  /// Sets the system fields of an existing record. Returns true if a declared field changes
  /// (`isChanged`), or if the input changes a system field.
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

  /// Returns whether the value of a system field is taken from the input. This is the case if the
  /// policy allows it and the row sets the field. A null time or revision is ignored.
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

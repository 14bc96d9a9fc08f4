import JSONText

/// A chunk of changes to the records of one schema.
///
/// The setters validate every value when it is added. `resolve` then validates each row against the
/// stored record.
package struct RowChanges: Sendable {
  /// The schema that the changes are validated against.
  package let schema: Schema
  /// The rows of the chunk. A row contains only the changes to a record, until `resolve` replaces
  /// them with the complete resulting record.
  package internal(set) var rows: Rows
  /// For each row, the number of the input line at which the row begins.
  package private(set) var lines: [Int] = []
  /// For each row, its byte range in the input; empty if the row was not parsed from text.
  package private(set) var inputRanges = InputRanges()
  /// The contents of the files that the rows refer to.
  package private(set) var contents: [Content] = []
  /// For each row, whether `assignID` generated its id. If so, the record is certainly new.
  package private(set) var hasAssignedID: [Bool] = []
  /// The problems of invalid rows, by the index of the row. `resolve` rejects these rows. If the
  /// record is new, `resolve` also reports the required fields that are missing.
  private(set) var invalidRows: [Int: [Problem]] = [:]
  /// The problems of the first invalid row, or an empty array if all rows are valid.
  package var firstProblems: [Problem] {
    invalidRows.min { $0.key < $1.key }?.value ?? []
  }
  /// The problems of the rows that the access rules do not allow, by the index of the row.
  /// `resolve` rejects these rows, and reports no other problems of them.
  private(set) var deniedRows: [Int: Problem] = [:]
  /// For each row whose record also occurs earlier in the input with the same revision: this
  /// revision. If the earlier occurrence has changed the record, the row must have the same values.
  /// An operation, such as `{"$add": 1}`, is applied each time it occurs.
  private(set) var repeatedRevisions: [Int: Int64] = [:]
  /// Whether `resolve` keeps, in `oldRecords`, a copy of each stored record that it changes.
  package var keepsOldRecords = false
  /// The stored records before the changes, if `keepsOldRecords` is true.
  package internal(set) var oldRecords: Rows
  /// For each row that changes a stored record, the index of that record in `oldRecords`.
  package internal(set) var oldIndexes: [Int: Int] = [:]
  /// The options that determine which additional formats of values are accepted, such as
  /// `--lenient`.
  package let conversions: ValueConversions
  var problems: [Problem] = []
  var list: OpenList?

  /// The content of the file in one field of a row.
  package struct Content: Sendable {
    package var row: Int
    package var slot: Int
    package var source: FileContent

    /// Whether the content can be read a second time if the save is retried; false for streams.
    package var canRestart: Bool {
      switch source {
      case .bytes: true
      case .stream: false
      }
    }
  }

  /// The byte ranges of rows in the input.
  ///
  /// The ranges are not stored in a `[Range<Int>]`: to create this type at run time, Swift would
  /// search all protocol conformances of the program.
  package struct InputRanges: Sendable {
    private struct Bounds: BitwiseCopyable {
      let start: Int
      let end: Int
    }

    private var bounds: [Bounds] = []

    package subscript(row: Int) -> Range<Int> { bounds[row].start..<bounds[row].end }

    fileprivate mutating func append(_ range: Range<Int>) {
      bounds.append(Bounds(start: range.lowerBound, end: range.upperBound))
    }

    fileprivate mutating func removeAll() { bounds.removeAll(keepingCapacity: true) }

    fileprivate mutating func removeRows(from row: Int) {
      bounds.removeLast(max(0, bounds.count - row))
    }
  }

  package init(for schema: Schema, conversions: ValueConversions = ValueConversions()) {
    self.schema = schema
    self.conversions = conversions
    rows = Rows(width: schema.width)
    oldRecords = Rows(width: schema.width)
  }

  package var count: Int { lines.count }

  /// Removes all rows, but keeps the allocated memory for the next chunk.
  package mutating func removeAll() {
    rows.removeAll()
    lines.removeAll(keepingCapacity: true)
    inputRanges.removeAll()
    contents.removeAll(keepingCapacity: true)
    hasAssignedID.removeAll(keepingCapacity: true)
    if !invalidRows.isEmpty { invalidRows.removeAll() }
    if !deniedRows.isEmpty { deniedRows.removeAll() }
    if !repeatedRevisions.isEmpty { repeatedRevisions.removeAll() }
    if !oldIndexes.isEmpty {
      oldRecords.removeAll()
      oldIndexes.removeAll(keepingCapacity: true)
    }
  }

  /// Sets the line number of each row.
  package mutating func setOrigins(lines: [Int]) {
    self.lines = lines
    for (row, problems) in invalidRows {
      invalidRows[row] = problems.map { problem in
        var problem = problem
        problem.line = lines[row]
        problem.column = nil
        return problem
      }
    }
  }

  /// Returns the revision that a row contains, or nil if it has none. After `resolve`, it is the
  /// revision of the resulting record.
  package func revision(_ row: Int) -> Int64? {
    let cell = rows[row, schema.slot(.revision)]
    return cell.hasValue ? cell.integer : nil
  }

  /// Returns the time at which the record of a row was created, or nil if it is not known. Call
  /// this after `resolve`.
  package func createdAt(_ row: Int) -> Timestamp? {
    let cell = rows[row, schema.slot(.createdAt)]
    return cell.hasValue ? Timestamp(microseconds: cell.integer) : nil
  }

  /// Sets the revision that the stored record of a row must have. Nil allows any revision.
  package mutating func expect(_ revision: Int64?, in row: Int) {
    rows[row, schema.slot(.revision)] = revision.map { .integer($0) } ?? .missing
  }

  /// Marks a row whose record also occurs earlier in the input with the same revision. The earlier
  /// occurrence may have changed the record, and increased its revision.
  package mutating func markRepeated(_ row: Int) { repeatedRevisions[row] = revision(row) }

  /// Rejects a row, because the access rules do not allow it.
  package mutating func deny(_ row: Int, _ problem: Problem) { deniedRows[row] = problem }

  /// Returns whether a row sets a field to a value that differs from the stored one. If the record
  /// is new, the value is compared with the initial value of the field. Passwords and operations,
  /// such as adding a number, always count as different.
  package func wouldChange(_ row: Int, _ slot: Int, over old: Rows?) -> Bool {
    let cell = rows[row, slot]
    guard cell.kind != .missing else { return false }
    let type = schema.type(of: slot)
    guard cell.operation == .set, type != .password else { return true }
    let stored = old.map { $0.value($0[0, slot], of: type) } ?? schema.fields[slot].initialValue
    return rows.value(cell, of: type) != stored
  }

  /// Returns the ids that a row sets in a relation, or appends to it. Call this before `resolve`,
  /// which replaces the changes with the resulting record.
  package func givenTargets(_ row: Int, _ slot: Int) -> [String] {
    let cell = rows[row, slot]
    guard cell.kind != .missing else { return [] }
    var given: [Value] = []
    switch cell.operation {
    case .set:
      let value = rows.value(cell, of: schema.type(of: slot))
      given = if case .list(let ids) = value { ids } else { [value] }
    case .add: break
    case .edit:
      if let offset = ListEdit(cell).appended {
        given = ListText.values(in: rows.arena.span, from: offset, of: .text) ?? []
      }
    }
    return given.compactMap { if case .text(let id) = $0 { id } else { nil } }
  }

  /// Sets a field of a row to its value in the stored record.
  package mutating func keep(_ row: Int, _ slot: Int, of old: Rows) {
    if schema.type(of: slot) != .password { rows[row, slot] = rows.copy(old[0, slot], of: old) }
  }

  /// Removes the values in the given slots from the rows and from the old records, so that they are
  /// not shown to a caller who may not read them.
  package mutating func hide(_ slots: Set<Int>) {
    rows.hide(slots)
    oldRecords.hide(slots)
  }

  /// Swaps the input buffer, which contains the text of the rows, with another buffer. This passes
  /// the text from a reader to the chunk without copying it.
  package mutating func swapInput(with input: inout [UInt8]) {
    swap(&rows.input, &input)
  }

  /// Begins a record at a line of the input. Set its fields, then call `endRecord`.
  package mutating func beginRecord(line: Int) {
    rows.addRow()
    lines.append(line)
    hasAssignedID.append(false)
    if !problems.isEmpty { problems.removeAll() }
  }

  /// Returns whether a field of the record that is being built has been set to a value or to null.
  package func isSet(_ slot: Int) -> Bool {
    rows[count - 1, slot].kind != .missing
  }

  /// Generates an id for the record that is being built. Does nothing if the record already has an
  /// id, or if the schema requires explicit ids.
  package mutating func assignID(from generator: inout IDGenerator) {
    if needsID { setGeneratedID { generator.next(into: &$0) } }
  }

  /// Generates an id for the record that is being built. Does nothing if `generator` is nil, if the
  /// record already has an id, or if the schema requires explicit ids.
  package mutating func assignID(from generator: inout IDGenerator?) {
    if generator != nil && needsID { setGeneratedID { generator?.next(into: &$0) } }
  }

  /// Sets the id of the record that is being built. The id was generated, so the record is new.
  package mutating func assignID(_ id: Span<UInt8>) {
    setGeneratedID { $0.append(copying: id) }
  }

  private var needsID: Bool {
    rows[count - 1, schema.keySlot].kind == .missing && !schema.requiresExplicitIDs
  }

  private mutating func setGeneratedID(_ append: (inout [UInt8]) -> Void) {
    let start = rows.arena.count
    append(&rows.arena)
    rows[count - 1, schema.keySlot] = .arena(start..<rows.arena.count)
    hasAssignedID[count - 1] = true
  }

  /// Ends the record that is being built. If the record has problems, removes it from the chunk and
  /// returns the problems.
  package mutating func endRecord() -> [Problem] {
    if isOpenRecordValid {
      inputRanges.append(0..<0)
      return []
    }
    return rejectRecord(id: rows.text(rows[count - 1, schema.keySlot]))
  }

  /// Ends the record that is being built. If the record has problems, removes it from the chunk and
  /// returns the problems.
  ///
  /// There is one exception: a record that also lacks a required field remains in the chunk. The
  /// missing field is a problem only if the record is new, which is not yet known. `resolve` later
  /// reports the problems and, if the record is new, the missing fields.
  ///
  /// - Parameters:
  ///   - input: The input buffer, which the caller passes to `swapInput` later.
  ///   - range: The byte range of the record in the input.
  ///   - located: Returns a copy of the problems with their locations in the input.
  package mutating func endRecord(
    reading input: Span<UInt8>, at range: Range<Int>, _ located: ([Problem]) -> [Problem]
  ) -> [Problem] {
    if isOpenRecordValid {
      inputRanges.append(range)
      return []
    }
    let key = rows[count - 1, schema.keySlot]
    let id =
      key.kind == .input ? String(decoding: input.extracting(key.range)) : rows.text(key)
    guard lacksFieldsIfNew else { return located(rejectRecord(id: id)) }
    for index in problems.indices { problems[index].id = id }
    invalidRows[count - 1] = located(problems)
    inputRanges.append(range)
    list = nil
    return []
  }

  /// Whether the record that is being built has a valid id from the input, but lacks a field that
  /// is required in new records. Fields with reported problems are ignored.
  private var lacksFieldsIfNew: Bool {
    rows[count - 1, schema.keySlot].hasValue && !hasAssignedID[count - 1]
      && !problems.contains { $0.field == schema.key.name }
      && schema.fields.indices.contains(where: lacksIfNew)
  }

  /// Returns whether the record that is being built lacks a field that is required in new records.
  /// Returns false if a problem with the field has been reported.
  private func lacksIfNew(_ slot: Int) -> Bool {
    !isSet(slot) && schema.slots[slot].isRequired && !schema.slots[slot].hasDefault
      && !problems.contains { $0.field == schema.fields[slot].name }
      && !schema.hiddenSlots.contains(slot)
  }

  private var isOpenRecordValid: Bool {
    problems.isEmpty && rows[count - 1, schema.keySlot].kind != .missing
  }

  private mutating func rejectRecord(id: String) -> [Problem] {
    let key = rows[count - 1, schema.keySlot]
    if key.kind == .missing && !problems.contains(where: { $0.field == schema.key.name }) {
      report(schema.keySlot, "required", hint: schema.missingKeyHint)
    }
    if hasAssignedID[count - 1] { reportMissingFields() }
    if key.hasValue && !hasAssignedID[count - 1] {
      for index in problems.indices { problems[index].id = id }
    }
    removeLastRecord()
    return problems
  }

  /// Reports the required fields that are missing in a rejected record. The record must be new,
  /// because an existing record may already have values for these fields.
  private mutating func reportMissingFields() {
    for slot in schema.fields.indices where lacksIfNew(slot) { report(slot, "required") }
  }

  /// Discards the record that is being built.
  package mutating func removeLastRecord() { removeRecords(from: count - 1) }

  /// Discards the given row and all rows after it.
  package mutating func removeRecords(from row: Int) {
    if !invalidRows.isEmpty { for removed in row..<count { invalidRows[removed] = nil } }
    rows.removeRows(from: row)
    lines.removeLast(lines.count - row)
    hasAssignedID.removeLast(hasAssignedID.count - row)
    inputRanges.removeRows(from: row)
    while let last = contents.last, last.row >= row { contents.removeLast() }
    list = nil
  }

  /// Moves all rows of another chunk, which has the same schema and the same input, to the end of
  /// this chunk.
  package mutating func append(_ other: inout RowChanges) {
    let first = count
    rows.append(movedFrom: other.rows)
    lines += other.lines
    hasAssignedID += other.hasAssignedID
    for row in 0..<other.count { inputRanges.append(other.inputRanges[row]) }
    for var content in other.contents {
      content.row += first
      contents.append(content)
    }
    for (row, problems) in other.invalidRows { invalidRows[first + row] = problems }
    // The rows were copied. Passwords must not remain in memory.
    if schema.passwordSlot != nil { other.wipe() }
    other.removeAll()
  }

  mutating func addContent(_ source: FileContent, slot: Int) {
    contents.append(Content(row: count - 1, slot: slot, source: source))
  }

  /// The maximum number of problems reported for one record. There must be a limit, because unknown
  /// keys can cause any number of problems.
  package static let maxProblems = 2 * Schema.maxFields

  /// Adds a problem to the record that is being built.
  ///
  /// - Parameters:
  ///   - slot: The index of the field that the problem concerns; nil if it concerns the whole
  ///     record.
  ///   - message: The message, which says what was expected and what was found.
  ///   - code: The kind of the problem.
  ///   - hint: A hint on how to solve the problem, or nil.
  ///   - column: The column in the line of the record, or nil if it is not known.
  package mutating func report(
    _ slot: Int?, _ message: String, code: ErrorCode = .invalid, hint: String? = nil,
    column: Int? = nil
  ) {
    guard problems.count < Self.maxProblems else { return }
    problems.append(
      Problem(
        code, message, hint: hint, schema: schema.name, field: slot.map { schema.name(of: $0) },
        line: lines.last, column: column))
  }

  /// Returns whether a problem with a field has been reported for the record that is being built.
  package func hasProblem(of slot: Int) -> Bool {
    problems.contains { $0.field == schema.name(of: slot) }
  }

  /// Adds a problem with the list of an inverse to the record that is being built.
  package mutating func report(inverse name: String, _ message: String) {
    guard problems.count < Self.maxProblems else { return }
    problems.append(
      Problem(.invalid, message, schema: schema.name, field: name, line: lines.last))
  }

  /// Reports a field that the record being built sets, but the schema does not declare.
  ///
  /// - Parameter hint: The hint if no field has a similar name, or nil for the default hint.
  package mutating func reportUnknownField(_ name: String, hint: String? = nil) {
    guard problems.count < Self.maxProblems else { return }
    let nearest = schema.suggestedName(for: name)
    problems.append(
      Problem(
        .unknownField, "\(schema.name) has no field \(Excerpt.truncated(name))",
        hint: nearest.map { "did you mean \($0)?" } ?? hint
          ?? "see datactl schema show \(schema.name)",
        schema: schema.name, field: Excerpt.truncated(name), line: lines.last))
  }
}

/// The content of a file: bytes in memory, or a stream.
package enum FileContent: Sendable {
  /// The whole content as bytes.
  case bytes([UInt8])
  /// A function that opens the content for reading in pieces. It can be called only once.
  case stream(@Sendable () throws(DataError) -> FilePieces)
}

/// A function that returns the next piece of a file's content, or nil at the end.
package typealias FilePieces = () throws(DataError) -> [UInt8]?

extension RowChanges {
  /// Replaces the password in a row with its hash, and overwrites the password with zeros.
  ///
  /// The input that the chunk was parsed from still contains the password until `wipe` is called.
  package mutating func replacePassword(_ row: Int, by hash: String) {
    guard let slot = schema.passwordSlot, rows[row, slot].kind == .arena else { return }
    for index in rows[row, slot].range { rows.arena[index] = 0 }
    rows[row, slot] = rows.store(hash)
  }

  /// Erases the passwords in the chunk by overwriting its buffers with zeros. The cells must not be
  /// used afterwards, because they refer to these buffers.
  package mutating func wipe() {
    for index in rows.input.indices { rows.input[index] = 0 }
    for index in rows.arena.indices { rows.arena[index] = 0 }
  }
}

extension Schema {
  /// The hint of the error for a record without an id.
  package var missingKeyHint: String {
    requiresExplicitIDs
      ? "assign a user name" : "give the record an id; in Swift, assignID() generates one"
  }
}

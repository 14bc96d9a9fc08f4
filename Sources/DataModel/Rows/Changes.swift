/// A batch of changes that have been checked: known fields, valid values and operations.
///
/// Only the setters here fill it, and they check what they take; having a row is the proof that it
/// is valid by itself. Whether it fits the record that is there, `resolve` decides.
package struct Changes: Sendable {
  /// The schema that the changes were checked against.
  package let schema: Schema
  /// The rows; after `resolve`, a row is the record as it will stand.
  package internal(set) var rows: Rows
  /// The line in the input where each row begins.
  package private(set) var lines: [Int] = []
  /// Where each row's text stands in the input; nowhere for a row that was not read from text.
  package private(set) var places: [Range<Int>] = []
  /// What came with the rows for their `file` fields.
  package private(set) var contents: [Content] = []
  /// Which rows got an id here, so that they are new by construction.
  package private(set) var hasAssignedID: [Bool] = []
  /// Whether a second of more than six digits is rounded instead of refused.
  let roundsTimes: Bool
  var problems: [Problem] = []
  var list: OpenList?

  /// The bytes that came for a file field.
  package struct Content: Sendable {
    package var row: Int
    package var slot: Int
    package var source: FileContent

    /// Whether the bytes can be had once more.
    package var canRestart: Bool {
      switch source {
      case .bytes: true
      case .stream: false
      }
    }
  }

  package init(for schema: Schema, roundsTimes: Bool = false) {
    self.schema = schema
    self.roundsTimes = roundsTimes
    rows = Rows(width: schema.width)
  }

  package var count: Int { lines.count }

  /// Empties the batch and keeps its memory.
  package mutating func removeAll() {
    rows.removeAll()
    lines.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    contents.removeAll(keepingCapacity: true)
    hasAssignedID.removeAll(keepingCapacity: true)
  }

  /// Hands over the text that the rows' cells point into, in exchange for the one there.
  package mutating func exchangeInput(with input: inout [UInt8]) {
    swap(&rows.input, &input)
  }

  /// Begins a record that stands at a line of the input.
  package mutating func beginRecord(line: Int) {
    rows.addRow()
    lines.append(line)
    hasAssignedID.append(false)
    if !problems.isEmpty { problems.removeAll() }
  }

  /// Whether the open record already says something about a field.
  package func isSet(_ slot: Int) -> Bool {
    rows[count - 1, slot].kind != .missing
  }

  /// Gives the open record an id, unless it has one or must be named by its user.
  package mutating func assignID(from generator: inout IDGenerator) {
    if needsID { takeID { generator.next(into: &$0) } }
  }

  /// Gives the open record an id if there is a generator.
  package mutating func assignID(from generator: inout IDGenerator?) {
    if generator != nil && needsID { takeID { generator?.next(into: &$0) } }
  }

  private var needsID: Bool {
    rows[count - 1, schema.keySlot].kind == .missing && !schema.requiresGivenIDs
  }

  private mutating func takeID(_ append: (inout [UInt8]) -> Void) {
    let start = rows.arena.count
    append(&rows.arena)
    rows[count - 1, schema.keySlot] = .arena(start..<rows.arena.count)
    hasAssignedID[count - 1] = true
  }

  /// Ends the open record; what is wrong with it, if anything, takes it out of the batch again.
  package mutating func endRecord() -> [Problem] {
    if isOpenRecordSound {
      places.append(0..<0)
      return []
    }
    return refuseRecord(id: rows.text(rows[count - 1, schema.keySlot]))
  }

  /// Ends the open record, which stands at a place of an input that the reader will hand over.
  package mutating func endRecord(
    reading input: Span<UInt8>, at place: Range<Int>
  ) -> [Problem] {
    if isOpenRecordSound {
      places.append(place)
      return []
    }
    let key = rows[count - 1, schema.keySlot]
    let isInput = key.kind == .input
    return refuseRecord(
      id: isInput ? String(decoding: input.extracting(key.range)) : rows.text(key))
  }

  private var isOpenRecordSound: Bool {
    problems.isEmpty && rows[count - 1, schema.keySlot].kind != .missing
  }

  private mutating func refuseRecord(id: String) -> [Problem] {
    let key = rows[count - 1, schema.keySlot]
    if key.kind == .missing && !problems.contains(where: { $0.field == schema.key.name }) {
      report(
        schema.keySlot, "required",
        hint: schema.requiresGivenIDs
          ? "assign a user name" : "assign an id before saving: assignID() generates one")
    }
    if hasAssignedID[count - 1] { reportMissingFields() }
    if key.hasValue && !hasAssignedID[count - 1] {
      for index in problems.indices { problems[index].id = id }
    }
    removeLastRecord()
    return problems
  }

  /// Notes which fields a refused record lacks, if it is new by construction; of a record that may be
  /// there already, only the store can tell.
  private mutating func reportMissingFields() {
    for slot in schema.fields.indices where !isSet(slot) {
      let isNeeded = schema.slots[slot].isRequired && !schema.slots[slot].hasDefault
      if isNeeded && !problems.contains(where: { $0.field == schema.fields[slot].name }) {
        report(slot, "required")
      }
    }
  }

  /// Takes the open record back, as if it had not been begun.
  package mutating func removeLastRecord() {
    rows.removeLastRow()
    lines.removeLast()
    hasAssignedID.removeLast()
    let removed = count
    contents.removeAll { $0.row == removed }
    list = nil
  }

  mutating func addContent(_ source: FileContent, slot: Int) {
    contents.append(Content(row: count - 1, slot: slot, source: source))
  }

  /// How many problems of one record are told: each field can have one, and other keys no end.
  package static let mostProblems = 2 * Schema.mostFields

  /// Notes a problem of the open record.
  package mutating func report(
    _ slot: Int?, _ message: String, code: ErrorCode = .invalid, hint: String? = nil
  ) {
    guard problems.count < Self.mostProblems else { return }
    problems.append(
      Problem(
        code, message, hint: hint, schema: schema.name, field: slot.map { schema.name(of: $0) },
        line: lines.last))
  }

  /// Notes that the open record has a field that the schema does not have.
  package mutating func reportUnknownField(_ name: String) {
    guard problems.count < Self.mostProblems else { return }
    let nearest = nearest(name, among: schema.fields.map(\.name))
    problems.append(
      Problem(
        .unknownField, "\(schema.name) has no field \(Excerpt.cut(name))",
        hint: nearest.map { "did you mean \($0)?" } ?? "see datactl schema show \(schema.name)",
        schema: schema.name, field: Excerpt.cut(name), line: lines.last))
  }
}

/// Where the bytes of a file come from.
package enum FileContent: Sendable {
  /// They came with the record.
  case bytes([UInt8])
  /// They are read when they are needed, in pieces; empty at the end.
  case stream(@Sendable () throws(DataError) -> FilePieces)
}

/// Gives a file's bytes piece by piece, and nil behind the last.
package typealias FilePieces = () throws(DataError) -> [UInt8]?

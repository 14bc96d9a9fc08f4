/// A list of records in the inverse of a relation, such as the lines of an order. The listed records
/// are rows of chunks that are saved together.
package struct PartList: Sendable {
  /// The schema of the listed records.
  package let schema: Schema
  /// The relation from the listed records to the outer one.
  package let slot: Int
  /// The id of the outer record.
  package let owner: [UInt8]
  /// Whether the id was generated. If so, the outer record is new, and no stored record refers to
  /// it.
  package let isOfNewOwner: Bool
  /// The line of the outer record.
  package let line: Int
  /// The listed records, in order.
  package private(set) var parts: [Part] = []

  /// A listed record: the number of its chunk, and its row in this chunk.
  package struct Part: BitwiseCopyable, Sendable {
    package var chunk: Int32
    package var row: Int32

    package init(chunk: Int, row: Int) {
      self.chunk = Int32(chunk)
      self.row = Int32(row)
    }
  }

  package init(_ schema: Schema, _ slot: Int, owner: [UInt8], isOfNewOwner: Bool, line: Int) {
    self.schema = schema
    self.slot = slot
    self.owner = owner
    self.isOfNewOwner = isOfNewOwner
    self.line = line
  }

  /// Whether the list is whole: stored parts that it does not name are deleted.
  package var isOwned: Bool { schema.ownerSlot == slot }

  package mutating func append(_ part: Part) { parts.append(part) }
}

extension RowChanges {
  /// Sets the position of a row among the parts of its owner, and rejects the row if the field does
  /// not allow it.
  package mutating func setPosition(_ position: Int, _ slot: Int, in row: Int) {
    let value = Value.integer(Int64(position))
    rows[row, slot] = .integer(Int64(position))
    guard let message = schema.fields[slot].violations(of: value).first else { return }
    deny(
      row,
      Problem(
        .invalid, message, schema: schema.name, id: rows.text(rows[row, schema.keySlot]),
        field: schema.name(of: slot), line: lines[row]))
  }

  /// Rejects the rows that were saved, so that the others can be saved again. Returns these others.
  package mutating func denyAll(except outcomes: [Outcome]) -> [Int] {
    for (row, outcome) in outcomes.enumerated() where !outcome.isRefused {
      deny(row, Problem(.exists, "already saved", schema: schema.name))
    }
    return outcomes.indices.filter { outcomes[$0].isRefused }
  }

  /// Replaces a row by the same row of another chunk, which has been saved.
  package mutating func replace(_ row: Int, by other: RowChanges) {
    for slot in 0..<schema.width { rows[row, slot] = copy(other.rows[row, slot], of: other.rows) }
    guard let old = other.oldIndexes[row] else { return }
    oldIndexes[row] = oldRecords.count
    oldRecords.append(old, of: other.oldRecords, slots: Array(0..<schema.width))
  }

  /// Gives an unchanged record a new revision, because one of its parts has changed. Call this after
  /// `resolve`.
  package mutating func touch(_ row: Int, _ stamp: Stamp) {
    var old = Rows(width: schema.width)
    old.append(row, of: rows, slots: Array(0..<schema.width))
    if keepsOldRecords {
      oldIndexes[row] = oldRecords.count
      oldRecords.append(0, of: old, slots: Array(0..<schema.width))
    }
    _ = stampChange(row, over: old, at: 0, isChanged: true, policy: SavePolicy(), stamp: stamp)
  }
}

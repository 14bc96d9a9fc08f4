import DataModel
import DataStore

/// Looks whether the targets of references are there, and remembers those that may still come.
struct ReferenceChecks {
  /// A reference to a record of the same schema that was not there when its row came.
  struct Open {
    let slot: Int
    let id: String
    let target: String
    let line: Int
  }

  private let schema: Schema
  private let waitsForTargets: Bool
  private var targets: [Int: Target] = [:]
  private var open: [Open] = []
  private var greatestCount = 10_000

  /// With `waitsForTargets` a record may stand before one of its schema that it refers to.
  init(
    _ layout: TableLayout, waitsForTargets: Bool, catalog: Catalog,
    on connection: borrowing Connection
  ) throws(DataError) {
    schema = layout.schema
    self.waitsForTargets = waitsForTargets
    for slot in layout.relationSlots {
      guard let relation = schema.type(of: slot).relation, let target = catalog[relation.target]
      else { continue }
      let other = TableLayout(target)
      targets[slot] = Target(
        try Statement(
          "select 1 from \(other.table) where \(other.key) = \(SQL.parameter)", on: connection))
    }
  }

  /// Whether a row can refer to one that comes behind it, or to the row before it.
  func isOwn(_ slot: Int) -> Bool { schema.type(of: slot).relation?.target == schema.name }

  /// What is wrong with the references of a row in some slots; a target that may still come is
  /// noted for later.
  mutating func problems(
    of row: Int, in batch: Changes, slots: [Int], openings: inout [Open]
  ) throws(DataError) -> [Problem] {
    var problems: [Problem] = []
    let rows = batch.rows
    let key = rows[row, schema.keySlot]
    for slot in slots {
      let cell = rows[row, slot]
      guard cell.hasValue else { continue }
      switch schema.slots[slot].kind {
      case .reference:
        if try targets[slot]?.isThere(cell, of: rows) == true { continue }
        if isOwn(slot) && isSame(cell, key, of: rows) { continue }
        note(rows.text(cell), slot, row, batch, &problems, &openings)
      case .references:
        for id in rows.value(cell, of: schema.type(of: slot)).texts {
          if try targets[slot]?.isThere(id.utf8.span) == true { continue }
          if isOwn(slot) && id.utf8.elementsEqual(rows.text(key).utf8) { continue }
          note(id, slot, row, batch, &problems, &openings)
        }
      case .id, .text, .integer, .number, .boolean, .datetime, .geopoint, .file, .json, .password,
        .array, .system:
        continue
      }
    }
    return problems
  }

  private func isSame(_ cell: Cell, _ other: Cell, of rows: Rows) -> Bool {
    rows.withBytes(of: cell) { bytes in rows.withBytes(of: other) { bytes.isEqual(to: $0) } }
  }

  private func note(
    _ target: String, _ slot: Int, _ row: Int, _ batch: Changes, _ problems: inout [Problem],
    _ openings: inout [Open]
  ) {
    let reference = Open(
      slot: slot, id: batch.rows.text(batch.rows[row, schema.keySlot]), target: target,
      line: batch.lines[row])
    if waitsForTargets && isOwn(slot) {
      openings.append(reference)
    } else {
      problems.append(problem(reference))
    }
  }

  /// Keeps in mind what a row that was saved refers to; what has come since is forgotten.
  mutating func keep(_ openings: [Open]) throws(DataError) {
    open += openings
    guard open.count > greatestCount else { return }
    open = try stillOpen()
    greatestCount = max(greatestCount, open.count * 2)
  }

  /// The references whose targets never came, as problems.
  mutating func unmet() throws(DataError) -> [Problem] {
    open = try stillOpen()
    return open.map(problem)
  }

  private mutating func stillOpen() throws(DataError) -> [Open] {
    var rest: [Open] = []
    for reference in open {
      if try targets[reference.slot]?.isThere(reference.target.utf8.span) != true {
        rest.append(reference)
      }
    }
    return rest
  }

  private func problem(_ reference: Open) -> Problem {
    let target = schema.type(of: reference.slot).relation?.target ?? ""
    return Problem(
      .danglingReference,
      "refers to \(target) \(Excerpt.quoted(reference.target)), which is not there",
      hint: "save the \(target) first, or leave the field out", schema: schema.name,
      id: reference.id, field: schema.name(of: reference.slot), line: reference.line)
  }
}

/// Looks for records of one schema by their ids.
private struct Target {
  private let shared: SharedStatement
  /// The last id that was there; records that belong together mostly come together.
  private var last: [UInt8] = []

  init(_ statement: consuming Statement) {
    shared = SharedStatement(statement)
  }

  mutating func isThere(_ cell: Cell, of rows: Rows) throws(DataError) -> Bool {
    try rows.withBytes(of: cell) { (bytes) throws(DataError) in try isThere(bytes) }
  }

  mutating func isThere(_ id: Span<UInt8>) throws(DataError) -> Bool {
    if id.isEqual(toBytes: last) && !last.isEmpty { return true }
    try shared.statement.bind(id, at: 1)
    let isThere = try shared.statement.step()
    shared.statement.reset()
    if isThere {
      last.removeAll(keepingCapacity: true)
      for index in id.indices { last.append(id[index]) }
    }
    return isThere
  }
}

extension Value {
  /// The texts of a list.
  var texts: [String] {
    guard case .list(let values) = self else { return [] }
    return values.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }
}

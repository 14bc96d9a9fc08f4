import DataModel
import DataStore

/// The references of a save whose targets do not exist yet.
///
/// They are stored in a temporary table, so that any number of records can be saved before the
/// records that they refer to. The table is created when it is first needed.
struct OpenReferenceTable {
  /// A reference whose target did not exist when its row was processed.
  struct OpenReference {
    let slot: Int
    let id: String
    let target: String
    let line: Int
  }

  /// The maximum number of references that are read at once from the temporary table.
  private static let fetchSize = 2_000

  private let connection: Connection
  private let name: String
  private var table: SQL { "pg_temp.\(name: name)" }
  /// The references that have not been written to the table yet.
  private var added: [OpenReference] = []
  private var hasTable = false
  /// The number of references in the table.
  private var count = 0

  init(number: Int, on connection: Connection) {
    name = "_open_\(number)"
    self.connection = connection
  }

  mutating func add(_ reference: OpenReference) {
    added.append(reference)
  }

  /// Calls a closure with each reference that has not been written to the table yet. Removes the
  /// reference if the closure returns true.
  mutating func removeAdded(_ isResolved: (OpenReference) -> Bool) {
    added.removeAll(where: isResolved)
  }

  /// Writes to the table all references that were added since the last call.
  mutating func write() {
    guard !added.isEmpty else { return }
    if !hasTable { makeTable() }
    let positions = added.indices.map { Value.integer(Int64(count + $0)) }
    connection.enqueue(
      """
      insert into \(table) (place, line, slot, id, target) select * from \
      unnest(\(values: positions, of: .integer), \
      \(values: added.map { .integer(Int64($0.line)) }, of: .integer), \
      \(values: added.map { .integer(Int64($0.slot)) }, of: .integer), \
      \(values: added.map { .text($0.id) }, of: .id), \
      \(values: added.map { .text($0.target) }, of: .id))
      """)
    count += added.count
    added = []
  }

  private mutating func makeTable() {
    let idType = WireType(.id).sqlName
    connection.enqueue(
      """
      create temp table if not exists \(name: name) (place bigint not null, line bigint not null, slot bigint not null, \
      id \(idType) not null, target \(idType) not null) on commit drop
      """)
    hasTable = true
  }

  /// Discards all references. The rollback that follows may remove the table, so it is created
  /// again when it is needed.
  mutating func discard() {
    added = []
    count = 0
    hasTable = false
  }

  /// Passes all references to a closure in the order of the input lines, up to 2,000 at a time.
  /// Then removes all references from the table.
  mutating func take(_ report: ([OpenReference]) throws(DataError) -> Void) throws(DataError) {
    guard count > 0 else { return }
    count = 0
    connection.enqueue(
      """
      declare _opened no scroll cursor for select max(line), slot, id, target from \(table) \
      group by slot, id, target order by 1, 2, max(place)
      """)
    var part: [OpenReference] = []
    repeat {
      part = []
      try connection.forEachRow(
        "fetch \(number: Int64(Self.fetchSize)) from _opened", [.integer, .integer, .id, .id]
      ) { values in
        if case .integer(let line) = values[0], case .integer(let slot) = values[1],
          case .text(let id) = values[2], case .text(let target) = values[3]
        {
          part.append(OpenReference(slot: Int(slot), id: id, target: target, line: Int(line)))
        }
      }
      try report(part)
    } while part.count == Self.fetchSize
    connection.enqueue("close _opened")
    connection.enqueue("delete from \(table)")
  }
}

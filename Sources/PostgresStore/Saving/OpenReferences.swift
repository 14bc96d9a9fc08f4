import DataModel
import DataStore

/// The references of a save whose targets have not been found yet.
///
/// They are stored in a temporary table, so that any number of records can come before those that
/// they refer to. The table is created with the first such reference.
struct OpenReferences {
  /// A reference to a record that did not exist when its row was processed.
  struct Open {
    let slot: Int
    let id: String
    let target: String
    let line: Int
  }

  private static let table: SQL = "pg_temp._open"
  /// The number of references that are returned at once.
  private static let partSize = 2_000

  private let connection: Connection
  /// References that are not in the table yet.
  private var added: [Open] = []
  /// Fields of records that have been overwritten, so that their references in the table are
  /// obsolete.
  private var renewed: [(id: String, slot: Int)] = []
  private var hasTable = false
  private var hasIndex = false
  /// The number of references that were inserted into the table.
  private var count = 0

  init(on connection: Connection) {
    self.connection = connection
  }

  mutating func add(_ open: Open) {
    added.append(open)
  }

  /// Removes references that were resolved before they were written.
  mutating func removeAdded(_ isMet: (Open) -> Bool) {
    added.removeAll(where: isMet)
  }

  /// Marks the earlier references of a record's field as obsolete.
  mutating func renew(_ id: String, _ slot: Int) {
    if hasTable { renewed.append((id, slot)) }
  }

  /// Writes the changes since the last call to the table.
  mutating func write() {
    if !renewed.isEmpty { removeRenewed() }
    guard !added.isEmpty else { return }
    if !hasTable { makeTable() }
    let places = added.indices.map { Value.integer(Int64(count + $0)) }
    connection.later(
      """
      insert into \(Self.table) (place, line, slot, id, target) select * from \
      unnest(\(values: places, of: .integer), \
      \(values: added.map { .integer(Int64($0.line)) }, of: .integer), \
      \(values: added.map { .integer(Int64($0.slot)) }, of: .integer), \
      \(values: added.map { .text($0.id) }, of: .id), \
      \(values: added.map { .text($0.target) }, of: .id))
      """)
    count += added.count
    added = []
  }

  private mutating func makeTable() {
    let idType = WireType(.id).words
    connection.later(
      """
      create temp table _open (place bigint not null, line bigint not null, slot bigint not null, \
      id \(idType) not null, target \(idType) not null) on commit drop
      """)
    hasTable = true
  }

  private mutating func removeRenewed() {
    if !hasIndex { connection.later("create index on \(Self.table) (id, slot)") }
    hasIndex = true
    connection.later(
      """
      delete from \(Self.table) where (id, slot) in (select * from \
      unnest(\(values: renewed.map { .text($0.id) }, of: .id), \
      \(values: renewed.map { .integer(Int64($0.slot)) }, of: .integer)))
      """)
    renewed = []
  }

  /// Passes all references to a closure, in the order in which they were added, in parts, and
  /// clears the table.
  func take(_ give: ([Open]) throws(DataError) -> Void) throws(DataError) {
    guard hasTable else { return }
    connection.later(
      """
      declare _opened no scroll cursor for select line, slot, id, target from \(Self.table) \
      order by line, slot, place
      """)
    var part: [Open] = []
    repeat {
      part = []
      try connection.each(
        "fetch \(number: Int64(Self.partSize)) from _opened", [.integer, .integer, .id, .id]
      ) { values in
        if case .integer(let line) = values[0], case .integer(let slot) = values[1],
          case .text(let id) = values[2], case .text(let target) = values[3]
        {
          part.append(Open(slot: Int(slot), id: id, target: target, line: Int(line)))
        }
      }
      try give(part)
    } while part.count == Self.partSize
    connection.later("close _opened")
    connection.later("delete from \(Self.table)")
  }
}

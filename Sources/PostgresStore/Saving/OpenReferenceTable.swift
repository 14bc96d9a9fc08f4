import DataModel
import DataStore

/// The references of a save whose targets have not been found yet.
///
/// They are stored in a temporary table, so that any number of records can come before those that
/// they refer to. The table is created with the first such reference.
struct OpenReferenceTable {
  /// A reference to a record that did not exist when its row was processed.
  struct OpenReference {
    let slot: Int
    let id: String
    let target: String
    let line: Int
  }

  private static let table: SQL = "pg_temp._open"
  /// The number of references that are returned at once.
  private static let fetchSize = 2_000

  private let connection: Connection
  /// References that are not in the table yet.
  private var added: [OpenReference] = []
  /// Fields of records that have been overwritten, so that their references in the table are
  /// obsolete.
  private var obsolete: [(id: String, slot: Int)] = []
  private var hasTable = false
  private var hasIndex = false
  /// The number of references that were inserted into the table.
  private var count = 0

  init(on connection: Connection) {
    self.connection = connection
  }

  mutating func add(_ reference: OpenReference) {
    added.append(reference)
  }

  /// Removes references that were resolved before they were written.
  mutating func removeAdded(_ isResolved: (OpenReference) -> Bool) {
    added.removeAll(where: isResolved)
  }

  /// Marks the earlier references of a record's field as obsolete.
  mutating func markObsolete(_ id: String, _ slot: Int) {
    if hasTable { obsolete.append((id, slot)) }
  }

  /// Writes the changes since the last call to the table.
  mutating func write() {
    if !obsolete.isEmpty { deleteObsolete() }
    guard !added.isEmpty else { return }
    if !hasTable { makeTable() }
    let positions = added.indices.map { Value.integer(Int64(count + $0)) }
    connection.enqueue(
      """
      insert into \(Self.table) (place, line, slot, id, target) select * from \
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
      create temp table _open (place bigint not null, line bigint not null, slot bigint not null, \
      id \(idType) not null, target \(idType) not null) on commit drop
      """)
    hasTable = true
  }

  private mutating func deleteObsolete() {
    if !hasIndex { connection.enqueue("create index on \(Self.table) (id, slot)") }
    hasIndex = true
    connection.enqueue(
      """
      delete from \(Self.table) where (id, slot) in (select * from \
      unnest(\(values: obsolete.map { .text($0.id) }, of: .id), \
      \(values: obsolete.map { .integer(Int64($0.slot)) }, of: .integer)))
      """)
    obsolete = []
  }

  /// Passes all references to a closure, in the order in which they were added, in parts, and
  /// clears the table.
  func take(_ report: ([OpenReference]) throws(DataError) -> Void) throws(DataError) {
    guard hasTable else { return }
    connection.enqueue(
      """
      declare _opened no scroll cursor for select line, slot, id, target from \(Self.table) \
      order by line, slot, place
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
    connection.enqueue("delete from \(Self.table)")
  }
}

import DataModel
import DataStore

/// The references of a save that lead nowhere yet.
///
/// They stand in a temporary table, so that any number of records can stand before those that they
/// refer to; without such a reference there is no table.
struct OpenReferences {
  /// A reference to a record that was not there when its row came.
  struct Open {
    let slot: Int
    let id: String
    let target: String
    let line: Int
  }

  private static let table: SQL = "pg_temp._open"
  /// How many are given at once.
  private static let partSize = 2_000

  private let connection: Connection
  /// What is to go into the table.
  private var added: [Open] = []
  /// The fields of records whose references in the table are no longer what they refer to.
  private var renewed: [(id: String, slot: Int)] = []
  private var hasTable = false
  private var hasIndex = false
  /// How many have gone into the table.
  private var count = 0

  init(on connection: Connection) {
    self.connection = connection
  }

  mutating func add(_ open: Open) {
    added.append(open)
  }

  /// Leaves out what was added and is met before it is written.
  mutating func removeAdded(_ isMet: (Open) -> Bool) {
    added.removeAll(where: isMet)
  }

  /// Forgets what a field of a record referred to before.
  mutating func renew(_ id: String, _ slot: Int) {
    if hasTable { renewed.append((id, slot)) }
  }

  /// Writes down what came since it was called last.
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

  /// Gives all of them in the order in which they came, part after part, and forgets them.
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

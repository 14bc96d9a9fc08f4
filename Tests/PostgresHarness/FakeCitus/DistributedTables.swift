/// The distribution columns of tables, tracked through the statements of a connection.
struct DistributedTables {
  /// The database of the connection.
  var database = ""
  /// The committed distribution columns, shared by all connections, by database and table.
  let shared: MutexBox<[String: String]>
  /// The changes of the open transaction; nil as the column of a table that is not distributed.
  private var changes: [String: String?] = [:]
  private var expectsValues = false

  init(shared: MutexBox<[String: String]>) {
    self.shared = shared
  }

  /// Returns the distribution column of a table.
  func column(of table: String) -> String? {
    changes[table] ?? shared.value["\(database).\(table)"]
  }

  /// Tracks a statement that the client sends.
  mutating func track(_ statement: String) {
    expectsValues = statement.contains("create_distributed_table")
    let tokens = SQLLexer.of(statement)
    switch tokens.first {
    case .word("commit"):
      for (table, column) in changes {
        shared.change { [database] in $0["\(database).\(table)"] = column }
      }
      changes = [:]
    case .word("rollback") where tokens.count == 1: changes = [:]
    case .word("drop"), .word("alter"):
      change(Array(tokens.dropFirst()), isDrop: tokens[0] == .word("drop"))
    case .word, .name, .parameter, .literal, .symbol, .brackets, nil: break
    }
  }

  /// Tracks the bound values of the previous statement: the namespace, the table, and its column.
  mutating func track(_ values: [String]) {
    guard expectsValues, values.count > 2 else { return }
    expectsValues = false
    changes["\(values[0]).\(values[1])"] = values[2]
  }

  private mutating func change(_ tokens: [SQLToken], isDrop: Bool) {
    guard tokens.count > 3, tokens[0] == .word("table"), case .name(let namespace) = tokens[1],
      case .name(let table) = tokens[3]
    else { return }
    let old = "\(namespace).\(table)"
    guard let column = column(of: old) else { return }
    if isDrop {
      changes[old] = .some(nil)
      return
    }
    switch Array(tokens[4...]) {
    case let rest where rest.count == 3 && rest[0] == .word("rename"):
      guard case .name(let new) = rest[2] else { return }
      changes[old] = .some(nil)
      changes["\(namespace).\(new)"] = column
    case let rest where rest.count == 5 && rest[0] == .word("rename") && rest[2] == .name(column):
      if case .name(let new) = rest[4] { changes[old] = new }
    case _: break
    }
  }
}

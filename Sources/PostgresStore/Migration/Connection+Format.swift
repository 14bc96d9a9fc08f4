import DataModel
import DataStore

extension Connection {
  /// Sets `format`, and throws an error if this program does not support the format.
  func checkFormat(_ format: Int64) throws(DataError) {
    self.format = format
    try StoreFormat.check(format, of: store) {
      try? run("select minimum_program from \(table: "_meta")").text(0, 0)
    }
  }

  /// Upgrades the internal tables of a store of an older format, in a separate transaction.
  ///
  /// If the tables are in use, or if the user may not alter them, does nothing: stores of older
  /// formats can also be read and written.
  func upgradeFormat() throws(DataError) {
    guard let format, format < StoreFormat.current else { return }
    enqueue("begin")
    enqueue("select set_config('lock_timeout', '200', true)")
    do throws(DataError) {
      try enqueueUpgrade()
      try run("commit")
    } catch {
      let cause = failure
      discardQueue()
      if isConnected { try run("rollback") }
      guard cause == .locked || cause == .insufficientPrivilege else { throw error }
    }
  }

  /// Enqueues the statements that upgrade the store's internal tables in the open transaction,
  /// unless another program has already upgraded them.
  func enqueueUpgrade() throws(DataError) {
    let format = try integer("select format from \(table: "_meta") for update")
    guard let format, format < StoreFormat.current else { return }
    for statement in InternalTables.upgradeSQL(on: engine) { enqueue(statement) }
  }
}

import CSQLite

/// The prepared statements of a connection that are not in use. They are kept because preparing a
/// short statement takes longer than executing it.
///
/// They never become outdated: SQLite prepares a statement again if tables have changed.
@safe
final class IdleStatements {
  private static let maxCount = 16
  /// The maximum length in bytes of the SQL text of a statement that is kept for later use.
  private static let maxLength = 4 << 10

  /// The statements, in the order of their last use.
  private var statements: [(text: [UInt8], handle: OpaquePointer)] = unsafe []

  deinit { removeAll() }

  /// Removes and returns the statement with the given text, or returns nil if there is none.
  func take(_ text: [UInt8]) -> OpaquePointer? {
    guard let index = unsafe statements.lastIndex(where: { unsafe $0.text == text }) else {
      return nil
    }
    return unsafe statements.remove(at: index).handle
  }

  /// Adds a statement, and unbinds its parameters. Finalizes it instead if its text is long. If
  /// there are too many statements, finalizes the one whose last use was earliest.
  func add(_ handle: OpaquePointer, _ text: [UInt8]) {
    guard text.count <= Self.maxLength else {
      unsafe sqlite3_finalize(handle)
      return
    }
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
    unsafe statements.append((text, handle))
    if unsafe statements.count > Self.maxCount {
      unsafe sqlite3_finalize(statements.removeFirst().handle)
    }
  }

  func removeAll() {
    while let statement = unsafe statements.popLast() {
      unsafe sqlite3_finalize(statement.handle)
    }
  }
}

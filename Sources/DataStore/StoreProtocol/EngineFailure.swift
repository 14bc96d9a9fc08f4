/// The reason why a database engine rejected a statement.
///
/// Each engine has one table that maps its own codes to these causes. Retries and error messages
/// depend only on the cause, not on the text of the engine's message.
package enum EngineFailure: Hashable, Sendable, CaseIterable {
  /// A serialization failure, a deadlock or another conflict with a concurrent transaction. The
  /// whole transaction may be retried.
  case conflict
  /// Two transactions inserted the same key or unique value, or created the same namespace or
  /// function, at the same time. If the failed transaction is retried, it finds what the other
  /// transaction has created.
  case collision
  /// The table to create already exists. If another datactl process has just created it, a retry
  /// finds it and need not create it. If not, another tool has created it.
  case existingTable
  /// Another transaction kept a table, a record or the file locked for longer than the lock
  /// timeout.
  case locked
  /// The connection is lost. If this happens during a commit, the outcome of the commit is unknown.
  case connectionLost
  /// The server responds, but it cannot reach another server of its cluster that stores some of the
  /// records.
  case nodeUnreachable
  /// The statement was canceled, and the engine rolled it back.
  case canceled
  /// The table, one of its columns, or the namespace that contains the table does not exist.
  case missingTable
  /// A type or another object that the statement needs does not exist.
  case missingObject
  /// The statement does not match the type of a column. Probably another tool has changed the type
  /// of a column that datactl created.
  case wrongColumnType
  /// A JSON value has a type that cannot be sorted or added up.
  case unsupportedJSON
  /// A row is too large for a page of PostgreSQL.
  case rowTooWide
  /// A string or a file is longer than the engine accepts.
  case valueTooLong
  /// The statement exceeds a limit of the engine, such as the number of joined tables.
  case statementTooLarge
  /// The user lacks a privilege in the database, for example to write to a table.
  case insufficientPrivilege
  /// The server does not know the user, or does not allow the user to connect to the database.
  case userRejected
  /// The password is wrong.
  case wrongPassword
  /// The database does not exist.
  case missingDatabase
  /// The server, the session or the file is read-only.
  case readOnly
  /// A database object that datactl did not create, such as a trigger or a constraint, rejects the
  /// statement. A retry would fail, too.
  case rejectedByForeignObject
  /// A database object that datactl did not create depends on the object that the statement drops.
  case dependentObjects
  /// No space is left for the data.
  case diskFull
  /// The engine is out of memory or connections, or has exceeded a configured limit.
  case outOfResources
  /// The file cannot be opened.
  case cannotOpen
  /// The operating system failed to read or write the file.
  case inputOutput
  /// The file is not a database, or its contents are inconsistent.
  case damaged
  case other

  /// Whether the whole transaction may succeed if it is retried.
  package var isRetryable: Bool {
    self == .conflict || self == .collision || self == .existingTable
  }
}

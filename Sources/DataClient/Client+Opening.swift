package import DataModel
package import DataStore
internal import DataText
internal import PostgresStore
internal import SQLiteStore

/// The access with which a store is opened.
public enum StoreAccess: Hashable, Sendable {
  /// Read only. Opening a store that does not exist fails.
  case reading
  /// Read and write. Creating the first schema creates a store that does not exist.
  case writing
}

extension Client {
  /// Opens the chosen store.
  ///
  /// - Parameters:
  ///   - executor: Runs the store's blocking calls.
  ///   - alarm: A file descriptor that becomes readable when the program is to stop. It also
  ///     interrupts waiting for a server.
  ///   - committing: Called before and after each commit.
  package static func open(
    _ choice: StoreChoice, for access: StoreAccess, in environment: Environment,
    executor: StoreExecutor, alarm: Int32? = nil, commitListener: CommitListener? = nil
  ) async throws(DataError) -> Client {
    switch choice.address.kind {
    case .file(let path):
      let store = try SQLiteStore.open(
        path: path, for: access.forSQLite, coding: .schemaFile, executor: executor,
        commitListener: commitListener)
      return Client(store, choice: choice, in: environment)
    case .memory:
      return Client(MemoryStore(), choice: choice, in: environment)
    case .postgres(let address):
      let store = try await PostgresStore.open(
        address, shown: choice.address.description, for: access.forPostgres, coding: .schemaFile,
        executor: executor, alarm: alarm, commitListener: commitListener)
      return Client(
        store, choice: choice, remark: await store.remark, identity: await store.identity,
        in: environment)
    case .server:
      throw DataError(
        .usage, "stores on servers are not supported in this version: \(choice.address)",
        hint: StoreAddress.supportedForms)
    }
  }
}

extension StoreAccess {
  fileprivate var forSQLite: SQLiteStore.Access {
    switch self {
    case .reading: .reading
    case .writing: .writing(creates: true)
    }
  }
}

extension StoreAccess {
  fileprivate var forPostgres: PostgresStore.Access {
    switch self {
    case .reading: .reading
    case .writing: .writing
    }
  }
}

extension SchemaCoding {
  /// Stores a schema as the text of its schema file.
  fileprivate static var schemaFile: SchemaCoding {
    SchemaCoding(
      encode: { schema in Array(SchemaFile.text(schema).utf8) },
      decode: { text throws(DataError) in
        try Schema(checking: SchemaFile.read(text))
      })
  }
}

package import DataModel
package import DataStore
internal import DataText
internal import PostgresStore
internal import SQLiteStore

/// What a store is opened for.
public enum StoreAccess: Hashable, Sendable {
  /// Nothing is changed, and nothing is made: a store that is not there is an error.
  case reading
  /// Records and schemas are changed; the first schema makes a store that is not there.
  case writing
}

extension Client {
  /// Opens the store that was chosen; its work is done where the executor says. A descriptor that can
  /// be read as soon as the program is to stop ends waits for a server, too.
  package static func open(
    _ choice: StoreChoice, for access: StoreAccess, in surroundings: Surroundings,
    executor: StoreExecutor, alarm: Int32? = nil, committing: CommitListener? = nil
  ) async throws(DataError) -> Client {
    switch choice.address.kind {
    case .file(let path):
      let store = try SQLiteStore.open(
        path: path, for: access.ofFile, coding: .schemaFile, executor: executor,
        committing: committing)
      return Client(store, choice: choice, in: surroundings)
    case .memory:
      return Client(MemoryStore(), choice: choice, in: surroundings)
    case .cluster(let address):
      let store = try await PostgresStore.open(
        address, shown: choice.address.description, for: access.ofCluster, coding: .schemaFile,
        executor: executor, alarm: alarm, committing: committing)
      return Client(
        store, choice: choice, remark: await store.remark, identity: await store.identity,
        in: surroundings)
    case .server:
      throw DataError(
        .usage, "stores on servers are not supported in this version: \(choice.address)",
        hint: StoreAddress.available)
    }
  }
}

extension StoreAccess {
  fileprivate var ofFile: SQLiteStore.Access {
    switch self {
    case .reading: .reading
    case .writing: .writing(creates: true)
    }
  }
}

extension StoreAccess {
  fileprivate var ofCluster: PostgresStore.Access {
    switch self {
    case .reading: .reading
    case .writing: .writing
    }
  }
}

extension SchemaCoding {
  /// A store keeps a schema as the text of its file.
  fileprivate static var schemaFile: SchemaCoding {
    SchemaCoding(
      encode: { schema in Array(SchemaFile.text(schema).utf8) },
      decode: { text throws(DataError) in
        try Schema(checking: SchemaFile.read(text))
      })
  }
}

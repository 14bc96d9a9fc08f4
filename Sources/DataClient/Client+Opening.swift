package import DataModel
package import DataStore
internal import DataText
internal import SQLiteStore

/// What a store is opened for.
public enum StoreAccess: Hashable, Sendable {
  /// Nothing is changed, and nothing is made: a store that is not there is an error.
  case reading
  /// Records and schemas are changed; the first schema makes a store that is not there.
  case writing
}

extension Client {
  /// Opens the store that was chosen; its work is done where the executor says.
  package static func open(
    _ choice: StoreChoice, for access: StoreAccess, in surroundings: Surroundings,
    executor: StoreExecutor
  ) async throws(DataError) -> Client {
    switch choice.address.kind {
    case .file(let path):
      let store = try SQLiteStore.open(
        path: path, for: access.ofFile, coding: .schemaFile, executor: executor)
      return Client(store, choice: choice, in: surroundings)
    case .memory:
      return Client(MemoryStore(), choice: choice, in: surroundings)
    case .cluster:
      throw unavailable("clusters", choice.address)
    case .server:
      throw unavailable("servers", choice.address)
    }
  }

  private static func unavailable(_ kind: String, _ address: StoreAddress) -> DataError {
    DataError(
      .storeUnreachable, "stores on \(kind) are not in this version: \(address)",
      hint: StoreAddress.available)
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

import DataModel
import DataStore
import Foundation
import PostgresHarness
import PostgresStore
import SQLiteStore
import Synchronization
import TestSupport
import Testing

/// A kind of store that must pass the whole contract suite.
struct Engine: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Opens the store at a location. A new location has an empty store.
  let open: @Sendable (StoreLocation) async throws -> any Store

  /// Every contract test runs on each of these engines. `make check` starts no server.
  static let all =
    TestTier.current == .check ? [memory, sqlite] : [memory, sqlite, postgres, citus]

  static let memory = Engine(testDescription: "memory") { location in location.memory }

  static let sqlite = Engine(testDescription: "sqlite") { location in
    try SQLiteStore.open(
      path: location.folder.appending(path: "store.db").path, for: .writing(creates: true),
      coding: location.coding)
  }

  static let postgres = Engine(testDescription: "postgres") { location in
    let server = try PostgresServer.shared.get()
    return try await PostgresStore.open(
      server.address(), shown: server.address(), namespace: location.namespace, for: .writing,
      coding: location.coding, listener: location.recorder.record)
  }

  /// PostgreSQL that reports to be Citus and rejects what Citus rejects.
  static let citus = Engine(testDescription: "citus, the fake") { location in
    let fakeCitus = try FakeCitus.shared.get()
    return try await PostgresStore.open(
      fakeCitus.address(), shown: fakeCitus.address(), namespace: location.namespace, for: .writing,
      coding: location.coding, listener: location.recorder.record)
  }
}

/// The location of a test's store. It is deleted with the last reference.
final class StoreLocation: Sendable {
  let memory = MemoryStore()
  let folder: URL
  let coding = SchemaCoding.inMemory()
  let namespace = "test \(UUID().uuidString)"
  /// Checks the statements sent to a server against the rules of the dialect.
  let recorder = StatementRecorder()

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }
}

extension SchemaCoding {
  /// Returns a coding that encodes each schema as a number and keeps the schemas in memory.
  static func inMemory() -> SchemaCoding {
    let memory = Memory()
    return SchemaCoding(
      encode: { schema in
        memory.schemas.withLock { schemas in
          schemas.append(schema)
          return Array("\(schemas.count - 1)".utf8)
        }
      },
      decode: { text throws(DataError) in
        guard let index = Int(String(decoding: text, as: UTF8.self)) else {
          throw DataError(.invalidSchema, "no number")
        }
        return memory.schemas.withLock { $0[index] }
      })
  }

  private final class Memory: Sendable {
    let schemas = Mutex<[Schema]>([])
  }
}

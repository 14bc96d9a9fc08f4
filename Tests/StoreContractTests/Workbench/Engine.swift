import DataStore
import Foundation
import PostgresHarness
import PostgresStore
import SQLiteStore
import Testing

/// A kind of store that has to pass every test here.
struct Engine: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Opens the store that is kept at a place; an untouched place gives an empty one.
  let open: @Sendable (Place) async throws -> any DataStore

  /// Every engine there is: an engine that joins them is held to all of the contract.
  static let all = [memory, sqlite, postgres]

  static let memory = Engine(testDescription: "memory") { place in place.memory }

  static let sqlite = Engine(testDescription: "sqlite") { place in
    try SQLiteStore.open(
      path: place.folder.appending(path: "store.db").path, for: .writing(creates: true),
      coding: place.coding)
  }

  static let postgres = Engine(testDescription: "postgres") { place in
    let server = try PostgresServer.shared.get()
    return try await PostgresStore.open(
      server.address(), shown: server.address(), namespace: place.namespace, for: .writing,
      coding: place.coding, listener: place.recorder.hear)
  }
}

/// Where a test's store is kept; it is gone when the test is.
final class Place: Sendable {
  let memory = MemoryStore()
  let folder: URL
  let coding = SchemaCoding.remembering()
  let namespace = "test \(UUID().uuidString)"
  /// Holds what is said to a server against the rules of the dialect.
  let recorder = StatementRecorder()

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }
}

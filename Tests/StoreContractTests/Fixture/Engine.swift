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
  static let all = [memory, sqlite] + servers

  /// The engines that need a server. The simulated Citus executes the statements of PostgreSQL, and
  /// is left to `make test-all`.
  static let servers =
    switch TestTier.current {
    case .check: [Engine]()
    case .test: [postgres]
    case .all: [postgres, citus]
    }

  /// The engines that run the largest accepted queries, which take a server minutes to plan: the
  /// servers are left to `make test-all`.
  static let forLargestQueries = TestTier.current == .all ? all : [memory, sqlite]

  static let memory = Engine(testDescription: "memory") { location in location.memory }

  static let sqlite = Engine(testDescription: "sqlite") { location in
    try SQLiteStore.open(
      path: location.folder.path("store.db"), for: .writing(creates: true),
      coding: location.coding, alarm: location.alarm)
  }

  static let postgres = Engine(testDescription: "postgres") { location in
    let server = try PostgresServer.shared.get()
    if server.isLasting { location.dropsNamespace(in: server) }
    return try await PostgresStore.open(
      server.address(), shown: server.address(), namespace: location.namespace, for: .writing,
      coding: location.coding, alarm: location.alarm, listener: location.recorder.record)
  }

  /// PostgreSQL that reports to be Citus and rejects what Citus rejects, or a real cluster.
  static let citus = Engine(testDescription: "citus") { location in
    let citus = try CitusServer.shared.get()
    if !citus.isFake { location.dropsNamespace(in: try citus.server) }
    return try await PostgresStore.open(
      citus.address(), shown: citus.address(), namespace: location.namespace, for: .writing,
      coding: location.coding, alarm: location.alarm, listener: location.recorder.record)
  }
}

/// The location of a test's store. It is deleted with the last reference.
final class StoreLocation: Sendable {
  let memory = MemoryStore()
  let folder: TemporaryFolder
  let coding = SchemaCoding.inMemory()
  let namespace = "test \(UUID().uuidString)"
  private let alarmPipe = Pipe()
  /// A server that outlives the tests, in which the namespace has to be dropped.
  private let lastingServer = Mutex<PostgresServer?>(nil)
  /// Checks the statements sent to a server against the rules of the dialect.
  let recorder = StatementRecorder()

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The interrupt descriptor: a file descriptor that is readable while the store must stop.
  var alarm: Int32 { alarmPipe.fileHandleForReading.fileDescriptor }

  func raiseAlarm() { alarmPipe.fileHandleForWriting.write(Data([0])) }

  func lowerAlarm() { _ = try? alarmPipe.fileHandleForReading.read(upToCount: 1) }

  /// Drops the namespace in a database of the server when the location is released.
  func dropsNamespace(in server: PostgresServer) { lastingServer.withLock { $0 = server } }

  deinit {
    _ = try? lastingServer.withLock { $0 }?.run(
      "set citus.multi_shard_modify_mode = sequential; drop schema if exists \"\(namespace)\" cascade"
    )
  }
}

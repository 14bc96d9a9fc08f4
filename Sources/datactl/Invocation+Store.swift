import DataClient
import DataModel
import DataStore

extension CommandContext {
  /// Opens the store that is selected by name, `--store`, `DATACTL_STORE`, the project or the
  /// user's default.
  func open(_ name: String? = nil, for access: StoreAccess) async throws(DataError) -> Client {
    if let name, settings.store != nil {
      throw DataError(.usage, "STORE \(name) and --store cannot be used together")
    }
    let environment = environment
    let choice = try StoreChoice.find(option: name ?? settings.store, in: environment)
    try printVerbose("store: \(choice.address), from \(choice.origin.sourceName)")
    let client = try await Client.open(
      choice, for: access, in: environment, executor: .main,
      alarm: SignalHandler.alarm, commitListener: SignalHandler.recordCommitStage)
    if let remark = client.remark { try printMessage("\(client.address): \(remark)") }
    return client
  }

  /// The maximum number of attempts to run a query.
  private static let maxAttempts = 10

  /// Runs a query, and retries it if the schemas changed meanwhile and no output has been written
  /// yet.
  func answer(_ body: () async throws -> Void) async throws {
    for _ in 1..<Self.maxAttempts {
      do {
        return try await body()
      } catch let error as DataError where error.code == .schemaChanged {
        guard console.output.discardBuffer() else { throw error }
      }
    }
    try await body()
  }

  /// Returns the address of the selected store, which need not exist.
  func storeAddress() throws(DataError) -> StoreAddress {
    try StoreChoice.find(option: settings.store, in: environment).address
  }

  /// Returns the schemas of a store whose records are to be changed.
  ///
  /// - Throws: An error if the store does not exist.
  func catalog(of client: Client) async throws(DataError) -> StoredCatalog {
    let stored = try await client.store.catalog()
    guard stored.version > 0 else { throw .noStore(client.address.description) }
    return stored
  }

  /// Throws an error if a signal arrived after the commit, when nothing can be rolled back, with a
  /// message that reports what was done.
  func checkInterruption(after outcome: @autoclosure () -> String) throws(DataError) {
    switch console.signal() {
    case .interrupt, .terminate: throw DataError(.interrupted, "interrupted: \(outcome())")
    case .closedPipe, nil: break
    }
  }

  /// The environment that the client library may use.
  var environment: Environment {
    let console = console
    return Environment(
      environment: console.variable, folder: console.folder, userID: console.userID,
      now: { console.now })
  }

  /// A generator of ids, in the order in which records are read.
  var ids: IDGenerator {
    IDGenerator(clock: console.clock, randomWords: Platform.fillWithRandomWords)
  }
}

extension StoreChoice.Origin {
  fileprivate var sourceName: String {
    switch self {
    case .option: "--store"
    case .environment: "DATACTL_STORE"
    case .project: "datactl.json"
    case .standard: "not needed: the user's own"
    }
  }
}

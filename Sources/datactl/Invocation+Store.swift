import DataClient
import DataModel
import DataStore

extension Invocation {
  /// Opens the store of the line: `--store`, the variable, the project's, or the user's own.
  func open(_ name: String? = nil, for access: StoreAccess) async throws(DataError) -> Client {
    if let name, settings.store != nil {
      throw DataError(.usage, "STORE \(name) and --store cannot be used together")
    }
    let surroundings = surroundings
    let choice = try StoreChoice.find(option: name ?? settings.store, in: surroundings)
    try explain("store: \(choice.address), from \(choice.origin.words)")
    let client = try await Client.open(
      choice, for: access, in: surroundings, executor: .main,
      alarm: SignalWatch.alarm, committing: SignalWatch.heed)
    if let remark = client.remark { try say("\(client.address): \(remark)") }
    return client
  }

  /// How often a question is asked anew.
  private static let mostQuestions = 10

  /// Answers a question, and anew if the schemas changed meanwhile, as long as nobody has heard a
  /// part of the answer.
  func answer(_ body: () async throws -> Void) async throws {
    for _ in 1..<Self.mostQuestions {
      do {
        return try await body()
      } catch let error as DataError where error.code == .schemaChanged {
        guard console.output.takeBack() else { throw error }
      }
    }
    try await body()
  }

  /// Where the store of the line is, whether it is there or not.
  func storeAddress() throws(DataError) -> StoreAddress {
    try StoreChoice.find(option: settings.store, in: surroundings).address
  }

  /// The schemas of a store whose records are to change: it must be there.
  func catalog(of client: Client) async throws(DataError) -> StoredCatalog {
    let stored = try await client.store.catalog()
    guard stored.version > 0 else { throw .noStore(client.address.description) }
    return stored
  }

  /// Ends a command by a signal that came when nothing could be taken back any more, and says what is
  /// done.
  func checkInterruption(behind deed: @autoclosure () -> String) throws(DataError) {
    switch console.signal() {
    case .interrupt, .terminate: throw DataError(.interrupted, "interrupted: \(deed())")
    case .closedPipe, nil: break
    }
  }

  /// What the library may know of the console's outside.
  var surroundings: Surroundings {
    let console = console
    return Surroundings(
      environment: console.variable, folder: console.folder, userID: console.userID,
      now: { console.now })
  }

  /// Makes ids, in the order in which records come.
  var ids: IDGenerator {
    IDGenerator(clock: console.clock, randomWords: Platform.fillWithRandomWords)
  }
}

extension StoreChoice.Origin {
  fileprivate var words: String {
    switch self {
    case .option: "--store"
    case .environment: "DATACTL_STORE"
    case .project: "datactl.json"
    case .standard: "not needed: the user's own"
    }
  }
}

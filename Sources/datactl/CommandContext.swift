import ClientCore
import DataModel
import DataOutput
import DataStore
import Platform
import Synchronization

/// The context of a command: the console and the global options.
package struct CommandContext: Sendable {
  package let console: Console
  let settings: Settings
  /// The request for which a server runs the command, or nil if a user has started the command.
  var served: ServedSession?
  /// The store that the settings select, if it has already been determined.
  var choice: StoreChoice?
  private let clients = OpenedClients()

  /// The files that the command can read and write. If a server runs the command, these are the
  /// files that the client has sent.
  var files: any CommandFiles {
    if let served { return served.files }
    return LocalFiles(folder: console.folder) { [console] in console.signal() != nil }
  }

  /// Writes a line to stderr, unless `--quiet` was given.
  func printMessage(_ text: String) throws(DataError) {
    switch settings.verbosity {
    case .quiet: break
    case .normal, .verbose: try printNotice(text)
    }
  }

  /// Writes a line to stderr, even if `--quiet` was given.
  func printNotice(_ text: String) throws(DataError) {
    try console.errors.write(Secrets.redacted(inText: Excerpt.escaped(text)) + "\n")
  }

  /// Writes lines to stderr, unless `--quiet` was given.
  func printMessage(_ texts: [String]) throws(DataError) {
    for text in texts { try printMessage(text) }
  }

  /// Writes a line to stderr if `--verbose` was given.
  func printVerbose(_ text: @autoclosure () -> String) throws(DataError) {
    switch settings.verbosity {
    case .quiet, .normal: break
    case .verbose: try printNotice(text())
    }
  }

  /// Prints an error and returns the exit status of the program.
  func fail(_ error: any Error) -> Int32 {
    let failure = error as? CheckFailure
    let error = failure?.error ?? error as? DataError ?? DataError(.failed, "\(error)")
    // If the reader closed the pipe, print no error. Other Unix programs do the same.
    if console.signal() == .closedPipe { return Signal.closedPipe.exitStatus }
    // Output that was buffered before the error is valid, so it is still printed. If that fails
    // too, only the first error is reported.
    try? console.output.flush()
    try? report(error)
    if error.code == .interrupted, let signal = console.signal() { return signal.exitStatus }
    return failure == nil ? error.code.exitStatus : CheckFailure.exitStatus
  }

  /// Prints an error and continues, for example after a record was rejected.
  func report(_ error: DataError) throws(DataError) {
    if let served, served.purpose == .route { return served.note(skipped: error) }
    // Also truncate the values of fields: the parts of arguments after an equals sign.
    let words = console.arguments.flatMap {
      [$0] + $0.split(separator: "=", maxSplits: 1).dropFirst().map(String.init)
    }
    let shortened = error.truncating(
      words.filter { $0.unicodeScalars.count > Problem.maxWordLength })
    let name = console.style(of: console.errors).colored("datactl:", .red)
    let text = ErrorFormatter(shortened, prefix: name).formatted(as: errorFormat)
    // JSON contains some of the control characters that the text form escapes.
    let bytes = Array(text.utf8)
    try console.errors.write(
      (console.errors.isTerminal ? TerminalText.escaped(bytes) : bytes).span)
  }

  /// Stdout for the answer to a query, and stderr for messages about the answer.
  var answerOutput: AnswerOutput {
    var waitForReader: (@Sendable () async -> Void)?
    if let served { waitForReader = { await served.waitForReader() } }
    return AnswerOutput(
      console.output, terminal: console.terminal, checkInterruption: console.checkInterruption,
      waitForReader: waitForReader,
      printMessage: { text throws(DataError) in try printMessage(text) })
  }

  var isQuiet: Bool { settings.verbosity == .quiet }

  /// Throws an error if `DATACTL_ERRORS` has an unknown value, unless `--errors` overrides it.
  func checkEnvironment() throws(DataError) {
    guard settings.errors == nil, let value = console.setting("DATACTL_ERRORS"),
      ErrorFormat(rawValue: value) == nil
    else { return }
    let values = ErrorFormat.allCases.map(\.rawValue).joined(separator: " or ")
    throw DataError(
      .usage, "DATACTL_ERRORS: expected \(values), found \(Excerpt.quoted(value))",
      hint: "set DATACTL_ERRORS to one of these values, or unset it")
  }

  var errorFormat: ErrorFormat {
    settings.errors ?? console.setting("DATACTL_ERRORS").flatMap(ErrorFormat.init) ?? .text
  }
}

extension CommandContext {
  /// Prompts for confirmation of a change to a store.
  ///
  /// - Throws: An error if the program cannot prompt, or if the answer is not yes.
  func confirm(_ action: String, in client: Client, declined: String) throws(DataError) {
    try confirm(
      "\(action) in \(client.address)", declined: "\(declined) in \(client.address)")
  }

  /// Prompts for confirmation of an action.
  func confirm(_ action: String, declined: String) throws(DataError) {
    guard console.canPrompt else {
      throw DataError(
        .usage, "cannot prompt for confirmation to \(action)", hint: "pass --yes")
    }
    guard try console.confirm("Really \(action)?") else {
      throw DataError(.declined, declined)
    }
  }
}

extension CommandContext {
  /// Runs the body of a command that reports findings, such as `schema lint`. Exit status 1 of such
  /// a command means that there are findings. So if the body throws an error with status 1, throws
  /// a `CheckFailure` instead, which has status 7.
  func check(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as DataError where error.code != .findings && error.code.exitStatus == 1 {
      throw CheckFailure(error: error)
    }
  }
}

/// The clients that a command has opened, which are closed when the command ends.
private final class OpenedClients: Sendable {
  private let clients = Mutex<[Client]>([])

  func append(_ client: Client) {
    clients.withLock { $0.append(client) }
  }

  /// Removes and returns all clients.
  func removeAll() -> [Client] {
    clients.withLock { clients in
      defer { clients = [] }
      return clients
    }
  }
}

/// An error that prevented a check from being completed, in contrast to the findings of a completed
/// check.
struct CheckFailure: Error {
  let error: DataError

  static let exitStatus: Int32 = 7
}

extension CommandContext {
  /// Opens the store with the given name. If the name is nil, opens the store selected by
  /// `--store`, `DATACTL_STORE` or the project, or the default store of the user.
  ///
  /// - Parameters:
  ///   - wait: The value of `--wait`, if the command has this option.
  ///   - executor: The executor that runs the store's blocking calls.
  ///   - unfinishedCopies: Whether the store can be opened if it is an unfinished copy.
  func open(
    _ name: String? = nil, for access: StoreAccess, wait: Int? = nil,
    executor: StoreExecutor = .main, unfinishedCopies: UnfinishedCopies = .rejected
  ) async throws(DataError) -> Client {
    if let served { return served.client }
    if let name, settings.store != nil {
      throw DataError(.usage, "STORE \(name) and --store cannot be used together")
    }
    let environment = environment
    let choice =
      if name == nil, let choice { choice } else {
        try StoreChoice.find(option: name ?? settings.store, in: environment)
      }
    try announce(choice)
    let client = try await Client.open(
      choice, for: access, in: environment, executor: executor, lockTimeout: wait.map(Double.init),
      alarm: SignalHandler.alarm, commitListener: SignalHandler.recordCommitStage,
      unfinishedCopies: unfinishedCopies)
    clients.append(client)
    return client
  }

  /// Returns a query with the values that the request of a client requires in addition.
  func selecting(_ query: QueryInput) -> QueryInput {
    guard let served else { return query }
    var query = query
    query.matches = served.matches
    return query
  }

  /// Returns the service that logs users in to the store with the given name, or to the selected
  /// store if the name is nil.
  func logInService(_ name: String? = nil) async throws(DataError) -> any LogInService {
    if let choice = storeChoice(name), let remote = remoteClient(of: choice) {
      try announce(choice)
      return remote
    }
    return try await open(name, for: .writing)
  }

  /// Returns the store with the given name, or the selected store if the name is nil. Returns nil
  /// if the store cannot be determined; `open` then reports the reason.
  func storeChoice(_ name: String? = nil) -> StoreChoice? {
    guard name == nil || settings.store == nil else { return nil }
    return try? StoreChoice.find(option: name ?? settings.store, in: environment)
  }

  /// Returns the store that a command opens. Returns nil if it opens none, or if the store cannot
  /// be determined.
  func choice(for command: any Command) -> StoreChoice? {
    switch command.storeUse {
    case .selected: storeChoice()
    case .named(let name): (try? isFolder(name)) == true ? nil : storeChoice(name)
    case .none: nil
    }
  }

  /// Returns a client of a store on a server, or nil if the store is not on a server.
  func remoteClient(of choice: StoreChoice) -> RemoteClient? {
    RemoteClient(choice, in: environment, alarm: SignalHandler.alarm)
  }

  /// Prints the address of the store if `--verbose` was given.
  func announce(_ choice: StoreChoice) throws(DataError) {
    try printVerbose("store: \(choice.address), from \(choice.origin.sourceName)")
  }

  /// Closes all clients that the command has opened. When an SQLite store is closed, its WAL is
  /// written to its file and deleted.
  func closeClients() async {
    for client in clients.removeAll() { await client.close() }
  }

  /// Runs the body of a command. If a schema that the body uses changes meanwhile, and `canRetry`
  /// returns true, runs the body again. Each attempt reads the schemas again.
  func retryingSchemaChanges(
    if canRetry: @autoclosure () -> Bool, _ body: () async throws -> Void
  ) async throws {
    for _ in 1..<Client.maxAttempts {
      do {
        return try await body()
      } catch let error as DataError where error.code == .schemaChanged {
        guard canRetry() else { throw error }
        try console.checkInterruption()
      }
    }
    try await body()
  }

  /// Returns the address of the selected store, which may not exist yet.
  func storeAddress() throws(DataError) -> StoreAddress {
    if let served { return served.client.address }
    return try StoreChoice.find(option: settings.store, in: environment).address
  }

  /// Returns the schemas of a store, for a command that changes records.
  ///
  /// - Throws: An error if the store does not exist.
  func catalog(of client: Client) async throws(DataError) -> StoredCatalog {
    let stored = try await client.store.catalog()
    guard stored.version > 0 else { throw .noStore(client.address.description) }
    return stored
  }

  /// Runs the body, which changes a store. If a signal interrupts the body, throws an error whose
  /// message contains `outcome`, such as `nothing was deleted`.
  func change<Result>(
    orSay outcome: String, _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let error as DataError where error.code == .interrupted {
      throw DataError(.interrupted, "interrupted: \(outcome)")
    }
  }

  /// Prints the result of a change, and flushes stdout. If that fails, the thrown error says that
  /// the change is committed.
  ///
  /// - Parameter change: A clause such as `3 records are deleted`, or nil if nothing was committed.
  func printResult(
    of change: String?, _ print: () throws(DataError) -> Void
  ) throws(DataError) {
    let incomplete = change.map { Problem.incompleteOutput(of: $0) }
    if let incomplete { served?.note(committed: incomplete) }
    do throws(DataError) {
      try print()
      try console.output.flush()
    } catch {
      throw incomplete.map { error.adding(committed: $0) } ?? error
    }
  }

  /// The parts of the process environment that the client library uses.
  var environment: Environment {
    let console = console
    return Environment(
      environment: console.variable, folder: console.folder, userID: console.userID,
      now: console.now)
  }

  /// A new generator of record ids. Each generated id is greater than the previous one.
  var ids: IDGenerator {
    IDGenerator(clock: console.clock, randomWords: SecureBytes.fillWithRandomWords)
  }
}

extension Problem {
  /// Returns a problem to add to an error that occurred while the result was printed, after the
  /// changes were committed. The problem says what was committed, so that the user does not run the
  /// command again.
  ///
  /// - Parameters:
  ///   - change: A clause such as `3 records are saved`.
  ///   - schema: The schema of the changed records.
  ///   - line: The line of the input that contains the last saved record, or nil if there is none.
  static func incompleteOutput(
    of change: String, schema: String? = nil, line: Int? = nil
  ) -> Problem {
    Problem(.stopped, "\(change), but the output is incomplete", schema: schema, line: line)
  }
}

extension DataError {
  /// Returns a copy of this error that also says what was committed before the error occurred.
  ///
  /// - Parameter committed: The problem that says what was committed.
  func adding(committed: Problem) -> DataError {
    if code == .interrupted {
      return DataError(
        Problem(
          .interrupted, "interrupted: \(committed.message)", file: committed.file,
          line: committed.line))
    }
    var error = self
    error.partialCommit = committed
    return error
  }
}

extension StoreChoice.Origin {
  fileprivate var sourceName: String {
    switch self {
    case .option: "--store"
    case .environment: "DATACTL_STORE"
    case .project: "datactl.json"
    case .defaultStore: "the default"
    }
  }
}

import CPostgres
import DataModel
import DataStore

/// A connection to a server, closed on deinitialization.
///
/// Statements whose results are not needed at once are enqueued, and sent together with the next
/// statement that needs its result, so that a transaction takes as few round trips as possible.
@safe
final class Connection {
  let library: LibPQ
  let handle: datactl_pq_connection_ref
  /// The address of the store, for messages.
  let store: String
  let namespace: String
  /// What a failure would affect at this point, for messages.
  var failureContext: FailureContext
  /// The engine, once it is known.
  var detectedEngine: Engine?
  /// The canonical form of the address of the database.
  var identity = ""
  /// A file descriptor that becomes readable when the program is to stop.
  let alarm: Int32?
  /// A callback that receives every statement before it is rendered.
  private let listener: PostgresStore.Listener?
  /// Enqueued statements, which have not been sent.
  private var queue: [QueuedStatement] = []
  /// Groups of statements that were sent and whose results have not been read.
  var inFlight: [[QueuedStatement]] = []
  /// An enqueued statement and the callback for its result.
  struct QueuedStatement {
    let statement: RenderedSQL
    let onResult: ((ResultSet) -> Void)?
    /// Whether the server sends the result before it executes the next statement.
    var requestsFlush = false
  }

  /// Whether a COPY was ended and its result has not been read.
  var isCopying = false
  /// The number of rows that the COPY sent.
  var copiedRows = 0
  /// The number of rows that the server received and did not write, because of a rule or a trigger.
  var discardedRows = 0
  /// Whether a foreign rule or trigger may prevent rows from being written or deleted.
  var mayPreventDeletes = false
  /// The cause of the last statement's failure.
  var failure: Failure?
  /// The reason that the server gave for ending the connection.
  var termination: ConnectionTermination?
  private var isInterrupted = false

  init(
    _ handle: datactl_pq_connection_ref, _ library: LibPQ, store: String, namespace: String,
    for access: PostgresStore.Access, alarm: Int32?, listener: PostgresStore.Listener?
  ) {
    unsafe self.handle = unsafe handle
    self.library = library
    self.store = store
    self.namespace = namespace
    failureContext = access.failureContext
    self.alarm = alarm
    self.listener = listener
  }

  deinit { unsafe library.finish(handle) }

  /// Whether the connection is open. Wraps `PQstatus`.
  var isConnected: Bool { unsafe library.status(handle) == Int32(datactl_pq_status_ok) }

  /// Returns a parameter that the server reported. Wraps `PQparameterStatus`.
  func parameter(_ name: String) -> String? {
    unsafe library.parameter(handle, name).map { unsafe String(cString: $0) }
  }

  /// Enqueues a statement until the next statement that needs its result.
  func enqueue(
    _ sql: SQL, binding parameters: [WireValue] = [], onResult: ((ResultSet) -> Void)? = nil
  ) {
    let statement = rendered(sql, binding: parameters)
    queue.append(QueuedStatement(statement: statement, onResult: onResult))
  }

  /// Enqueues a statement whose result can be processed while the server executes the next one.
  func enqueueWithFlush(_ sql: SQL, onResult: @escaping (ResultSet) -> Void) {
    queue.append(QueuedStatement(statement: rendered(sql), onResult: onResult, requestsFlush: true))
  }

  /// Sends the enqueued statements without waiting for their results, unless a COPY is not
  /// finished. Errors are thrown when the next result is read.
  func flush() throws(DataError) {
    guard !queue.isEmpty, !isCopying else { return }
    try sendPipelined(queue)
    queue = []
  }

  /// Renders a statement. All statements are rendered here, so that the listener receives each of
  /// them.
  func rendered(_ sql: SQL, binding parameters: [WireValue] = []) -> RenderedSQL {
    listener?(sql)
    return RenderedSQL(sql, in: namespace, binding: parameters)
  }

  /// Discards the enqueued statements and the results of those already sent, because their
  /// transaction is rolled back.
  func discardQueue() {
    queue = []
    // Errors no longer matter, since the transaction is rolled back.
    if !inFlight.isEmpty { _ = try? readPipelineResults() }
  }

  /// Runs a statement after the enqueued ones, and returns its result.
  @discardableResult
  func run(_ sql: SQL, binding parameters: [WireValue] = []) throws(DataError) -> ResultSet {
    try finishCopying()
    failure = nil
    let statement = rendered(sql, binding: parameters)
    if queue.isEmpty && inFlight.isEmpty { return try runAlone(statement) }
    let statements = queue + [QueuedStatement(statement: statement, onResult: nil)]
    queue = []
    return try runPipelined(statements)
  }

  /// Sends the enqueued statements and waits for all results.
  func drain() throws(DataError) {
    try finishCopying()
    failure = nil
    try flush()
    if !inFlight.isEmpty { _ = try readPipelineResults() }
  }

  /// Returns the integer in the first column of the first row, or nil if there is no row or the
  /// value is null.
  func integer(_ sql: SQL) throws(DataError) -> Int64? {
    let resultSet = try run(sql)
    return resultSet.count > 0 && !resultSet.isNull(0, 0) ? resultSet.integer(0, 0) : nil
  }

  private func runAlone(_ statement: RenderedSQL) throws(DataError) -> ResultSet {
    try send(statement)
    guard let resultSet = try lastResult() else { throw lost() }
    return resultSet
  }

  /// Reads all results of a statement and returns the last one. An error is thrown after all
  /// results have been read.
  func lastResult() throws(DataError) -> ResultSet? {
    var last: ResultSet?
    var firstError: DataError?
    while let result = unsafe try nextResult() {
      do throws(DataError) {
        last = try unsafe checked(result)
      } catch {
        guard failure != .lost else { throw error }
        firstError = firstError ?? error
      }
    }
    if let firstError { throw firstError }
    return last
  }

  func send(_ statement: RenderedSQL) throws(DataError) {
    let types = statement.values.map(\.type.rawValue)
    let lengths = statement.values.map { Int32($0.bytes?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: types.count)
    let sent = unsafe withPointers(to: statement.values) { values in
      unsafe library.send(
        handle, statement.text, Int32(types.count), types, values, lengths, formats, 1)
    }
    guard sent == 1 else { throw lost() }
  }

  /// Waits for the next result and returns it, or nil after the last result of a statement. Wraps
  /// `PQgetResult`.
  @unsafe
  func nextResult() throws(DataError) -> datactl_pq_result_ref? {
    while unsafe library.isBusy(handle) == 1 {
      let wake = unsafe Platform.wait(
        at: library.socket(handle), for: .reading, alarm: isInterrupted ? nil : alarm)
      if wake == .alarm { cancel() }
      guard unsafe library.consumeInput(handle) == 1 else { throw lost() }
    }
    return unsafe library.getResult(handle)
  }

  /// Requests the cancellation of the running statement. Wraps `PQcancel`.
  private func cancel() {
    isInterrupted = true
    guard let cancel = unsafe library.getCancel(handle) else { return }
    var message = [CChar](repeating: 0, count: 256)
    // If the request fails, the result of the statement shows it.
    _ = unsafe library.cancel(cancel, &message, Int32(message.count))
    unsafe library.freeCancel(cancel)
  }

  /// Returns a result, or throws its error.
  @unsafe
  func checked(_ result: datactl_pq_result_ref) throws(DataError) -> ResultSet {
    let status = unsafe library.resultStatus(result)
    let resultSet = unsafe ResultSet(result, library)
    switch status {
    case Int32(datactl_pq_command_ok), Int32(datactl_pq_tuples_ok), Int32(datactl_pq_copy_in):
      return resultSet
    default: break
    }
    let serverError = unsafe serverError(of: result)
    if serverError.endsConnection, let termination = ConnectionTermination(serverError) {
      self.termination = termination
    }
    guard isConnected, !serverError.state.isEmpty else { throw lost() }
    failure = Failure(serverError)
    // The server may also cancel a statement for reasons of its own, such as `statement_timeout`.
    if failure == .canceled, isInterrupted { throw .interrupted(store) }
    throw DataError(serverError, store: store, for: failureContext)
  }

  /// Records a write conflict, and returns the error for it.
  func writeConflict() -> DataError {
    failure = .conflict
    return .conflictingWriters(store, for: failureContext)
  }

  /// Records the loss of the connection, and returns the error for it.
  func lost() -> DataError {
    failure = .lost
    return .connectionLost(store, termination, for: failureContext)
  }
}

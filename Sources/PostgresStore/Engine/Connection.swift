import CPostgres
import DataModel
import DataStore
import Platform

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
      let wake = unsafe Self.wait(
        for: .input, of: library.socket(handle), alarm: isInterrupted ? nil : alarm)
      if wake == .alarm { cancel() }
      guard unsafe library.consumeInput(handle) == 1 else { throw lost() }
    }
    return unsafe library.getResult(handle)
  }

  /// Waits for a socket. If the wait fails, the socket counts as ready: libpq then reports the
  /// error, or the caller waits again.
  static func wait(
    for direction: Descriptor.Direction, of socket: Int32, alarm: Int32?, seconds: Double? = nil
  ) -> Descriptor.Readiness {
    (try? Descriptor.wait(for: direction, of: socket, alarm: alarm, seconds: seconds)) ?? .ready
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

extension Connection {
  /// Calls a closure with pointers to the bytes of values; nil for null.
  @unsafe
  func withPointers(
    to values: [WireValue], _ body: ([UnsafePointer<CChar>?]) -> Int32
  ) -> Int32 {
    var bytes: [UInt8] = []
    var offsets: [Int?] = []
    for value in values {
      offsets.append(value.bytes == nil ? nil : bytes.count)
      if let own = value.bytes { bytes += own }
      // The NUL gives an empty text an address, too: libpq reads a null pointer as null.
      bytes.append(0)
    }
    return unsafe bytes.withUnsafeBytes { bytes in
      let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
      return unsafe body(
        offsets.map { offset in unsafe offset.flatMap { unsafe start?.advanced(by: $0) } })
    }
  }
}

/// Sends several statements in one round trip with libpq's pipeline mode.
extension Connection {
  /// Sends statements after those already sent, and returns the result of the last one.
  func runPipelined(_ statements: [QueuedStatement]) throws(DataError) -> ResultSet {
    try sendPipelined(statements)
    guard let resultSet = try readPipelineResults() else { throw lost() }
    return resultSet
  }

  /// Sends a group of statements and a sync, without waiting for the results of earlier groups.
  func sendPipelined(_ statements: [QueuedStatement]) throws(DataError) {
    if inFlight.isEmpty, unsafe library.enterPipeline(handle) != 1 { throw lost() }
    for queued in statements {
      try send(queued.statement)
      if queued.requestsFlush, unsafe library.sendFlush(handle) != 1 { throw lost() }
    }
    guard unsafe library.syncPipeline(handle) == 1 else { throw lost() }
    inFlight.append(statements)
  }

  /// Reads the results of all statements that were sent, returns the last one, and throws the first
  /// error.
  func readPipelineResults() throws(DataError) -> ResultSet? {
    let groups = inFlight
    inFlight = []
    var last: ResultSet?
    var firstError: (error: DataError, failure: Failure?)?
    for group in groups {
      for queued in group {
        while let result = unsafe try nextResult() {
          if unsafe library.resultStatus(result) == Int32(datactl_pq_pipeline_aborted) {
            unsafe library.clear(result)
            continue
          }
          do throws(DataError) {
            let resultSet = try unsafe checked(result)
            queued.onResult?(resultSet)
            last = resultSet
          } catch {
            guard failure != .lost else { throw error }
            firstError = firstError ?? (error, failure)
          }
        }
      }
      // Reads the results up to and including the one of the sync.
      while let result = unsafe try nextResult() {
        let status = unsafe library.resultStatus(result)
        unsafe library.clear(result)
        if status == Int32(datactl_pq_pipeline_sync) { break }
      }
    }
    guard unsafe library.exitPipeline(handle) == 1 else { throw lost() }
    if let firstError {
      failure = firstError.failure
      throw firstError.error
    }
    return last
  }
}

/// COPY, which inserts many rows with little overhead.
extension Connection {
  /// Starts a `COPY … FROM STDIN`.
  func beginCopying(_ sql: SQL) throws(DataError) {
    try drain()
    failure = nil
    try send(rendered(sql))
    guard let result = unsafe try nextResult() else { throw lost() }
    do throws(DataError) {
      _ = try unsafe checked(result)
    } catch {
      while failure != .lost, let rest = unsafe try nextResult() { unsafe library.clear(rest) }
      throw error
    }
    isCopying = true
  }

  /// Sends data in the binary format of COPY. Wraps `PQputCopyData`.
  func copy(_ bytes: borrowing [UInt8]) throws(DataError) {
    let sent = unsafe bytes.span.withUnsafeBytes { bytes in
      unsafe library.putCopyData(
        handle, bytes.assumingMemoryBound(to: CChar.self).baseAddress, Int32(bytes.count))
    }
    guard sent == 1 else { throw lost() }
  }

  /// Ends a COPY of the given number of rows with `PQputCopyEnd`.
  ///
  /// The result is read before the next statement, so that the client can continue while the server
  /// works.
  func endCopying(rows count: Int) throws(DataError) {
    copiedRows = count
    guard unsafe library.putCopyEnd(handle, nil) == 1 else { throw lost() }
  }

  /// Reads the result of a COPY that was ended, and counts the rows that the server discarded.
  func finishCopying() throws(DataError) {
    guard isCopying else { return }
    isCopying = false
    if let resultSet = try lastResult() { discardedRows += copiedRows - resultSet.changedRows }
  }
}

extension Connection: SQLTransaction {
  var dialect: any Dialect { postgresDialect }

  /// The SQL dialect of the detected engine.
  var postgresDialect: PostgresDialect { PostgresDialect(engine: engine, namespace: namespace) }

  func execute(_ sql: SQL) throws(DataError) -> Int { try run(sql).changedRows }

  func forEachRow(
    _ sql: SQL, _ types: [FieldType], _ body: ([Value]) -> Void
  ) throws(DataError) {
    let resultSet = try run(sql)
    let reader = RowReader(SelectList(types), store: store)
    var rows = Rows(width: types.count)
    for row in 0..<resultSet.count {
      rows.removeAll()
      try reader.read(row, of: resultSet, into: &rows)
      body(types.indices.map { rows.value(rows[0, $0], of: types[$0]) })
    }
  }
}

/// Checks that the server wrote all rows: a rule or a trigger can silently discard rows.
extension Connection {
  /// Enqueues a statement that is expected to insert or update the given number of rows.
  func enqueue(_ sql: SQL, binding parameters: [WireValue], changing count: Int) {
    enqueue(sql, binding: parameters) { [unowned self] resultSet in
      discardedRows += count - resultSet.changedRows
    }
  }

  /// An expression that is true if a foreign rule, or a trigger before each row, may discard or
  /// keep records of a schema.
  func mayInterceptRows(_ schema: Schema) -> SQL {
    guard engine.hasPostgresCatalog else { return "false" }
    return """
      (select relhasrules or relhastriggers and exists (select 1 from pg_catalog.pg_trigger \
      where tgrelid = c.oid and not tgisinternal and tgtype & 3 = 3) \
      from pg_catalog.pg_class as c where c.oid = \(number(of: schema.name)))
      """
  }

  /// Throws an error if the server discarded rows.
  func checkAllRowsWritten(_ schema: Schema) throws(DataError) {
    guard discardedRows > 0 else { return }
    defer { discardedRows = 0 }
    let records = discardedRows == 1 ? "1 record" : "\(discardedRows) records"
    throw DataError(
      Problem(
        .storeReadOnly, "the server discarded \(records)",
        hint: "look with psql for a rule or trigger not made by datactl",
        schema: schema.name))
  }
}

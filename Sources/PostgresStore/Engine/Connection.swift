import CPostgres
import DataModel
import DataStore
import Platform

/// A connection to a server. It is closed on deinitialization.
///
/// Statements whose results are not needed immediately are enqueued. They are sent together with
/// the next statement whose result is needed, so that a transaction takes as few round trips as
/// possible.
@safe
final class Connection {
  let library: LibPQ
  let handle: datactl_pq_connection_ref
  /// The address of the store without secrets, for messages.
  let store: String
  let namespace: String
  /// The operation to which the next statement belongs, such as reading or writing. It determines
  /// whether the error of a failed statement reports incomplete output or lost changes.
  var failureContext: FailureContext
  /// The database engine, or nil until it has been detected.
  var detectedEngine: Engine?
  /// The address of the database in a normalized form, which is the same for all spellings of the
  /// address.
  var identity = ""
  /// A file descriptor that becomes readable when the program must stop. If it is nil, statements
  /// are canceled with the task.
  let alarm: Int32?
  /// Whether statements can be canceled. False during a rollback.
  private var isStoppable = true
  /// A callback that receives every statement before it is converted to SQL text.
  private let listener: PostgresStore.Listener?
  /// The enqueued statements that have not been sent yet.
  private var queue: [QueuedStatement] = []
  /// The groups of statements that have been sent, but whose results have not been read yet.
  var inFlight: [[QueuedStatement]] = []
  /// An enqueued statement and the callback for its result.
  struct QueuedStatement {
    let statement: RenderedSQL
    let onResult: ((ResultSet) -> Void)?
    /// Whether to ask the server to send the result before it executes the next statement.
    var requestsFlush = false
  }

  /// Whether a `COPY` is in progress or its result has not been read yet.
  var isCopying = false
  /// The number of rows that the most recent `COPY` sent.
  var copiedRows = 0
  /// The number of rows that the server received but did not write, because a rule or a trigger
  /// discarded them.
  var discardedRows = 0
  /// Whether the table that the transaction writes to has a rule or a row trigger of another tool.
  /// Such a rule or trigger may prevent rows from being written or deleted.
  var mayPreventDeletes = false
  /// The format of the store's internal tables, or nil if it has not been read yet.
  var format: Int64?
  /// Whether the store can be used if it is an unfinished copy.
  var unfinishedCopies = UnfinishedCopies.rejected
  /// Whether the store has no id yet, as the most recent reading of the catalog found.
  var needsID = false
  /// The cause of the failure of the most recent statement, or nil if the statement succeeded.
  var failure: EngineFailure?
  /// The reason that the server gave for ending the connection.
  var termination: ConnectionTermination?
  /// Whether the server has sent a warning. Citus reports with a warning that a worker failed while
  /// the transaction was committed.
  var hasWarning = false
  /// Computes the shard of an id in the tables that Citus distributes by id; nil on other engines.
  var shardHash: ShardHash?
  /// Whether a statement has been canceled since the connection was idle.
  var isInterrupted = false

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

  /// Whether the connection is open, as far as libpq knows. Wraps `PQstatus`.
  var isConnected: Bool { unsafe library.status(handle) == Int32(datactl_pq_status_ok) }

  /// Returns the value of a server parameter, such as `server_version`, or nil if the server has
  /// not reported it. Wraps `PQparameterStatus`.
  func parameter(_ name: String) -> String? {
    unsafe library.parameter(handle, name).map { unsafe String(cString: $0) }
  }

  /// Adds a statement to the queue. The queue is sent together with the next statement whose result
  /// is needed. `onResult` is called when the result has been read.
  func enqueue(
    _ sql: SQL, binding parameters: [WireValue] = [], onResult: ((ResultSet) -> Void)? = nil
  ) {
    let statement = rendered(sql, binding: parameters)
    queue.append(QueuedStatement(statement: statement, onResult: onResult))
  }

  /// Enqueues a statement, and asks the server to send its result immediately. The result can then
  /// be processed while the server executes the next statement.
  func enqueueWithFlush(_ sql: SQL, onResult: @escaping (ResultSet) -> Void) {
    queue.append(QueuedStatement(statement: rendered(sql), onResult: onResult, requestsFlush: true))
  }

  /// Sends the enqueued statements without waiting for their results. Does nothing while a `COPY`
  /// is in progress. The error of a failed statement is thrown when the next result is read.
  func flush() throws(DataError) {
    guard !queue.isEmpty, !isCopying else { return }
    try sendPipelined(queue)
    queue = []
  }

  /// Converts a statement to SQL text and values. Also passes the statement to the listener,
  /// because all statements are converted here.
  func rendered(_ sql: SQL, binding parameters: [WireValue] = []) -> RenderedSQL {
    listener?(sql)
    return RenderedSQL(sql, in: namespace, binding: parameters)
  }

  /// Discards the enqueued statements, and the results of the statements already sent, because
  /// their transaction is rolled back.
  func discardQueue() {
    queue = []
    // Errors no longer matter, because the transaction is rolled back.
    if !inFlight.isEmpty { _ = try? readPipelineResults() }
  }

  /// Sends the enqueued statements and then the given statement. Waits for all results, and returns
  /// the result of the given statement.
  @discardableResult
  func run(_ sql: SQL, binding parameters: [WireValue] = []) throws(DataError) -> ResultSet {
    try finishCopying()
    failure = nil
    try checkInterruption()
    let statement = rendered(sql, binding: parameters)
    if queue.isEmpty && inFlight.isEmpty { return try runAlone(statement) }
    let statements = queue + [QueuedStatement(statement: statement, onResult: nil)]
    queue = []
    return try runPipelined(statements)
  }

  /// Runs several statements in one round trip, and returns their results.
  func run(_ statements: [(sql: SQL, parameters: [WireValue])]) throws(DataError) -> [ResultSet] {
    var resultSets: [ResultSet] = []
    for (sql, parameters) in statements.dropLast() {
      enqueue(sql, binding: parameters) { resultSets.append($0) }
    }
    if let last = statements.last {
      resultSets.append(try run(last.sql, binding: last.parameters))
    }
    return resultSets
  }

  /// Sends the enqueued statements and waits for the results of all statements sent so far.
  func drain() throws(DataError) {
    try finishCopying()
    failure = nil
    if !queue.isEmpty { try checkInterruption() }
    try flush()
    if !inFlight.isEmpty { _ = try readPipelineResults() }
  }

  /// Runs a query, and returns the integer in the first column of its first row. Returns nil if
  /// there is no row or the value is null.
  func integer(_ sql: SQL) throws(DataError) -> Int64? {
    let resultSet = try run(sql)
    return resultSet.count > 0 && !resultSet.isNull(0, 0) ? resultSet.integer(0, 0) : nil
  }

  /// Rolls back the open transaction, even if the program was asked to stop. Returns false if the
  /// rollback failed. The connection must then be closed.
  func rollBack() -> Bool {
    isStoppable = false
    defer { isStoppable = true }
    discardQueue()
    return isConnected && (try? run("rollback")) != nil
  }

  /// Throws an error if the program was asked to stop. This is checked before each statement,
  /// because a request to cancel a statement has no effect between two statements.
  func checkInterruption() throws(DataError) {
    guard isStoppable, Alarm.isRaised(alarm) else { return }
    failure = .canceled
    throw .interrupted
  }

  private func runAlone(_ statement: RenderedSQL) throws(DataError) -> ResultSet {
    try send(statement)
    guard let resultSet = try lastResult() else { throw lost() }
    return resultSet
  }

  /// Reads all results of a statement, and returns the last one. If a result is an error, reads the
  /// remaining results and then throws the first error.
  func lastResult() throws(DataError) -> ResultSet? {
    var last: ResultSet?
    var firstError: DataError?
    while let result = unsafe try nextResult() {
      do throws(DataError) {
        last = try unsafe checked(result)
      } catch {
        guard failure != .connectionLost else { throw error }
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

  /// Waits for the next result of a statement. Returns the result, or nil after the last one. Wraps
  /// `PQgetResult`.
  @unsafe
  func nextResult() throws(DataError) -> datactl_pq_result_ref? {
    while unsafe library.isBusy(handle) == 1 {
      // A request to cancel that arrives between two statements has no effect, so it is repeated.
      let hasTimeout = isStoppable && (isInterrupted || alarm == nil)
      let wake = unsafe Self.wait(
        for: .input, of: library.socket(handle),
        alarm: isStoppable && !isInterrupted ? alarm : nil,
        seconds: hasTimeout ? Self.cancelInterval : nil)
      if wake != .ready, isInterrupted || Alarm.isRaised(alarm) { cancel() }
      guard unsafe library.consumeInput(handle) == 1 else { throw lost() }
    }
    return unsafe library.getResult(handle)
  }

  /// The number of seconds between two requests to cancel a statement, and between two checks
  /// whether the task is canceled.
  private static let cancelInterval = 0.05

  /// Waits until a socket is ready, the descriptor `alarm` is readable, or the time limit is
  /// reached. If the wait itself fails, returns `.ready`: libpq then reports the error, or the
  /// caller waits again.
  static func wait(
    for direction: Descriptor.Direction, of socket: Int32, alarm: Int32?, seconds: Double? = nil
  ) -> Descriptor.Readiness {
    (try? Descriptor.wait(for: direction, of: socket, alarm: alarm, seconds: seconds)) ?? .ready
  }

  /// Asks the server to cancel the running statement. Wraps `PQcancel`.
  private func cancel() {
    isInterrupted = true
    guard let cancel = unsafe library.getCancel(handle) else { return }
    var message = [CChar](repeating: 0, count: 256)
    // If the request fails, nothing has to be done: the statement runs to its end.
    _ = unsafe library.cancel(cancel, &message, Int32(message.count))
    unsafe library.freeCancel(cancel)
  }

  /// Returns a libpq result as a `ResultSet`. If the statement failed, throws its error.
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
    failure = EngineFailure(serverError)
    // The server may also cancel a statement for reasons of its own, such as `statement_timeout`.
    if failure == .canceled, isInterrupted { throw .interrupted }
    throw DataError(serverError, store: store, namespace: namespace, for: failureContext)
  }

  /// Returns the error for a conflict with another writer, and stores the cause in `failure`.
  func writeConflict() -> DataError {
    failure = .conflict
    return .conflictingWriters(store, for: failureContext)
  }

  /// Returns the error for a lost connection, and stores the cause in `failure`.
  func lost() -> DataError {
    failure = .connectionLost
    return .connectionLost(store, termination, for: failureContext)
  }
}

extension Connection {
  /// Calls a closure with a pointer to the bytes of each value, for functions of libpq. The pointer
  /// is nil for null.
  @unsafe
  func withPointers(
    to values: [WireValue], _ body: ([UnsafePointer<CChar>?]) -> Int32
  ) -> Int32 {
    var bytes: [UInt8] = []
    var offsets: [Int?] = []
    for value in values {
      offsets.append(value.bytes == nil ? nil : bytes.count)
      if let own = value.bytes { bytes += own }
      // The NUL ensures that an empty string also has an address. libpq would interpret a null
      // pointer as null.
      bytes.append(0)
    }
    return unsafe bytes.withUnsafeBytes { bytes in
      let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
      return unsafe body(
        offsets.map { offset in unsafe offset.flatMap { unsafe start?.advanced(by: $0) } })
    }
  }
}

extension Connection: SQLTransaction {
  var dialect: any Dialect { postgresDialect }

  /// The SQL dialect of the detected engine.
  var postgresDialect: PostgresDialect { PostgresDialect(engine: engine, namespace: namespace) }

  func execute(_ sql: SQL) throws(DataError) -> Int { try run(sql).changedRows }

  func enqueue(_ sql: SQL) { enqueue(sql, binding: []) }

  func forEachRow(
    _ sql: SQL, _ types: [FieldType], _ body: ([Value]) -> Void
  ) throws(DataError) {
    try forEachRow([sql], types, body)
  }

  func rows(_ sql: SQL, _ selectList: SelectList) throws(DataError) -> Rows {
    let reader = RowReader(selectList, store: store, invalidValues: .marked)
    let resultSet = try run(sql)
    var rows = Rows(width: selectList.width)
    for row in 0..<resultSet.count { try reader.read(row, of: resultSet, into: &rows) }
    return rows
  }

  /// Runs several queries in one round trip, and passes each row of their results to the body.
  func forEachRow(
    _ queries: [SQL], _ types: [FieldType], _ body: ([Value]) -> Void
  ) throws(DataError) {
    let reader = RowReader(SelectList(types), store: store)
    var rows = Rows(width: types.count)
    for resultSet in try run(queries.map { ($0, []) }) {
      for row in 0..<resultSet.count {
        rows.removeAll()
        try reader.read(row, of: resultSet, into: &rows)
        body(types.indices.map { rows.value(rows[0, $0], of: types[$0]) })
      }
    }
  }
}

/// Detects rows that the server received but did not write, because a rule or a trigger of another
/// tool discarded them.
extension Connection {
  /// Enqueues a statement that should insert or update `count` rows. If it writes fewer rows, the
  /// number of missing rows is added to `discardedRows`.
  func enqueue(_ sql: SQL, binding parameters: [WireValue], changing count: Int) {
    enqueue(sql, binding: parameters) { [unowned self] resultSet in
      discardedRows += count - resultSet.changedRows
    }
  }

  /// Returns an SQL expression that is true if the table of a schema has a rule, or a trigger that
  /// runs before each row. Such a rule or trigger can discard rows or prevent their deletion.
  /// datactl itself creates neither rules nor triggers.
  func mayInterceptRows(_ schema: Schema) -> SQL {
    """
    (select relhasrules or relhastriggers and exists (select 1 from pg_catalog.pg_trigger \
    where tgrelid = c.oid and not tgisinternal and tgtype & 3 = 3) \
    from pg_catalog.pg_class as c where c.oid = \(number(of: schema.name)))
    """
  }

  /// Throws an error if the server discarded rows. Resets the number of discarded rows.
  ///
  /// - Parameter schema: The schema of the rows, or nil if the rows may belong to several schemas.
  func checkAllRowsWritten(_ schema: Schema?) throws(DataError) {
    guard discardedRows > 0 else { return }
    defer { discardedRows = 0 }
    let records = discardedRows == 1 ? "1 record" : "\(discardedRows) records"
    throw DataError(
      Problem(
        .storeReadOnly, "the server discarded \(records)",
        hint: "use psql to look for a rule or trigger not created by datactl",
        schema: schema?.name))
  }
}

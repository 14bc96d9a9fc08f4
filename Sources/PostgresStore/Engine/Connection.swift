import CPostgres
import DataModel
import DataStore

/// A connection to a server, which closes itself.
///
/// What is put off goes to the server together with the statement that needs an answer, so that a
/// transaction costs as few journeys as can be.
@safe
final class Connection {
  let library: LibPQ
  let handle: datactl_pq_connection_ref
  /// The store as messages name it.
  let store: String
  let namespace: String
  /// A descriptor that can be read as soon as the program is to stop.
  private let alarm: Int32?
  /// Statements whose answers nobody waits for.
  private var postponed: [Postponed] = []
  /// A statement that is put off, and who hears its answer.
  private struct Postponed {
    let statement: RenderedSQL
    let hear: ((Answer) -> Void)?
  }

  /// Whether a COPY was sent to its end, and its result is to be looked at.
  var isCopying = false
  /// How many rows the COPY sent.
  var copiedRows = 0
  /// How many rows the server was given and did not take, as a rule or a trigger may have it do.
  var swallowedRows = 0
  /// Why the last statement failed.
  var failure: Failure?
  private var isInterrupted = false

  init(
    _ handle: datactl_pq_connection_ref, _ library: LibPQ, store: String, namespace: String,
    alarm: Int32?
  ) {
    unsafe self.handle = unsafe handle
    self.library = library
    self.store = store
    self.namespace = namespace
    self.alarm = alarm
  }

  deinit { unsafe library.finish(handle) }

  /// Whether the server can still be talked to.
  var isSound: Bool { unsafe library.status(handle) == Int32(datactl_pq_status_ok) }

  /// What the server said of itself when the connection began.
  func parameter(_ name: String) -> String? {
    unsafe library.parameter(handle, name).map { unsafe String(cString: $0) }
  }

  /// Puts a statement off until the next that needs an answer.
  func later(
    _ sql: SQL, binding parameters: [WireValue] = [], hear: ((Answer) -> Void)? = nil
  ) {
    let statement = RenderedSQL(sql, in: namespace, binding: parameters)
    postponed.append(Postponed(statement: statement, hear: hear))
  }

  /// Forgets what was put off, since what it belongs to is taken back.
  func forget() {
    postponed = []
  }

  /// Runs a statement after those that were put off, and gives its answer.
  @discardableResult
  func run(_ sql: SQL, binding parameters: [WireValue] = []) throws(DataError) -> Answer {
    try finishCopying()
    failure = nil
    let statement = RenderedSQL(sql, in: namespace, binding: parameters)
    if postponed.isEmpty { return try runAlone(statement) }
    let statements = postponed + [Postponed(statement: statement, hear: nil)]
    postponed = []
    return try runTogether(statements)
  }

  /// Runs what was put off.
  func catchUp() throws(DataError) {
    try finishCopying()
    failure = nil
    guard !postponed.isEmpty else { return }
    let statements = postponed
    postponed = []
    _ = try runTogether(statements)
  }

  /// The integer that a statement gives first, or nil without a row or for null.
  func integer(_ sql: SQL) throws(DataError) -> Int64? {
    let answer = try run(sql)
    return answer.count > 0 && !answer.isNull(0, 0) ? answer.integer(0, 0) : nil
  }

  private func runAlone(_ statement: RenderedSQL) throws(DataError) -> Answer {
    try send(statement)
    guard let answer = try lastAnswer() else { throw lost() }
    return answer
  }

  private func runTogether(_ statements: [Postponed]) throws(DataError) -> Answer {
    guard unsafe library.enterPipeline(handle) == 1 else { throw lost() }
    for one in statements { try send(one.statement) }
    guard unsafe library.syncPipeline(handle) == 1 else { throw lost() }
    var last: Answer?
    var refusal: DataError?
    for one in statements {
      while let result = unsafe try nextResult() {
        if unsafe library.resultStatus(result) == Int32(datactl_pq_pipeline_aborted) {
          unsafe library.clear(result)
          continue
        }
        do throws(DataError) {
          let answer = try unsafe checked(result)
          one.hear?(answer)
          last = answer
        } catch {
          guard failure != .lost else { throw error }
          refusal = refusal ?? error
        }
      }
    }
    // The answer to the sync, and what comes behind it.
    while let result = unsafe try nextResult() {
      let status = unsafe library.resultStatus(result)
      unsafe library.clear(result)
      if status == Int32(datactl_pq_pipeline_sync) { break }
    }
    guard unsafe library.exitPipeline(handle) == 1 else { throw lost() }
    if let refusal { throw refusal }
    guard let last else { throw lost() }
    return last
  }

  /// The last answer of a statement; an error is thrown when nothing more comes.
  func lastAnswer() throws(DataError) -> Answer? {
    var last: Answer?
    var refusal: DataError?
    while let result = unsafe try nextResult() {
      do throws(DataError) {
        last = try unsafe checked(result)
      } catch {
        guard failure != .lost else { throw error }
        refusal = refusal ?? error
      }
    }
    if let refusal { throw refusal }
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

  /// The next result, waiting for it; nil behind the last of a statement.
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

  /// Asks the server to stop what it is doing.
  private func cancel() {
    isInterrupted = true
    guard let cancel = unsafe library.getCancel(handle) else { return }
    var message = [CChar](repeating: 0, count: 256)
    // The answer to the statement tells whether it was heard.
    _ = unsafe library.cancel(cancel, &message, Int32(message.count))
    unsafe library.freeCancel(cancel)
  }

  /// The answer that a result stands for, or the error.
  @unsafe
  func checked(_ result: datactl_pq_result_ref) throws(DataError) -> Answer {
    let status = unsafe library.resultStatus(result)
    let answer = unsafe Answer(result, library)
    switch status {
    case Int32(datactl_pq_command_ok), Int32(datactl_pq_tuples_ok), Int32(datactl_pq_copy_in):
      return answer
    default: break
    }
    let state = unsafe words(library.errorField(result, Int32(datactl_pq_sqlstate))) ?? ""
    let field = Failure.isDetailed(state) ? datactl_pq_detail : datactl_pq_primary_message
    let said = unsafe words(library.errorField(result, Int32(field))) ?? ""
    guard isSound, !state.isEmpty else { throw lost() }
    failure = Failure(state: state)
    throw DataError(state: state, said: said, store: store)
  }

  @unsafe
  private func words(_ pointer: UnsafePointer<CChar>?) -> String? {
    unsafe pointer.map { unsafe String(cString: $0) }
  }

  /// Notes that the connection is lost.
  func lost() -> DataError {
    failure = .lost
    return .connectionLost(store)
  }
}

extension Connection {
  /// Lends the addresses of values.
  @unsafe
  fileprivate func withPointers(
    to values: [WireValue], _ body: ([UnsafePointer<CChar>?]) -> Int32
  ) -> Int32 {
    var bytes: [UInt8] = []
    var places: [Int?] = []
    for value in values {
      places.append(value.bytes == nil ? nil : bytes.count)
      if let own = value.bytes { bytes += own }
      // An empty text has an address, too: null has none.
      bytes.append(0)
    }
    return unsafe bytes.withUnsafeBytes { bytes in
      let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
      return unsafe body(
        places.map { place in unsafe place.flatMap { unsafe start?.advanced(by: $0) } })
    }
  }
}

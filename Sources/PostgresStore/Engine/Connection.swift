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
  /// What the store was opened for.
  private let access: PostgresStore.Access
  /// Which engine answers, once that is known.
  var recognised: Engine?
  /// The one form of all addresses that lead here.
  var identity = ""
  /// A descriptor that can be read as soon as the program is to stop.
  let alarm: Int32?
  /// Who hears every statement, before it becomes text.
  private let listener: PostgresStore.Listener?
  /// Statements whose answers nobody waits for.
  private var postponed: [Postponed] = []
  /// Statements that the server has, in groups, whose answers nobody has looked at.
  var awaited: [[Postponed]] = []
  /// A statement that is put off, and who hears its answer.
  struct Postponed {
    let statement: RenderedSQL
    let hear: ((Answer) -> Void)?
    /// Whether its answer comes before the server works on the next.
    var isUrgent = false
  }

  /// Whether a COPY was sent to its end, and its result is to be looked at.
  var isCopying = false
  /// How many rows the COPY sent.
  var copiedRows = 0
  /// How many rows the server was given and did not take, as a rule or a trigger may have it do.
  var swallowedRows = 0
  /// Whether something that others made may keep rows as they are which are to be written or deleted.
  var mayKeepRows = false
  /// Why the last statement failed.
  var failure: Failure?
  /// Why the server ended the connection, if it said so.
  var ending: Ending?
  private var isInterrupted = false

  init(
    _ handle: datactl_pq_connection_ref, _ library: LibPQ, store: String, namespace: String,
    for access: PostgresStore.Access, alarm: Int32?, listener: PostgresStore.Listener?
  ) {
    unsafe self.handle = unsafe handle
    self.library = library
    self.store = store
    self.namespace = namespace
    self.access = access
    self.alarm = alarm
    self.listener = listener
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
    let statement = rendered(sql, binding: parameters)
    postponed.append(Postponed(statement: statement, hear: hear))
  }

  /// Puts a statement off whose answer gives work while the server is busy with the next.
  func soon(_ sql: SQL, hear: @escaping (Answer) -> Void) {
    postponed.append(Postponed(statement: rendered(sql), hear: hear, isUrgent: true))
  }

  /// Sends what was put off, so that the server works on it meanwhile, unless it has a COPY to work
  /// on. Whether it went well is looked at before the next answer.
  func hurry() throws(DataError) {
    guard !postponed.isEmpty, !isCopying else { return }
    try sendTogether(postponed)
    postponed = []
  }

  /// The one way by which a statement becomes text.
  func rendered(_ sql: SQL, binding parameters: [WireValue] = []) -> RenderedSQL {
    listener?(sql)
    return RenderedSQL(sql, in: namespace, binding: parameters)
  }

  /// Forgets what was put off, since what it belongs to is taken back.
  func forget() {
    postponed = []
    // Whatever went wrong is of no interest any more.
    if !awaited.isEmpty { _ = try? answerTogether() }
  }

  /// Runs a statement after those that were put off, and gives its answer.
  @discardableResult
  func run(_ sql: SQL, binding parameters: [WireValue] = []) throws(DataError) -> Answer {
    try finishCopying()
    failure = nil
    let statement = rendered(sql, binding: parameters)
    if postponed.isEmpty && awaited.isEmpty { return try runAlone(statement) }
    let statements = postponed + [Postponed(statement: statement, hear: nil)]
    postponed = []
    return try runTogether(statements)
  }

  /// Runs what was put off.
  func catchUp() throws(DataError) {
    try finishCopying()
    failure = nil
    try hurry()
    if !awaited.isEmpty { _ = try answerTogether() }
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
    let complaint = unsafe complaint(of: result)
    if complaint.endsConnection, let ending = Ending(complaint) { self.ending = ending }
    guard isSound, !complaint.state.isEmpty else { throw lost() }
    failure = Failure(complaint)
    // Only who asked for it was interrupted; the server may have its own reasons.
    if failure == .cancelled, isInterrupted { throw .interrupted(store) }
    throw DataError(complaint, store: store, for: access)
  }

  /// Notes that others were in the way.
  func overtaken() -> DataError {
    failure = .conflict
    return .othersInTheWay(store, for: access)
  }

  /// Notes that the connection is lost.
  func lost() -> DataError {
    failure = .lost
    return .connectionLost(store, ending, for: access)
  }
}

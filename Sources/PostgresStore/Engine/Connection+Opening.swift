import CPostgres
import DataModel
import DataStore
import Platform

extension Connection {
  /// The oldest supported server version, in the format of `PQserverVersion`.
  private static let oldestVersion: Int32 = 130_000

  /// Connects to a server. Waits while the server starts up, and skips hosts that do not respond in
  /// time.
  ///
  /// - Parameter engine: The engine that an earlier connection to the store detected. If it is nil,
  ///   the new connection detects the engine.
  static func opened(
    _ address: PostgresAddress, namespace: String, for access: PostgresStore.Access,
    engine: Engine?, unfinishedCopies: UnfinishedCopies = .rejected,
    alarm: Int32?, listener: PostgresStore.Listener?
  ) throws(DataError) -> Connection {
    let library = try LibPQ()
    let setup = try address.setup(library, .process)
    var options = setup.options
    let clock = ContinuousClock()
    let began = clock.now
    var isStarting = false
    while true {
      guard let handle = unsafe start(options, library) else {
        throw DataError(.failed, "out of memory")
      }
      let connection = unsafe Connection(
        handle, library, store: address.shown, namespace: namespace, for: access, alarm: alarm,
        listener: listener)
      connection.installNoticeReceiver()
      let resolved = unsafe ResolvedAddress(handle, library)
      let connectTimeout = try resolved.connectTimeout()
      switch try connection.finish(within: connectTimeout) {
      case .connected:
        connection.identity = unsafe resolved.identity(
          host: connection.string(library.host), port: connection.string(library.port))
        try connection.checkServer()
        connection.detectedEngine = engine
        connection.unfinishedCopies = unfinishedCopies
        return connection
      case .noResponse:
        let otherHosts = unsafe resolved.excluding(
          connection.string(library.host), port: connection.string(library.port))
        guard let otherHosts else {
          throw DataError(
            .storeUnreachable, "\(address.shown): the server does not respond",
            hint: "to wait longer, set connect_timeout=SECONDS in the address")
        }
        options += otherHosts
      case .connectionFailure(let connectionFailure):
        // A server that is restarting refuses connections for a moment, and reports no SQLSTATE.
        isStarting = connectionFailure.isStartingUp || isStarting && connectionFailure.isUnreachable
        guard isStarting, clock.now - began < .seconds(connectTimeout ?? 30) else {
          throw connectionFailure.error(
            store: address.shown, for: access, ignoredPasswordFile: setup.ignoredPasswordFile,
            hidingMessage: address.mayExposePassword(library))
        }
        if Self.wait(for: .input, of: -1, alarm: alarm, seconds: 0.1) == .alarm {
          throw .interrupted
        }
      }
    }
  }

  /// Throws an error if the server is older than `oldestVersion`, or if the encoding of the
  /// database is not UTF-8.
  private func checkServer() throws(DataError) {
    let version = unsafe library.serverVersion(handle)
    guard version >= Self.oldestVersion else {
      throw DataError(
        .storeUnreachable,
        "\(store): PostgreSQL \(version / 10_000) is too old",
        hint: "use PostgreSQL 13 or newer")
    }
    let encoding = parameter("server_encoding")
    guard encoding == nil || encoding == "UTF8" else {
      throw DataError(
        .storeUnreachable,
        "\(store): the encoding of the database is \(encoding ?? ""), not UTF-8",
        hint: "create a database in UTF-8: createdb --encoding UTF8 --template template0 NAME")
    }
  }

  /// Starts a connection attempt without blocking. Wraps `PQconnectStartParams`.
  @unsafe
  static func start(
    _ options: ConnectionOptions, _ library: LibPQ
  ) -> datactl_pq_connection_ref? {
    var texts: [UInt8] = []
    var offsets: [(name: Int, value: Int)] = []
    for option in options {
      offsets.append((texts.count, texts.count + option.name.utf8.count + 1))
      texts += Array(option.name.utf8) + [0] + Array(option.value.utf8) + [0]
    }
    return unsafe texts.withUnsafeBytes { bytes in
      let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
      let names = unsafe offsets.map { unsafe start?.advanced(by: $0.name) } + [nil]
      let values = unsafe offsets.map { unsafe start?.advanced(by: $0.value) } + [nil]
      return unsafe library.connectStart(names, values, 1)
    }
  }

  /// The outcome of an attempt to connect.
  private enum Attempt {
    case connected
    /// The host that libpq was trying did not respond in time.
    case noResponse
    case connectionFailure(ConnectionFailure)
  }

  /// Calls `PQconnectPoll` until the connection is established or has failed.
  ///
  /// - Parameter seconds: How long to wait for a response of one host, or nil to wait without a
  ///   limit.
  private func finish(within seconds: Double?) throws(DataError) -> Attempt {
    guard unsafe library.status(handle) != Int32(datactl_pq_status_bad) else {
      return .connectionFailure(unsafe ConnectionFailure(string(library.message)))
    }
    _ = unsafe library.setVerbosity(handle, Int32(datactl_pq_verbose))
    let clock = ContinuousClock()
    var direction = Descriptor.Direction.output
    var (host, began) = (self.host, clock.now)
    while true {
      let wake = unsafe Self.wait(
        for: direction, of: library.socket(handle), alarm: alarm,
        seconds: seconds.map { $0 - (clock.now - began) / .seconds(1) })
      switch wake {
      case .ready: break
      case .alarm: throw .interrupted
      case .timeout: return .noResponse
      }
      switch unsafe library.connectPoll(handle) {
      case Int32(datactl_pq_polling_ok): return .connected
      case Int32(datactl_pq_polling_reading): direction = .input
      case Int32(datactl_pq_polling_writing): direction = .output
      default: return .connectionFailure(unsafe ConnectionFailure(string(library.message)))
      }
      if self.host != host { (host, began) = (self.host, clock.now) }
    }
  }

  /// The host, address and port that libpq is currently trying. If a host fails, libpq tries the
  /// next one.
  private var host: [String] {
    unsafe [string(library.host), string(library.hostAddress), string(library.port)]
  }

  @unsafe
  private func string(_ getter: datactl_pq_connection_string) -> String {
    unsafe getter(handle).map { unsafe String(cString: $0) } ?? ""
  }
}

extension Connection {
  /// Installs a notice receiver with `PQsetNoticeReceiver`, so that libpq does not print notices to
  /// stderr. If a notice announces that the server ends the connection, the reason is stored in
  /// `termination`. A warning sets `hasWarning`.
  func installNoticeReceiver() {
    // The pointer remains valid as long as the receiver is installed: `deinit` closes the libpq
    // connection before the object is freed.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe library.setNoticeReceiver(
      handle,
      { context, notice in
        guard let context = unsafe context, let notice = unsafe notice else { return }
        unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().receive(notice)
      }, context)
  }

  @unsafe
  private func receive(_ notice: datactl_pq_result_ref) {
    let serverError = unsafe serverError(of: notice)
    if serverError.isWarning { hasWarning = true }
    if serverError.endsConnection { termination = ConnectionTermination(serverError) }
  }

  /// Whether an idle connection is still open. If the server has closed it, it can no longer be
  /// used.
  var isAlive: Bool {
    while isConnected, termination == nil {
      let wake = unsafe Self.wait(
        for: .input, of: library.socket(handle), alarm: nil, seconds: 0)
      if wake == .timeout { return true }
      guard unsafe library.consumeInput(handle) == 1 else { return false }
      // `PQisBusy` makes libpq parse its input and call the notice receiver.
      _ = unsafe library.isBusy(handle)
    }
    return false
  }
}

/// Detects which database engine the server runs.
extension Connection {
  var engine: Engine { detectedEngine ?? .postgres }

  /// Enqueues a query that detects whether the store uses Citus, unless the engine is already
  /// known. The query is sent before the next statement, because the form of that statement may
  /// depend on the engine.
  ///
  /// A store that was created before Citus was installed has no distributed tables. It is treated
  /// like a store on plain PostgreSQL.
  func detectEngine() {
    guard detectedEngine == nil else { return }
    enqueue(
      """
      select 1 from pg_catalog.pg_extension where extname = 'citus' and (\(number(of: "_meta")) is null \
      or \(number(of: InternalTables.colocationTable)) is not null)
      """
    ) { [weak self] resultSet in self?.detectedEngine = resultSet.count > 0 ? .citus : .postgres }
  }

  /// Returns an SQL expression for the OID of one of the store's tables. The expression is null if
  /// the table does not exist.
  func number(of table: String) -> SQL {
    "to_regclass(format('%I.%I', \(.text(namespace)), \(.text(table))))"
  }
}

/// Checks and upgrades the format of the store's internal tables.
extension Connection {
  /// Sets `format`, and throws an error if this program does not support the format.
  func checkFormat(_ format: Int64) throws(DataError) {
    self.format = format
    try StoreFormat.check(format, of: store, accepting: unfinishedCopies) {
      try? copyMark()
    } minimumProgram: {
      try? run("select minimum_program from \(table: "_meta")").text(0, 0)
    }
  }

  /// Upgrades the internal tables of a store of an older format, and adds the id of the store if an
  /// earlier version created it, in a separate transaction.
  ///
  /// If the tables are in use, or if the user may not alter them, does nothing: such stores can also
  /// be read and written.
  func upgradeFormat() throws(DataError) {
    guard let format, format < StoreFormat.current || needsID else { return }
    needsID = false
    enqueue("begin")
    enqueue("select set_config('lock_timeout', '200', true)")
    do throws(DataError) {
      try enqueueUpgrade()
      enqueue("alter table \(table: "_meta") add column if not exists id text")
      enqueue("update \(table: "_meta") set id = \(.text(StoreID.random())) where id is null")
      try run("commit")
    } catch {
      let cause = failure
      discardQueue()
      if isConnected { try run("rollback") }
      guard cause == .locked || cause == .insufficientPrivilege else { throw error }
    }
  }

  /// Enqueues the statements that upgrade the store's internal tables in the open transaction,
  /// unless another program has already upgraded them.
  func enqueueUpgrade() throws(DataError) {
    let format = try integer("select format from \(table: "_meta") for update")
    guard let format, format < StoreFormat.current else { return }
    for statement in InternalTables.upgradeSQL(on: engine) { enqueue(statement) }
  }
}

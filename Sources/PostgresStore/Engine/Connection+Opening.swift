import CPostgres
import DataModel
import DataStore

extension Connection {
  /// The oldest server whose words datactl speaks, as libpq counts versions.
  private static let oldest: Int32 = 130_000

  /// Connects to a server.
  static func opened(
    _ address: ServerAddress, namespace: String, alarm: Int32?, listener: PostgresStore.Listener?
  ) throws(DataError) -> Connection {
    let library = try LibPQ()
    let options = try address.options(library)
    guard let handle = unsafe start(options, library) else {
      throw DataError(.failed, "out of memory")
    }
    let connection = unsafe Connection(
      handle, library, store: address.shown, namespace: namespace, alarm: alarm,
      listener: listener)
    try unsafe finish(handle, library, alarm: alarm, address.shown)
    _ = unsafe library.setNoticeHearer(handle, { _, _ in }, nil)
    let version = unsafe library.serverVersion(handle)
    guard version >= oldest else {
      throw DataError(
        .storeUnreachable,
        "\(address.shown): the server is PostgreSQL \(version / 10_000), which is too old",
        hint: "datactl needs PostgreSQL 13 or newer")
    }
    let encoding = connection.parameter("server_encoding")
    guard encoding == nil || encoding == "UTF8" else {
      throw DataError(
        .storeUnreachable,
        "\(address.shown): the database keeps its texts as \(encoding ?? ""), not as UTF-8",
        hint: "make one with: createdb --encoding UTF8 --template template0 NAME")
    }
    return connection
  }

  /// Whether transactions have numbers by which their outcome can be asked for: CockroachDB and
  /// YugabyteDB speak the same protocol, and have none.
  var numbersTransactions: Bool {
    parameter("crdb_version") == nil && parameter("server_version")?.contains("-YB-") != true
  }

  /// Begins to connect.
  @unsafe
  static func start(
    _ options: [(name: String, value: String)], _ library: LibPQ
  ) -> datactl_pq_connection_ref? {
    var texts: [UInt8] = []
    var places: [(name: Int, value: Int)] = []
    for option in options {
      places.append((texts.count, texts.count + option.name.utf8.count + 1))
      texts += Array(option.name.utf8) + [0] + Array(option.value.utf8) + [0]
    }
    return unsafe texts.withUnsafeBytes { bytes in
      let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
      let names = unsafe places.map { unsafe start?.advanced(by: $0.name) } + [nil]
      let values = unsafe places.map { unsafe start?.advanced(by: $0.value) } + [nil]
      return unsafe library.connectStart(names, values, 1)
    }
  }

  @unsafe
  private static func finish(
    _ handle: datactl_pq_connection_ref, _ library: LibPQ, alarm: Int32?, _ shown: String
  ) throws(DataError) {
    guard unsafe library.status(handle) != Int32(datactl_pq_status_bad) else {
      throw unsafe refusal(handle, library, shown)
    }
    var readiness = Platform.Readiness.writing
    while true {
      let wake = unsafe Platform.wait(
        at: library.socket(handle), for: readiness, alarm: alarm, seconds: 30)
      switch wake {
      case .ready: break
      case .alarm: throw DataError(.interrupted, "\(shown): interrupted")
      case .timeout:
        throw DataError(.storeUnreachable, "\(shown): the server does not answer")
      }
      switch unsafe library.connectPoll(handle) {
      case Int32(datactl_pq_polling_ok): return
      case Int32(datactl_pq_polling_reading): readiness = .reading
      case Int32(datactl_pq_polling_writing): readiness = .writing
      default: throw unsafe refusal(handle, library, shown)
      }
    }
  }

  /// Why there is no connection, in libpq's words, which name no secret.
  @unsafe
  private static func refusal(
    _ handle: datactl_pq_connection_ref, _ library: LibPQ, _ shown: String
  ) -> DataError {
    let said = unsafe library.message(handle).map { unsafe String(cString: $0) } ?? ""
    let line = said.split(separator: "\n").joined(separator: "; ")
    if line.contains("password authentication failed") || line.contains("no password supplied") {
      return DataError(
        .storeUnreachable, "\(shown): the server refuses the user or the password",
        hint: "a password stands in the address, in PGPASSWORD, or in ~/.pgpass")
    }
    if line.contains("certificate verify failed") {
      return DataError(
        .storeUnreachable, "\(shown): the server's certificate is not trusted: \(line)",
        hint: """
          sslrootcert=FILE in the address names the certificate of the authority that vouches for the \
          server; if it is the right one, the server's own may have expired
          """)
    }
    return DataError(
      .storeUnreachable, "\(shown): cannot be reached: \(line)", hint: mending(line))
  }

  /// What can be done where the way to the server would not be safe.
  private static func mending(_ line: String) -> String? {
    if line.contains("does not match host name") {
      return "name the host in the address as its certificate does"
    }
    if line.contains("does not support SSL") {
      return """
        let the server encrypt; where nobody listens in, sslmode=prefer in the address does without
        """
    }
    return nil
  }
}

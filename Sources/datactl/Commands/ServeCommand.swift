import ClientCore
import CommandSyntax
import DataModel
import DataServer
import DataStore
import Platform

/// `datactl serve`: serves the store over HTTP.
struct ServeCommand: DeclaredCommand {
  private var options = ServerOptions()
  private var addresses: [String] = []
  /// The paths of the TLS certificate and of its private key.
  private var certificate: String?
  private var key: String?
  /// The path of the folder with the programs that clients can call as methods.
  private var methods: String?
  /// The number of connections to a PostgreSQL store, which the requests share.
  private var pool = 8
  private var maxBody = "1G"
  private var spool = "1G"
  /// The time without progress after which a request is canceled, in seconds.
  private var timeout = 60

  static let declaration = CommandDeclaration(
    ServeCommand.self, "serve", "Serve the store over HTTP.",
    discussion: [
      """
      Offers the store over HTTP to other datactl commands and to programs. datactl commands \
      connect to the server with `--store` and its address, such as `http://127.0.0.1:8420`. \
      Programs use the HTTP API (see `datactl help api`).
      """,
      """
      The access rules of the schemas determine what a user may do (see `datactl help \
      access-rules`). The server runs until it receives SIGINT (Ctrl-C) or SIGTERM.
      """,
      .heading("Operation"),
      """
      If other machines can connect to the server, encryption is required: either `--tls-cert` and \
      `--tls-key`, or a proxy and `--behind-proxy`.
      """,
      """
      On SIGHUP, the server reads the certificate and the key again. If standard error is a \
      terminal, SIGHUP ends the server.
      """,
      """
      For each request, the server writes a line to standard error. `datactl help server` \
      describes this line, and how to operate a server.
      """,
    ],
    inputs: [
      .repeatedOption(
        "--listen", \.addresses, value: "ADDRESS",
        """
        Listen on this address: `HOST:PORT`, `[::1]:PORT` or `unix:PATH`. The default is \
        `127.0.0.1:8420`. The port 0 means any free port.
        """),
      .option(
        "--tls-cert", \.certificate, value: "FILE", kind: .file,
        "The certificate and its chain, in the format PEM."),
      .option(
        "--tls-key", \.key, value: "FILE", kind: .file,
        "The private key of the certificate, in the format PEM."),
      .flag(
        "--behind-proxy", \.options.trustsProxy,
        """
        Take the address of the client from `X-Forwarded-For`, and the host name from \
        `X-Forwarded-Host`, as a proxy sends them. If `X-Forwarded-For` contains several \
        addresses, the last one is the client. Pass this option only if a proxy sends all requests.
        """),
      .option(
        "--methods", \.methods, value: "DIR", kind: .folder,
        "Offer the programs in this folder as methods (see `datactl help server`)."),
      .flag(
        "--read-only", \.options.isReadOnly,
        "Reject requests that change the store. Users can still log in and out."),
      .integer(
        "--connections", \.options.limits.connections, value: "N", in: 1...100_000,
        """
        The maximum number of connections on each address of `--listen`. The number is lower if \
        the system does not let the server open enough files (see `datactl help server`).
        """),
      .integer(
        "--pool", \.pool, value: "N", in: 1...1_000,
        """
        The number of connections from the server to a PostgreSQL store; at least 2 are used. \
        Clients that are not logged in use at most half of them.
        """),
      .option(
        "--max-body", \.maxBody, value: "SIZE",
        """
        The maximum size of the body of a request, before and after decompression. SIZE is a \
        number of bytes, or a number with a suffix, such as `64k`, `10M` or `1G`. For clients that \
        are not logged in, the limit is at most `1M`.
        """),
      .option(
        "--spool", \.spool, value: "SIZE",
        """
        The maximum size of all temporary files for output that waits for slow clients. SIZE has the \
        same form as for `--max-body`.
        """),
      .integer(
        "--timeout", \.timeout, value: "SECONDS", in: 1...86_400,
        "Cancel a request if the server makes no progress with it for this number of seconds."),
      .integer(
        "--signups", \.options.maxSignUps, value: "N", in: 0...10_000,
        """
        The maximum number of users that clients of one address can create in an hour without \
        logging in, if the access rules permit it. 0 permits none. The address is an IPv4 address, or \
        the first 64 bits of an IPv6 address (see `datactl help server`).
        """),
      .choice("--log", \.options.log, value: "FORMAT", "The format of the log."),
      .repeatedOption(
        "--cors", \.options.origins, value: "ORIGIN",
        """
        Permit requests from web pages of this origin, such as `https://shop.example`. `*` means \
        any origin. Pages with the same origin as the API do not need this option.
        """),
    ],
    rules: [
      .needs("--tls-cert", "--tls-key"), .needs("--tls-key", "--tls-cert"),
      .atMostOne(
        ["--methods", "--read-only"], hint: "leave one out, because methods can change the store"),
    ],
    examples: [
      Example("datactl serve --store shop.db", "Serve a file to programs on this machine."),
      Example(
        "datactl serve --listen 0.0.0.0:443 --tls-cert cert.pem --tls-key key.pem",
        "Serve the store to other machines."),
      Example(
        "datactl serve --listen unix:/run/shop/api --behind-proxy",
        "Serve the store to a proxy on this machine."),
      Example(
        "datactl serve --signups 5", "Limit how many users an address can create in an hour."),
      Example("datactl serve --signups 0", "Let only administrators create users."),
    ],
    exitStatuses: [
      .done, .failed, .usageOfOptions, .schemaNotFound, .forbidden, .invalid, .store, .hungUp,
    ],
    seeAlso: ["server", "api", "access-rules", "login"])
}

extension ServeCommand {
  /// How long requests may take after the server has been asked to stop, in seconds.
  private static let grace = 10.0
  /// The minimum number of connections on each address, unless `--connections` asks for fewer. If
  /// fewer are possible, the server does not start.
  private static let minConnections = 10

  var storeUse: StoreUse { .none }

  mutating func validate() throws(UsageError) {
    do throws(DataError) {
      if !addresses.isEmpty { options.addresses = try addresses.map(ListenAddress.init) }
      options.maxBodySize = try ServerOptions.size(maxBody, of: "--max-body")
      options.maxSpoolSize = try ServerOptions.size(spool, of: "--spool")
    } catch {
      throw UsageError(error.problems[0].message, hint: error.problems[0].hint)
    }
    for origin in options.origins where origin != "*" {
      guard let end = origin.firstRange(of: "://")?.upperBound, end < origin.endIndex,
        !origin[end...].contains("/")
      else {
        throw UsageError(
          "--cors: expected an origin such as https://shop.example, found \(Excerpt.quoted(origin))"
        )
      }
    }
    options.limits.requestSeconds = Double(timeout)
    do throws(DataError) {
      try options.check(isEncrypted: certificate != nil)
    } catch {
      throw UsageError(error.problems[0].message, hint: error.problems[0].hint)
    }
  }

  func run(with context: CommandContext) async throws {
    if let choice = context.storeChoice(), choice.address.server != nil {
      throw DataError(
        .usage, "cannot serve a store that is on a server: \(choice.address)",
        hint: "pass a file or a database, for example --store shop.db")
    }
    var options = options
    options.tls = try readTLS(with: context)
    if options.trustsProxy { options.limits.connectionsPerAddress = 0 }
    // The store is opened once before the server accepts requests, so that errors are reported.
    let client = try await context.open(for: .reading)
    let stored = try await client.store.catalog()
    guard stored.version > 0 else { throw DataError.noStore(client.address.description) }
    await context.closeClients()
    let size = size(of: client.choice)
    let fewerConnections = try limitConnections(&options, for: size)
    if let methods {
      options.methods = try Methods(
        in: Files.absolute(methods, in: context.console.folder), userID: context.console.userID,
        environment: [
          "PATH": context.console.variable("PATH") ?? "/usr/local/bin:/usr/bin:/bin",
          "DATACTL_STORE": client.address.complete,
        ])
    }
    let console = context.console
    let clients = try ClientPool(size) {
      [environment = context.environment] (executor, alarm, lockTimeout) throws(DataError) in
      try await Client.open(
        client.choice, for: .writing, in: environment, executor: executor,
        lockTimeout: lockTimeout, alarm: alarm, idleReaders: 2)
    }
    let service = APIService(
      clients, ServedProgram(console: console), options, store: client.address.description,
      now: console.now, log: { line in try? console.errors.write(line) })
    SignalHandler.allowSeconds(Self.grace + 4)
    await Self.startConcurrency()
    let server = try HTTPServer(
      on: options.addresses, tls: options.tls, limits: options.limits, service: service)
    // A terminal sends SIGHUP when it is closed.
    if !console.errors.isTerminal { SignalHandler.reloadOnHangUp() }
    for address in server.addresses {
      let isEncrypted = options.tls != nil && address.isTCP
      try context.console.errors.write(
        "Serving \(client.address) at \(address.location(isEncrypted: isEncrypted))\n")
    }
    try context.printMessage(
      [fewerConnections, commonSignUps(of: stored.catalog)].compactMap(\.self))
    if let methods, let served = options.methods {
      try context.printMessage(served.problems(of: context.files.names(in: methods)))
    }
    await waitForSignal(on: console) { reload(server, with: context) }
    service.refuseRequests()
    await server.stop(within: Self.grace)
    await clients.close()
    if console.signal() == .hangUp { throw DataError.interrupted }
  }

  /// Lowers the maximum number of connections if the process may not open enough files. Some
  /// descriptors must always remain free, because libdispatch aborts the process if it cannot open
  /// a file.
  ///
  /// - Returns: A message if fewer connections are possible than `--connections` asks for, or nil.
  private func limitConnections(
    _ options: inout ServerOptions, for size: ClientPool.Size
  ) throws(DataError) -> String? {
    let addresses = options.addresses.count
    let clients =
      switch size {
      case .separate(let readers): readers + 1 + Processors.count
      case .common(let count): count
      }
    // Each client has two pipes and at most seven files, each thread that hashes passwords or
    // answers anonymous requests has a pipe, and each event loop has two descriptors.
    let threads = Processors.count + size.anonymousThreads
    let otherFiles =
      32 + 11 * clients + 2 * threads + addresses * (1 + 2 * options.limits.threads)
    let connections = options.limits.connections
    let needed = connections * addresses + otherFiles
    // Each connection can also need a temporary file, for a long response.
    let limit = CurrentProcess.permitOpenFiles(needed + connections * addresses)
    AnonymousTempFile.limitDescriptors(to: limit - otherFiles / 2)
    guard limit < needed else { return nil }
    let possible = (limit - otherFiles) / addresses
    guard possible >= min(Self.minConnections, connections) else {
      throw DataError(
        .failed, "the limit of open files is too low: it is \(limit)",
        hint: "--connections \(connections) needs ulimit -n \(needed)")
    }
    options.limits.connections = possible
    return "At most \(possible) connections are possible on each address: "
      + "--connections \(connections) needs ulimit -n \(needed), and the limit is \(limit)."
  }

  /// Returns a message if anonymous clients can create users, but some of them have no address.
  private func commonSignUps(of catalog: Catalog) -> String? {
    let rules = catalog.userSchema?.access[.create] ?? []
    guard let address = options.addresses.first(where: { !$0.isTCP }), !options.trustsProxy,
      rules.contains(where: { $0 == .anyone || $0.condition != nil })
    else { return nil }
    return "Clients of \(address.text) have no address: --signups \(options.maxSignUps) limits the "
      + "users of all of them together."
  }

  /// Makes Swift's concurrency runtime open its files and load its libraries now. Without this
  /// call, it would do so when a task first sleeps. If clients used all file descriptors by then,
  /// opening the files would fail, and the process would be aborted.
  private static func startConcurrency() async {
    await Task.detached { try? await Task.sleep(for: .milliseconds(1)) }.value
  }

  /// Reads the certificate and its key again, because they may have been renewed.
  private func reload(_ server: HTTPServer, with context: CommandContext) {
    var message = "There is no certificate to read again."
    do throws(DataError) {
      if let tls = try readTLS(with: context) {
        try server.use(tls)
        message = "The certificate was read again."
      }
    } catch {
      let problem = error.problems[0].printed
      let parts = [problem.file, problem.message, problem.hint].compactMap(\.self)
      message = "The certificate was not replaced: \(parts.joined(separator: ": "))"
    }
    try? context.printMessage(message)
  }

  private func readTLS(with context: CommandContext) throws(DataError) -> HTTPServer.TLS? {
    guard let certificate, let key else { return nil }
    return HTTPServer.TLS(
      key: try text(of: key, with: context), certificate: try text(of: certificate, with: context))
  }

  private func size(of choice: StoreChoice) -> ClientPool.Size {
    switch choice.address.kind {
    case .file, .memory: .separate(readers: 4)
    case .postgres, .server: .common(pool)
    }
  }

  private func text(of path: String, with context: CommandContext) throws(DataError) -> String {
    let bytes = try context.input(path, for: "a certificate").readAll(atMost: 1 << 20)
    guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
      throw DataError(
        Problem(.invalidConfiguration, "expected a certificate or a key in PEM", file: path))
    }
    return text
  }

  /// Waits until a signal asks the program to stop.
  ///
  /// - Parameter reload: Called when SIGHUP asks the program to read the TLS certificate again.
  private func waitForSignal(on console: Console, reload: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      let status = DetachedThread.run {
        while console.signal() == nil {
          _ = try? Descriptor.wait(for: .input, of: -1, alarm: SignalHandler.alarm)
          if SignalHandler.consumeReload() { reload() }
        }
        continuation.resume()
      }
      if status != 0 { continuation.resume() }
    }
  }
}

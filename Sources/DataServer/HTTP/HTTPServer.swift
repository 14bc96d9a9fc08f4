internal import CMicroHTTP
package import DataModel
internal import Platform
internal import Synchronization

/// An HTTP server, implemented with libmicrohttpd. By default, it has one event loop per processor
/// for each address.
package final class HTTPServer: Sendable {
  /// The version of libmicrohttpd, or nil if it cannot be opened.
  package static var libraryVersion: String? { MicroHTTP.version }

  /// The limits of connections and requests.
  package struct Limits: Sendable {
    package var connections = 1_000
    package var connectionsPerAddress = 100
    /// The maximum number of requests in progress for each address in `X-Forwarded-For`.
    package var connectionsPerForwardedAddress = 100
    /// The maximum size of a request's header in bytes.
    package var header = 32 << 10
    /// The time within which a header must have been received, in seconds.
    package var headerSeconds = 30.0
    /// The time after which a connection is closed if no byte is sent or received, in seconds.
    package var idleSeconds = 60
    /// The time without progress after which a request is canceled, in seconds.
    package var requestSeconds = 60.0
    /// How fast a client without a session must send the body of a request.
    package var bodySpeed = BodySpeed()
    /// The number of event loops per address.
    package var threads = Processors.count

    package init() {}
  }

  /// How fast a client without a session must send the body of a request, so that few clients
  /// cannot occupy all connections.
  package struct BodySpeed: Sendable {
    /// The time within which the whole body must have been received, in seconds.
    package var seconds = 60.0
    /// The number of bytes that must be received in each second, on average.
    package var bytesPerSecond = 1_024.0
    /// The time in which the client may be slower, in seconds.
    package var grace = 10.0

    package init() {}

    /// Returns whether a client is too slow that has sent this number of bytes in this time.
    package func isTooSlow(bytes: Int, in seconds: Double) -> Bool {
      seconds > self.seconds || seconds > grace && Double(bytes) < seconds * bytesPerSecond
    }
  }

  /// A private key and a certificate in PEM.
  package struct TLS: Sendable {
    package var key: String
    package var certificate: String

    package init(key: String, certificate: String) {
      self.key = key
      self.certificate = certificate
    }
  }

  private struct Connections {
    /// The requests that have not ended.
    var exchanges: [ObjectIdentifier: Exchange] = [:]
    /// For each connection that waits for a header, the time at which it is closed.
    var headerDeadlines: [Int32: Double] = [:]
    var isStopped = false
  }

  let library: MicroHTTP
  let service: any HTTPService
  /// The addresses on which the server listens, with the port that the system has chosen in place
  /// of port 0.
  package let addresses: [ListenAddress]
  private let limits: Limits
  private let daemons = Mutex<[Daemon]>([])
  private let connections = Mutex(Connections())

  /// The event loops for one address (`struct MHD_Daemon`).
  private struct Daemon {
    let reference: UInt
    let endpoint: Endpoint
    /// The time at which this daemon stopped accepting connections, because the certificate was
    /// changed and a new daemon replaced it; nil if it has not been replaced.
    var end: Double?
  }

  /// A counter of connections, which several endpoints can share.
  private final class Counter: Sendable {
    let value = Atomic<Int>(0)
  }

  /// What the callbacks of libmicrohttpd need to know about one address on which the server
  /// listens.
  private final class Endpoint: Sendable {
    let socket: ListeningSocket
    let isEncrypted: Bool
    /// The number of open connections of this daemon only.
    let connections = Counter()
    /// The number of open connections to the address. It includes the connections of earlier
    /// daemons, which were replaced when the certificate was changed.
    let allConnections: Counter
    private let owner = Mutex<HTTPServer?>(nil)

    init(_ socket: ListeningSocket, isEncrypted: Bool, replacing previous: Endpoint? = nil) {
      self.socket = socket
      self.isEncrypted = isEncrypted
      allConnections = previous?.allConnections ?? Counter()
    }

    var server: HTTPServer? {
      get { owner.withLock { $0 } }
      set { owner.withLock { $0 = newValue } }
    }
  }

  /// Opens the addresses and begins to accept connections.
  package init(
    on addresses: [ListenAddress], tls: TLS?, limits: Limits, service: any HTTPService
  ) throws(DataError) {
    library = try MicroHTTP()
    self.limits = limits
    self.service = service
    var endpoints: [Endpoint] = []
    do throws(DataError) {
      for address in addresses {
        let isEncrypted = if case .tcp = address { tls != nil } else { false }
        endpoints.append(Endpoint(try ListeningSocket(address), isEncrypted: isEncrypted))
      }
    } catch {
      for endpoint in endpoints { endpoint.socket.close() }
      throw error
    }
    self.addresses = endpoints.map(\.socket.address)
    do throws(DataError) {
      for endpoint in endpoints { try start(endpoint, tls) }
    } catch {
      stopDaemons()
      throw error
    }
    let status = DetachedThread.run { [self] in watch() }
    guard status == 0 else {
      stopDaemons()
      throw DataError(.failed, "cannot start a thread: \(SystemCallError(number: status).text)")
    }
  }

  /// Uses another certificate for new connections. Open connections are not interrupted.
  package func use(_ tls: TLS) throws(DataError) {
    // libmicrohttpd cannot change the certificate of a daemon, so a new daemon replaces it.
    let previous = daemons.withLock { $0.filter { $0.end == nil && $0.endpoint.isEncrypted } }
    for daemon in previous {
      let socket = try daemon.endpoint.socket.duplicate()
      try start(Endpoint(socket, isEncrypted: true, replacing: daemon.endpoint), tls)
      close(daemon)
      let end = SystemClock.elapsed()
      daemons.withLock { daemons in
        for index in daemons.indices where daemons[index].reference == daemon.reference {
          daemons[index].end = end
        }
      }
    }
  }

  /// Stops accepting connections (`MHD_quiesce_daemon`).
  private func close(_ daemon: Daemon) {
    if let reference = unsafe OpaquePointer(bitPattern: daemon.reference) {
      _ = unsafe library.quiesce(reference)
    }
    daemon.endpoint.socket.close()
  }

  /// Stops the daemons that were replaced because the certificate was changed, as soon as they have
  /// no open connections.
  private func stopReplacedDaemons() {
    // A connection that was accepted in the last moment may not have been counted yet.
    let latest = SystemClock.elapsed() - 2
    let ended = daemons.withLock { daemons in
      let isEnded = { (daemon: Daemon) in
        daemon.end.map { $0 < latest } == true
          && daemon.endpoint.connections.value.load(ordering: .relaxed) == 0
      }
      defer { daemons.removeAll(where: isEnded) }
      return daemons.filter(isEnded)
    }
    for daemon in ended { stop(daemon) }
  }

  /// Stops accepting connections, waits until the requests have ended, and closes all connections.
  /// Requests that have not ended after the given time are canceled.
  package func stop(within seconds: Double) async {
    for daemon in daemons.withLock({ $0 }) where daemon.end == nil { close(daemon) }
    await waitForRequests(until: SystemClock.elapsed() + seconds)
    for exchange in exchanges {
      exchange.cancel(.shutdown)
      exchange.stopReceiving()
    }
    await waitForRequests(until: SystemClock.elapsed() + 2)
    connections.withLock { $0.isStopped = true }
    // If a connection is still suspended, stopping its daemon would abort the process. The daemon
    // is then not stopped: the process is about to exit, which closes the connection.
    if exchanges.isEmpty { stopDaemons() }
  }

  private func waitForRequests(until end: Double) async {
    while !exchanges.isEmpty, SystemClock.elapsed() < end {
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  /// The requests whose headers have been received and that have not ended.
  private var exchanges: [Exchange] {
    connections.withLock { Array($0.exchanges.values) }.filter(\.hasBegun)
  }

  private func stopDaemons() {
    let daemons = daemons.withLock { daemons in
      defer { daemons = [] }
      return daemons
    }
    for daemon in daemons { stop(daemon) }
  }

  private func stop(_ daemon: Daemon) {
    if let reference = unsafe OpaquePointer(bitPattern: daemon.reference) {
      unsafe library.stop(reference)
    }
    daemon.endpoint.server = nil
  }

  /// Starts the event loops for one address.
  private func start(_ endpoint: Endpoint, _ tls: TLS?) throws(DataError) {
    endpoint.server = self
    // The endpoint lives as long as the process, because its connections may outlive the server.
    let context = unsafe Unmanaged.passRetained(endpoint).toOpaque()
    var flags =
      datactl_mhd_use_polling_thread | datactl_mhd_use_epoll | datactl_mhd_allow_suspension
    var options = unsafe [
      option(datactl_mhd_option_unescape_callback, function: Self.unescape),
      option(datactl_mhd_option_uri_callback, function: Self.begin, context),
      option(datactl_mhd_option_completed, function: Self.complete, context),
      option(datactl_mhd_option_connection_callback, function: Self.connect, context),
      option(datactl_mhd_option_listen_socket, Int(endpoint.socket.descriptor)),
      option(datactl_mhd_option_connection_limit, limits.connections),
      option(datactl_mhd_option_memory_limit, limits.header * 2),
      option(datactl_mhd_option_timeout, limits.idleSeconds),
      // With the value 1, libmicrohttpd 0.9 itself rejects requests without the header `Host`, and
      // sends the header of the response twice. The service rejects these requests instead.
      option(datactl_mhd_option_strictness, library.isStrict ? 1 : 0),
    ]
    if !library.isStrict {
      flags |= datactl_mhd_use_error_log
      // The logger must be the first option.
      unsafe options.insert(
        option(datactl_mhd_option_logger, function: Self.log, context), at: 0)
    }
    if limits.connectionsPerAddress > 0 {
      unsafe options.append(
        option(datactl_mhd_option_address_limit, limits.connectionsPerAddress))
    }
    if limits.threads > 1 {
      unsafe options.append(option(datactl_mhd_option_thread_count, limits.threads))
    }
    let daemon: OpaquePointer?
    if let tls, endpoint.isEncrypted {
      flags |= datactl_mhd_use_tls
      unsafe daemon = tls.key.withCString { key in
        unsafe tls.certificate.withCString { certificate in
          var options = unsafe options
          unsafe options.append(option(datactl_mhd_option_tls_key, text: key))
          unsafe options.append(option(datactl_mhd_option_tls_certificate, text: certificate))
          return unsafe startDaemon(flags, options, context)
        }
      }
    } else {
      unsafe daemon = startDaemon(flags, options, context)
    }
    guard let daemon = unsafe daemon else {
      throw DataError(
        .failed, "cannot serve at \(endpoint.socket.address.text)",
        hint: endpoint.isEncrypted
          ? "check that --tls-key and --tls-cert are a key and its certificate in PEM" : nil)
    }
    let started = Daemon(reference: UInt(bitPattern: daemon), endpoint: endpoint)
    daemons.withLock { $0.append(started) }
  }

  private func startDaemon(
    _ flags: Int, _ options: [datactl_mhd_option], _ context: UnsafeMutableRawPointer
  ) -> OpaquePointer? {
    unsafe library.start(
      flags, options + [option(datactl_mhd_option_end, 0)], context, accepting: Self.accept,
      handling: Self.handle)
  }
}

/// Returns an option for `MHD_start_daemon` with the given number and value.
private func option(_ number: Int, _ value: Int) -> datactl_mhd_option {
  unsafe datactl_mhd_option(option: Int32(number), value: value, pointer: nil)
}

private func option(_ number: Int, text: UnsafePointer<CChar>) -> datactl_mhd_option {
  unsafe datactl_mhd_option(
    option: Int32(number), value: 0, pointer: UnsafeMutableRawPointer(mutating: text))
}

private func option<Function>(
  _ number: Int, function: Function, _ context: UnsafeMutableRawPointer? = nil
) -> datactl_mhd_option {
  unsafe datactl_mhd_option(
    option: Int32(number), value: unsafeBitCast(function, to: Int.self), pointer: context)
}

/// The callbacks of libmicrohttpd, which run on the threads of its event loops.
extension HTTPServer {
  private static func endpoint(_ context: UnsafeMutableRawPointer?) -> Endpoint? {
    unsafe context.map { unsafe Unmanaged<Endpoint>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func exchange(
    _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> Exchange? {
    guard let pointer = unsafe request?.pointee else { return nil }
    return unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Prevents libmicrohttpd from decoding percent-encoded texts. Paths and queries are decoded
  /// later, after they have been split.
  private static let unescape: datactl_mhd_unescape_callback = { _, _, text in
    guard let text = unsafe text else { return 0 }
    return unsafe String(cString: text).utf8.count
  }

  /// Returns whether a new connection is accepted. It is refused if too many connections to the
  /// address are open. libmicrohttpd limits the connections of each daemon. This function also
  /// counts those of earlier daemons, which were replaced when the certificate was changed.
  private static let accept: datactl_mhd_accept_policy = { context, _, _ in
    guard let endpoint = unsafe endpoint(context), let server = endpoint.server else {
      return Int32(datactl_mhd_no)
    }
    let count = endpoint.allConnections.value.load(ordering: .relaxed)
    return Int32(count < server.limits.connections ? datactl_mhd_yes : datactl_mhd_no)
  }

  /// Called when a connection is opened or closed.
  private static let connect: datactl_mhd_connection_callback = { context, connection, _, code in
    guard let endpoint = unsafe endpoint(context), let server = endpoint.server,
      let connection = unsafe connection
    else { return }
    let descriptor = unsafe server.library.descriptor(of: connection)
    let isStarted = Int(code) == datactl_mhd_connection_started
    for counter in [endpoint.connections, endpoint.allConnections] {
      counter.value.add(isStarted ? 1 : -1, ordering: .relaxed)
    }
    if isStarted {
      server.awaitHeader(descriptor, for: server.limits.headerSeconds)
    } else {
      server.connections.withLock { $0.headerDeadlines[descriptor] = nil }
    }
  }

  /// Called with the target of a request, before its headers are read.
  private static let begin: datactl_mhd_uri_callback = { context, target, connection in
    guard let endpoint = unsafe endpoint(context), let server = endpoint.server,
      let connection = unsafe connection
    else { return nil }
    let address = unsafe server.library.address(of: connection)
    let head = RequestHead(
      id: RequestID.next(), method: "",
      target: unsafe target.map { unsafe String(cString: $0) } ?? "",
      isHTTP10: false, address: unsafe ConnectionSocket.address(address),
      endpoint: endpoint.socket.address, isEncrypted: endpoint.isEncrypted)
    let descriptor = unsafe server.library.descriptor(of: connection)
    let exchange = unsafe Exchange(server, connection, head, descriptor)
    server.connections.withLock { $0.exchanges[ObjectIdentifier(exchange)] = exchange }
    return unsafe Unmanaged.passRetained(exchange).toOpaque()
  }

  /// Called when the header of a request, a part of its body, or its end has arrived, and when the
  /// connection has been resumed.
  private static let handle: datactl_mhd_handler = {
    context, connection, path, method, version, body, size, request in
    guard let server = unsafe endpoint(context)?.server, let connection = unsafe connection,
      let exchange = unsafe exchange(request), let path = unsafe path,
      let method = unsafe method, let version = unsafe version
    else { return Int32(datactl_mhd_no) }
    let isOpen: Bool
    if let body = unsafe body, let size = unsafe size {
      let bytes = unsafe UnsafeRawBufferPointer(start: body, count: size.pointee)
      isOpen = unsafe exchange.receive(bytes.bindMemory(to: UInt8.self).span)
      unsafe size.pointee = 0
    } else if exchange.hasBegun {
      isOpen = exchange.proceed()
    } else {
      var head = exchange.head
      head.method = unsafe String(cString: method)
      head.isHTTP10 = unsafe String(cString: version) == "HTTP/1.0"
      head.size = unsafe server.library.headerSize(of: connection)
      var reader = unsafe HeaderReader(
        method: method, path: path, targetSize: head.target.utf8.count, version: version)
      unsafe server.library.readHeaders(of: connection) { unsafe reader.add($0, $1) }
      head.headers = reader.headers
      // Later versions reject these requests themselves.
      head.isComplete = unsafe server.library.isStrict || reader.hasRead(head.size, from: method)
      head.useOriginForm()
      let descriptor = unsafe server.library.descriptor(of: connection)
      server.connections.withLock { $0.headerDeadlines[descriptor] = nil }
      isOpen = exchange.begin(head)
    }
    return Int32(isOpen ? datactl_mhd_yes : datactl_mhd_no)
  }

  /// Called when a request has ended, even if its response was not sent completely.
  private static let complete: datactl_mhd_completion = { context, connection, request, reason in
    guard let pointer = unsafe request?.pointee else { return }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
    unsafe request?.pointee = nil
    if let server = unsafe endpoint(context)?.server, let connection = unsafe connection {
      let descriptor = unsafe server.library.descriptor(of: connection)
      server.connections.withLock { $0.exchanges[ObjectIdentifier(exchange)] = nil }
      let seconds = Double(server.limits.idleSeconds) + server.limits.headerSeconds
      server.awaitHeader(descriptor, for: seconds)
    }
    exchange.finish(isComplete: Int(reason) == datactl_mhd_request_completed)
  }

  private func awaitHeader(_ descriptor: Int32, for seconds: Double) {
    let deadline = SystemClock.elapsed() + seconds
    connections.withLock { $0.headerDeadlines[descriptor] = deadline }
  }

  /// Called when libmicrohttpd 0.9 logs an error, before it handles the error. If a header contains
  /// an invalid `Content-Length`, libmicrohttpd would send the header of its response twice, so the
  /// response is sent here instead. The service never sees such a request.
  private static let log: datactl_mhd_log = { context, _, _ in
    guard let server = unsafe endpoint(context)?.server else { return }
    // The error does not tell its connection. It is one of those that this thread reads.
    let thread = CurrentThread.id
    let exchanges = server.connections.withLock { Array($0.exchanges.values) }
    for exchange in exchanges where exchange.readsHeader(on: thread) { exchange.checkLength() }
  }
}

/// The thread that watches all requests. It applies time limits that libmicrohttpd does not have,
/// and detects clients that have disconnected.
extension HTTPServer {
  /// Runs until the server is stopped. Closes a connection if its header takes too long. Cancels a
  /// request if its client has disconnected, or if the request makes no progress.
  private func watch() {
    while !connections.withLock({ $0.isStopped }) {
      _ = try? Descriptor.wait(for: .input, of: -1, alarm: nil, seconds: 0.5)
      let now = SystemClock.elapsed()
      let exchanges = connections.withLock { connections in
        // While the lock is held, no descriptor is closed and used for another connection.
        for (descriptor, deadline) in connections.headerDeadlines where deadline < now {
          ConnectionSocket.end(descriptor)
          connections.headerDeadlines[descriptor] = nil
        }
        return Array(connections.exchanges.values)
      }
      for exchange in exchanges { exchange.limitBody(limits.bodySpeed, at: now) }
      let suspended = exchanges.compactMap { exchange in
        exchange.suspension.map { (exchange, $0) }
      }
      let closed = ConnectionSocket.closed(suspended.map(\.1.descriptor))
      for (index, (exchange, suspension)) in suspended.enumerated() {
        if closed[index] {
          exchange.cancel(.disconnected)
        } else if now - suspension.progress > limits.requestSeconds {
          exchange.cancel(.timeout)
        }
      }
      stopReplacedDaemons()
    }
  }
}

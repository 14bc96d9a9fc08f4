internal import CMicroHTTP
internal import Platform
internal import Synchronization

/// A request and its response.
///
/// The event loop of libmicrohttpd calls `begin` with the header, `receive` with each part of the
/// body, and `proceed` when the body is complete. While a task answers the request, the connection
/// is suspended; `reply` resumes it.
package final class Exchange: Sendable {
  /// The reason why a request is canceled.
  package enum Cancellation: Sendable {
    /// The client has closed the connection.
    case disconnected
    /// The request made no progress within the time limit.
    case timeout
    /// The server is stopping.
    case shutdown
  }

  private enum Phase {
    /// The header has not been read completely.
    case header
    /// The service checks whether the body may be sent.
    case checking
    case body
    /// The service computes the response.
    case running
    /// The response is being sent.
    case sending
  }

  private struct State {
    var phase = Phase.header
    var head: RequestHead
    var response: HTTPResponse?
    var task: Task<Void, Never>?
    /// When the request last made progress, on the monotonic clock.
    var progress: Double
    /// The number of bytes of the response's body that have been sent.
    var sent = 0
    /// The number of bytes by which the body of the request exceeds its limit.
    var excess = 0
    /// When the client began to send the body, on the monotonic clock. Nil if it has not begun, or
    /// if it may be slow, because its session was checked.
    var bodyBegan: Double?
    /// The address in `X-Forwarded-For` for which the request is counted.
    var countedAddress: String?
    /// Whether the next call of `proceed` must do nothing. This is the case after the service has
    /// checked the header: the event loop then calls `proceed` before it has read the body.
    var awaitsFirstCall = false
    /// Whether the request is being answered on the thread of the event loop. The connection is
    /// then not suspended.
    var isInline = false
    var user: String?
    var administrator: String?
    var match: Route.Match?
    var command: EndedCommand?
  }

  /// The body of the request, as far as it has been received.
  package let body = ByteStore(.kept)
  private let server: HTTPServer
  /// The address of `struct MHD_Connection`, which is valid until `finish` is called.
  private let connection: UInt
  private let descriptor: Int32
  /// The thread of the event loop to which the connection belongs.
  private let thread = CurrentThread.id
  private let began: Double
  private let state: Mutex<State>
  private let interruption = Interruption<Cancellation>()

  /// If a body exceeds its limit by fewer bytes than this, the client gets a response that states
  /// the limit. If the body is longer, the connection is closed.
  private static let excess = 16 << 20

  init(_ server: HTTPServer, _ connection: OpaquePointer, _ head: RequestHead, _ descriptor: Int32)
  {
    self.server = server
    self.connection = UInt(bitPattern: connection)
    self.descriptor = descriptor
    began = SystemClock.elapsed()
    state = Mutex(State(head: head, progress: began))
  }

  package var head: RequestHead { state.withLock { $0.head } }

  /// The id of the user of the session, or nil for an anonymous caller.
  package var user: String? {
    get { state.withLock { $0.user } }
    set { state.withLock { $0.user = newValue } }
  }

  /// The id of the administrator who sends the request for `user`, or nil if the user sends it.
  package var administrator: String? {
    get { state.withLock { $0.administrator } }
    set { state.withLock { $0.administrator = newValue } }
  }

  /// The route of the request; nil if there is none, or before the header was checked.
  var match: Route.Match? {
    get { state.withLock { $0.match } }
    set { state.withLock { $0.match = newValue } }
  }

  /// The command line that the request contained; nil if it contained none, or if the command has
  /// not ended.
  var command: EndedCommand? {
    get { state.withLock { $0.command } }
    set { state.withLock { $0.command = newValue } }
  }

  /// The address for which the request counts as a connection of a proxy; nil if it does not.
  var countedAddress: String? {
    get { state.withLock { $0.countedAddress } }
    set { state.withLock { $0.countedAddress = newValue } }
  }

  /// Who sends the request. A token counts even if its session has ended.
  var caller: ClientPool.Caller { head["authorization"] == nil ? .anonymous : .user }

  package var cancellation: Cancellation? { interruption.reason }

  /// The number of bytes of the response's body that have been sent.
  var sentCount: Int { state.withLock { $0.sent } }

  /// Restarts the time limit of the request, because the request has made progress.
  package func noteProgress() {
    let now = SystemClock.elapsed()
    state.withLock { $0.progress = now }
  }

  /// Registers a closure that interrupts the work for the request if it is canceled. Nil removes
  /// the closure.
  package func onCancellation(_ cancel: (@Sendable () -> Void)?) { interruption.set(cancel) }

  /// Cancels the work for the request. The client still gets a response, usually an error.
  package func cancel(_ reason: Cancellation) {
    guard interruption.interrupt(reason) else { return }
    state.withLock { $0.task }?.cancel()
  }

  /// Ends the connection if the client is still sending the body, so that the server can stop.
  func stopReceiving() {
    if state.withLock({ $0.phase == .body }) { ConnectionSocket.end(descriptor) }
  }

  /// Ends the connection if the client sends the body too slowly and has no session.
  func limitBody(_ speed: HTTPServer.BodySpeed, at now: Double) {
    let isSlow = state.withLock { state in
      guard state.phase == .body, let began = state.bodyBegan,
        speed.isTooSlow(bytes: body.count + state.excess, in: now - began)
      else { return false }
      state.bodyBegan = nil
      return true
    }
    guard isSlow else { return }
    if head["authorization"] == nil { return stopReceiving() }
    // Any client can send a text that looks like a token.
    Task.detached { [self] in
      if await server.service.check(self) != nil { stopReceiving() }
    }
  }

  /// Sends the response. Only the first call has an effect.
  package func reply(_ response: HTTPResponse) {
    let isSuspended = state.withLock { state in
      guard state.phase == .running, state.response == nil else { return false }
      state.response = response
      return !state.isInline
    }
    if isSuspended { resume() }
  }

  /// Sends a response if the service has sent none, so that the connection does not hang.
  package func replyIfMissing() {
    if state.withLock({ $0.response == nil }) { reply(HTTPResponse(500)) }
  }

  /// The descriptor of the connection and the time of the last progress if the connection is
  /// suspended; nil if the event loop watches it.
  var suspension: (descriptor: Int32, progress: Double)? {
    state.withLock { state in
      switch state.phase {
      case .checking, .running: (descriptor, state.progress)
      case .sending: state.response?.isStream == true ? (descriptor, state.progress) : nil
      case .header, .body: nil
      }
    }
  }

  private func resume() {
    guard let connection = unsafe OpaquePointer(bitPattern: connection) else { return }
    unsafe server.library.resume(connection)
  }

  private func suspend() {
    guard let connection = unsafe OpaquePointer(bitPattern: connection) else { return }
    unsafe server.library.suspend(connection)
  }
}

/// The functions that the event loop calls while it receives a request and sends the response.
extension Exchange {
  /// Receives the header.
  ///
  /// - Returns: Whether the connection stays open.
  func begin(_ head: RequestHead) -> Bool {
    state.withLock { $0.head = head }
    if let response = server.service.admit(self) {
      if head.hasBody { return send(response) }
      // libmicrohttpd closes a connection if the response is queued before the end of the request.
      state.withLock { state in
        state.phase = .running
        state.response = response
      }
      return true
    }
    let service = server.service
    guard service.checksBeforeBody(head) else {
      state.withLock { state in
        state.phase = .body
        state.bodyBegan = SystemClock.elapsed()
      }
      return true
    }
    suspend()
    state.withLock { state in
      state.phase = .checking
      state.awaitsFirstCall = true
      state.task = Task.detached { [self] in
        let response = await service.check(self)
        self.state.withLock { state in
          state.response = response
          state.task = nil
          if response == nil {
            state.phase = .body
            if state.head["authorization"] == nil { state.bodyBegan = SystemClock.elapsed() }
          }
        }
        resume()
      }
    }
    return true
  }

  /// Whether the header has been received.
  var hasBegun: Bool { state.withLock { $0.phase != .header } }

  /// Whether the event loop of the given thread is reading the header.
  func readsHeader(on thread: UInt) -> Bool { self.thread == thread && !hasBegun }

  /// Refuses the request if `Content-Length` is invalid, as far as the header has been read. Sends
  /// the response without libmicrohttpd, and ends the connection.
  func checkLength() {
    guard let connection = unsafe OpaquePointer(bitPattern: connection) else { return }
    var length: String?
    unsafe server.library.readHeaders(of: connection) { name, value in
      let name = unsafe String(decoding: name, as: UTF8.self).lowercased()
      guard length == nil, name == "content-length" else { return }
      length = unsafe String(decoding: value, as: UTF8.self)
    }
    guard let length, UInt64(length) == nil || !RequestHead.isNumber(length) else { return }
    let isTooLarge = RequestHead.isNumber(length)
    state.withLock { state in
      state.phase = .sending
      state.response = HTTPResponse(isTooLarge ? 413 : 400)
    }
    let status = isTooLarge ? "413 Content Too Large" : "400 Bad Request"
    // An encrypted connection is closed without a response.
    if !head.isEncrypted {
      ConnectionSocket.send(
        "HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", on: descriptor)
    }
    ConnectionSocket.end(descriptor)
  }

  /// Receives a part of the body. Returns false if the connection must be closed.
  func receive(_ bytes: Span<UInt8>) -> Bool {
    let limit = server.service.maxBodySize(of: head)
    if body.count <= limit { return (try? body.append(bytes)) != nil }
    let excess = state.withLock { state in
      state.excess += bytes.count
      return state.excess
    }
    return excess < Self.excess
  }

  /// Continues the request after its header or its whole body was received, or after the connection
  /// was resumed. Returns false if the connection must be closed.
  func proceed() -> Bool {
    let (phase, response) = state.withLock { ($0.phase, $0.response) }
    switch phase {
    case .header, .sending: return true
    case .checking, .running:
      guard let response else { return true }
      return send(response)
    case .body:
      if isFirstCallAfterCheck() { return true }
      return start()
    }
  }

  /// Returns whether this is the first call of `proceed` after the service has checked the header.
  /// The body has not been read at this time, so the request cannot be answered yet.
  private func isFirstCallAfterCheck() -> Bool {
    state.withLock { state in
      defer { state.awaitsFirstCall = false }
      return state.awaitsFirstCall
    }
  }

  private func start() -> Bool {
    body.finish()
    let service = server.service
    noteProgress()
    state.withLock { state in
      state.phase = .running
      state.isInline = true
    }
    if service.answerInline(self) {
      let response = state.withLock { state in
        state.isInline = false
        // A reply that comes later resumes the connection.
        if state.response == nil { suspend() }
        return state.response
      }
      return response.map(send) ?? true
    }
    suspend()
    state.withLock { state in
      state.isInline = false
      state.task = Task.detached { [self] in
        await service.answer(self)
        replyIfMissing()
      }
    }
    return true
  }

  /// Queues the response. Returns false if the connection must be closed.
  private func send(_ response: HTTPResponse) -> Bool {
    state.withLock { state in
      state.phase = .sending
      state.response = response
    }
    guard let connection = unsafe OpaquePointer(bitPattern: connection) else { return false }
    return unsafe server.queue(response, of: self, on: connection)
  }

  /// Reads a part of the response's body for the event loop. Suspends the connection if no bytes
  /// are available.
  ///
  /// - Parameter compressor: Compresses the bytes, or nil to send them as they are.
  func read(
    _ store: ByteStore, _ compressor: ResponseCompressor?, at position: Int,
    into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    let piece: ByteStore.Piece
    var offset = position
    if let compressor {
      unsafe (piece, offset) = compressor.read(into: buffer)
    } else {
      var bytes: [UInt8] = []
      piece = store.read(at: position, into: &bytes, atMost: buffer.count)
      unsafe buffer.copyBytes(from: bytes)
    }
    switch piece {
    case .bytes(let count):
      state.withLock { $0.sent += count }
      return count
    case .end: return datactl_mhd_end_of_stream
    case .failure: return datactl_mhd_end_with_error
    case .pending:
      suspend()
      store.whenReadable(after: offset) { [self] in resume() }
      return 0
    }
  }

  /// Called by the event loop when the request has ended. The connection must not be used after
  /// this.
  func finish(isComplete: Bool) {
    if !isComplete { cancel(.disconnected) }
    let outcome = state.withLock { state in
      var bytes = state.sent
      if let response = state.response, !response.isCompressed,
        case .bytes(let body) = response.body
      {
        bytes = body.count
      }
      return ExchangeOutcome(
        status: state.response?.status, bytes: bytes,
        milliseconds: (SystemClock.elapsed() - began) * 1_000, isComplete: isComplete)
    }
    server.service.finished(self, outcome)
  }
}

extension HTTPResponse {
  /// Whether the body is still being computed when it is sent.
  fileprivate var isStream: Bool {
    switch body {
    case .bytes: false
    case .store(_, let count): count == nil
    }
  }
}

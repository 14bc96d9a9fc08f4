internal import ClientCore
internal import DataModel
internal import DataOutput
internal import Platform

extension Route {
  static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE"].map { name in
    // The server does not know what a program changes, so methods cannot be combined with
    // `--read-only`. Requests other than GET count as writes. They cannot have headers such as
    // `If-Match`, because the program would not receive them.
    Route(
      name, "methods/METHOD", name == "GET" ? .reads : .writes, "Call a method.", body: .content,
      conditions: []
    ) { request in try await request.callMethod() }
  }
}

extension APIRequest {
  fileprivate func callMethod() async throws -> HTTPResponse {
    guard let methods = service.options.methods else {
      throw DataError(.notFound, "the server has no methods")
    }
    let (path, method) = try methods.method(values.method)
    exchange.match?.name = "/v1/methods/\(values.method)"
    try await withClient(for: .reading) { client in
      try await client.check(method.rules, "call the method \(values.method)")
    }
    return try await methods.limitingCalls {
      let call = try MethodCall(self, path, seconds: method.seconds, methods)
      let result: Result<MethodCall.Output, any Error> = await withCheckedContinuation {
        continuation in
        // The thread blocks while the program runs.
        let status = DetachedThread.run {
          continuation.resume(returning: Result { try call.run() })
        }
        guard status != 0 else { return }
        let text = SystemCallError(number: status).text
        continuation.resume(
          returning: .failure(DataError(.failed, "cannot start a thread: \(text)")))
      }
      return try response(try result.get())
    }
  }

  /// Converts the output of a method's program to a response. Throws an error if the program
  /// failed.
  private func response(_ output: MethodCall.Output) throws -> HTTPResponse {
    service.logErrors(output.errors, of: head)
    let found: CGIResponse
    switch output.ending {
    case .exited(0):
      do throws(CGIResponse.ParseError) {
        found = try CGIResponse(parsing: output.bytes)
      } catch {
        throw failure(502, error.message)
      }
    case .exited(let status): throw failure(502, "exit status \(status)")
    case .signaled(let signal): throw failure(502, "ended by signal \(signal)")
    }
    return HTTPResponse(
      found.status, headers: found.headers.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 },
      body: .bytes(Array(found.body)))
  }

  fileprivate func failure(_ status: Int, _ reason: String) -> HTTPError {
    HTTPError(status, .failed, "the method \(values.method) failed: \(reason)")
  }
}

/// One call of a method: the program to run, and the request that it answers.
private struct MethodCall: Sendable {
  /// What a method's program has written, and how it ended.
  struct Output: Sendable {
    var bytes: [UInt8] = []
    var errors: [UInt8] = []
    var ending = ChildProcess.Ending.exited(status: 0)
  }

  private static let maxOutputSize = 10 << 20
  /// The maximum number of bytes from stderr that are logged.
  private static let maxErrorsSize = 64 << 10

  private let request: APIRequest
  private let path: String
  private let seconds: Int
  private let environment: [String: String]
  private let input: AnonymousTempFile
  private let alarm: WakePipe

  /// Prepares the call. The body of the request is copied to a temporary file, which becomes the
  /// standard input of the program.
  init(_ request: APIRequest, _ path: String, seconds: Int, _ methods: Methods) throws {
    self.request = request
    self.path = path
    self.seconds = seconds
    environment = methods.environment.merging(Self.variables(request)) { $1 }
    input = try AnonymousTempFile()
    alarm = try WakePipe.open()
    try request.body.forEachPiece { [input] (piece) throws(DataError) in try input.write(piece) }
    try input.rewind()
  }

  /// The environment variables that describe a request (CGI, RFC 3875, section 4.1). They contain
  /// no header of the request except the type of the body.
  private static func variables(_ request: APIRequest) -> [String: String] {
    let head = request.head
    var variables = [
      "GATEWAY_INTERFACE": "CGI/1.1", "SERVER_PROTOCOL": head.isHTTP10 ? "HTTP/1.0" : "HTTP/1.1",
      "SERVER_SOFTWARE": "datactl/\(Client.version)", "REQUEST_METHOD": head.method,
      "SCRIPT_NAME": "/v1/methods/\(request.values.method)", "QUERY_STRING": String(head.query),
      "REMOTE_ADDR": request.address,
    ]
    if case .tcp(let host, let port) = head.endpoint {
      variables["SERVER_NAME"] = host
      variables["SERVER_PORT"] = "\(port)"
    }
    if head.hasBody {
      variables["CONTENT_LENGTH"] = "\(request.body.count)"
      variables["CONTENT_TYPE"] = head["content-type"]
    }
    if let user = request.exchange.user {
      variables["REMOTE_USER"] = user
      variables["DATACTL_USER"] = user
    }
    // A variable cannot contain NUL.
    return variables.filter { !$0.value.utf8.contains(0) }
  }

  /// Runs the program, and returns its output after it has ended. If it takes too long, if it
  /// writes too much, or if the request is canceled, ends its processes and throws an error.
  func run() throws -> Output {
    let exchange = request.exchange
    exchange.onCancellation { [alarm] in alarm.wake() }
    defer { exchange.onCancellation(nil) }
    var output = Output()
    var process: ChildProcess
    do throws(SystemCallError) {
      process = try ChildProcess(
        path, environment: environment, input: input.descriptor)
    } catch {
      throw request.failure(502, "it cannot be started: \(error.text)")
    }
    let deadline = SystemClock.elapsed() + Double(seconds)
    while true {
      let ending = process.advance(
        output: &output.bytes, errors: &output.errors, alarm: alarm.reading)
      output.errors.removeLast(max(0, output.errors.count - Self.maxErrorsSize))
      if output.bytes.count > Self.maxOutputSize {
        throw request.failure(502, "it wrote more than \(Self.maxOutputSize >> 20) MB")
      }
      if let ending {
        output.ending = ending
        return output
      }
      if exchange.cancellation != nil { throw DataError.interrupted }
      if SystemClock.elapsed() > deadline {
        throw HTTPError(
          504, .interrupted, "the method took longer than \(seconds) seconds")
      }
      exchange.noteProgress()
    }
  }
}

internal import CCurl
internal import DataAPI
package import DataModel
internal import JSONText
internal import Platform

/// An HTTP request to a datactl server.
package struct ServerRequest {
  package var method: String
  /// The path of the URL after `/v1`, with the query.
  package var path: String
  package var headers: [(name: String, value: String)]
  package var body: RequestBody?
  /// The time in seconds after which the request fails, or nil if there is no limit.
  package var timeLimit: Double?

  package init(
    _ method: String, _ path: String, headers: [(name: String, value: String)] = [],
    body: RequestBody? = nil
  ) {
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
  }
}

/// The HTTP response of a datactl server.
package struct ServerResponse: Sendable {
  package internal(set) var status = 0
  /// The headers, with their names in lowercase.
  package internal(set) var headers: [(name: String, value: String)] = []
  /// The body, unless a `ResponseReceiver` has received it.
  package internal(set) var body: [UInt8] = []

  /// Whether the body is what the request asked for: the whole content, or a range of it.
  package var isSuccess: Bool { [200, 201, 206].contains(status) }

  /// The value of a header, or nil if it is missing. `name` is in lowercase.
  package subscript(name: String) -> String? { headers.last { $0.name == name }?.value }

  /// The media type of the body without parameters, such as `application/json`.
  package var mediaType: String { ContentType.mediaType(of: self["content-type"] ?? "") }
}

/// An object that receives the body of a successful response.
package protocol ResponseReceiver: AnyObject {
  /// The media type that the receiver expects of a body, or nil if it receives any type.
  var mediaType: String? { get }

  /// Whether the receiver can receive the body again from its beginning, although a part of it has
  /// arrived. A request that reads is then repeated if the connection is cut.
  var canRestart: Bool { get }

  /// Called before each attempt to send the request. Each attempt receives the body from its
  /// beginning.
  func begin()

  /// Receives the status and the headers of the response, before the first part of the body.
  func receive(header: ServerResponse)

  /// Receives a part of the body. Throws `invalidResponse` if the part does not conform to the API.
  /// Throws another error if the receiver cannot use the part, for example because a file cannot be
  /// written.
  func receive(_ bytes: Span<UInt8>) throws(DataError)
}

extension ResponseReceiver {
  package var canRestart: Bool { false }

  package func receive(header: ServerResponse) {}
}

extension DataError {
  /// The error for a response that does not conform to the API. `RemoteServer` adds the address of
  /// the server to the message.
  package static func invalidResponse(_ reason: String) -> DataError {
    DataError(.notAStore, reason)
  }
}

/// The reason why a request failed without a complete response.
enum TransferError: Error {
  /// A signal asked the program to stop.
  case interrupted
  /// The request was not sent, because there is no connection to the server.
  case notConnected(String, hint: String? = nil)
  /// A proxy responded with this status, because it cannot reach the server, or has lost the
  /// connection to it.
  case lostByProxy(Int)
  /// The connection was cut before the response was complete. `hasBegun` is true if a part of the
  /// body has arrived.
  case cut(String, hasBegun: Bool)
  /// The request failed for a reason other than the connection. For example, the response could not
  /// be written to a file.
  case unusable(DataError)
}

/// The connections to a server, which are kept open between requests.
@safe final class ServerConnection {
  private let curl: Curl
  private let address: ServerAddress
  private let multi: OpaquePointer
  /// A descriptor that becomes readable when the program must stop.
  private let alarm: Int32?
  private let variable: @Sendable (String) -> String?

  /// - Parameter variable: Returns the value of an environment variable, or nil if it is not set.
  init(
    to address: ServerAddress, alarm: Int32?, variable: @escaping @Sendable (String) -> String?
  ) throws(DataError) {
    curl = try Curl()
    guard let multi = unsafe curl.newMulti() else {
      throw DataError(.failed, "libcurl cannot be initialized")
    }
    unsafe self.multi = multi
    self.address = address
    self.alarm = alarm
    self.variable = variable
  }

  deinit { _ = unsafe curl.freeMulti(multi) }

  /// Sends a request, and returns the response.
  ///
  /// - Parameters:
  ///   - receiver: An object that receives the body of a successful response if the body has the
  ///     media type that the receiver expects.
  ///   - connection: Whether a connection of an earlier request may be used. libcurl repeats a
  ///     request if such a connection turns out to be closed, so a request that must not be
  ///     repeated needs a new connection.
  func send(
    _ request: ServerRequest, to receiver: (any ResponseReceiver)?, on connection: Reuse
  ) throws(TransferError) -> ServerResponse {
    receiver?.begin()
    let transfer = Transfer(request.body, receiver)
    // libcurl has an unowned reference to the transfer until the handle is freed.
    defer { withExtendedLifetime(transfer) {} }
    guard let easy = unsafe curl.newEasy() else {
      throw .unusable(DataError(.failed, "libcurl cannot be initialized"))
    }
    defer { unsafe curl.freeEasy(easy) }
    let list = unsafe list(of: request.headers)
    defer { unsafe curl.freeList(list) }
    unsafe configure(easy, request, transfer)
    unsafe curl.set(datactl_curl_option_http_headers, UnsafeRawPointer(list), of: easy)
    if connection == .never {
      unsafe curl.set(datactl_curl_option_fresh_connection, 1, of: easy)
    }
    guard unsafe curl.add(multi, easy) == datactl_curl_ok else {
      throw .unusable(DataError(.failed, "libcurl cannot send the request"))
    }
    defer { _ = unsafe curl.remove(multi, easy) }
    try run(transfer)
    let result = result()
    if let error = transfer.error { throw .unusable(error) }
    guard result != datactl_curl_ok else {
      // libcurl reports success even if the connection was cut within the header.
      guard transfer.hasHeader else { throw .cut("the response is incomplete", hasBegun: false) }
      transfer.response.status = unsafe curl.status(of: easy)
      return transfer.response
    }
    throw error(result, transfer)
  }

  /// Whether a request may be sent on a connection that an earlier request opened.
  enum Reuse {
    case possible
    case never
  }

  /// Runs the transfer until it ends. If libcurl itself fails, throws `TransferError.cut`, as for a
  /// lost connection, because the request may already have been sent.
  private func run(_ transfer: Transfer) throws(TransferError) {
    var running: Int32 = 1
    while true {
      guard unsafe curl.perform(multi, &running) == datactl_curl_ok else {
        throw .cut("libcurl cannot send the request", hasBegun: transfer.hasBegun)
      }
      if running == 0 { return }
      var descriptor = datactl_curl_descriptor(
        descriptor: alarm ?? -1, events: Int16(datactl_curl_wait_input), received: 0)
      let status = unsafe curl.poll(multi, &descriptor, alarm == nil ? 0 : 1, 1_000, nil)
      guard status == datactl_curl_ok else {
        throw .cut("libcurl cannot wait for the response", hasBegun: transfer.hasBegun)
      }
      if Alarm.isRaised(alarm) { throw .interrupted }
    }
  }

  /// Returns libcurl's result code of the transfer that has ended (`curl_multi_info_read`).
  private func result() -> Int {
    var remaining: Int32 = 0
    while let message = unsafe curl.nextMessage(multi, &remaining) {
      if unsafe Int(message.pointee.kind) == datactl_curl_message_done {
        return unsafe Int(message.pointee.data.result)
      }
    }
    return datactl_curl_no_response
  }

  private func error(_ result: Int, _ transfer: Transfer) -> TransferError {
    var text = transfer.errorText
    if text.isEmpty, let description = unsafe curl.describe(Int32(result)) {
      text = unsafe String(cString: description)
    }
    switch result {
    case datactl_curl_not_connected where address.socket != nil:
      // libcurl names a port, which the socket does not have.
      return .notConnected("no server listens on the socket, or you may not use it")
    case datactl_curl_bad_certificate:
      return .notConnected(
        text, hint: "to trust another certificate, set SSL_CERT_FILE to a file that contains it")
    case datactl_curl_bad_proxy, datactl_curl_unknown_host, datactl_curl_not_connected,
      datactl_curl_no_encryption, datactl_curl_bad_certificates:
      return .notConnected(text)
    default:
      return .cut(text, hasBegun: transfer.hasBegun)
    }
  }

  private func list(of headers: [(name: String, value: String)]) -> OpaquePointer? {
    var list: OpaquePointer?
    for header in headers {
      // libcurl omits a header without a value, unless its name ends with a semicolon.
      let line = header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
      unsafe list = curl.appendToList(list, line)
    }
    return unsafe list
  }

  private func configure(_ easy: OpaquePointer, _ request: ServerRequest, _ transfer: Transfer) {
    unsafe curl.set(datactl_curl_option_no_signal, 1, of: easy)
    unsafe curl.set(datactl_curl_option_url, "\(address.base)/v1\(request.path)", of: easy)
    unsafe curl.set(datactl_curl_option_user_agent, "datactl", of: easy)
    unsafe curl.set(
      datactl_curl_option_protocols,
      address.isEncrypted ? datactl_curl_protocol_https : datactl_curl_protocol_http, of: easy)
    unsafe curl.set(datactl_curl_option_connect_timeout, 30_000, of: easy)
    if let limit = request.timeLimit {
      unsafe curl.set(datactl_curl_option_timeout, Int(limit * 1_000), of: easy)
    }
    unsafe curl.set(datactl_curl_option_keep_alive, 1, of: easy)
    unsafe curl.set(datactl_curl_option_buffer_size, 256 << 10, of: easy)
    unsafe curl.set(datactl_curl_option_suppress_proxy_headers, 1, of: easy)
    if let socket = address.socket {
      unsafe curl.set(datactl_curl_option_socket_path, socket, of: easy)
    }
    if address.isEncrypted {
      // Other connections do not leave this machine, so compression would only take time.
      unsafe curl.set(datactl_curl_option_codings, "gzip", of: easy)
    } else {
      // Requests that are not encrypted must not leave this machine.
      unsafe curl.set(datactl_curl_option_proxy, "", of: easy)
    }
    // libcurl itself does not read these variables.
    if let file = variable("SSL_CERT_FILE"), !file.isEmpty {
      unsafe curl.set(datactl_curl_option_certificates, file, of: easy)
    }
    if let folder = variable("SSL_CERT_DIR"), !folder.isEmpty {
      unsafe curl.set(datactl_curl_option_certificate_folder, folder, of: easy)
    }
    let context = unsafe UnsafeRawPointer(Unmanaged.passUnretained(transfer).toOpaque())
    unsafe curl.set(
      datactl_curl_option_error_buffer, UnsafeRawPointer(transfer.errorBuffer), of: easy)
    unsafe curl.set(datactl_curl_option_write_function, Self.receive, of: easy)
    unsafe curl.set(datactl_curl_option_write_data, context, of: easy)
    unsafe curl.set(datactl_curl_option_header_function, Self.receiveHeader, of: easy)
    unsafe curl.set(datactl_curl_option_header_data, context, of: easy)
    if let body = request.body {
      unsafe curl.set(datactl_curl_option_post, 1, of: easy)
      unsafe curl.set(datactl_curl_option_body_size, offset: body.count, of: easy)
      unsafe curl.set(datactl_curl_option_read_function, Self.sendBody, of: easy)
      unsafe curl.set(datactl_curl_option_read_data, context, of: easy)
      unsafe curl.set(seek: Self.seekBody, of: easy)
      unsafe curl.set(datactl_curl_option_seek_data, context, of: easy)
    }
    unsafe curl.set(datactl_curl_option_method, request.method, of: easy)
  }
}

/// The functions that libcurl calls during a transfer: to pass on the response, and to read the
/// body of the request.
extension ServerConnection {
  /// A request that is being sent, and the part of its response that has arrived.
  @safe fileprivate final class Transfer {
    private static let maxBodySize = 16 << 20

    let errorBuffer: UnsafeMutablePointer<CChar>
    private let body: RequestBody?
    private let receiver: (any ResponseReceiver)?
    var response = ServerResponse()
    /// The offset of the next byte of the request's body.
    var position = 0
    var error: DataError?
    /// Whether the header of the response is complete.
    private(set) var hasHeader = false
    /// Whether a byte of the response's body has arrived.
    private(set) var hasBegun = false

    init(_ body: RequestBody?, _ receiver: (any ResponseReceiver)?) {
      self.body = body
      self.receiver = receiver
      unsafe errorBuffer = .allocate(capacity: datactl_curl_error_size)
      unsafe errorBuffer.initialize(repeating: 0, count: datactl_curl_error_size)
    }

    deinit { unsafe errorBuffer.deallocate() }

    var errorText: String { unsafe String(cString: errorBuffer) }

    func receiveHeader(_ line: String) {
      if line.hasPrefix("HTTP/") {
        // The final response can follow an interim response (1xx).
        response = ServerResponse()
        hasHeader = false
        response.status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      } else if line == "\r\n" || line == "\n" {
        hasHeader = true
      } else if let colon = line.firstIndex(of: ":") {
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        response.headers.append(
          (line[..<colon].lowercased(), String(value.prefix { !$0.isNewline })))
      }
    }

    func receive(_ bytes: Span<UInt8>) -> Bool {
      let isFirst = !hasBegun
      hasBegun = true
      do throws(DataError) {
        if let receiver, response.isSuccess,
          receiver.mediaType.map({ $0 == response.mediaType }) ?? true
        {
          if isFirst { receiver.receive(header: response) }
          try receiver.receive(bytes)
        } else if response.body.count + bytes.count <= Self.maxBodySize {
          response.body.append(copying: bytes)
        } else {
          throw .invalidResponse("it is longer than \(Self.maxBodySize) bytes")
        }
        return true
      } catch {
        self.error = error
        return false
      }
    }

    /// Returns the next bytes of the request's body, or nil if they cannot be read.
    func nextBytes(atMost limit: Int) -> [UInt8]? {
      var bytes: [UInt8] = []
      do throws(DataError) {
        try body?.read(at: position, into: &bytes, atMost: limit)
      } catch {
        self.error = error
        return nil
      }
      position += bytes.count
      return bytes
    }
  }

  private static func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let receive: datactl_curl_transfer = { buffer, size, count, context in
    guard let transfer = unsafe transfer(context) else { return 0 }
    let bytes = unsafe UnsafeRawBufferPointer(start: buffer, count: size * count)
    return unsafe transfer.receive(bytes.bindMemory(to: UInt8.self).span) ? size * count : 0
  }

  private static let receiveHeader: datactl_curl_transfer = { buffer, size, count, context in
    guard let transfer = unsafe transfer(context) else { return 0 }
    let bytes = unsafe UnsafeRawBufferPointer(start: buffer, count: size * count)
    unsafe transfer.receiveHeader(String(decoding: bytes, as: UTF8.self))
    return size * count
  }

  private static let sendBody: datactl_curl_transfer = { buffer, size, count, context in
    // `CURL_READFUNC_ABORT`
    guard let transfer = unsafe transfer(context), let buffer = unsafe buffer,
      let bytes = transfer.nextBytes(atMost: size * count)
    else { return 0x1000_0000 }
    unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
      .copyBytes(from: bytes)
    return bytes.count
  }

  private static let seekBody: datactl_curl_seek = { context, offset, origin in
    // libcurl seeks only from the beginning (`SEEK_SET`).
    guard let transfer = unsafe transfer(context), origin == 0 else { return 1 }
    transfer.position = Int(offset)
    return 0
  }
}

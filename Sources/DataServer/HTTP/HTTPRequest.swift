internal import DataAPI

/// The first line and the headers of a request, and what the server knows about its connection.
package struct RequestHead: Sendable {
  /// The id of the request, for the log and for error messages.
  package var id: String
  package var method: String
  /// The path and the query as they were sent.
  package var target: String
  package var isHTTP10: Bool
  /// The headers, with their names in lowercase.
  package var headers: [(name: String, value: String)] = []
  /// The size of the header in bytes.
  package var size = 0
  /// Whether all bytes of the header were parsed. This is not the case if it contains NUL, a line
  /// that continues the line before it, or a line that does not end with CR and LF.
  package var isComplete = true
  /// The address of the client: an IP address, or `unix`.
  package var address: String
  /// The server's address on which the request arrived.
  package var endpoint: ListenAddress
  /// Whether the connection is encrypted.
  package var isEncrypted: Bool

  /// The value of a header, or nil if it is missing. `name` is in lowercase. The values of a header
  /// that occurs several times are joined with commas.
  package subscript(name: String) -> String? {
    var joined: String?
    for header in headers where header.name == name {
      joined = joined.map { "\($0), \(header.value)" } ?? header.value
    }
    return joined
  }

  /// The path in the target, still percent-encoded.
  package var path: Substring { target[..<endOfPath] }

  /// The query in the target, still percent-encoded, without `?`.
  package var query: Substring { target[endOfPath...].dropFirst() }

  private var endOfPath: String.Index {
    target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
  }

  /// The size of the body according to `Content-Length`, or nil if it is unknown. A number that is
  /// too large for an integer counts as the largest integer.
  package var contentLength: Int? {
    self["content-length"].flatMap { Self.isNumber($0) ? Int($0) ?? .max : nil }
  }

  /// Returns whether a text consists of digits.
  static func isNumber(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }

  /// Whether a body follows the header. Also true if `Content-Length` is not a number, because the
  /// bytes of a body may follow.
  package var hasBody: Bool {
    self["transfer-encoding"] != nil || self["content-length"].map { $0 != "0" } ?? false
  }

  /// Whether the body is compressed with gzip (`Content-Encoding`).
  package var isCompressed: Bool {
    hasBody && ["gzip", "x-gzip"].contains(self["content-encoding"]?.lowercased())
  }

  /// The media type of the body in lowercase, without parameters; empty if it is not given.
  package var mediaType: String { ContentType.mediaType(of: self["content-type"] ?? "") }

  package var expectsContinue: Bool { self["expect"]?.lowercased() == "100-continue" }
}

extension RequestHead {
  /// If the target contains the name of the server, as in `http://shop.example/v1/health`, removes
  /// the name from the target, and uses it as the header `Host` (RFC 9112, section 3.2.2).
  package mutating func useOriginForm() {
    guard target.utf8.first != UInt8(ascii: "/"),
      let scheme = ["http://", "https://"].first(where: {
        target.prefix($0.count).lowercased() == $0
      })
    else { return }
    let name = target.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
    let path = target[name.endIndex...]
    // A request without exactly one header `Host` remains one, so that it is refused.
    for index in headers.indices where headers[index].name == "host" {
      headers[index].value = String(name)
    }
    target = path.utf8.first == UInt8(ascii: "/") ? String(path) : "/\(path)"
  }
}

extension RequestHead {
  /// Why other programs, such as a proxy, could understand the request differently, or nil if they
  /// cannot. They could disagree on where the request ends, so that a part of its body would be
  /// executed as a further request. The connection must be closed after such a request.
  var ambiguity: String? {
    guard isComplete else {
      return "the header is malformed: it contains NUL, or a line that does not end with CR and LF"
    }
    guard headers.allSatisfy({ Self.isToken($0.name) }) else {
      return "the name of a header is malformed"
    }
    guard !headers.contains(where: { $0.value.utf8.contains(where: Self.isControl) }) else {
      return "the value of a header contains a control character"
    }
    if target.utf8.contains(UInt8(ascii: " ")) {
      return "the target of the request contains a space"
    }
    if target.utf8.contains(where: { Self.isControl($0) || $0 == UInt8(ascii: "\t") }) {
      return "the target of the request contains a control character"
    }
    let hosts = headers.filter { $0.name == "host" }
    guard hosts.count == 1 || hosts.isEmpty && isHTTP10 else {
      return "expected one header Host, found \(hosts.count)"
    }
    let lengths = headers.filter { $0.name == "content-length" }
    let encoding = self["transfer-encoding"]
    guard lengths.isEmpty || encoding == nil, lengths.count < 2 else {
      return "the length of the body is given twice"
    }
    guard lengths.allSatisfy({ Self.isNumber($0.value) }) else {
      return "the header Content-Length is not a number"
    }
    guard let encoding else { return nil }
    if isHTTP10 { return "a request of HTTP 1.0 has no transfer encoding" }
    return encoding.lowercased() == "chunked" ? nil : "the transfer encoding must be chunked"
  }

  /// Returns whether a text is the name of a header (`token` in RFC 9110, section 5.6.2).
  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Returns whether a byte is a control character other than a tab.
  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7F
  }
}

/// The response to a request: its status, headers and body.
package struct HTTPResponse: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// The bytes of a `ByteStore`, including those that are appended later. `count` is their
    /// number, or nil if it is not known yet.
    case store(ByteStore, count: Int?)
  }

  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: Body
  /// Whether the connection is closed after the response.
  package var closesConnection = false
  /// Whether the body may be compressed. The contents of files are sent as they are.
  package var isCompressible = true
  /// Whether the body is compressed while it is sent.
  package var isCompressed = false

  package init(
    _ status: Int, headers: [(name: String, value: String)] = [], body: Body = .bytes([])
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  package init(_ status: Int, json: [UInt8]) {
    self.init(
      status, headers: [("Content-Type", ResponseFormat.json.contentType)], body: .bytes(json))
  }

  /// Sets a header, and replaces its previous value.
  package mutating func set(_ name: String, _ value: String) {
    headers.removeAll { $0.name == name }
    headers.append((name, value))
  }
}

extension RequestHead {
  /// The size in bytes above which responses are compressed. Compression would hardly make shorter
  /// responses smaller.
  private static let leastCompressedSize = 1_024

  /// Returns whether the response to this request is to be compressed.
  ///
  /// - Parameter size: The size of the response in bytes, or nil if it is not known yet. Nil counts
  ///   as a large size.
  func compresses(_ size: Int?) -> Bool {
    guard !isHTTP10, size ?? .max > Self.leastCompressedSize,
      let header = self["accept-encoding"], AcceptedCodings(header).includesGzip
    else { return false }
    return ResponseCompressor.isAvailable
  }
}

extension HTTPResponse {
  /// Marks the response as compressed if the client accepts gzip and the response is long enough.
  mutating func compress(for head: RequestHead) {
    guard status == 200, isCompressible else { return }
    let size: Int? =
      switch body {
      case .bytes(let bytes): bytes.count
      case .store(_, let count): count
      }
    guard head.compresses(size) else { return }
    isCompressed = true
    set("Content-Encoding", "gzip")
  }
}

/// A service that answers the requests of an HTTP server.
package protocol HTTPService: Sendable {
  /// Checks the header of a request on the thread of the event loop. Returns a response to refuse
  /// the request, or nil to read its body.
  func admit(_ exchange: Exchange) -> HTTPResponse?

  /// Returns the maximum size of the body of a request that `admit` has accepted.
  func maxBodySize(of head: RequestHead) -> Int

  /// Returns whether a request that `admit` has accepted must also pass `check` before its body is
  /// read.
  func checksBeforeBody(_ head: RequestHead) -> Bool

  /// Makes the checks that read from the store, such as the check of the session, before the body
  /// of a request is read. Returns a response to refuse the request, or nil to read its body.
  func check(_ exchange: Exchange) async -> HTTPResponse?

  /// Answers a request whose body has been read, by calling `Exchange.reply` once.
  func answer(_ exchange: Exchange) async

  /// Answers a request on the current thread, which belongs to the event loop, if that takes little
  /// time. Returns false, and does nothing, if the request must be answered by `answer`.
  ///
  /// If this method returns true, `Exchange.reply` has been called or will be called later.
  func answerInline(_ exchange: Exchange) -> Bool

  /// Called when the response has been sent, or when the client has closed the connection.
  func finished(_ exchange: Exchange, _ outcome: ExchangeOutcome)
}

/// How a request ended, for the log and the metrics.
package struct ExchangeOutcome: Sendable {
  /// The status of the response, or nil if the request was rejected before it could be answered.
  package var status: Int?
  /// The number of bytes of the response's body that were sent.
  package var bytes: Int
  package var milliseconds: Double
  /// Whether the whole response was sent, and not only a part of it.
  package var isComplete: Bool
}

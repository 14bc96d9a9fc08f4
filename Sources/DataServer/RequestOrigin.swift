internal import DataAPI

/// Determines where a request comes from: the address of the client, and the page whose script
/// sends the request (`Origin`). Checks which name the request uses for the server (`Host`).
struct RequestOrigin {
  private let options: ServerOptions

  init(_ options: ServerOptions) {
    self.options = options
  }

  /// Returns the address of the client. If the request comes from a proxy, this is the last address
  /// in `X-Forwarded-For`, without its port. The proxy has added this address, whereas the client
  /// may have sent the other addresses.
  func address(of head: RequestHead) -> String {
    guard options.trustsProxy,
      let last = head["x-forwarded-for"]?.split(separator: ",").last
    else { return head.address }
    let address = last.filter { $0 != " " && $0 != "\t" }
    let isAddress = address.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "."), UInt8(ascii: ":"),
        UInt8(ascii: "["), UInt8(ascii: "]"):
        true
      default: false
      }
    }
    guard isAddress, !address.isEmpty, address.utf8.count <= 50 else { return head.address }
    // An IPv6 address with a port is in brackets.
    let colons = address.utf8.count { $0 == UInt8(ascii: ":") }
    return address.hasPrefix("[") || colons == 1
      ? Self.withoutPort(address).map { String($0) } ?? head.address : address
  }

  /// Returns whether a request on the loopback interface names another host in the header `Host`.
  /// Such a request comes from a page whose host name resolves to this machine (DNS rebinding).
  func hasForeignHost(_ head: RequestHead) -> Bool {
    guard !options.trustsProxy, case .tcp(let name, _) = head.endpoint, head.endpoint.isLocal
    else {
      return false
    }
    let host = head.headers.filter { $0.name == "host" }.map { $0.value.lowercased() }
    guard host.count == 1 else { return !(host.isEmpty && head.isHTTP10) }
    guard let found = Self.withoutPort(host[0]) else { return true }
    return ![name, "localhost", "127.0.0.1", "::1"].contains(String(found))
  }

  /// Returns the name in the header `Host`, or nil if something other than a port follows it.
  private static func withoutPort(_ host: String) -> Substring? {
    let isBracketed = host.hasPrefix("[")
    let name = isBracketed ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
    let rest = host[name.endIndex...].dropFirst(isBracketed ? 1 : 0)
    let isPort =
      rest.first == ":"
      && rest.dropFirst().utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return rest.isEmpty || isPort ? name : nil
  }

  /// Returns whether the request comes from a page that may not send requests. A page may send
  /// requests if `--cors` names its address, or if it has the same address as the API.
  func isRefused(_ head: RequestHead) -> Bool {
    guard let origin = head["origin"] else { return false }
    return !options.origins.contains("*") && !options.origins.contains(origin)
      && !isOwn(origin, head)
  }

  /// Returns whether a page with the given origin was loaded from the address to which the request
  /// was sent. Even for such a same-origin request, a browser adds the header `Origin` if the
  /// method is not GET or HEAD.
  private func isOwn(_ origin: String, _ head: RequestHead) -> Bool {
    let schemes = [("https://", ":443")] + (head.isEncrypted ? [] : [("http://", ":80")])
    guard let (scheme, port) = schemes.first(where: { origin.hasPrefix($0.0) }) else {
      return false
    }
    let name = origin.dropFirst(scheme.count).lowercased()
    // A proxy may send the header `Host` that it has received as `X-Forwarded-Host`. No page can
    // send this header to another origin, because the preflight request is refused.
    let forwarded = options.trustsProxy ? head["x-forwarded-host"]?.split(separator: ",").last : nil
    return [head["host"], forwarded?.filter { $0 != " " && $0 != "\t" }].contains { host in
      guard let host = host?.lowercased(), !host.isEmpty else { return false }
      return host == name || host == name + port
    }
  }

  /// Returns the response to a preflight request (`OPTIONS`), by which a browser asks which
  /// requests a page may send.
  func preflight(_ head: RequestHead, allowing methods: [String]) -> HTTPResponse {
    var response = HTTPResponse(204, headers: [("Allow", methods.joined(separator: ", "))])
    if head["origin"] != nil {
      response.set("Access-Control-Allow-Methods", methods.joined(separator: ", "))
      response.set(
        "Access-Control-Allow-Headers",
        "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Range")
      response.set("Access-Control-Max-Age", "600")
    }
    return response
  }

  /// Adds the CORS headers, so that the page that sent the request can read the response. If the
  /// page may not send requests (`isRefused`), adds nothing.
  func permit(_ response: inout HTTPResponse, to head: RequestHead) {
    guard let origin = head["origin"], !isRefused(head) else { return }
    response.set("Access-Control-Allow-Origin", origin)
    response.set(
      "Access-Control-Expose-Headers",
      "ETag, Retry-After, Content-Disposition, Datactl-Saved, Datactl-Repeated, Datactl-Request")
  }
}

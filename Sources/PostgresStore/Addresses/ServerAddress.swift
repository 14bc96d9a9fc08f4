import CPostgres
import DataModel

/// What libpq is told of a connection, in the order in which it is told.
typealias ConnectionOptions = [(name: String, value: String)]

/// Where a server is, as libpq reads it, and how the way to it is kept safe.
struct ServerAddress: Sendable {
  /// The address as it was given, with whatever secrets are in it.
  private let text: String
  /// The address as messages show it.
  let shown: String

  init(_ text: String, shown: String) {
    self.text = text
    self.shown = shown
  }

  /// What libpq is told: the address, and what it leaves open.
  func options(_ library: LibPQ) throws(DataError) -> ConnectionOptions {
    // There are a few: a dictionary would cost more than it finds.
    var given = try parsed(library)
    func own(_ name: String) -> String? { given.first { $0.name == name }?.value }
    func isGiven(_ name: String, _ variable: String) -> Bool {
      own(name) != nil || Platform.variable(variable) != nil
    }
    if isGiven("service", "PGSERVICE") {
      // The address itself stands first, and what it says holds.
      given += settled(library)
    }
    var options: ConnectionOptions = [
      ("dbname", text), ("fallback_application_name", "datactl"), ("client_encoding", "UTF8"),
    ]
    if !isGiven("connect_timeout", "PGCONNECT_TIMEOUT") {
      options.append(("connect_timeout", "30"))
    }
    let hosts =
      own("hostaddr") ?? own("host") ?? Platform.variable("PGHOSTADDR")
      ?? Platform.variable("PGHOST") ?? ""
    guard hosts.split(separator: ",").contains(where: { Self.isRemote(String($0)) }) else {
      // What stays on this machine needs no ticket, and nobody has to look for one.
      if !isGiven("gssencmode", "PGGSSENCMODE") { options.append(("gssencmode", "disable")) }
      return options
    }
    if !isGiven("sslmode", "PGSSLMODE") { options.append(("sslmode", "verify-full")) }
    if !isGiven("sslrootcert", "PGSSLROOTCERT"), !Self.hasOwnAuthorities,
      let authorities = Platform.authorities.first(where: Platform.isReadable)
    {
      options.append(("sslrootcert", authorities))
    }
    return options
  }

  /// Whether what goes to a host leaves this machine.
  static func isRemote(_ host: String) -> Bool {
    guard let first = host.utf8.first else { return false }
    if first == UInt8(ascii: "/") || first == UInt8(ascii: "@") { return false }
    return host != "localhost" && host != "::1" && !host.hasPrefix("127.")
  }

  /// Whether the user has authorities where libpq looks for them by itself.
  private static var hasOwnAuthorities: Bool {
    Platform.variable("HOME").map { Platform.isReadable($0 + "/.postgresql/root.crt") } ?? false
  }

  /// What the address itself says.
  private func parsed(_ library: LibPQ) throws(DataError) -> ConnectionOptions {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = unsafe library.parse(text, &message) else {
      // What libpq says of it may hold a part of the password.
      if let message = unsafe message { unsafe library.freeMemory(message) }
      throw DataError(
        .usage, "\(shown) is no address that libpq understands",
        hint: "write postgres://USER@HOST:PORT/DATABASE, with %XX for what is not plain")
    }
    defer { unsafe library.freeOptions(options) }
    return unsafe Self.values(options)
  }

  /// What a service adds to the address: only libpq knows, once it begins to connect.
  private func settled(_ library: LibPQ) -> ConnectionOptions {
    let connection = unsafe Connection.start([("dbname", text)], library)
    guard let connection = unsafe connection else { return [] }
    defer { unsafe library.finish(connection) }
    guard let options = unsafe library.settled(connection) else { return [] }
    defer { unsafe library.freeOptions(options) }
    return unsafe Self.values(options).filter { option in
      // What is the same as without a word may not have been said.
      if option.name == "sslmode" { return option.value != "prefer" }
      return ["host", "hostaddr", "sslrootcert"].contains(option.name)
    }
  }

  @unsafe
  private static func values(_ options: UnsafePointer<datactl_pq_option>) -> ConnectionOptions {
    var values: ConnectionOptions = []
    var place = unsafe options
    while let name = unsafe place.pointee.keyword {
      if let value = unsafe place.pointee.value {
        values.append((unsafe String(cString: name), unsafe String(cString: value)))
      }
      unsafe place = unsafe place.successor()
    }
    return values
  }
}

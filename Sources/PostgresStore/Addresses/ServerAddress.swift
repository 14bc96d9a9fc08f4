import CPostgres
package import DataModel

/// What libpq is told of a connection, in the order in which it is told.
package typealias ConnectionOptions = [(name: String, value: String)]

/// Where a server is, as libpq reads it, and how the way to it is kept safe.
package struct ServerAddress: Sendable {
  /// The address as it was given, with whatever secrets are in it.
  private let text: String
  /// The address as messages show it.
  let shown: String

  package init(_ text: String, shown: String) {
    self.text = text
    self.shown = shown
  }

  /// What libpq is told, and what is known before.
  package struct Way {
    package fileprivate(set) var options: ConnectionOptions
    /// A file of passwords that is passed over, since others can read it.
    package fileprivate(set) var unreadPasswords: String?
  }

  /// The way to the server: the address, and what it and the process around it leave open.
  package func way(_ library: LibPQ, _ outside: Outside) throws(DataError) -> Way {
    var given = try parsed(library)
    func isGiven(_ name: String, _ variable: String) -> Bool {
      given[name] != nil || outside.variable(variable) != nil
    }
    if given["service"] != nil || outside.variable("PGSERVICE") != nil {
      given.merge(settled(library)) { own, _ in own }
    }
    var way = Way(options: [("dbname", text), ("fallback_application_name", "datactl")])
    way.options.append(("client_encoding", "UTF8"))
    if !isGiven("connect_timeout", "PGCONNECT_TIMEOUT") {
      way.options.append(("connect_timeout", "30"))
    }
    if let file = given["passfile"] ?? outside.variable("PGPASSFILE")
      ?? outside.variable("HOME").map({ $0 + "/.pgpass" }),
      outside.isExposed(file)
    {
      way.unreadPasswords = file
      // libpq would say so where nobody expects it; there is no file below a file.
      way.options.append(("passfile", file + "/none"))
    }
    guard leavesMachine(given, outside) else {
      // What stays on this machine needs no ticket, and nobody has to look for one.
      if !isGiven("gssencmode", "PGGSSENCMODE") { way.options.append(("gssencmode", "disable")) }
      return way
    }
    let mode = given["sslmode"] ?? outside.variable("PGSSLMODE")
    if mode == nil { way.options.append(("sslmode", "verify-full")) }
    // Where libpq looks by itself.
    let own = outside.variable("HOME").map { $0 + "/.postgresql/root.crt" }
    // With authorities at hand libpq would ask more of the server than `require` does.
    if ["verify-full", "verify-ca"].contains(mode ?? "verify-full"),
      !isGiven("sslrootcert", "PGSSLROOTCERT"), !(own.map(outside.isReadable) ?? false),
      let authorities = Platform.authorities.first(where: outside.isReadable)
    {
      way.options.append(("sslrootcert", authorities))
    }
    return way
  }

  /// Whether anything may go to another machine. What the environment says of a host's address can
  /// lead away from this one, and not back to it.
  private func leavesMachine(_ given: [String: String], _ outside: Outside) -> Bool {
    func parts(_ list: String?) -> [String] {
      list?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    }
    let addresses = parts(given["hostaddr"] ?? outside.variable("PGHOSTADDR"))
    if addresses.contains(where: Self.isRemote) { return true }
    let own = parts(given["hostaddr"])
    return parts(given["host"] ?? outside.variable("PGHOST")).enumerated().contains { place, host in
      Self.isRemote(host) && (!own.indices.contains(place) || own[place].isEmpty)
    }
  }

  /// Whether what goes to a host leaves this machine.
  private static func isRemote(_ host: String) -> Bool {
    guard let first = host.utf8.first else { return false }
    if first == UInt8(ascii: "/") || first == UInt8(ascii: "@") { return false }
    // A name may begin as an address of this machine does.
    let isNumber = host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
    return host != "localhost" && host != "::1" && !(isNumber && host.hasPrefix("127."))
  }

  /// Whether libpq may have taken a part of a password for something else, and may name it.
  func mayBeMisread(_ library: LibPQ) -> Bool {
    func plain(_ text: String) -> [String: String]? {
      Self.parsed(text, library).values?.filter { !$0.key.contains("password") }
    }
    return shown != text && plain(shown) != plain(text)
  }

  /// What the address itself says.
  private func parsed(_ library: LibPQ) throws(DataError) -> [String: String] {
    if let values = Self.parsed(text, library).values { return values }
    // What libpq says of the text may hold a part of the password; of what is shown it cannot.
    let again = Self.parsed(shown, library)
    let reason = again.values == nil ? ": \(again.words)" : ""
    throw DataError(
      .usage, "not an address that libpq understands: \(shown)\(reason)",
      hint: again.values == nil
        ? "write postgres://USER@HOST:PORT/DATABASE, with special characters as %XX"
        : Refusal.passwordHint)
  }

  /// What libpq reads in an address, or what it says of it.
  private static func parsed(
    _ text: String, _ library: LibPQ
  ) -> (values: [String: String]?, words: String) {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = unsafe library.parse(text, &message) else {
      guard let message = unsafe message else { return (nil, "out of memory") }
      defer { unsafe library.freeMemory(message) }
      return (nil, Refusal.line(unsafe String(cString: message)))
    }
    defer { unsafe library.freeOptions(options) }
    return (unsafe SettledAddress.values(options), "")
  }

  /// What a service adds to the address: only libpq knows, as soon as it is about to connect, which
  /// an impossible wish keeps it from. With a password it looks for none in files.
  private func settled(_ library: LibPQ) -> [String: String] {
    let options = [("dbname", text), ("password", "none"), ("target_session_attrs", "none")]
    guard let connection = unsafe Connection.start(options, library) else { return [:] }
    defer { unsafe library.finish(connection) }
    var values = unsafe SettledAddress(connection, library).values
    // What is the same as without a word may not have been said.
    if values["sslmode"] == "prefer" { values["sslmode"] = nil }
    let names = ["host", "hostaddr", "sslmode", "sslrootcert", "connect_timeout", "passfile"]
    return values.filter { names.contains($0.key) }
  }
}

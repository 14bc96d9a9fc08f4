import CPostgres
package import DataModel

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

  /// What libpq is told by a process that has its environment and its files.
  func options(_ library: LibPQ) throws(DataError) -> [(name: String, value: String)] {
    try options(library, variable: Platform.variable, isReadable: Platform.isReadable)
  }

  /// What libpq is told: the address, and what it and the environment leave open.
  package func options(
    _ library: LibPQ, variable: (String) -> String?, isReadable: (String) -> Bool
  ) throws(DataError) -> [(name: String, value: String)] {
    var given = try parsed(library)
    func isGiven(_ name: String, _ its: String) -> Bool {
      given[name] != nil || variable(its) != nil
    }
    if given["service"] != nil || variable("PGSERVICE") != nil {
      given.merge(settled(library)) { own, _ in own }
    }
    var options = [("dbname", text), ("fallback_application_name", "datactl")]
    options.append(("client_encoding", "UTF8"))
    if !isGiven("connect_timeout", "PGCONNECT_TIMEOUT") {
      options.append(("connect_timeout", "30"))
    }
    let hosts =
      given["hostaddr"] ?? given["host"] ?? variable("PGHOSTADDR") ?? variable("PGHOST") ?? ""
    guard hosts.split(separator: ",").contains(where: { Self.isRemote(String($0)) }) else {
      return options
    }
    if !isGiven("sslmode", "PGSSLMODE") { options.append(("sslmode", "verify-full")) }
    // Where libpq looks by itself.
    let own = variable("HOME").map { isReadable($0 + "/.postgresql/root.crt") } ?? false
    if !isGiven("sslrootcert", "PGSSLROOTCERT"), !own,
      let authorities = Platform.authorities.first(where: isReadable)
    {
      options.append(("sslrootcert", authorities))
    }
    return options
  }

  /// Whether what goes to a host leaves this machine.
  static func isRemote(_ host: String) -> Bool {
    guard let first = host.utf8.first else { return false }
    if first == UInt8(ascii: "/") || first == UInt8(ascii: "@") { return false }
    // A name may begin as an address of this machine does.
    let isNumber = host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
    return host != "localhost" && host != "::1" && !(isNumber && host.hasPrefix("127."))
  }

  /// What the address itself says.
  private func parsed(_ library: LibPQ) throws(DataError) -> [String: String] {
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
  private func settled(_ library: LibPQ) -> [String: String] {
    let connection = unsafe Connection.start([("dbname", text)], library)
    guard let connection = unsafe connection else { return [:] }
    defer { unsafe library.finish(connection) }
    guard let options = unsafe library.settled(connection) else { return [:] }
    defer { unsafe library.freeOptions(options) }
    var values = unsafe Self.values(options)
    // What is the same as without a word may not have been said.
    if values["sslmode"] == "prefer" { values["sslmode"] = nil }
    return values.filter { ["host", "hostaddr", "sslmode", "sslrootcert"].contains($0.key) }
  }

  @unsafe
  private static func values(_ options: UnsafePointer<datactl_pq_option>) -> [String: String] {
    var values: [String: String] = [:]
    var place = unsafe options
    while let name = unsafe place.pointee.keyword {
      if let value = unsafe place.pointee.value {
        values[unsafe String(cString: name)] = unsafe String(cString: value)
      }
      unsafe place = unsafe place.successor()
    }
    return values
  }
}

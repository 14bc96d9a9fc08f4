import CPostgres
package import DataModel
import Platform

/// Names and values of connection options, in the order in which libpq receives them. Later options
/// override earlier ones.
package typealias ConnectionOptions = [(name: String, value: String)]

/// The address of a server in a form that libpq can parse. Call `setup` to get connection options
/// that are secure by default.
package struct PostgresAddress: Sendable {
  /// The address as given, including any password.
  private let text: String
  /// The address without secrets, for messages.
  let shown: String

  package init(_ text: String, shown: String) {
    self.text = text
    self.shown = shown
  }

  /// The paths at which operating systems store the certificates of trusted authorities.
  private static let authorities = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
  ]

  /// The options for a connection. If the password file is not safe to use and is therefore
  /// ignored, also its path.
  package struct ConnectionSetup {
    package fileprivate(set) var options: ConnectionOptions
    /// The password file that is ignored because other users can access it; nil if there is none.
    package fileprivate(set) var ignoredPasswordFile: String?
  }

  /// Returns the options for a connection: the address, and default values for the options that
  /// neither the address nor the environment sets.
  package func setup(_ library: LibPQ, _ environment: ConnectionEnvironment) throws(DataError)
    -> ConnectionSetup
  {
    var given = try parsed(library)
    func isGiven(_ name: String, _ variable: String) -> Bool {
      given[name] != nil || environment.variable(variable) != nil
    }
    if given["service"] != nil || environment.variable("PGSERVICE") != nil {
      given.merge(serviceOptions(library)) { own, _ in own }
    }
    var setup = ConnectionSetup(options: [
      ("dbname", text), ("fallback_application_name", "datactl"),
    ])
    setup.options.append(("client_encoding", "UTF8"))
    if !isGiven("connect_timeout", "PGCONNECT_TIMEOUT") {
      setup.options.append(("connect_timeout", "30"))
    }
    if let file = given["passfile"] ?? environment.variable("PGPASSFILE")
      ?? environment.variable("HOME").map({ $0 + "/.pgpass" }),
      environment.isExposed(file)
    {
      setup.ignoredPasswordFile = file
      // libpq would print its warning about the file to stderr. A path below a regular file never
      // exists, so libpq reads no password file.
      setup.options.append(("passfile", file + "/none"))
    }
    guard mayBeRemote(given, environment) else {
      // A local connection needs no Kerberos ticket, so libpq need not search for one.
      if !isGiven("gssencmode", "PGGSSENCMODE") { setup.options.append(("gssencmode", "disable")) }
      return setup
    }
    let mode = given["sslmode"] ?? environment.variable("PGSSLMODE")
    if mode == nil { setup.options.append(("sslmode", "verify-full")) }
    // The root certificate that libpq uses by default, if the file exists.
    let own = environment.variable("HOME").map { $0 + "/.postgresql/root.crt" }
    // Only these modes need a root certificate. With the mode `require`, a root certificate would
    // make libpq verify more than the mode demands.
    if ["verify-full", "verify-ca"].contains(mode ?? "verify-full"),
      !isGiven("sslrootcert", "PGSSLROOTCERT"), !(own.map(environment.isReadable) ?? false),
      let authorities = Self.authorities.first(where: environment.isReadable)
    {
      setup.options.append(("sslrootcert", authorities))
    }
    return setup
  }

  /// Returns whether a host of the address may be on another machine, so that the connection must
  /// be encrypted. A host with a local name counts as remote if `PGHOSTADDR` contains a remote
  /// address, because libpq then connects to that address.
  private func mayBeRemote(_ given: [String: String], _ environment: ConnectionEnvironment) -> Bool
  {
    func parts(_ list: String?) -> [String] {
      list?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    }
    let addresses = parts(given["hostaddr"] ?? environment.variable("PGHOSTADDR"))
    if addresses.contains(where: Self.isRemote) { return true }
    let own = parts(given["hostaddr"])
    return parts(given["host"] ?? environment.variable("PGHOST")).enumerated().contains {
      index, host in
      Self.isRemote(host) && (!own.indices.contains(index) || own[index].isEmpty)
    }
  }

  /// Returns whether a host is on another machine. Returns false for a loopback address and for the
  /// path of a socket.
  private static func isRemote(_ host: String) -> Bool {
    guard let first = host.utf8.first else { return false }
    if first == UInt8(ascii: "/") || first == UInt8(ascii: "@") { return false }
    // A host name can also start with `127.`.
    let isNumber = host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
    return host != "localhost" && host != "::1" && !(isNumber && host.hasPrefix("127."))
  }

  /// Returns whether the error messages of libpq may contain a part of the password. This is
  /// possible if the password contains a character with a meaning in addresses, such as `@`: libpq
  /// may then take a part of the password for another option, such as the host.
  func mayExposePassword(_ library: LibPQ) -> Bool {
    func plain(_ text: String) -> [String: String]? {
      Self.parsed(text, library).values?.filter { !$0.key.contains("password") }
    }
    return shown != text && plain(shown) != plain(text)
  }

  /// Returns the options that the address itself contains, without those of the environment. Throws
  /// an error if libpq cannot parse the address.
  private func parsed(_ library: LibPQ) throws(DataError) -> [String: String] {
    if let values = Self.parsed(text, library).values { return values }
    // libpq's message about the full address may contain a part of the password. Its message about
    // the address without secrets cannot.
    let shownResult = Self.parsed(shown, library)
    let reason = shownResult.values == nil ? ": \(shownResult.errorText)" : ""
    throw DataError(
      .usage, "not an address that libpq understands: \(shown)\(reason)",
      hint: shownResult.values == nil
        ? "write postgres://USER@HOST:PORT/DATABASE, with special characters as %XX"
        : ConnectionFailure.passwordHint)
  }

  /// Parses an address with `PQconninfoParse`. Returns the options, or nil and libpq's error
  /// message.
  private static func parsed(
    _ text: String, _ library: LibPQ
  ) -> (values: [String: String]?, errorText: String) {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = unsafe library.parse(text, &message) else {
      guard let message = unsafe message else { return (nil, "out of memory") }
      defer { unsafe library.freeMemory(message) }
      return (nil, ConnectionFailure.line(unsafe String(cString: message)))
    }
    defer { unsafe library.freeOptions(options) }
    return (unsafe ResolvedAddress.values(options), "")
  }

  /// Returns the options that the service file adds to the address.
  ///
  /// libpq has no function that only reads the service file: it reads the file when it starts to
  /// connect. So this method starts a connection attempt with an invalid `target_session_attrs`,
  /// which makes libpq fail after it has read the file and before it opens a connection. The
  /// attempt has a password, so that libpq does not read a password file.
  private func serviceOptions(_ library: LibPQ) -> [String: String] {
    let options = [("dbname", text), ("password", "none"), ("target_session_attrs", "none")]
    guard let connection = unsafe Connection.start(options, library) else { return [:] }
    defer { unsafe library.finish(connection) }
    var values = unsafe ResolvedAddress(connection, library).values
    // `prefer` is libpq's default, so the value need not come from the service file.
    if values["sslmode"] == "prefer" { values["sslmode"] = nil }
    let names = ["host", "hostaddr", "sslmode", "sslrootcert", "connect_timeout", "passfile"]
    return values.filter { names.contains($0.key) }
  }
}

/// The parts of the process environment that affect a connection. They are closures, so that tests
/// can replace the environment.
package struct ConnectionEnvironment {
  /// A closure that returns the value of an environment variable, or nil if the variable is not set
  /// or is empty.
  package var variable: (_ name: String) -> String?
  /// A closure that returns whether a readable file exists at a path.
  package var isReadable: (_ path: String) -> Bool
  /// A closure that returns whether a file exists at a path but is not safe to use: other users can
  /// access it, or it is not a regular file.
  package var isExposed: (_ path: String) -> Bool

  package init(
    variable: @escaping (_ name: String) -> String?,
    isReadable: @escaping (_ path: String) -> Bool,
    isExposed: @escaping (_ path: String) -> Bool
  ) {
    self.variable = variable
    self.isReadable = isReadable
    self.isExposed = isExposed
  }

  static var process: ConnectionEnvironment {
    ConnectionEnvironment(
      variable: { name in ProcessEnvironment.variable(name).flatMap { $0.isEmpty ? nil : $0 } },
      isReadable: FileSystem.isReadable,
      isExposed: { path in
        guard let status = try? FileStatus(path) else { return false }
        return status.kind != .regular || status.permissions & 0o077 != 0
      })
  }
}

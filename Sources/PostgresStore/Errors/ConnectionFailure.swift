package import DataModel

/// The reason why an attempt to connect failed, parsed from libpq's message.
package struct ConnectionFailure {
  /// The SQLSTATE that the server reported, or nil if libpq itself reported the error.
  package let state: String?
  private let messageText: String

  /// Parses a verbose message of libpq, which contains the SQLSTATEs that the servers reported.
  /// Locations in the source code of PostgreSQL are discarded.
  package init(_ message: String) {
    var lines: [String] = []
    var found: (state: String, messageText: String)?
    for line in Self.lines(message) where !line.hasPrefix("LOCATION:") {
      guard let (before, state, messageText) = Self.split(line) else {
        lines.append(line)
        continue
      }
      lines.append("\(before): \(messageText)")
      // If one of several hosts is starting up, its state is kept, so that the client waits for
      // this host.
      if found == nil || state == Self.startingUpState { found = (state, messageText) }
    }
    state = found?.state
    messageText = found?.messageText ?? lines.joined(separator: "; ")
  }

  /// The SQLSTATE that a server reports while it is starting up or shutting down.
  private static let startingUpState = "57P03"

  /// Whether the server is starting up or shutting down, so that a later attempt may succeed.
  package var isStartingUp: Bool { state == Self.startingUpState }

  /// Whether no server reported an SQLSTATE, for example because the host is unreachable or refused
  /// the connection.
  package var isUnreachable: Bool { state == nil }

  /// Returns a message of libpq as a single line.
  static func line(_ message: String) -> String { lines(message).joined(separator: "; ") }

  private static func lines(_ message: String) -> [String] {
    message.split { $0.isNewline }.map { line in
      String(line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }.filter { !$0.isEmpty }
  }

  /// Splits a line of a message, such as `FATAL:  28000: no such role`, at its SQLSTATE. Returns
  /// nil if the line has none.
  private static func split(_ line: String) -> (before: String, state: String, messageText: String)?
  {
    let parts = line.split(separator: ":  ", maxSplits: 1)
    guard parts.count == 2, parts[1].utf8.count > 7 else { return nil }
    let state = parts[1].prefix(5)
    let rest = parts[1].dropFirst(5)
    guard state.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }),
      rest.hasPrefix(": ")
    else { return nil }
    return (String(parts[0]), String(state), String(rest.dropFirst(2)))
  }

  static let passwordHint =
    "in a password, write @ as %40, / as %2F, : as %3A, and % as %25"

  /// Returns the error for the failed connection attempt.
  ///
  /// - Parameters:
  ///   - ignoredPasswordFile: A password file that was ignored because other users can access it.
  ///     If the password was rejected or is missing, the hint of the error names this file.
  ///   - hidesMessage: Whether to omit libpq's message, because it may contain a part of a
  ///     password.
  package func error(
    store: String, for access: PostgresStore.Access, ignoredPasswordFile: String?,
    hidingMessage hidesMessage: Bool
  ) -> DataError {
    if isAboutPassword {
      return .wrongPassword(store, ignoredPasswordFile: ignoredPasswordFile)
    }
    if hidesMessage {
      return DataError(.storeUnreachable, "\(store): cannot be reached", hint: Self.passwordHint)
    }
    if let state, state != ServerError.poolerState {
      let error = DataError(
        ServerError(state: state, messageText: messageText), store: store,
        for: access.failureContext)
      if ![.failed, .schemaChanged, .storeBusy].contains(error.code) { return error }
    }
    if state == nil, let hint = hint(Self.valueHints) {
      return DataError(
        .usage, "\(store): \(messageText)",
        hint: "\(hint); check the address, the environment and the service file")
    }
    let isUntrusted = messageText.contains("certificate verify failed")
    let problem = isUntrusted ? "the server's certificate is not trusted" : "cannot be reached"
    return DataError(
      .storeUnreachable, "\(store): \(problem): \(messageText)",
      hint: hint(Self.hints))
  }

  /// Returns the first hint in the list whose phrases all occur in libpq's message, or nil if there
  /// is no such hint.
  private func hint(_ hints: [(phrases: [String], hint: String)]) -> String? {
    hints.first { $0.phrases.allSatisfy(messageText.contains) }?.hint
  }

  private var isAboutPassword: Bool {
    state == "28P01" || messageText.contains("password authentication failed")
      || messageText.contains("no password supplied")
  }

  /// Hints for invalid values of connection options. A hint is used if all its phrases occur in
  /// libpq's message.
  private static let valueHints: [(phrases: [String], hint: String)] = [
    (
      ["invalid sslmode value"],
      "use disable, allow, prefer, require, verify-ca or verify-full"
    ),
    (["invalid port number"], "use a port from 1 to 65535"),
    (["invalid integer value"], "use a whole number"),
    (["invalid ", " value: \""], "see the libpq manual for the allowed values"),
  ]

  /// Hints for connection failures, except for invalid values of connection options. A hint is used
  /// if all its phrases occur in the message of libpq or pgbouncer.
  private static let hints: [(phrases: [String], hint: String)] = [
    (
      ["certificate verify failed"],
      """
      set sslrootcert=FILE in the address to the CA certificate of the server; if it is correct, \
      the server's certificate may have expired
      """
    ),
    (["does not match host name"], "use the host name of the certificate in the address"),
    (
      ["does not support SSL"],
      """
      datactl encrypts connections to other machines by default: enable SSL on the server, or, in \
      a trusted network, set sslmode=prefer in the address
      """
    ),
    (
      ["root certificate file"],
      "set sslrootcert=FILE in the address to a CA certificate"
    ),
    (
      ["could not translate host name"],
      "check the host name and the network"
    ),
    (
      ["definition of service"],
      "define the service in ~/.pg_service.conf, or in the file named by PGSERVICEFILE"
    ),
    (["service file"], "set PGSERVICEFILE to the service file"),
    (["session is read-only"], readWriteHint), (["session is not read-only"], readWriteHint),
    (["server is in hot standby mode"], readWriteHint),
    (["server is not in hot standby mode"], readWriteHint),
    (["Is the server running"], "start the server, or correct the host and port in the address"),
    (["database \"", "\" does not exist"], databaseHint), (["no such database"], databaseHint),
    (
      ["unsupported startup parameter"],
      """
      pgbouncer does not support this option: remove it from the address and from PGOPTIONS, and \
      set it for the user or the database
      """
    ),
  ]

  static let databaseHint =
    "create the database: createdb --encoding UTF8 --template template0 NAME"

  private static let readWriteHint =
    "no host matches target_session_attrs: correct this option or the hosts in the address"
}

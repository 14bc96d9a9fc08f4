package import ServerClient

/// The address of a store: `sqlite:shop.db`, a path, `postgres://…`, `https://…`, `unix:…` or
/// `memory:`.
public struct StoreAddress: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of stores: a file, a database, a server, or a temporary file.
  public enum Kind: Hashable, Sendable {
    /// An SQLite file with an absolute path.
    case file(path: String)
    /// A PostgreSQL database. The address is as the user wrote it, but always has the scheme
    /// `postgres`.
    case postgres(address: String)
    /// A datactl server, with its address as the user wrote it. The path of a socket is absolute.
    case server(address: String)
    /// A store for tests, in a temporary folder. It exists until the client is closed.
    case memory
  }

  /// The kind of the store, with its path or address.
  public let kind: Kind

  /// Parses an address.
  ///
  /// - Parameters:
  ///   - text: The address. A path without a scheme is an SQLite file.
  ///   - folder: The absolute path of the folder against which relative paths are resolved.
  /// - Throws: A ``DataError`` if the text is not a valid address.
  public init(_ text: String, in folder: String) throws(DataError) {
    kind = try Self.kind(of: text, in: folder)
    if case .file(let path) = kind, path == "/" || path.utf8.contains(0) {
      throw DataError(
        .usage, "expected a file name in the store address", hint: Self.supportedForms)
    }
  }

  private static func kind(of text: String, in folder: String) throws(DataError) -> Kind {
    guard !text.isEmpty else { throw DataError(.usage, "the store address is empty") }
    try rejectMalformedDatabaseAddress(text)
    if let path = text.suffix(after: "sqlite:") {
      // Other tools interpret the text after `//` in different ways: as a host, a relative path or
      // an absolute path.
      guard !path.hasPrefix("//") else {
        throw DataError(
          .usage, "the address of a file must not have // after sqlite:",
          hint: "write sqlite:shop.db, or sqlite:/folder/shop.db for an absolute path")
      }
      if path == ":memory:" { return try kind(of: path, in: folder) }
      return try path.isEmpty ? .file(path: "/") : file(path, in: folder)
    } else if text == ":memory:" {
      throw DataError(
        .usage, ":memory: is not a store address",
        hint: "write memory: for an in-memory store, or ./:memory: for a file of this name")
    } else if text == "memory:" {
      return .memory
    } else if let rest = text.suffix(after: "postgres://")
      ?? text.suffix(after: "postgresql://")
    {
      // libpq accepts the scheme in lowercase only.
      return .postgres(address: "postgres://" + rest)
    } else if text.suffix(after: "https://") != nil || text.suffix(after: "http://") != nil {
      return .server(address: try server(text))
    } else if let path = text.suffix(after: "unix:") {
      guard !path.isEmpty, case .file(let socket) = try file(path, in: folder) else {
        throw DataError(
          .usage, "expected the path of a socket after unix:", hint: Self.supportedForms)
      }
      return .server(address: try server("unix:" + socket))
    } else if let scheme = text.scheme {
      throw DataError(
        .usage, "unknown address scheme \(scheme) in \(Secrets.redacted(in: text))",
        hint: Self.supportedForms)
    }
    return try file(text, in: folder)
  }

  private static func server(_ text: String) throws(DataError) -> String {
    _ = try ServerAddress(text)
    return text
  }

  private static func file(_ path: String, in folder: String) throws(DataError) -> Kind {
    guard path.hasPrefix("/") || !folder.isEmpty else {
      throw DataError(
        .fileFailed, "the working directory no longer exists",
        hint: "cd to an existing folder, or pass an absolute path")
    }
    return .file(path: FilePath.absolute(path, in: folder))
  }

  /// Throws an error if the text is a malformed database address, such as `host=localhost` or
  /// `postgres:shop`. Without this check, the text would be treated as a file name.
  ///
  /// The error does not show the text, because it may contain a password.
  private static func rejectMalformedDatabaseAddress(_ text: String) throws(DataError) {
    guard let separator = text.first(where: { "=:".contains($0) }) else { return }
    let word = text.prefix { !"=:".contains($0) }.filter { $0 != " " }.lowercased()
    let keys = ["host", "hostaddr", "port", "dbname", "user", "password", "service"]
    let isAddress = text.suffix(after: word + "://") != nil
    let isDatabaseAddress =
      separator == "="
      ? keys.contains(word) : ["postgres", "postgresql"].contains(word) && !isAddress
    guard isDatabaseAddress else { return }
    throw DataError(
      .usage, "not a valid database address",
      hint: "write postgres://USER@HOST:PORT/DATABASE, without other text before the address")
  }

  /// A description of the addresses that this version supports, for error messages.
  static let supportedForms =
    """
    stores are files (sqlite:shop.db, or a path), databases (postgres://HOST/DATABASE) or servers \
    (https://HOST)
    """

  /// The address including its passwords, which another program needs to open the same store.
  package var complete: String {
    switch kind {
    case .file(let path): "sqlite:" + path
    case .postgres(let address), .server(let address): address
    case .memory: "memory:"
    }
  }

  /// The address for messages, with `***` instead of passwords.
  public var description: String {
    switch kind {
    case .file, .memory: complete
    case .postgres, .server: Secrets.redacted(in: complete)
    }
  }
}

extension StoreAddress {
  /// The address of the server, or nil if the store is not on a datactl server.
  package var server: ServerAddress? {
    if case .server(let address) = kind { try? ServerAddress(address) } else { nil }
  }
}

extension String {
  /// Returns the text after the prefix `start`, or nil if the text does not have this prefix. The
  /// comparison ignores case. `start` must be lowercase.
  func suffix(after start: String) -> String? {
    let bytes = utf8
    guard bytes.count >= start.utf8.count,
      String(decoding: bytes.prefix(start.utf8.count), as: UTF8.self).lowercased() == start
    else { return nil }
    return String(decoding: bytes.dropFirst(start.utf8.count), as: UTF8.self)
  }

  /// The URL scheme before the first `:`. Nil if the text has no scheme, and is therefore a path.
  fileprivate var scheme: String? {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let word = utf8[..<colon]
    let isWord = word.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
    guard isWord, word.count > 1 else { return nil }
    return String(decoding: word, as: UTF8.self)
  }
}

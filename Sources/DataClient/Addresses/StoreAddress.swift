/// Where a store is: `sqlite:shop.db`, a path, `postgres://…`, `https://…`, or `memory:`.
public struct StoreAddress: Hashable, Sendable, CustomStringConvertible {
  /// What kind of store an address leads to.
  public enum Kind: Hashable, Sendable {
    /// A file, by its absolute path.
    case file(path: String)
    /// A cluster, by the address as it was written.
    case cluster(address: String)
    /// A server, by the address as it was written.
    case server(address: String)
    /// A store that lives as long as the client: for the tests of programs.
    case memory
  }

  /// The kind of store, and where it is.
  public let kind: Kind

  /// Reads an address; a path that does not begin with `/` is taken from the folder.
  public init(_ text: String, in folder: String) throws(DataError) {
    kind = try Self.kind(of: text, in: folder)
    if case .file(let path) = kind, path == "/" || path.utf8.contains(0) {
      throw DataError(.usage, "the store address names no file", hint: Self.available)
    }
  }

  private static func kind(of text: String, in folder: String) throws(DataError) -> Kind {
    guard !text.isEmpty else { throw DataError(.usage, "the store address is empty") }
    try checkIsNoClusterOtherwise(text)
    if let path = text.suffix(behind: "sqlite:") {
      // Other tools take what follows for a host, or for a path from here or from the root.
      guard !path.hasPrefix("//") else {
        throw DataError(
          .usage, "the address of a file has no // after sqlite:",
          hint: "write sqlite:shop.db, or sqlite:/folder/shop.db from the root")
      }
      return try path.isEmpty ? .file(path: "/") : file(path, in: folder)
    } else if text == "memory:" {
      return .memory
    } else if let place = text.suffix(behind: "postgres://")
      ?? text.suffix(behind: "postgresql://")
    {
      // libpq knows the word in small letters only.
      return .cluster(address: "postgres://" + place)
    } else if text.suffix(behind: "https://") != nil || text.suffix(behind: "http://") != nil {
      return .server(address: text)
    } else if let scheme = text.scheme {
      throw DataError(
        .usage, "unknown address scheme \(scheme): in \(Secrets.hidden(in: text))",
        hint: Self.available)
    }
    return try file(text, in: folder)
  }

  private static func file(_ path: String, in folder: String) throws(DataError) -> Kind {
    guard path.hasPrefix("/") || !folder.isEmpty else {
      throw DataError(
        .fileFailed, "the working directory no longer exists",
        hint: "change to an existing one, or pass an absolute path")
    }
    return .file(path: FilePath.absolute(path, in: folder))
  }

  /// Refuses what was meant for a database and would be a file's name otherwise; it is not shown,
  /// since it may hold a password.
  private static func checkIsNoClusterOtherwise(_ text: String) throws(DataError) {
    let word = text.prefix { !"=:".contains($0) }.filter { $0 != " " }.lowercased()
    let mark = text.first { "=:".contains($0) }
    let keys = ["host", "hostaddr", "port", "dbname", "user", "password", "service"]
    let isAddress = text.suffix(behind: word + "://") != nil
    let isMeant =
      mark == "=" ? keys.contains(word) : ["postgres", "postgresql"].contains(word) && !isAddress
    guard mark != nil, isMeant else { return }
    throw DataError(
      .usage, "not a valid database address",
      hint: "write postgres://USER@HOST:PORT/DATABASE, with nothing before it")
  }

  /// What an address can be in this version, for errors.
  static let available =
    "stores are files (sqlite:shop.db, or a path) or databases (postgres://HOST/DATABASE)"

  /// The address as messages show it: a password in it is `***`.
  public var description: String {
    switch kind {
    case .file(let path): "sqlite:" + path
    case .cluster(let address), .server(let address): Secrets.hidden(in: address)
    case .memory: "memory:"
    }
  }
}

extension String {
  /// What stands behind a beginning, whose letters may be of any case.
  func suffix(behind beginning: String) -> String? {
    let bytes = utf8
    guard bytes.count >= beginning.utf8.count,
      String(decoding: bytes.prefix(beginning.utf8.count), as: UTF8.self).lowercased() == beginning
    else { return nil }
    return String(decoding: bytes.dropFirst(beginning.utf8.count), as: UTF8.self)
  }

  /// The word before `:` if the text has the form of an address rather than of a path.
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

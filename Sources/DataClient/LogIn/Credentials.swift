internal import DataText

/// The saved sessions of a user, in `credentials.json` in datactl's configuration folder.
///
/// The file must be readable by its owner only: if other users can read it, its tokens may have
/// leaked, and it is rejected. It is replaced atomically.
struct Credentials: Sendable {
  /// The session with one store.
  struct Entry: Hashable, Sendable {
    var store: String
    var user: String
    var token: Token
    var expires: Timestamp

    /// Compares the bytes: two paths that differ in a byte are different files, but `String`
    /// equates composed and decomposed letters.
    func isFor(_ place: String) -> Bool { store.utf8.elementsEqual(place.utf8) }
  }

  private(set) var entries: [Entry] = []

  private static let longest = 1 << 20

  /// The session of the store with the given canonical address.
  subscript(place: String) -> Entry? {
    entries.first { $0.isFor(place) }
  }

  /// Reads the file. If it does not exist, there are no sessions.
  static func read(in surroundings: Surroundings) throws(DataError) -> Credentials {
    guard let folder = try? folder(in: surroundings) else { return Credentials() }
    let path = FilePath.join(folder, "credentials.json")
    let bytes: [UInt8]
    do {
      bytes = try Platform.contents(of: path, atMost: longest) { status throws(DataError) in
        guard status.isRegular, status.owner == surroundings.userID else {
          throw refusal(path, "not a regular file of your own", hint: "remove the file \(path)")
        }
        guard status.permissions & 0o077 == 0 else {
          throw refusal(path, "readable by others", hint: "chmod 600 \(path), and log in again")
        }
      }
    } catch let error as DataError {
      throw error
    } catch let refusal as Platform.Refusal where refusal.isMissing {
      return Credentials()
    } catch let refusal as Platform.Refusal {
      throw Self.refusal(path, refusal.reason)
    } catch {
      throw DataError(.fileFailed, "\(path): \(error)")
    }
    guard let credentials = Credentials(reading: bytes) else {
      throw refusal(
        path, "not a valid credentials file", hint: "remove the file \(path), and log in again")
    }
    return credentials
  }

  /// Sets or deletes the session of a store, under a lock that serializes concurrent processes.
  static func set(
    _ entry: Entry?, for place: String, in surroundings: Surroundings
  ) throws(DataError) {
    let folder = try folder(in: surroundings)
    let path = FilePath.join(folder, "credentials.json")
    func failure(_ refusal: Platform.Refusal) -> DataError {
      DataError(
        Problem(
          .fileFailed, "the session cannot be saved: \(refusal.reason)",
          hint: "use login --print-token, which saves nothing", file: path))
    }
    do throws(Platform.Refusal) {
      try Platform.makeFolder(folder)
      try Platform.restrict(folder: folder)
    } catch {
      throw failure(error)
    }
    try Platform.locking(folder: folder, refused: failure) { () throws(DataError) in
      var credentials = try read(in: surroundings)
      credentials.entries.removeAll { $0.isFor(place) }
      if let entry { credentials.entries.append(entry) }
      credentials.entries.sort { $0.store < $1.store }
      do throws(Platform.Refusal) {
        try Platform.replace(path, with: credentials.bytes)
      } catch {
        throw failure(error)
      }
    }
  }

  private static func folder(in surroundings: Surroundings) throws(DataError) -> String {
    try surroundings.folder("XDG_CONFIG_HOME", below: ".config", for: "sessions")
  }

  private static func refusal(
    _ path: String, _ reason: String, hint: String? = nil
  ) -> DataError {
    DataError(
      Problem(.notLoggedIn, "the sessions cannot be read: \(reason)", hint: hint, file: path))
  }
}

extension Credentials {
  /// Parses the text of the file; nil if it is not in the form that `bytes` writes.
  private init?(reading bytes: [UInt8]) {
    guard case .object(let stores)? = try? JSONValue(parsing: bytes.span) else { return nil }
    for store in stores {
      guard case .text(let user)? = store.value["user"],
        case .text(let digits)? = store.value["token"], let token = Token(digits),
        case .text(let end)? = store.value["expires"],
        let expires = try? Timestamp(parsing: end.utf8.span)
      else { return nil }
      entries.append(Entry(store: store.name, user: user, token: token, expires: expires))
    }
  }

  /// The text of the file.
  private var bytes: [UInt8] {
    let stores = entries.map { entry in
      JSONValue.Member(
        entry.store,
        [
          "user": .text(entry.user), "token": .text(entry.token.text),
          "expires": .text(entry.expires.description),
        ])
    }
    return Array("\(JSONValue.object(stores))\n".utf8)
  }
}

extension StoreAddress {
  /// The address with symbolic links resolved, so that all paths to one file are equal.
  var canonical: String {
    guard case .file(let path) = kind else { return description }
    if let resolved = Platform.resolved(path) { return "sqlite:" + resolved }
    let folder = FilePath.folder(of: path)
    let name = String(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...])
    return "sqlite:" + FilePath.join(Platform.resolved(folder) ?? folder, name)
  }
}

internal import JSONText
internal import Platform
internal import ServerClient

/// The saved sessions of a user, stored in `credentials.json` in datactl's configuration folder.
///
/// If other users have access to the file, its tokens may have leaked, so the file is rejected.
/// When sessions change, the file is replaced atomically.
struct Credentials: Sendable {
  /// The saved session with one store.
  struct Entry: Hashable, Sendable {
    var store: String
    var user: String
    var token: Token
    var expires: Timestamp

    /// Returns whether the session is for the store with the given canonical address.
    ///
    /// The addresses are compared byte by byte, because two paths that differ in a byte are
    /// different files. Comparing strings would equate composed and decomposed letters.
    func matches(_ location: String) -> Bool { store.utf8.elementsEqual(location.utf8) }
  }

  private(set) var entries: [Entry] = []

  private static let maxSize = 1 << 20

  /// The session of the store with the given canonical address, or nil if there is none.
  subscript(location: String) -> Entry? {
    entries.first { $0.matches(location) }
  }

  /// Reads the sessions from the file. If there is no file, the result is empty.
  static func read(in environment: Environment) throws(DataError) -> Credentials {
    guard let folder = try? folder(in: environment) else { return Credentials() }
    let path = FilePath.join(folder, "credentials.json")
    let bytes: [UInt8]
    do {
      bytes = try PrivateFile.contents(of: path, atMost: maxSize) { status throws(DataError) in
        guard status.kind == .regular, status.owner == environment.userID else {
          throw accessError(
            path, "not a regular file that you own", hint: "remove the file \(path)")
        }
        guard status.permissions & 0o077 == 0 else {
          throw accessError(
            path, "readable by other users", hint: "run chmod 600 \(path), then log in again")
        }
        // A user who can write to the folder can replace the file.
        guard let parent = try? FileStatus(folder), parent.permissions & 0o022 == 0,
          [environment.userID, 0].contains(parent.owner)
        else {
          throw accessError(
            path, "other users can write to the folder",
            hint: "run chmod 700 \(folder), then log in again")
        }
      }
    } catch let error as DataError {
      throw error
    } catch let accessError as SystemCallError where accessError.isMissing {
      return Credentials()
    } catch let accessError as SystemCallError {
      throw Self.accessError(path, accessError.text, code: accessError.codeOfUserFile(.notLoggedIn))
    } catch {
      throw DataError(.fileFailed, "\(path): \(error)")
    }
    guard let credentials = Credentials(reading: bytes) else {
      throw accessError(
        path, "not a valid credentials file", hint: "remove the file \(path), and log in again")
    }
    return credentials
  }

  /// A prepared change to the saved session of a store: a new `credentials.json` is complete, but
  /// has not replaced the old file yet. Errors such as a full disk are therefore detected before
  /// the session is created or ended in the store.
  ///
  /// A lock on the folder prevents concurrent processes from overwriting each other's changes.
  struct Change: ~Copyable {
    private let lock: OpenFile
    private let replacement: FileReplacement
    private let path: String
    /// Whether the change saves a session; false if it deletes one.
    private let isSaved: Bool

    /// Prepares a new file in which `entry` replaces the saved session of the store. If `entry` is
    /// nil, the new file does not contain this session.
    init(
      to entry: Entry?, for location: String, in environment: Environment
    ) throws(DataError) {
      let folder = try folder(in: environment)
      let path = FilePath.join(folder, "credentials.json")
      let isSaved = entry != nil
      let hint =
        isSaved
        ? "use login --print-token, which does not save the session"
        : "the session has not ended; log out again later"
      let lock: OpenFile
      do throws(SystemCallError) {
        lock = try PrivateFile.lockedFolder(folder)
      } catch {
        throw Self.failure(error, path, isSaved: isSaved, hint: hint)
      }
      var credentials = try read(in: environment)
      credentials.entries.removeAll { $0.matches(location) }
      if let entry { credentials.entries.append(entry) }
      credentials.entries.sort { $0.store < $1.store }
      let replacement: FileReplacement
      do throws(SystemCallError) {
        replacement = try FileReplacement(of: path, permissions: .restricted)
        try Descriptor.writeAll(replacement.descriptor, credentials.bytes.span)
        try Descriptor.sync(replacement.descriptor)
      } catch {
        throw Self.failure(error, path, isSaved: isSaved, hint: hint)
      }
      self.lock = lock
      self.replacement = replacement
      self.path = path
      self.isSaved = isSaved
    }

    /// Replaces the credentials file. The session must already have been created or ended in the
    /// store.
    consuming func publish() throws(DataError) {
      do throws(SystemCallError) {
        try replacement.publish()
      } catch {
        throw Self.failure(
          error, path, isSaved: isSaved,
          hint: isSaved
            ? "use login --print-token, which does not save the session"
            : "the session has ended in the store; log out again later to delete its token")
      }
    }

    private static func failure(
      _ error: SystemCallError, _ path: String, isSaved: Bool, hint: String
    ) -> DataError {
      DataError(
        Problem(
          .fileFailed, "the session cannot be \(isSaved ? "saved" : "deleted"): \(error.text)",
          hint: hint, file: path))
    }
  }

  private static func folder(in environment: Environment) throws(DataError) -> String {
    try environment.folder("XDG_CONFIG_HOME", below: ".config", for: "sessions")
  }

  private static func accessError(
    _ path: String, _ reason: String, hint: String? = nil, code: ErrorCode = .notLoggedIn
  ) -> DataError {
    DataError(Problem(code, "the sessions cannot be read: \(reason)", hint: hint, file: path))
  }
}

extension Credentials {
  /// Parses the contents of the file. Returns nil if they are not a JSON object with a user, a
  /// token and a time of expiry for each store.
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

  /// The contents of the file: a JSON object with one member for each store.
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
  /// The address as text. In the path of a file, symbolic links are resolved, so that all paths to
  /// the same file give the same text.
  var canonical: String {
    guard case .file(let path) = kind else { return server?.canonical ?? description }
    if let resolved = try? FileSystem.resolved(path) { return "sqlite:" + resolved }
    let folder = FilePath.folder(of: path)
    let name = String(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...])
    return "sqlite:" + FilePath.join((try? FileSystem.resolved(folder)) ?? folder, name)
  }
}

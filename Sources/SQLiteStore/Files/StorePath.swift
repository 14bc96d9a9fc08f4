import DataModel
import DataStore
import Platform

/// The path of a store and the paths of its companion files.
struct StorePath: Sendable {
  /// The path as given by the user, for messages.
  let given: String
  /// The address of the store, for messages.
  let address: String
  /// The path that is passed to SQLite. It always begins with `/` or `.`, so SQLite cannot read it
  /// as a URI or as `:memory:`.
  let name: String
  /// Whether the store can be opened if it is an unfinished copy.
  var unfinishedCopies = UnfinishedCopies.rejected

  /// The maximum length of a path in bytes. It leaves room for the suffixes that SQLite appends,
  /// such as `-wal`.
  private static let maximumLength = 500

  init(_ given: String) throws(DataError) {
    guard !given.isEmpty, !given.utf8.contains(0) else {
      throw DataError(.storeNotFound, "invalid store path: empty, or contains NUL")
    }
    self.given = given
    address = "sqlite:" + given
    let path = given.utf8.first == UInt8(ascii: "/") ? given : "./" + given
    // SQLite creates its journals in the folder of the resolved file, so the lock file must be
    // there too.
    name = try Self.resolved(path) ?? path
    guard name.utf8.count <= Self.maximumLength else {
      throw DataError(
        .storeUnreachable,
        "\(given.prefix(60))…: path too long: \(name.utf8.count) bytes, limit \(Self.maximumLength)"
      )
    }
  }

  /// Creates the path of a store that is about to be created in a temporary folder.
  ///
  /// - Parameter given: The address of the store, for messages.
  init(temporary folder: String, given: String) {
    self.given = given
    address = given
    name = folder + "/store.db"
  }

  /// Creates the path of a database that does not have its final name yet.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the database.
  ///   - given: The final name, for messages.
  init(unpublished path: String, given: String) {
    self.given = given
    address = given
    name = path
  }

  /// Returns the absolute path of the file, without symbolic links, `.` and `..`. Returns nil if no
  /// file exists at the path.
  private static func resolved(_ path: String) throws(DataError) -> String? {
    do throws(SystemCallError) {
      return try FileSystem.resolved(path)
    } catch {
      guard error.isNotUTF8 else { return nil }
      throw DataError(.storeUnreachable, "\(path): the target path is not UTF-8")
    }
  }

  var lock: String { name + "-lock" }
  var wal: String { name + "-wal" }
  /// The index of the WAL, which the processes that use the store share.
  var walIndex: String { name + "-shm" }
  /// The rollback journal of a database that is not in WAL mode.
  var rollbackJournal: String { name + "-journal" }
  /// The path of a new store's database until it is complete and gets its final name.
  var unfinished: String { name + "-new" }

  /// Returns the temporary path of a new store's database, without symbolic links in the path of
  /// its folder. This is needed because `SQLITE_OPEN_NOFOLLOW` rejects links in any part of a path,
  /// although only the file itself must not be a link.
  func unfinishedInResolvedFolder() throws(DataError) -> String {
    guard let slash = unfinished.utf8.lastIndex(of: UInt8(ascii: "/")) else { return unfinished }
    do throws(SystemCallError) {
      let resolvedFolder = try FileSystem.resolved(folder)
      return (resolvedFolder == "/" ? "" : resolvedFolder) + unfinished[slash...]
    } catch {
      throw DataError(.storeUnreachable, "\(given): cannot be created: \(error.text)")
    }
  }

  /// The paths of all files that can belong to the store. Some of them may not exist.
  var all: [String] {
    [name, wal, walIndex, rollbackJournal, lock, unfinished]
  }

  /// The paths of all files that can belong to a new store's database while it is incomplete.
  var allUnfinished: [String] {
    [unfinished, unfinished + "-journal", unfinished + "-wal", unfinished + "-shm"]
  }

  var folder: String {
    let bytes = name.utf8
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == bytes.startIndex ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
  }

  /// Returns the path as a URI with a parameter, `immutable=1` or `vfs=unix-none`. With
  /// `immutable=1`, SQLite opens the file without locks and without its WAL. With `vfs=unix-none`,
  /// SQLite opens the file and its WAL without locks.
  func address(_ parameter: String) -> String {
    var address: [UInt8] = Array("file:".utf8)
    for byte in name.utf8 {
      if Self.isPlain(byte) {
        address.append(byte)
      } else {
        address.append(UInt8(ascii: "%"))
        let digits = String(byte, radix: 16)
        if digits.utf8.count == 1 { address.append(UInt8(ascii: "0")) }
        address.append(contentsOf: digits.utf8)
      }
    }
    return String(decoding: address, as: UTF8.self) + "?" + parameter
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

package import DataModel
package import DataStore
import Platform
import SQLiteStore

extension Client {
  /// Copies the store, which must be a file, to a new file, with everything that is in it. The copy
  /// is of one moment, and other processes can read and write the store meanwhile. In a dry run, the
  /// new file is removed when it is complete.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the new file.
  ///   - name: The name of the new file in error messages.
  ///   - verifies: Whether the digests of both files are compared.
  /// - Returns: What the new file contains, or nil if it was not verified.
  package func backUp(
    to path: String, shown name: String, verifies: Bool,
    monitor: @escaping StoreWalk.Monitor
  ) async throws(DataError) -> WholeStoreSummary? {
    try await checkIsAdministrator("back up a whole store")
    guard let store = engineStore as? SQLiteStore else { throw Self.backupNeedsFile(address) }
    try Self.checkIsUnused(path, shown: name)
    let file: FileReplacement
    do throws(SystemCallError) {
      file = try FileReplacement(
        of: path, permissions: .restricted, existing: .kept, as: .visible)
    } catch {
      guard error.exists else { throw DataError(Problem(.outputFailed, error.text, file: name)) }
      throw DataError(
        Problem(
          .exists, "another command writes this file, or it is not a file of yours",
          hint: "choose another name", file: "\(name)-new"))
    }
    let (original, copy) = try await store.backUp(
      to: file.temporaryPath, shown: name, checking: verifies ? .complete : .quick
    ) { () throws(DataError) in try monitor(0) }
    var summary: WholeStoreSummary?
    if verifies {
      summary = try await Self.verify(copy, shown: name, against: original, monitor)
    }
    try Self.checkIsUnused(path, shown: name)
    guard end == .commit else { return summary }
    do throws(SystemCallError) {
      try file.publish()
    } catch {
      throw error.exists
        ? Self.exists(name) : DataError(Problem(.outputFailed, error.text, file: name))
    }
    return summary
  }

  /// Replaces the file of another store with a copy of this store, which must be a file. See
  /// `SQLiteStore.replaceStore`.
  package func replaceStore(
    at path: String, keepingAs suffix: String, wait: WriteWait,
    monitor: @escaping StoreWalk.Monitor
  ) async throws(DataError) -> String {
    try await checkIsAdministrator("restore a whole store")
    guard let store = engineStore as? SQLiteStore else { throw Self.backupNeedsFile(address) }
    return try await store.replaceStore(at: path, keepingAs: suffix, wait: wait) {
      () throws(DataError) in try monitor(0)
    }
  }

  /// Returns the numbers of records and schemas, and the id of the store.
  package func contentSummary() async throws(DataError) -> String {
    let stored = try await store.catalog()
    var count = 0
    for schema in stored.catalog.schemas { count += try await store.count(Query(schema)) }
    let schemas = stored.catalog.schemas.count.counted("schema")
    let id = try await store.storeID().map { ", id \($0)" } ?? ""
    return "\(count.counted("record")) of \(schemas)\(id)"
  }

  /// Returns the error for a store that is not a file of this computer.
  package static func backupNeedsFile(_ address: StoreAddress) -> DataError {
    var (place, hint) = ("in a database", "write datactl dump FILE, or use pg_dump")
    if case .server = address.kind {
      place = "on a server"
      hint =
        "write datactl dump FILE, or run datactl backup, or pg_dump, on the machine of the store"
    }
    return DataError(.usage, "cannot back up a store \(place): \(address)", hint: hint)
  }

  /// Throws an error if a file has the path of a new store, or the path of its journal: SQLite would
  /// add an old journal to the store.
  private static func checkIsUnused(_ path: String, shown name: String) throws(DataError) {
    for suffix in ["", "-wal", "-shm", "-journal"]
    where (try? FileStatus(ofLink: path + suffix)) != nil { throw exists(name + suffix) }
  }

  private static func exists(_ name: String) -> DataError {
    DataError(
      Problem(
        .exists, "the file already exists", hint: "choose another name, or remove the file",
        file: name))
  }

  /// Returns the digests of a copy, after comparing them with those of the original, and checking
  /// the contents of its files.
  private static func verify(
    _ copy: any StoreReader, shown name: String, against original: any StoreReader,
    _ monitor: @escaping StoreWalk.Monitor
  ) async throws(DataError) -> WholeStoreSummary {
    var ignored: FileIndex?
    let expected = try await StoreWalk(of: original, monitor: monitor).digests(files: &ignored)
    let walk = try await StoreWalk(of: copy) { _ throws(DataError) in try monitor(0) }
    var files: FileIndex? = FileIndex()
    let summary = try await walk.digests(files: &files).summary
    guard summary == expected.summary else {
      throw DataError(
        Problem(
          .storeDamaged, "the copied records differ from the original ones",
          hint: "the disk may be damaged: choose a file on another disk", file: name))
    }
    var reader = try files.take()?.reader()
    while let group = try reader?.next() {
      for entry in group { try await walk.content(of: entry) { _ throws(DataError) in } }
    }
    return summary
  }
}

extension StoreAddress {
  /// Whether the store is a file of this computer.
  package var isFile: Bool {
    if case .file = kind { true } else { kind == .memory }
  }
}

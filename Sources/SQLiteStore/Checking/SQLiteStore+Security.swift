import DataModel
import Platform

extension SQLiteStore {
  /// Returns whether a version of SQLite has the WAL-reset bug: if two connections checkpoint a
  /// database at the same time, changes can be lost. The write lock of datactl prevents that, but
  /// other programs do not use it.
  ///
  /// - Parameter version: The version of the library as a number, such as `3_051_003` for 3.51.3.
  package static func hasWALResetBug(_ version: Int32) -> Bool {
    let isFixed =
      version >= 3_051_003 || 3_050_007..<3_051_000 ~= version || 3_044_006..<3_045_000 ~= version
    return !isFixed
  }
}

extension StorePath {
  /// Returns the permissions of the store's files and of its folder that give other users of the
  /// machine more than they need.
  func securityFindings() -> [Finding] {
    guard let store = try? FileStatus(name) else { return [] }
    var findings: [Finding] = []
    func add(_ code: Finding.Code, _ message: String) { findings.append(Finding(code, message)) }
    for file in isReachableForOthers ? [name, wal, walIndex, rollbackJournal] : [] {
      // SQLite creates the other files with the permissions of the store.
      guard let permissions = (try? FileStatus(file))?.permissions,
        file == name || permissions & ~store.permissions != 0
      else { continue }
      switch (permissions & 0o004 != 0, permissions & 0o002 != 0) {
      case (_, true): add(.fileMode, "all users can change \(file)")
      case (true, false): add(.fileMode, "all users can read \(file)")
      case (false, false): break
      }
    }
    if let permissions = (try? FileStatus(lock))?.permissions,
      permissions & 0o066 & ~store.permissions != 0
    {
      add(.lockMode, "users who cannot open the store can open \(lock)")
    }
    if let permissions = (try? FileStatus(folder))?.permissions,
      permissions & 0o022 & ~store.permissions != 0
    {
      add(.folderMode, "users who cannot change the store can change the folder \(folder)")
    }
    return findings
  }

  /// Whether all users of the machine may search all folders in the path of the store.
  private var isReachableForOthers: Bool {
    guard var path = try? FileSystem.resolved(folder) else { return true }
    while true {
      if let status = try? FileStatus(path), status.permissions & 0o001 == 0 { return false }
      guard let slash = path.lastIndex(of: "/"), path != "/" else { return true }
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
  }
}

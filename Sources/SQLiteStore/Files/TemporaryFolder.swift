import Platform

/// The folder in which SQLite creates temporary files, for example to sort many rows.
enum TemporaryFolder {
  /// The path of the folder: the first folder in SQLite's search order that the user can write to.
  static var path: String {
    let candidates = [
      ProcessEnvironment.variable("SQLITE_TMPDIR"), ProcessEnvironment.variable("TMPDIR"),
      "/var/tmp", "/usr/tmp", "/tmp",
    ]
    return candidates.compactMap { $0 }.first(where: FileSystem.isWritable) ?? "."
  }

  /// Returns whether the disk of this folder has less free space than the disk of the database.
  ///
  /// When SQLite reports a full disk, it does not say which disk is full. By then, it has already
  /// removed its temporary files, so the full disk can only be guessed by comparing the free space.
  static func isFuller(thanDiskOf database: String) -> Bool {
    let (folder, path) = (path, database.isEmpty ? "." : database)
    guard let device = try? FileStatus(folder).device, device != (try? FileStatus(path).device),
      let free = FileSystem.freeSpace(at: folder), let other = FileSystem.freeSpace(at: path)
    else { return false }
    return free < other
  }
}

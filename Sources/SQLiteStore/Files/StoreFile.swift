import DataModel
import DataStore
import Platform

/// Operations on the file of a store.
enum StoreFile {
  /// The kind of file that exists at a path.
  enum Kind {
    case absent
    case empty
    case regular
    case folder
    /// A symbolic link whose target does not exist.
    case danglingLink
    case other
  }

  /// Returns what exists at a path, following symbolic links.
  static func kind(of path: String) throws(DataError) -> Kind {
    do throws(SystemCallError) {
      let status = try FileStatus(path)
      switch status.kind {
      case .folder: return .folder
      case .regular: return status.size == 0 ? .empty : .regular
      case .other: return .other
      }
    } catch {
      if error.isMissing {
        return (try? FileStatus(ofLink: path)) == nil ? .absent : .danglingLink
      }
      throw DataError(.storeUnreachable, "\(path): cannot be opened: \(error.text)")
    }
  }

  /// Returns the identity, size and modification time of a regular file, or nil if no regular file
  /// exists at the path.
  static func status(of path: String) -> FileStatus? {
    guard let status = try? FileStatus(path), status.kind == .regular else { return nil }
    return status
  }

  /// Renames the database of a new store to its final name, and makes the new name durable if the
  /// file system supports that.
  ///
  /// - Throws: `DataError` if the file cannot be renamed, for example because a file with that name
  ///   already exists; or if the name cannot be made durable.
  static func publish(_ path: StorePath) throws(DataError) {
    do throws(SystemCallError) {
      try FileSystem.moveWithoutReplacing(path.unfinished, to: path.name)
    } catch {
      throw DataError(.storeUnreachable, "\(path.given): cannot be created: \(error.text)")
    }
    do throws(SystemCallError) {
      try FileSystem.syncFolder(path.folder)
    } catch {
      var failure = DataError(
        .storeUnreachable,
        "\(path.given): created, but syncing the folder to the disk failed: \(error.text)",
        hint: "the changes are committed, but a power failure could remove the file")
      failure.commitOutcome = .committed
      throw failure
    }
  }

  /// Removes the files of an incomplete new store. The caller must hold the write lock.
  static func removeUnfinished(_ path: StorePath) {
    for name in path.allUnfinished { FileSystem.removeFile(name) }
  }

  /// Removes the temporary name of a store. This name is still a hard link to the store if the
  /// process that created the store was killed. A program that opened the store by the temporary
  /// name would use a different WAL and damage the store. The caller must hold the write lock.
  static func removeSecondName(of path: StorePath) {
    guard let status = try? FileStatus(ofLink: path.unfinished),
      let store = try? FileStatus(path.name), status.isSameFile(as: store)
    else { return }
    removeUnfinished(path)
  }

  /// Returns the reason why SQLite could not open a file, or nil if it is not known.
  ///
  /// If SQLite cannot open a file for writing, it tries to open the file for reading, and reports
  /// the error of the second attempt. For example, it reports that a file does not exist, but not
  /// why the file could not be created.
  ///
  /// This function opens the files again to get the first error. It opens neither an existing
  /// database nor the index of the WAL, because closing them would release the locks that other
  /// connections of this process have on them.
  ///
  /// - Parameters:
  ///   - database: The path of the database, or an empty string if it could not be opened.
  ///   - newFile: The path of the database if SQLite was asked to create it; if not, nil.
  ///   - reported: The error that SQLite reported.
  static func openFailure(
    of database: String, newFile: String?, reported: SystemCallError?
  ) -> String? {
    if let reported, !reported.isMissing { return reported.text }
    let opened =
      newFile.map { [$0] } ?? (database.isEmpty ? [] : [database + "-wal", database + "-journal"])
    for path in opened {
      do throws(SystemCallError) {
        _ = try OpenFile(path, for: .readingAtOnce)
      } catch {
        if !error.isMissing { return "\(path): \(error.text)" }
      }
    }
    for path in database.isEmpty ? [] : [database + "-wal", database + "-shm"] {
      if let error = FileSystem.writeError(path), !error.isMissing {
        return "\(path): \(error.text)"
      }
    }
    return nil
  }
}

/// An open file that serves as a lock between processes. Closing the file releases the lock.
struct LockFile: ~Copyable {
  private let file: OpenFile

  /// Opens the lock file, and creates it if it does not exist. It gets the permissions of the store:
  /// who can open the lock file can stop all writers, and all writers need it. The lock file of a new
  /// store has at most the permissions that SQLite gives the store.
  init(_ path: String, of store: String) throws(DataError) {
    do throws(SystemCallError) {
      let permissions = (try? FileStatus(store))?.permissions
      file = try OpenFile(path, for: .locking(permissions: (permissions ?? 0o644) & 0o666))
      if let permissions { file.setPermissions(permissions & 0o666) }
    } catch {
      if error.isNotPermitted { throw .readOnly(path) }
      if error.isFull { throw DataError(.storeFull, "\(path): the disk is full") }
      throw DataError(.storeUnreachable, "\(path): cannot be opened: \(error.text)")
    }
  }

  init(descriptor: Int32) {
    file = OpenFile(descriptor: descriptor)
  }

  /// Acquires the lock if it is free, without waiting, and returns whether the lock was acquired.
  func tryLock() -> Bool { file.tryLock() }

  /// Waits for the lock in a new thread, and then calls `receive` with the descriptor of the locked
  /// file.
  ///
  /// A blocking `flock` is fair and needs no polling, but it cannot be canceled.
  consuming func lockInBackground(_ receive: @escaping @Sendable (Int32) -> Void) throws(DataError)
  {
    let descriptor = file.release()
    let errorNumber = DetachedThread.run {
      let file = OpenFile(descriptor: descriptor)
      try? file.lock()
      receive(file.release())
    }
    guard errorNumber == 0 else {
      Descriptor.closeFile(descriptor)
      let error = SystemCallError(number: errorNumber)
      throw DataError(.failed, "cannot start a thread: \(error.text)")
    }
  }
}

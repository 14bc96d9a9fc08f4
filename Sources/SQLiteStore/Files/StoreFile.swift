import DataModel
import DataStore
import Platform

/// Operations on the file of a store.
enum StoreFile {
  /// What exists at a path.
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

  /// Renames a complete file to its final name, and makes the new name durable if the file system
  /// supports that.
  ///
  /// - Throws: `DataError` if the file cannot be renamed, for example because a file with that name
  ///   already exists.
  static func publish(_ file: String, as path: String, in folder: String) throws(DataError) {
    do throws(SystemCallError) {
      do throws(SystemCallError) {
        try FileSystem.addName(path, to: file)
        FileSystem.removeFile(file)
      } catch {
        if error.exists { throw error }
        // Some file systems support no hard links.
        try FileSystem.move(file, to: path)
      }
    } catch {
      throw DataError(.storeUnreachable, "\(path): cannot be created: \(error.text)")
    }
    // The store is complete and usable even if its name could not be made durable.
    try? FileSystem.syncFolder(folder)
  }
}

/// An open file that serves as a lock between processes. Closing the file releases the lock.
struct LockFile: ~Copyable {
  private let file: OpenFile

  /// Opens the lock file, and creates it if it does not exist.
  init(_ path: String) throws(DataError) {
    do throws(SystemCallError) {
      file = try OpenFile(path, for: .locking)
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

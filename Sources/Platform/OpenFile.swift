#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file. It is closed when the value is destroyed.
package struct OpenFile: ~Copyable {
  /// The purpose for which a file is opened. It determines the flags of `open`.
  package enum Purpose {
    case reading
    /// Reading. If the file is a named pipe, opening it does not wait for a writer (`O_NONBLOCK`).
    case readingAtOnce
    /// Writing. The file is created, or truncated if it exists.
    case writing
    /// Writing to a file that must not exist yet.
    case creating(permissions: UInt32)
    /// Reading and writing a file that must not exist yet, and that other users may not open.
    case creatingTemporarily
    /// Locking. A missing file is created with the given permissions, reduced by the umask. Opening
    /// a symbolic link fails (`O_NOFOLLOW`).
    case locking(permissions: UInt32)
    /// Reading a folder. Opening any other kind of file fails (`O_DIRECTORY`).
    case listing
  }

  package let descriptor: Int32

  /// Opens a file (`open`). Repeats the call after an interruption by a signal, except if the
  /// program must stop.
  ///
  /// - Parameter alarm: A descriptor that becomes readable when the program must stop. Pass it if
  ///   the file may be a named pipe: opening such a file can block until another process opens the
  ///   other end, and a signal must be able to end this wait.
  package init(
    _ path: String, for purpose: Purpose, unless alarm: Int32? = nil
  ) throws(SystemCallError) {
    var permissions: mode_t = 0o666
    let flags: Int32
    switch purpose {
    case .reading: flags = O_RDONLY
    case .readingAtOnce: flags = O_RDONLY | O_NONBLOCK
    case .writing: flags = O_WRONLY | O_CREAT | O_TRUNC
    case .creating(let given):
      flags = O_WRONLY | O_CREAT | O_EXCL
      permissions = mode_t(given)
    case .creatingTemporarily:
      flags = O_RDWR | O_CREAT | O_EXCL
      permissions = 0o600
    case .locking(let given):
      flags = O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK
      permissions = mode_t(given)
    case .listing: flags = O_RDONLY | O_DIRECTORY
    }
    while true {
      let descriptor = unsafe open(path, flags | O_CLOEXEC, permissions)
      if descriptor >= 0 {
        self.descriptor = descriptor
        return
      }
      let error = SystemCallError.last
      guard error.isInterruption, !Alarm.isRaised(alarm) else { throw error }
    }
  }

  /// Sets the permissions of the file (`fchmod`), if they differ and the file belongs to the user.
  package func setPermissions(_ permissions: UInt32) {
    guard let status = try? FileStatus(of: descriptor), status.permissions & 0o777 != permissions
    else { return }
    _ = fchmod(descriptor, mode_t(permissions))
  }

  /// Takes ownership of an open descriptor. It is closed when the value is destroyed.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { Descriptor.closeFile(descriptor) }

  /// Returns the descriptor without closing it. The caller must close it.
  package consuming func release() -> Int32 {
    let descriptor = descriptor
    discard self
    return descriptor
  }

  /// Tries to acquire an exclusive lock on the file without waiting (`flock`). Returns whether the
  /// lock was acquired.
  package func tryLock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Tries to acquire a shared lock on the file without waiting (`flock`). Returns whether the lock
  /// was acquired.
  package func tryShare() -> Bool { flock(descriptor, LOCK_SH | LOCK_NB) == 0 }

  /// Waits until an exclusive lock on the file is acquired (`flock`). Closing the file releases the
  /// lock.
  package func lock() throws(SystemCallError) {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw .last }
    }
  }
}

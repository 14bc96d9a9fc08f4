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
    /// Locking. The file is created if it does not exist, and must not be a symbolic link.
    case locking
    /// Reading a folder. Opening any other kind of file fails (`O_DIRECTORY`).
    case listing
  }

  package let descriptor: Int32

  /// Opens a file (`open`).
  package init(_ path: String, for purpose: Purpose) throws(SystemCallError) {
    var permissions: mode_t = 0o666
    var waits = false
    let flags: Int32
    switch purpose {
    case .reading: (flags, waits) = (O_RDONLY, true)
    case .readingAtOnce: flags = O_RDONLY | O_NONBLOCK
    case .writing: (flags, waits) = (O_WRONLY | O_CREAT | O_TRUNC, true)
    case .creating(let given):
      flags = O_WRONLY | O_CREAT | O_EXCL
      permissions = mode_t(given)
    case .locking: flags = O_RDONLY | O_CREAT | O_NOFOLLOW
    case .listing: flags = O_RDONLY | O_DIRECTORY
    }
    while true {
      let descriptor = unsafe open(path, flags | O_CLOEXEC, permissions)
      if descriptor >= 0 {
        self.descriptor = descriptor
        return
      }
      // Opening a named pipe may block until another process opens the other end. A signal must be
      // able to end this wait, so an interrupted call is not repeated.
      guard errno == EINTR, !waits else { throw .last }
    }
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

  /// Closes the file (`close`). Throws an error if closing fails, for example because delayed
  /// writes failed.
  package consuming func finish() throws(SystemCallError) {
    guard close(release()) == 0 else { throw .last }
  }

  /// Tries to acquire an exclusive lock on the file without waiting (`flock`). Returns whether the
  /// lock was acquired.
  package func tryLock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Waits for an exclusive lock on the file (`flock`). Closing the file releases the lock.
  package func lock() throws(SystemCallError) {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw .last }
    }
  }
}

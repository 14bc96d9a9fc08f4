#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file, closed when the value is destroyed.
package struct OpenFile: ~Copyable {
  /// What a file is opened for.
  package enum Purpose {
    case reading
    /// Reading without waiting for the writer of a pipe.
    case readingAtOnce
    /// Writing; the file is created or truncated.
    case writing
    /// Writing to a file that must not exist yet.
    case creating(permissions: UInt32)
    /// Locking; the file is created if needed, and must not be a symbolic link.
    case locking
    /// Access to a folder itself.
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
      // Opening a pipe waits for its other end, and a signal ends that wait.
      guard errno == EINTR, !waits else { throw .last }
    }
  }

  /// Takes ownership of an open descriptor.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { Descriptor.closeFile(descriptor) }

  /// Returns the descriptor, which the caller closes.
  package consuming func release() -> Int32 {
    let descriptor = descriptor
    discard self
    return descriptor
  }

  /// Closes the file and reports a write that failed late (`close`).
  package consuming func finish() throws(SystemCallError) {
    guard close(release()) == 0 else { throw .last }
  }

  /// Acquires an exclusive lock if it is free, and returns whether it did (`flock`).
  package func tryLock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Waits for an exclusive lock (`flock`). Closing the file releases it.
  package func lock() throws(SystemCallError) {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw .last }
    }
  }
}

import Foundation
import Glibc

/// A write lock on a store, held as by another writer.
final class StoreLock {
  private var descriptor: Int32

  /// Acquires the lock of the store in a file: an exclusive lock on the file with the suffix
  /// `-lock`.
  init(_ store: String) throws {
    descriptor = unsafe open(store + "-lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else {
      throw PreparationError(report: "the lock of \(store) cannot be taken: error \(errno)")
    }
  }

  func release() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }

  deinit { release() }
}

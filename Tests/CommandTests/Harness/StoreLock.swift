import Foundation
import Glibc

/// Acquires a store's write lock, as another writer does.
final class StoreLock {
  private var descriptor: Int32

  /// Locks the file named after the store with the suffix `-lock`.
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

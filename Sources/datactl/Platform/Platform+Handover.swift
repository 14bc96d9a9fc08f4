#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Platform {
  /// Hands values from one thread to another, in their order.
  @safe
  final class Handover<Value: Sendable>: @unchecked Sendable {
    private var values: [Value] = []
    private var isClosed = false
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
      unsafe pthread_mutex_init(lock, nil)
      unsafe pthread_cond_init(change, nil)
    }

    deinit {
      unsafe pthread_cond_destroy(change)
      unsafe pthread_mutex_destroy(lock)
      unsafe change.deallocate()
      unsafe lock.deallocate()
    }

    func put(_ value: consuming Value) {
      unsafe pthread_mutex_lock(lock)
      values.append(value)
      unsafe pthread_mutex_unlock(lock)
      unsafe pthread_cond_signal(change)
    }

    /// Lets nobody wait for values any more.
    func close() {
      unsafe pthread_mutex_lock(lock)
      isClosed = true
      unsafe pthread_mutex_unlock(lock)
      unsafe pthread_cond_signal(change)
    }

    /// The next value, once there is one; nil when it was closed.
    func take() -> Value? {
      unsafe pthread_mutex_lock(lock)
      defer { unsafe pthread_mutex_unlock(lock) }
      while values.isEmpty && !isClosed { unsafe pthread_cond_wait(change, lock) }
      return isClosed ? nil : values.removeFirst()
    }
  }
}

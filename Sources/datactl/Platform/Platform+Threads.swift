#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Platform {
  /// Runs the body in a thread of its own, and tells whether there was one to be had.
  static func runBeside(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = unsafe Unmanaged.passRetained(ThreadWork(body))
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { unsafe pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, &attributes,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    if code != 0 { unsafe work.release() }
    return code == 0
  }

  private final class ThreadWork: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

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

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Creates threads for system calls that block. Such calls must not block the threads of Swift's
/// cooperative pool.
package enum DetachedThread {
  /// Runs the closure in a new detached thread (`pthread_create`). Returns 0, or an error number if
  /// the thread cannot be created.
  package static func run(_ body: @escaping @Sendable () -> Void) -> Int32 {
    let work = unsafe Unmanaged.passRetained(Work(body))
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { unsafe pthread_attr_destroy(&attributes) }
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let code = unsafe pthread_create(
      &thread, &attributes,
      { context in
        // The parameter of the closure is optional only on Linux.
        let context: UnsafeMutableRawPointer? = unsafe context
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    if code != 0 { unsafe work.release() }
    return code
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }
}

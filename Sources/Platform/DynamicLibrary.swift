#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A shared library, closed when the value is destroyed.
@safe
package struct DynamicLibrary: ~Copyable {
  /// When the functions that the library calls are looked up.
  package enum Binding {
    case immediate
    case lazy

    fileprivate var flags: Int32 {
      switch self {
      case .immediate: RTLD_NOW
      case .lazy:
        #if canImport(Glibc)
          // `RTLD_DEEPBIND` finds most of the thousands of symbols of the dependencies in their own
          // library first, which saves about a fifth of the loading time of libpq.
          RTLD_LAZY | RTLD_DEEPBIND
        #else
          RTLD_LAZY
        #endif
      }
    }
  }

  private let handle: UnsafeMutableRawPointer

  /// Opens a library (`dlopen`). Returns nil if it is not installed.
  package init?(_ fileName: String, binding: Binding) {
    guard let handle = unsafe dlopen(fileName, binding.flags | RTLD_LOCAL) else { return nil }
    unsafe self.handle = handle
  }

  deinit { _ = unsafe dlclose(handle) }

  /// Returns the address of a function of the library (`dlsym`).
  package func address(of name: String) -> UnsafeMutableRawPointer? {
    unsafe dlsym(handle, name)
  }

  /// Leaves the library open for the lifetime of the process.
  package consuming func keepOpen() {
    discard self
  }
}

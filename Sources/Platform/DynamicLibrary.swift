#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A loaded shared library, which is closed when the value is destroyed.
@safe
package struct DynamicLibrary: ~Copyable {
  /// When the dynamic linker resolves the functions that the library calls: all of them when the
  /// library is opened, or each one at its first call.
  package enum Binding {
    case immediate
    case lazy

    fileprivate var flags: Int32 {
      switch self {
      case .immediate: RTLD_NOW
      case .lazy:
        #if canImport(Glibc)
          // With `RTLD_DEEPBIND`, symbols are first searched for in the library and its
          // dependencies, which define most of them. This saves about a fifth of the time to load
          // libpq.
          RTLD_LAZY | RTLD_DEEPBIND
        #else
          RTLD_LAZY
        #endif
      }
    }
  }

  private let handle: UnsafeMutableRawPointer

  /// Opens a library (`dlopen`). Returns nil if the library cannot be loaded, for example because
  /// it is not installed.
  package init?(_ fileName: String, binding: Binding) {
    guard let handle = unsafe dlopen(fileName, binding.flags | RTLD_LOCAL) else { return nil }
    unsafe self.handle = handle
  }

  deinit { _ = unsafe dlclose(handle) }

  /// Returns the address of a function in the library, or nil if the library has no such function
  /// (`dlsym`).
  package func address(of name: String) -> UnsafeMutableRawPointer? {
    unsafe dlsym(handle, name)
  }

  /// Consumes the value without closing the library, so that it remains loaded until the process
  /// exits.
  package consuming func keepOpen() {
    discard self
  }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A loaded shared library. It is closed when the value is destroyed.
@safe
package struct DynamicLibrary: ~Copyable {
  /// Specifies when the dynamic linker resolves the functions that the library calls: all of
  /// them when the library is opened (`immediate`), or each one when it is first called (`lazy`).
  package enum Binding {
    case immediate
    case lazy

    fileprivate var flags: Int32 {
      switch self {
      case .immediate: RTLD_NOW
      case .lazy:
        #if canImport(Glibc)
          // With `RTLD_DEEPBIND`, symbols are searched for first in the library and its
          // dependencies, where most of them are defined. This saves about a fifth of the time to
          // load libpq.
          RTLD_LAZY | RTLD_DEEPBIND
        #else
          RTLD_LAZY
        #endif
      }
    }
  }

  /// The error for a library that cannot be loaded.
  package struct LoadError: Error {
    /// The message of the dynamic linker (`dlerror`).
    package let text: String
    /// Whether the library, or a library that it depends on, does not exist.
    package let isMissing: Bool

    /// The error of the most recent call to `dlopen` in this thread.
    fileprivate static var last: LoadError {
      guard let message = unsafe dlerror() else {
        return LoadError(text: "unknown error", isMissing: false)
      }
      let text = unsafe String(cString: message)
      #if canImport(Glibc)
        let isMissing = text.hasSuffix(SystemCallError(number: ENOENT).text)
      #else
        // Other dynamic linkers do not say why they could not open a file.
        let isMissing = true
      #endif
      return LoadError(text: text, isMissing: isMissing)
    }
  }

  private let handle: UnsafeMutableRawPointer

  /// Opens a library (`dlopen`).
  package init(_ fileName: String, binding: Binding) throws(LoadError) {
    guard let handle = unsafe dlopen(fileName, binding.flags | RTLD_LOCAL) else { throw .last }
    unsafe self.handle = handle
  }

  deinit { _ = unsafe dlclose(handle) }

  /// Returns the address of a function in the library (`dlsym`), or nil if the library does not
  /// have the function.
  package func address(of name: String) -> UnsafeMutableRawPointer? {
    unsafe dlsym(handle, name)
  }

  /// Consumes the value without closing the library. The library then remains loaded until the
  /// process exits.
  package consuming func keepOpen() {
    discard self
  }
}

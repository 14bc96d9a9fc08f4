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

  /// The reason why a library cannot be used.
  package enum LoadError: Error {
    /// The library, or a library that it depends on, does not exist.
    case missing
    /// The library cannot be loaded. The text is the message of the dynamic linker (`dlerror`).
    case failed(String)
    /// The library does not have the function with the given name.
    case functionMissing(String)

    /// The error of the most recent call to `dlopen` in this thread.
    fileprivate static var last: LoadError {
      guard let message = unsafe dlerror() else { return .failed("unknown error") }
      let text = unsafe String(cString: message)
      #if canImport(Glibc)
        return text.hasSuffix(SystemCallError(number: ENOENT).text) ? .missing : .failed(text)
      #else
        // Other dynamic linkers do not say why they could not open a file.
        return .missing
      #endif
    }
  }

  private let handle: UnsafeMutableRawPointer

  /// Opens the first of several libraries that is installed (`dlopen`).
  package init(_ fileNames: [String], binding: Binding) throws(LoadError) {
    for fileName in fileNames {
      // The dynamic linker would wait until another program opens the pipe.
      if let path = Self.pipe(named: fileName) { throw .failed("\(path) is not a regular file") }
      if let handle = unsafe dlopen(fileName, binding.flags | RTLD_LOCAL) {
        unsafe self.init(handle: handle)
        return
      }
      let error = LoadError.last
      guard case .missing = error else { throw error }
    }
    throw .missing
  }

  /// Returns the path of a file in `LD_LIBRARY_PATH` that has the name of a library, but is a pipe or
  /// a device.
  private static func pipe(named fileName: String) -> String? {
    guard let folders = unsafe getenv("LD_LIBRARY_PATH") else { return nil }
    return unsafe String(cString: folders).split { $0 == ":" || $0 == ";" }
      .map { "\($0)/\(fileName)" }.first { (try? FileStatus($0).kind) == .other }
  }

  private init(handle: UnsafeMutableRawPointer) {
    unsafe self.handle = handle
  }

  deinit { _ = unsafe dlclose(handle) }

  /// Returns a function of the library (`dlsym`).
  ///
  /// - Parameter type: The type of a pointer to the C function. It is not checked.
  package func find<Function>(
    _ name: String, as type: Function.Type = Function.self
  ) throws(LoadError) -> Function {
    guard let address = unsafe dlsym(handle, name) else { throw .functionMissing(name) }
    return unsafe unsafeBitCast(address, to: type)
  }

  /// Returns the version of the first of several libraries that is installed, or nil if none can be
  /// opened. The library stays open.
  ///
  /// - Parameter function: The function of the library that returns its version as text.
  package static func version(of fileNames: [String], from function: String) -> String? {
    version(of: fileNames) { (library) throws(LoadError) in
      let version: @convention(c) () -> UnsafePointer<CChar>? = unsafe try library.find(function)
      return unsafe version().map { unsafe String(cString: $0) }
    }
  }

  package static func version(
    of fileNames: [String], _ read: (borrowing DynamicLibrary) throws(LoadError) -> String?
  ) -> String? {
    guard let library = try? DynamicLibrary(fileNames, binding: .lazy) else { return nil }
    let version = try? read(library)
    // Some libraries do not expect to be closed.
    library.keepOpen()
    return version
  }

  /// Consumes the value without closing the library. The library then remains loaded until the
  /// process exits.
  package consuming func keepOpen() {
    discard self
  }
}

/// A library that not every user needs, and the messages if it cannot be used.
package struct OptionalLibrary: Sendable {
  private let name: String
  private let use: String
  private let packageName: String

  /// - Parameters:
  ///   - use: What needs the library, such as `passwords require`.
  ///   - packageName: The Debian package that contains the library.
  package init(_ name: String, use: String, package packageName: String) {
    self.name = name
    self.use = use
    self.packageName = packageName
  }

  /// Returns the message and the hint for an error. The hint is nil if installing the package would
  /// not help.
  package func message(_ error: DynamicLibrary.LoadError) -> (text: String, hint: String?) {
    let hint = "install the package \(packageName)"
    return switch error {
    case .missing: ("\(use) \(name), which is not installed", hint)
    case .failed(let text): ("\(use) \(name), which cannot be loaded: \(text)", nil)
    case .functionMissing(let function):
      ("this \(name) is too old: \(function) is missing", hint)
    }
  }
}

#if canImport(Glibc)
  import Synchronization
#endif

/// The argument vector of the current process.
///
/// `CommandLine.arguments` reads `/proc/self/cmdline`, so it is empty where `/proc` is not mounted.
package enum ProcessArguments {
  /// The arguments, beginning with the name of the program. Invalid UTF-8 is replaced.
  package static var texts: [String] {
    unsafe all.map { argument in unsafe argument.map { unsafe String(cString: $0) } ?? "" }
  }

  /// The indices of the arguments that are not valid UTF-8. The name of the program is not checked.
  package static var invalidIndices: [Int] {
    unsafe all.indices.dropFirst().filter { index in
      guard let argument = unsafe all[index] else { return false }
      return unsafe String(validatingCString: argument) == nil
    }
  }

  private typealias Vector = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  #if canImport(Glibc)
    private static var all: UnsafeMutableBufferPointer<Vector.Pointee> {
      unsafe UnsafeMutableBufferPointer(
        start: Vector(bitPattern: address.load(ordering: .relaxed)),
        count: Int(count.load(ordering: .relaxed)))
    }

    private static let count = Atomic<Int32>(0)
    private static let address = Atomic<UInt>(0)

    /// Stores the argument vector. Before `main`, the C library calls the functions in the section
    /// `.init_array` and passes the argument vector to them.
    @section(".init_array") @used
    private static let store: @convention(c) (Int32, Vector?, Vector?) -> Void = {
      given, vector, _ in
      count.store(given, ordering: .relaxed)
      address.store(UInt(bitPattern: vector), ordering: .relaxed)
    }
  #else
    private static var all: UnsafeMutableBufferPointer<Vector.Pointee> {
      unsafe UnsafeMutableBufferPointer(
        start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    }
  #endif
}

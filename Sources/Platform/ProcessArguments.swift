#if canImport(Glibc)
  import Synchronization
#endif

/// The argument vector of the current process.
///
/// `CommandLine.arguments` reads `/proc/self/cmdline`, so it is empty where `/proc` is not mounted.
package enum ProcessArguments {
  /// The arguments as bytes, beginning with the name of the program.
  package static var bytes: [[UInt8]] {
    let (count, vector) = unsafe vector
    return unsafe UnsafeBufferPointer(start: vector, count: Int(count)).compactMap { argument in
      unsafe argument.map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: length(of: $0))) }
    }
  }

  @unsafe
  private static func length(of text: UnsafePointer<CChar>) -> Int {
    var length = 0
    while unsafe text[length] != 0 { length += 1 }
    return length
  }

  private typealias Vector = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  #if canImport(Glibc)
    private static var vector: (count: Int32, Vector?) {
      unsafe (
        count.load(ordering: .relaxed), Vector(bitPattern: address.load(ordering: .relaxed))
      )
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
    private static var vector: (count: Int32, Vector?) {
      unsafe (CommandLine.argc, CommandLine.unsafeArgv)
    }
  #endif
}

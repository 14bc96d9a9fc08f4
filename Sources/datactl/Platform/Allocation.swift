#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Allocates memory, and ends the program with an error message if there is none.
///
/// `make release` links the calls of `malloc` in the program to this function, because Swift would
/// end the program with a stack trace. Shared libraries such as SQLite call `malloc` itself, and
/// return an error if there is no memory.
@_cdecl("__wrap_malloc")
func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
  // With the alignment of `malloc`, this function does the same.
  guard let memory = unsafe aligned_alloc(16, size) else { SignalHandler.quit(because: .noMemory) }
  return unsafe memory
}

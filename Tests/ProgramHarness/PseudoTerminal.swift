import CHarness
import Glibc

/// A pseudo-terminal pair.
struct PseudoTerminal {
  /// The controlling side, which the test reads and writes.
  let descriptor: Int32
  /// The path of the side that the child opens.
  let path: String

  init(columns: Int) throws(Violation) {
    var name = [CChar](repeating: 0, count: 64)
    descriptor = unsafe harness_open_terminal(Int32(columns), &name, name.count)
    guard descriptor >= 0 else { throw Violation("no terminal: error \(errno)") }
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

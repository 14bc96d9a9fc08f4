import CHarness
import Glibc

/// A terminal that no person sits at.
struct PseudoTerminal {
  /// The end on which we type and read.
  let descriptor: Int32
  /// The end that the child opens.
  let path: String

  init(columns: Int) throws(Violation) {
    var name = [CChar](repeating: 0, count: 64)
    descriptor = unsafe harness_open_terminal(Int32(columns), &name, name.count)
    guard descriptor >= 0 else { throw Violation("no terminal: error \(errno)") }
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

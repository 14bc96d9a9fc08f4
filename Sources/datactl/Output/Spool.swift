package import DataModel
import Platform

/// A buffer for output that must not be printed yet: in memory up to a limit, then in a temporary
/// file.
package struct Spool: Sendable {
  private static let memoryLimit = 1 << 20

  private var memory: [UInt8] = []
  private var file: AnonymousTempFile?

  package init() {}

  /// Passes the buffer to a closure that appends to it.
  package mutating func append(_ body: (inout [UInt8]) -> Void) throws(DataError) {
    body(&memory)
    if memory.count > Self.memoryLimit { try moveToFile() }
  }

  /// Writes the buffered bytes to a stream and empties the buffer.
  package mutating func print(on output: OutputStream) throws(DataError) {
    if let file {
      var bytes: [UInt8] = []
      let input = try file.input()
      while try input.read(into: &bytes, atMost: 64 << 10) > 0 {
        try output.write(bytes.span)
        bytes.removeAll(keepingCapacity: true)
      }
      self.file = nil
    }
    try output.write(memory.span)
    memory = []
  }

  private mutating func moveToFile() throws(DataError) {
    if file == nil { file = try AnonymousTempFile() }
    try file?.write(memory.span)
    memory.removeAll(keepingCapacity: true)
  }
}

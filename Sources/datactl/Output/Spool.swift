package import DataModel

/// Keeps output until it may be printed: first in memory, then in a file that has no name.
package struct Spool: Sendable {
  private static let mostInMemory = 1 << 20

  private var memory: [UInt8] = []
  private var file: NamelessFile?

  package init() {}

  /// Lets the body write at the end.
  package mutating func append(_ body: (inout [UInt8]) -> Void) throws(DataError) {
    body(&memory)
    if memory.count > Self.mostInMemory { try moveToFile() }
  }

  /// Prints everything.
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
    if file == nil { file = try NamelessFile() }
    try file?.write(memory.span)
    memory.removeAll(keepingCapacity: true)
  }
}

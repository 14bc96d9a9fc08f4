package import DataModel
package import Platform

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

  /// Writes the buffered bytes to the output and empties the buffer.
  package mutating func print(to output: AnswerOutput) throws(DataError) {
    if let file {
      var bytes: [UInt8] = []
      try file.rewind()
      while try file.read(into: &bytes, atMost: 64 << 10) > 0 {
        try output.checkInterruption()
        try output.sink.write(bytes.span)
        bytes.removeAll(keepingCapacity: true)
      }
      self.file = nil
    }
    try output.sink.write(memory.span)
    memory = []
  }

  private mutating func moveToFile() throws(DataError) {
    if file == nil { file = try AnonymousTempFile() }
    try file?.write(memory.span)
    memory.removeAll(keepingCapacity: true)
  }
}

/// Writes and reads that throw a `DataError`.
extension AnonymousTempFile {
  package convenience init() throws(DataError) {
    do throws(SystemCallError) {
      try self.init(prefix: "datactl-")
    } catch {
      throw Self.failure(error)
    }
  }

  /// Appends bytes to the file.
  package func write(_ bytes: Span<UInt8>) throws(DataError) {
    do throws(SystemCallError) {
      try Descriptor.writeAll(descriptor, bytes)
    } catch {
      throw Self.failure(error)
    }
  }

  /// Continues reading at the start of the file.
  package func rewind() throws(DataError) {
    do throws(SystemCallError) {
      try Descriptor.rewind(descriptor)
    } catch {
      throw Self.failure(error)
    }
  }

  /// Appends at most `count` bytes to the buffer and returns their number, which is 0 at the end.
  func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
    do throws(SystemCallError) {
      return try Descriptor.readBytes(descriptor, into: &buffer, atMost: count)
    } catch {
      throw Self.failure(error)
    }
  }

  private static func failure(_ error: SystemCallError) -> DataError {
    DataError(.fileFailed, "cannot use a temporary file in /var/tmp: \(error.text)")
  }
}

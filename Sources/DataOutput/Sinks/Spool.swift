package import DataModel
package import Platform

/// A buffer for output that is printed later. The bytes are kept in memory. Whenever they exceed a
/// limit, they are moved to the end of a temporary file.
package struct Spool: Sendable {
  private static let memoryLimit = 1 << 20

  private var memory: [UInt8] = []
  private var file: AnonymousTempFile?

  package init() {}

  /// Calls a closure that appends bytes to the buffer.
  package mutating func append(_ body: (inout [UInt8]) -> Void) throws(DataError) {
    body(&memory)
    if memory.count > Self.memoryLimit { try moveToFile() }
  }

  /// Returns the buffered bytes, or nil if there are more than `limit`.
  package func bytes(atMost limit: Int) -> [UInt8]? {
    file == nil && memory.count <= limit ? memory : nil
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

/// Operations on the temporary file that throw a `DataError` instead of a `SystemCallError`.
extension AnonymousTempFile {
  package convenience init() throws(DataError) {
    do throws(SystemCallError) {
      try self.init(prefix: "datactl-")
    } catch {
      throw Self.failure(error, in: nil)
    }
  }

  /// Appends bytes to the end of the temporary file.
  package func write(_ bytes: Span<UInt8>) throws(DataError) {
    do throws(SystemCallError) {
      try Descriptor.writeAll(descriptor, bytes)
    } catch {
      throw Self.failure(error, in: folder)
    }
  }

  /// Moves the file offset to the start of the file, so that the next read begins there.
  package func rewind() throws(DataError) {
    do throws(SystemCallError) {
      try Descriptor.seek(descriptor, to: 0)
    } catch {
      throw Self.failure(error, in: folder)
    }
  }

  /// Reads at most `count` bytes, and appends them to the buffer. Returns the number of bytes read,
  /// which is 0 at the end of the file.
  func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
    do throws(SystemCallError) {
      return try Descriptor.readBytes(descriptor, into: &buffer, atMost: count)
    } catch {
      throw Self.failure(error, in: folder)
    }
  }

  /// Reads at most `count` bytes that begin at an offset, and appends them to the buffer. Returns
  /// the number of bytes read, which is 0 at the end of the file.
  package func read(
    at offset: Int, into buffer: inout [UInt8], atMost count: Int
  ) throws(DataError) -> Int {
    do throws(SystemCallError) {
      return try Descriptor.readBytes(descriptor, at: offset, into: &buffer, atMost: count)
    } catch {
      throw Self.failure(error, in: folder)
    }
  }

  private static func failure(_ error: SystemCallError, in folder: String?) -> DataError {
    let error = TempFileError(error, in: folder)
    return DataError(.fileFailed, error.text, hint: error.hint)
  }
}

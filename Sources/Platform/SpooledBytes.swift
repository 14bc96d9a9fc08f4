/// A sequence of bytes to which more bytes can be appended, and which can be read at any offset.
/// Few bytes are kept in memory, and many in a temporary file that has no name.
package struct SpooledBytes: Sendable {
  /// The maximum number of bytes in memory.
  private let memoryLimit: Int
  private var memory: [UInt8] = []
  private var file: AnonymousTempFile?
  /// The number of bytes in the temporary file.
  package private(set) var fileSize = 0

  package init(inMemory memoryLimit: Int = 4 << 20) {
    self.memoryLimit = memoryLimit
  }

  package var count: Int { memory.count + fileSize }

  package mutating func append(_ bytes: Span<UInt8>) throws(TempFileError) {
    if fileSize == 0, memory.count + bytes.count <= memoryLimit {
      unsafe bytes.withUnsafeBufferPointer { unsafe memory.append(contentsOf: $0) }
      return
    }
    do throws(SystemCallError) {
      let file = if let file { file } else { try AnonymousTempFile(prefix: "datactl-") }
      self.file = file
      if !memory.isEmpty {
        try Descriptor.writeAll(file.descriptor, memory.span)
        fileSize = memory.count
        memory = []
      }
      try Descriptor.writeAll(file.descriptor, bytes)
    } catch {
      // Some of the bytes may have been written. The next ones replace them.
      if let file { try? Descriptor.seek(file.descriptor, to: fileSize) }
      throw TempFileError(error, in: file?.folder)
    }
    fileSize += bytes.count
  }

  /// Reads at most `limit` bytes that begin at an offset, and appends them to the buffer. Returns
  /// the number of bytes read, which is 0 at the end.
  package func read(
    at offset: Int, into buffer: inout [UInt8], atMost limit: Int
  ) throws(TempFileError) -> Int {
    if offset < memory.count {
      let end = min(offset + limit, memory.count)
      buffer += memory[offset..<end]
      return end - offset
    }
    guard let file, offset < count else { return 0 }
    do throws(SystemCallError) {
      return try Descriptor.readBytes(
        file.descriptor, at: offset - memory.count, into: &buffer,
        atMost: min(limit, count - offset))
    } catch {
      throw TempFileError(error, in: file.folder)
    }
  }

  /// Removes all bytes. Keeps the memory and the temporary file, so that they can be used for the
  /// bytes that are appended later.
  package mutating func removeAll() throws(TempFileError) {
    if fileSize > 0, let file {
      do throws(SystemCallError) {
        try Descriptor.removeBytes(of: file.descriptor)
      } catch {
        throw TempFileError(error, in: file.folder)
      }
    }
    memory.removeAll(keepingCapacity: true)
    fileSize = 0
  }
}

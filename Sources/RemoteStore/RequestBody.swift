package import DataModel
internal import Platform

/// The body of a request, which is kept until the response has arrived, so that the request can be
/// repeated. The first 4 MB are kept in memory, and the rest in a temporary file that is already
/// deleted.
package final class RequestBody {
  private static let memoryLimit = 4 << 20

  private var memory: [UInt8] = []
  private var file: AnonymousTempFile?
  private var size = 0
  /// The end of the body, which follows the appended bytes. It can be replaced before the request
  /// is sent again.
  package var end: [UInt8] = []

  package init() {}

  var count: Int { size + end.count }

  package func append(_ bytes: Span<UInt8>) throws(DataError) {
    size += bytes.count
    if file == nil, memory.count + bytes.count <= Self.memoryLimit {
      memory.append(copying: bytes)
      return
    }
    do throws(SystemCallError) {
      let file = if let file { file } else { try AnonymousTempFile(prefix: "datactl-") }
      self.file = file
      try Descriptor.writeAll(file.descriptor, bytes)
    } catch {
      throw failure(error)
    }
  }

  /// Reads at most `limit` bytes that begin at an offset, and appends them to the buffer. At the
  /// end, appends nothing.
  func read(
    at offset: Int, into buffer: inout [UInt8], atMost limit: Int
  ) throws(DataError) {
    if offset < memory.count {
      buffer += memory[offset..<min(offset + limit, memory.count)]
    } else if offset >= size {
      buffer += end.dropFirst(offset - size).prefix(limit)
    } else if let file {
      do throws(SystemCallError) {
        _ = try Descriptor.readBytes(
          file.descriptor, at: offset - memory.count, into: &buffer,
          atMost: min(limit, size - offset))
      } catch {
        throw failure(error)
      }
    }
  }

  private func failure(_ error: SystemCallError) -> DataError {
    let place = file?.folder ?? AnonymousTempFile.folders.joined(separator: " or ")
    return DataError(
      .fileFailed, "cannot use a temporary file in \(place): \(error.text)",
      hint: error.isFull ? "set TMPDIR to a folder on another disk" : nil)
  }
}

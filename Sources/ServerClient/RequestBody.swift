package import DataModel
package import Platform

/// The body of a request, which is kept until the response has arrived, so that the request can be
/// repeated.
package final class RequestBody {
  private var bytes = SpooledBytes()
  /// The end of the body, after the bytes that `append` has added. It can be replaced before the
  /// request is sent again.
  package var end: [UInt8] = []

  package init(_ bytes: SpooledBytes = SpooledBytes()) {
    self.bytes = bytes
  }

  var count: Int { bytes.count + end.count }

  package func append(_ piece: Span<UInt8>) throws(DataError) {
    do throws(TempFileError) {
      try bytes.append(piece)
    } catch {
      throw DataError(.fileFailed, error.text, hint: error.hint)
    }
  }

  /// Reads at most `limit` bytes that begin at an offset, and appends them to the buffer. At the
  /// end of the body, appends nothing.
  func read(
    at offset: Int, into buffer: inout [UInt8], atMost limit: Int
  ) throws(DataError) {
    guard offset < bytes.count else {
      buffer += end.dropFirst(offset - bytes.count).prefix(limit)
      return
    }
    do throws(TempFileError) {
      _ = try bytes.read(at: offset, into: &buffer, atMost: limit)
    } catch {
      throw DataError(.fileFailed, error.text, hint: error.hint)
    }
  }
}

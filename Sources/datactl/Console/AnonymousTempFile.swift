import DataModel
import Platform

extension AnonymousTempFile {
  convenience init() throws(DataError) {
    do throws(SystemCallError) {
      try self.init(prefix: "datactl-")
    } catch {
      throw Self.failure(error)
    }
  }

  /// Appends bytes to the file.
  func write(_ bytes: Span<UInt8>) throws(DataError) {
    do throws(SystemCallError) {
      try Descriptor.writeAll(descriptor, bytes)
    } catch {
      throw Self.failure(error)
    }
  }

  /// Returns a stream over the whole contents. Only one reader may be active at a time.
  func input() throws(DataError) -> InputStream {
    do throws(SystemCallError) {
      try Descriptor.rewind(descriptor)
    } catch {
      throw Self.failure(error)
    }
    return InputStream("a temporary file", from: DescriptorChannel(self))
  }

  private static func failure(_ error: SystemCallError) -> DataError {
    DataError(.fileFailed, "a temporary file in /var/tmp: \(error.text)")
  }
}

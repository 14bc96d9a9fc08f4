import DataModel

/// A temporary file that was unlinked after it was created, so the system removes it when it is
/// closed.
final class AnonymousTempFile: Sendable {
  private let descriptor: Int32
  private let channel: DescriptorChannel

  init() throws(DataError) {
    do throws(Platform.SystemError) {
      descriptor = try Platform.openAnonymousTempFile()
    } catch {
      throw Self.failure(error.text)
    }
    channel = DescriptorChannel(owning: descriptor)
  }

  /// Appends bytes to the file.
  func write(_ bytes: Span<UInt8>) throws(DataError) {
    do throws(ChannelError) {
      try channel.write(bytes)
    } catch {
      switch error {
      case .interrupted: throw .interrupted
      case .failed(let message): throw Self.failure(message)
      }
    }
  }

  /// Returns a stream over the whole contents. Only one reader may be active at a time.
  func input() throws(DataError) -> InputStream {
    do throws(Platform.SystemError) {
      try Platform.rewind(descriptor)
    } catch {
      throw Self.failure(error.text)
    }
    return InputStream("a temporary file", from: channel)
  }

  private static func failure(_ message: String) -> DataError {
    DataError(.fileFailed, "a temporary file in /var/tmp: \(message)")
  }
}

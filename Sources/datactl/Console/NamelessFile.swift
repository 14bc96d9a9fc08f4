import DataModel

/// A temporary file that has no name, and is gone when nobody holds it any more.
final class NamelessFile: Sendable {
  private let descriptor: Int32
  private let channel: DescriptorChannel

  init() throws(DataError) {
    do throws(Platform.Fault) {
      descriptor = try Platform.openNamelessFile()
    } catch {
      throw Self.failure(error.text)
    }
    channel = DescriptorChannel(owning: descriptor)
  }

  /// Writes bytes behind those that are there.
  func write(_ bytes: Span<UInt8>) throws(DataError) {
    do throws(ChannelFault) {
      try channel.write(bytes)
    } catch {
      switch error {
      case .interrupted: throw .interrupted
      case .failed(let words): throw Self.failure(words)
      }
    }
  }

  /// All that was written, from its beginning; one reader at a time.
  func input() throws(DataError) -> InputStream {
    do throws(Platform.Fault) {
      try Platform.rewind(descriptor)
    } catch {
      throw Self.failure(error.text)
    }
    return InputStream("a temporary file", from: channel)
  }

  private static func failure(_ words: String) -> DataError {
    DataError(.fileFailed, "a temporary file in /var/tmp: \(words)")
  }
}

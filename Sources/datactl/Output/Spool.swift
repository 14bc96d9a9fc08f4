package import DataModel

/// Keeps output until it may be printed: first in memory, then in a file that has no name.
package struct Spool: Sendable {
  private static let mostInMemory = 1 << 20

  private var memory: [UInt8] = []
  private var file: SpoolFile?

  package init() {}

  /// Lets the body write at the end.
  package mutating func append(_ body: (inout [UInt8]) -> Void) throws(DataError) {
    body(&memory)
    if memory.count > Self.mostInMemory { try moveToFile() }
  }

  /// Prints everything.
  package mutating func print(on output: OutputStream) throws(DataError) {
    if let file {
      try file.copy(to: output)
      self.file = nil
    }
    try output.write(memory.span)
    memory = []
  }

  private mutating func moveToFile() throws(DataError) {
    if file == nil { file = try SpoolFile() }
    try file?.write(memory.span)
    memory.removeAll(keepingCapacity: true)
  }
}

/// A file without a name, which is gone when nobody holds it any more.
private final class SpoolFile: Sendable {
  private let descriptor: Int32
  private let channel: DescriptorChannel

  init() throws(DataError) {
    do throws(Platform.Fault) {
      descriptor = try Platform.openNamelessFile()
    } catch {
      throw DataError(.outputFailed, "no temporary file for the output: \(error.text)")
    }
    channel = DescriptorChannel(owning: descriptor)
  }

  func write(_ bytes: Span<UInt8>) throws(DataError) {
    do throws(ChannelFault) {
      try channel.write(bytes)
    } catch {
      switch error {
      case .interrupted: throw .interrupted
      case .closed: throw failure("closed")
      case .failed(let words): throw failure(words)
      }
    }
  }

  func copy(to output: OutputStream) throws(DataError) {
    do throws(Platform.Fault) {
      try Platform.rewind(descriptor)
    } catch {
      throw failure(error.text)
    }
    let input = InputStream("the temporary file of the output", from: channel)
    var bytes: [UInt8] = []
    while try input.read(into: &bytes, atMost: 64 << 10) > 0 {
      try output.write(bytes.span)
      bytes.removeAll(keepingCapacity: true)
    }
  }

  private func failure(_ words: String) -> DataError {
    DataError(.outputFailed, "the temporary file of the output: \(words)")
  }
}

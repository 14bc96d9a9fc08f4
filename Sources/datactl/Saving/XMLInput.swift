import DataModel
import DataText
import DataXML
import Synchronization

extension ByteSource {
  /// Returns whether the records are XML, and the whole input. The first bytes are read only if no
  /// format is given.
  func detectingXML(
    _ format: InputFormat?
  ) throws(DataError) -> (isXML: Bool, text: ReplayedSource<Self>) {
    var source = self
    var head: [UInt8] = []
    let isXML =
      if let format {
        format == .xml
      } else {
        try XMLRecordSource.isXML(&source, head: &head)
      }
    return (isXML, ReplayedSource(head, then: source))
  }
}

/// A byte source that keeps what was read, so that XML can be read again after the schema of its
/// records was inferred.
final class RecordedSource<Source: ByteSource>: ByteSource {
  private struct State {
    var bytes: [UInt8] = []
    var source: Source
  }

  private let state: Mutex<State>

  init(_ source: Source) {
    state = Mutex(State(source: source))
  }

  func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
    try state.withLock { (state) throws(DataError) in
      let start = buffer.count
      let size = try state.source.read(into: &buffer, atMost: count)
      state.bytes += buffer[start...]
      return size
    }
  }

  func hasBytes(within seconds: Double) throws(DataError) -> Bool {
    try state.withLock { (state) throws(DataError) in try state.source.hasBytes(within: seconds) }
  }

  /// The whole input, from its start.
  var replayed: ReplayedSource<Source> {
    state.withLock { ReplayedSource($0.bytes, then: $0.source) }
  }
}

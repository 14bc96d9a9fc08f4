import DataModel
import DataText
import DataXML
import Synchronization

/// The text of an input in UTF-8, after it was decompressed and converted from other encodings.
struct InputText: ByteSource {
  private var source: any ByteSource
  /// The encoding from which the text was converted, or nil if it is UTF-8 in the input too.
  private(set) var formerEncoding: TextEncoding?

  /// Creates a text from a source that already contains it.
  init(_ source: some ByteSource) {
    self.source = source
  }

  /// Reads the first bytes of an input, and decompresses and converts the input if they or the form
  /// say so.
  ///
  /// - Parameter file: The file name that errors contain.
  init(_ input: some ByteSource, _ form: TextForm, file: String) throws(DataError) {
    var text = InputText(input)
    var head = try text.head(ofAtLeast: 2)
    if head.starts(with: [0x1F, 0x8B]) {
      text = InputText(try GzipSource(ReplayedSource(head, then: text), file: file))
      head = try text.head(ofAtLeast: 2)
    }
    let encoding = form.encoding ?? TextEncoding(byteOrderMarkOf: head.span) ?? .utf8
    self.init(ReplayedSource(head, then: text))
    if encoding != .utf8 {
      self.init(TranscodedSource(self, from: encoding, file: file))
      formerEncoding = encoding
    }
  }

  /// Returns the same text, read from another source.
  func replaced(by source: some ByteSource) -> InputText {
    var text = self
    text.source = source
    return text
  }

  /// Reads at least the given number of bytes, unless the text has fewer.
  private mutating func head(ofAtLeast count: Int) throws(DataError) -> [UInt8] {
    var head: [UInt8] = []
    // The reader of records reads as many bytes at once.
    while head.count < count, try read(into: &head, atMost: 256 << 10) > 0 {}
    return head
  }

  /// Returns whether the text is XML. The first bytes are read only if no format is given.
  mutating func detectXML(_ form: TextForm) throws(DataError) -> Bool {
    if let format = form.format { return format == .xml }
    var head: [UInt8] = []
    let isXML = try XMLRecordSource.isXML(&self, head: &head)
    source = ReplayedSource(head, then: self)
    return isXML
  }

  mutating func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
    try source.read(into: &buffer, atMost: count)
  }

  func hasBytes(within seconds: Double) throws(DataError) -> Bool {
    try source.hasBytes(within: seconds)
  }

  var convertedCount: Int? { source.convertedCount }
}

/// A byte source that keeps what was read, so that a text can be read again after the schema of its
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

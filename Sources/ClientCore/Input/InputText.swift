package import DataModel
import DataXML
package import RecordText
import Synchronization

/// The text of an input in UTF-8. If the input is compressed or has another encoding, it is
/// converted while it is read.
package struct InputText: ByteSource {
  private var source: any ByteSource
  /// Bytes that were already read from the source, and are returned again from `index` on.
  private var head: [UInt8] = []
  private var index = 0
  /// The original encoding of the input, or nil if the input is UTF-8.
  package private(set) var formerEncoding: TextEncoding?
  /// Whether the encoding was detected by the byte order mark instead of given by the user.
  private var hasDetectedEncoding = false

  /// Creates a text from a source whose bytes are already uncompressed UTF-8.
  ///
  /// - Parameter head: The bytes that were already read from the source.
  package init(_ source: some ByteSource, after head: [UInt8] = []) {
    self.source = source
    self.head = head
  }

  /// Creates the text of an input after reading its first bytes. If these bytes are a gzip header,
  /// the input is decompressed. If `form` or a byte order mark specifies an encoding other than
  /// UTF-8, the input is converted.
  ///
  /// - Parameters:
  ///   - file: The file name for error messages.
  ///   - limit: The maximum number of bytes after decompression, or nil if there is none.
  package init(
    _ input: some ByteSource, _ form: TextForm, file: String, atMost limit: Int? = nil
  ) throws(DataError) {
    self.init(input)
    try peek()
    if head.starts(with: [0x1F, 0x8B]) {
      self.init(try GzipSource(self, file: file, atMost: limit))
      try peek()
    }
    let encoding = form.encoding ?? TextEncoding(byteOrderMarkOf: head.span) ?? .utf8
    if encoding != .utf8 {
      self.init(TranscodedSource(self, from: encoding, file: file))
      formerEncoding = encoding
      hasDetectedEncoding = form.encoding == nil
    }
  }

  /// Reads the first bytes of the text into `head`: at least two, unless the text is shorter.
  private mutating func peek() throws(DataError) {
    // `RecordReader` reads the same number of bytes at once.
    while head.count < 2, try source.read(into: &head, atMost: 256 << 10) > 0 {}
  }

  /// Returns whether the text is XML. If `form` does not specify the format, detects it from the
  /// first bytes.
  package mutating func detectXML(_ form: TextForm) throws(DataError) -> Bool {
    if let format = form.format { return format == .xml }
    var bytes: [UInt8] = []
    let isXML = try XMLRecordSource.isXML(&self, head: &bytes)
    (head, index) = (bytes + head[index...], 0)
    return isXML
  }

  /// Throws an error if the text is JSON or XML, but an option was given that applies only to
  /// tables. If `form` specifies the format, it is not detected. Otherwise, call this after
  /// `detectXML`, which reads the first bytes.
  package func checkTable(_ form: TextForm, file: String) throws(DataError) {
    guard let option = form.tableOption, form.format == nil else { return }
    let first = head[index...].first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
    let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    guard isJSON || first == UInt8(ascii: "<") else { return }
    throw DataError(
      Problem(
        .usage, "\(option) is for CSV and TSV, but the input is \(isJSON ? "JSON" : "XML")",
        hint: "if the input is CSV, pass --input csv", file: file))
  }

  /// Throws an error if the text was converted to UTF-8 only because of its byte order mark. Call
  /// this for XML: the declaration of the document may name another encoding, so the user must give
  /// the encoding.
  package func checkXML(file: String) throws(DataError) {
    guard hasDetectedEncoding else { return }
    throw DataError(
      Problem(
        .syntax, "the input is UTF-16; records must be UTF-8",
        hint: "pass the encoding of the input: --encoding utf-16", file: file))
  }

  package mutating func read(
    into buffer: inout [UInt8], atMost count: Int
  ) throws(DataError) -> Int {
    guard index < head.count else { return try source.read(into: &buffer, atMost: count) }
    let size = min(count, head.count - index)
    buffer += head[index..<index + size]
    index += size
    if index == head.count { (head, index) = ([], 0) }
    return size
  }

  package func hasBytes(within seconds: Double) throws(DataError) -> Bool {
    if index < head.count { return true }
    return try source.hasBytes(within: seconds)
  }

  package var convertedCount: Int? { source.convertedCount }
}

extension TextForm {
  /// Throws an error if `--key`, `--rename` or `--skip` was given. Call this for XML input, because
  /// these options apply only to JSON and CSV.
  func checkXML(file: String) throws(DataError) {
    guard !columns.isEmpty else { return }
    throw DataError(
      Problem(
        .usage, "--key, --rename and --skip are for JSON and CSV, but the input is XML",
        hint: "describe the input with a map: datactl help maps", file: file))
  }
}

/// A byte source that keeps the bytes that were read from another source. After a schema was
/// inferred from the first records, `replayed` reads all bytes again from the beginning.
package final class RecordedSource<Source: ByteSource>: ByteSource {
  private struct State {
    var bytes: [UInt8] = []
    var source: Source
  }

  private let state: Mutex<State>

  package init(_ source: Source) {
    state = Mutex(State(source: source))
  }

  package func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
    try state.withLock { (state) throws(DataError) in
      let start = buffer.count
      let size = try state.source.read(into: &buffer, atMost: count)
      state.bytes += buffer[start...]
      return size
    }
  }

  package func hasBytes(within seconds: Double) throws(DataError) -> Bool {
    try state.withLock { (state) throws(DataError) in try state.source.hasBytes(within: seconds) }
  }

  /// A source of the whole input: the bytes that were already read, and then the rest.
  package var replayed: InputText { state.withLock { InputText($0.source, after: $0.bytes) } }
}

import DataModel
import DataOutput
import RecordText
import Synchronization

/// Writes the members of a walk as a stream of bytes. The members are those of a dump, but their
/// sizes need not be known in advance, so the store is read only once.
///
/// A member is its name, a line feed, pieces of its content, an empty piece, and its SHA-256 in
/// hexadecimal digits. A piece is its size in 4 bytes, and its bytes. An empty name ends the stream.
struct WalkStreamWriter {
  let sink: any ByteSink

  /// Writes a member whose SHA-256 the body returns.
  func add(
    _ name: String, _ body: (WalkStreamWriter) async throws(DataError) -> String
  ) async throws(DataError) {
    try sink.write("\(name)\n".utf8.span)
    let sha256 = try await body(self)
    try sink.append { bytes in
      bytes += [0, 0, 0, 0]
      bytes += sha256.utf8
    }
  }

  /// Writes a piece of the content of a member.
  func write(_ piece: Span<UInt8>) throws(DataError) {
    guard !piece.isEmpty else { return }
    let size = UInt32(piece.count)
    try sink.append { bytes in
      for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: size >> shift)) }
      bytes.append(copying: piece)
    }
  }

  /// Writes the end of the stream.
  func finish() throws(DataError) { try sink.write("\n".utf8.span) }
}

/// A source of the members of a walk, which are read in order.
protocol MemberReader: Sendable {
  /// The name of the source in error messages.
  var file: String { get }

  /// Returns an error that names a member.
  func error(_ message: String, hint: String?) -> DataError

  /// Begins to read the next member, which must have the given name. Returns its size, or nil if it
  /// is not known in advance.
  @discardableResult
  func begin(_ name: String) throws(DataError) -> Int64?

  /// Reads at most `count` bytes of the current member, and appends them to the buffer. Returns the
  /// number of bytes read, which is 0 at the end of the member.
  func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int

  /// Ends the current member, and returns its SHA-256. The member must have been read completely.
  @discardableResult
  func end() throws(DataError) -> String

  /// Reads the end of the source.
  func finish() throws(DataError)
}

extension MemberReader {
  func error(_ message: String) -> DataError { error(message, hint: nil) }

  /// Reads the current member into memory, and ends it.
  func contents(atMost limit: Int) throws(DataError) -> [UInt8] {
    var bytes: [UInt8] = []
    while try read(into: &bytes, atMost: 64 << 10) > 0 {
      guard bytes.count <= limit else { throw error("a member is longer than \(limit) bytes") }
    }
    try end()
    return bytes
  }
}

/// Reads what `WalkStreamWriter` writes.
final class WalkStreamReader: MemberReader {
  private struct State {
    var source: any ByteSource
    /// The number of bytes of the current piece that have not been read.
    var remaining = 0
    var isAtEnd = false
  }

  let file: String
  private let state: Mutex<State>

  init(_ source: some ByteSource, file: String) {
    self.file = file
    state = Mutex(State(source: source))
  }

  func error(_ message: String, hint: String?) -> DataError {
    DataError(Problem(.storeUnreachable, message, hint: hint, file: file))
  }

  func begin(_ name: String) throws(DataError) -> Int64? {
    try state.withLock { state throws(DataError) in
      let found = try self.bytes(name.utf8.count + 1, &state)
      guard found.elementsEqual("\(name)\n".utf8) else { throw error("expected \(name)") }
      state.remaining = 0
      state.isAtEnd = false
    }
    return nil
  }

  func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
    try state.withLock { state throws(DataError) in
      if state.remaining == 0, !state.isAtEnd {
        state.remaining = try self.bytes(4, &state).reduce(0) { $0 << 8 | Int($1) }
        state.isAtEnd = state.remaining == 0
      }
      guard !state.isAtEnd else { return 0 }
      let size = try state.source.read(into: &buffer, atMost: min(count, state.remaining))
      guard size > 0 else { throw incomplete }
      state.remaining -= size
      return size
    }
  }

  func end() throws(DataError) -> String {
    try state.withLock { state throws(DataError) in
      String(decoding: try self.bytes(64, &state), as: UTF8.self)
    }
  }

  func finish() throws(DataError) { _ = try begin("") }

  private func bytes(_ count: Int, _ state: inout State) throws(DataError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard try state.source.read(into: &bytes, atMost: count - bytes.count) > 0 else {
        throw incomplete
      }
    }
    return bytes
  }

  private var incomplete: DataError { error("the records end too early") }
}

package import DataModel
internal import Platform
internal import Synchronization

/// The body of a request or a response: bytes that one thread appends and another reads, possibly
/// at the same time. If there are many, they are stored in a temporary file.
package final class ByteStore: Sendable {
  /// Whether bytes can be read again after they have been read.
  package enum Retention: Sendable {
    case kept
    /// All bytes are discarded whenever the reader has read them. As long as the reader keeps up
    /// with the writer, the bytes need no temporary file.
    case discarded
  }

  /// The result of an attempt to read bytes.
  package enum Piece: Equatable {
    /// The given number of bytes was read.
    case bytes(Int)
    /// No bytes are available yet.
    case pending
    /// All bytes have been read.
    case end
    /// The writer failed, or the temporary file with the bytes cannot be read.
    case failure
  }

  private enum Writer {
    case open
    case finished
    case failed
  }

  private struct State {
    /// The bytes that have not been discarded. The first of them has the offset `start`.
    var bytes: SpooledBytes
    var start = 0
    var writer = Writer.open
    /// The closure of a reader that waits for further bytes. It is called when bytes are appended,
    /// or when the writer has finished or failed.
    var waiting: (@Sendable () -> Void)?

    init(_ bytes: SpooledBytes) {
      self.bytes = bytes
    }

    var count: Int { start + bytes.count }
  }

  /// The number of bytes in memory of a response that is limited by a budget.
  private static let responseMemory = 128 << 10

  private let retention: Retention
  /// The budget that the temporary file is counted for, or nil if there is none.
  private let budget: SpoolBudget?
  private let state: Mutex<State>

  package init(_ retention: Retention, within budget: SpoolBudget? = nil) {
    self.retention = retention
    self.budget = budget
    state = Mutex(
      State(budget == nil ? SpooledBytes() : SpooledBytes(inMemory: Self.responseMemory)))
  }

  deinit { budget?.add(-state.withLock { $0.bytes.fileSize }) }

  /// Whether the reader has to catch up before more bytes are appended, because the budget is used
  /// up.
  package var mustWaitForReader: Bool {
    guard let budget, budget.isUsedUp else { return false }
    return state.withLock { $0.bytes.fileSize > 0 }
  }

  /// The number of bytes that have been appended.
  package var count: Int { state.withLock { $0.count } }

  /// The number of bytes that have not been discarded.
  var keptCount: Int { state.withLock { $0.bytes.count } }

  package func append(_ bytes: Span<UInt8>) throws(DataError) {
    let wake = try state.withLock { (state) throws(DataError) -> (@Sendable () -> Void)? in
      let fileSize = state.bytes.fileSize
      defer { budget?.add(state.bytes.fileSize - fileSize) }
      do throws(TempFileError) {
        try state.bytes.append(bytes)
      } catch {
        throw DataError(.fileFailed, error.text, hint: error.hint)
      }
      return state.waiting.take()
    }
    wake?()
  }

  /// Marks the end of the bytes. Call this after the last call of `append`.
  package func finish() { end(.finished) }

  /// Marks the bytes as incomplete, because the writer has failed. The reader then gets an error.
  package func fail() { end(.failed) }

  private func end(_ writer: Writer) {
    let wake = state.withLock { state in
      if state.writer == .open { state.writer = writer }
      return state.waiting.take()
    }
    wake?()
  }

  /// Calls a closure as soon as there are bytes after an offset, or the writer has finished or
  /// failed.
  package func whenReadable(after offset: Int, _ wake: @escaping @Sendable () -> Void) {
    let isReadable = state.withLock { state in
      if offset < state.count || state.writer != .open { return true }
      state.waiting = wake
      return false
    }
    if isReadable { wake() }
  }

  /// Reads at most `limit` bytes that begin at an offset, and appends them to the buffer.
  package func read(at offset: Int, into buffer: inout [UInt8], atMost limit: Int) -> Piece {
    state.withLock { state in
      if state.writer == .failed { return .failure }
      guard offset < state.count else {
        if state.writer == .finished { return .end }
        return .pending
      }
      guard
        let count = try? state.bytes.read(
          at: offset - state.start, into: &buffer, atMost: limit),
        count > 0
      else { return .failure }
      if retention == .discarded, offset + count == state.count { discard(&state) }
      return .bytes(count)
    }
  }

  /// Calls a closure with all bytes, piece by piece. The writer must have finished. Throws an error
  /// if the bytes cannot be read.
  package func forEachPiece(
    atMost limit: Int = 64 << 10, _ body: (Span<UInt8>) throws(DataError) -> Void
  ) throws(DataError) {
    var piece: [UInt8] = []
    var offset = 0
    while let count = try next(at: offset, into: &piece, atMost: limit) {
      try body(piece.span)
      piece.removeAll(keepingCapacity: true)
      offset += count
    }
  }

  /// Reads at most `limit` bytes that begin at an offset, and appends them to the buffer. Returns
  /// their number, or nil after the last byte. The writer must have finished. Throws an error if
  /// the bytes cannot be read.
  package func next(
    at offset: Int, into buffer: inout [UInt8], atMost limit: Int
  ) throws(DataError) -> Int? {
    switch read(at: offset, into: &buffer, atMost: limit) {
    case .bytes(let count): return count
    case .end: return nil
    case .pending, .failure:
      throw DataError(.failed, "a body cannot be read from its temporary file")
    }
  }

  /// Returns all bytes. The writer must have finished. Throws an error if they cannot be read.
  package func bytes() throws(DataError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while try next(at: bytes.count, into: &bytes, atMost: 1 << 20) != nil {}
    return bytes
  }

  /// Discards all bytes, because the reader has read them.
  private func discard(_ state: inout State) {
    let (count, fileSize) = (state.count, state.bytes.fileSize)
    guard (try? state.bytes.removeAll()) != nil else { return }
    state.start = count
    budget?.add(-fileSize)
  }
}

import Synchronization
import datactl

/// A channel in memory, which reads the given pieces one at a time and collects what is written.
final class MemoryChannel: Channel {
  private struct State {
    var pieces: [[UInt8]]
    var formatted: [UInt8] = []
    var hidden = 0
  }

  let isTerminal: Bool
  let columns: Int?
  private let state: Mutex<State>
  /// The error that every write throws, if any.
  private let error: ChannelError?

  init(
    _ pieces: [String] = [], isTerminal: Bool = false, columns: Int? = nil,
    error: ChannelError? = nil
  ) {
    self.isTerminal = isTerminal
    self.columns = columns
    self.error = error
    state = Mutex(State(pieces: pieces.map { Array($0.utf8) }))
  }

  /// Creates a channel that reads the given bytes.
  init(bytes: [UInt8]) {
    isTerminal = false
    columns = nil
    error = nil
    state = Mutex(State(pieces: bytes.isEmpty ? [] : [bytes]))
  }

  var remaining: Int? { nil }
  var identity: FileIdentity? { nil }
  var offset: Int? { nil }

  func seek(to offset: Int) throws(ChannelError) { throw .failed("illegal seek") }

  /// The text that has been written.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The bytes that have been written.
  var bytes: [UInt8] { state.withLock { $0.formatted } }

  /// The number of inputs read without echo.
  var hiddenCount: Int { state.withLock { $0.hidden } }

  func read(into buffer: inout [UInt8], atMost count: Int) throws(ChannelError) -> Int {
    let piece = state.withLock { state -> [UInt8] in
      guard let piece = state.pieces.first else { return [] }
      state.pieces[0].removeFirst(min(count, piece.count))
      if state.pieces[0].isEmpty { state.pieces.removeFirst() }
      return Array(piece.prefix(count))
    }
    buffer += piece
    return piece.count
  }

  func hasBytes(within seconds: Double) -> Bool { true }

  func write(_ bytes: Span<UInt8>) throws(ChannelError) {
    if let error { throw error }
    state.withLock { state in
      for index in bytes.indices { state.formatted.append(bytes[index]) }
    }
  }

  func withoutEcho<Result>(
    resuming: @escaping @Sendable () -> Void, _ body: () -> Result
  ) throws(ChannelError) -> Result {
    state.withLock { $0.hidden += 1 }
    return body()
  }
}

package import DataModel
import DataOutput
import JSONText
private import Synchronization

/// A buffered output stream of bytes.
///
/// A failed write throws an error, so that the command fails.
package final class OutputStream: ByteSink {
  /// Determines when buffered bytes are written to the channel.
  package enum Buffering: Sendable {
    /// The bytes are written when 64 KiB are buffered, and on `flush`.
    case full
    /// The bytes are written after each append.
    case none
  }

  private static let capacity = 64 << 10

  private let name: String
  private let channel: any Channel
  private let buffering: Buffering
  private let buffer = Mutex<[UInt8]>([])
  private let hasWritten = Mutex(false)

  package init(_ name: String, to channel: any Channel, buffering: Buffering) {
    self.name = name
    self.channel = channel
    self.buffering = buffering
  }

  /// A stream to the same channel that is buffered, and that escapes control characters.
  var buffered: OutputStream { OutputStream(name, to: channel, buffering: .full) }

  package var isTerminal: Bool { channel.isTerminal }

  /// Whether control characters are escaped. This is the case for results on a terminal, but not
  /// for the progress line on stderr.
  private var escapesText: Bool {
    switch buffering {
    case .full: isTerminal
    case .none: false
    }
  }

  var columns: Int? { channel.columns }
  var identity: FileIdentity? { channel.identity }

  package func write(_ text: String) throws(DataError) {
    try append { $0.append(contentsOf: text.utf8) }
  }

  package func write(_ bytes: Span<UInt8>) throws(DataError) {
    try append { $0.append(copying: bytes) }
  }

  /// Calls a closure that appends bytes to the buffer. Then writes the buffer to the channel if
  /// `buffering` requires it.
  package func append(_ body: (inout [UInt8]) -> Void) throws(DataError) {
    try withBuffer { buffer throws(DataError) in
      body(&buffer)
      switch buffering {
      case .none: try drain(&buffer)
      case .full:
        if buffer.count >= Self.capacity {
          // On a terminal, write whole lines: characters are escaped, and none may be split for
          // this. In a long line, the last character may be incomplete.
          let lineEnd = buffer.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
          let end = lineEnd ?? buffer.lastIndex { $0 & 0xC0 != 0x80 }
          try drain(&buffer, upTo: escapesText ? end : nil)
        }
      }
    }
  }

  /// Writes the buffered bytes to the channel.
  package func flush() throws(DataError) {
    try withBuffer { buffer throws(DataError) in try drain(&buffer) }
  }

  /// Discards the buffered bytes, and returns true. If earlier bytes have already been written,
  /// does nothing and returns false.
  package func discardBuffer() -> Bool {
    guard !hasWritten.withLock({ $0 }) else { return false }
    buffer.withLock { $0.removeAll(keepingCapacity: true) }
    return true
  }

  private func withBuffer(_ body: (inout [UInt8]) throws(DataError) -> Void) throws(DataError) {
    try buffer.withLock { (buffer) throws(DataError) in try body(&buffer) }
  }

  /// Writes the buffered bytes before an index, or all of them if the index is nil.
  private func drain(_ buffer: inout [UInt8], upTo end: Int? = nil) throws(DataError) {
    guard !buffer.isEmpty else { return }
    hasWritten.withLock { $0 = true }
    let end = end ?? buffer.count
    // Discard the bytes even after an error, so that a later flush does not write them again.
    defer { buffer.removeFirst(end) }
    do throws(ChannelError) {
      if escapesText {
        try channel.write(TerminalText.escaped(Array(buffer[..<end])).span)
      } else {
        // Pass the buffer as a span: a copy would take memory for its whole capacity.
        try channel.write(buffer.span)
      }
    } catch {
      switch error {
      case .interrupted: throw .interrupted
      case .failed(let message): throw DataError(.outputFailed, "\(name): \(message)")
      }
    }
  }
}

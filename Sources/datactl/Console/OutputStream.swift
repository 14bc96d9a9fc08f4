package import DataModel
import DataOutput
private import Synchronization

/// A buffered output stream of bytes.
///
/// The result of every write is checked: a failed write is an error of the command.
package final class OutputStream: ByteSink {
  /// When buffered bytes are written.
  package enum Buffering: Sendable {
    /// When 64 KiB are buffered, and on `flush`.
    case full
    /// Immediately; each text is written at once.
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

  package var isTerminal: Bool { channel.isTerminal }
  var columns: Int? { channel.columns }
  var identity: FileIdentity? { channel.identity }

  package func write(_ text: String) throws(DataError) {
    try append { $0.append(contentsOf: text.utf8) }
  }

  package func write(_ bytes: Span<UInt8>) throws(DataError) {
    try append { $0.append(copying: bytes) }
  }

  /// Passes the buffer to a closure that appends to it.
  package func append(_ body: (inout [UInt8]) -> Void) throws(DataError) {
    try withBuffer { buffer throws(DataError) in
      body(&buffer)
      switch buffering {
      case .none: try drain(&buffer)
      case .full: if buffer.count >= Self.capacity { try drain(&buffer) }
      }
    }
  }

  /// Writes the buffered bytes.
  package func flush() throws(DataError) {
    try withBuffer { buffer throws(DataError) in try drain(&buffer) }
  }

  /// Discards the buffered bytes. Returns false if earlier bytes have already been written.
  func discardBuffer() -> Bool {
    guard !hasWritten.withLock({ $0 }) else { return false }
    buffer.withLock { $0.removeAll(keepingCapacity: true) }
    return true
  }

  private func withBuffer(_ body: (inout [UInt8]) throws(DataError) -> Void) throws(DataError) {
    try buffer.withLock { (buffer) throws(DataError) in try body(&buffer) }
  }

  private func drain(_ buffer: inout [UInt8]) throws(DataError) {
    guard !buffer.isEmpty else { return }
    hasWritten.withLock { $0 = true }
    // A failed write is not retried: the error has been reported.
    defer { buffer.removeAll(keepingCapacity: true) }
    do throws(ChannelError) {
      try channel.write(buffer.span)
    } catch {
      switch error {
      case .interrupted: throw .interrupted
      case .failed(let message): throw DataError(.outputFailed, "\(name): \(message)")
      }
    }
  }
}

extension DataError {
  /// The error of a command that was stopped by a signal.
  package static var interrupted: DataError { DataError(.interrupted, "interrupted") }
}

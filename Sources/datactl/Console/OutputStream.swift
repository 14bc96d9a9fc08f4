package import DataModel
private import Synchronization

/// A stream of bytes to the outside, with a buffer of its own.
///
/// Every write's result is looked at: what cannot be written is an error of the command.
package final class OutputStream: Sendable {
  /// How the bytes wait.
  package enum Buffering: Sendable {
    /// Until 64 KiB have gathered, or `flush`.
    case full
    /// Not at all: each text is written whole, at once.
    case none
  }

  private static let capacity = 64 << 10

  private let name: String
  private let channel: any Channel
  private let buffering: Buffering
  private let buffer = Mutex<[UInt8]>([])
  private let hasSent = Mutex(false)

  package init(_ name: String, to channel: any Channel, buffering: Buffering) {
    self.name = name
    self.channel = channel
    self.buffering = buffering
  }

  package var isTerminal: Bool { channel.isTerminal }
  var columns: Int? { channel.columns }
  var identity: FileIdentity? { channel.identity }

  /// Writes a text.
  package func write(_ text: String) throws(DataError) {
    try append { $0.append(contentsOf: text.utf8) }
  }

  /// Writes bytes.
  package func write(_ bytes: Span<UInt8>) throws(DataError) {
    try append { $0.append(copying: bytes) }
  }

  /// Lets the body write into the buffer.
  package func append(_ body: (inout [UInt8]) -> Void) throws(DataError) {
    try change { buffer throws(DataError) in
      body(&buffer)
      switch buffering {
      case .none: try send(&buffer)
      case .full: if buffer.count >= Self.capacity { try send(&buffer) }
      }
    }
  }

  /// Writes what waits.
  package func flush() throws(DataError) {
    try change { buffer throws(DataError) in try send(&buffer) }
  }

  /// Forgets what waits; false if something has been sent already, which cannot be taken back.
  func takeBack() -> Bool {
    guard !hasSent.withLock({ $0 }) else { return false }
    buffer.withLock { $0.removeAll(keepingCapacity: true) }
    return true
  }

  private func change(_ body: (inout [UInt8]) throws(DataError) -> Void) throws(DataError) {
    try buffer.withLock { (buffer) throws(DataError) in try body(&buffer) }
  }

  private func send(_ buffer: inout [UInt8]) throws(DataError) {
    guard !buffer.isEmpty else { return }
    hasSent.withLock { $0 = true }
    // What could not be written is not tried again: the error has been said.
    defer { buffer.removeAll(keepingCapacity: true) }
    do throws(ChannelFault) {
      try channel.write(buffer.span)
    } catch {
      switch error {
      case .interrupted: throw .interrupted
      case .failed(let words): throw DataError(.outputFailed, "\(name): \(words)")
      }
    }
  }
}

extension DataError {
  /// The error of a command that somebody stopped.
  package static var interrupted: DataError { DataError(.interrupted, "interrupted") }
}

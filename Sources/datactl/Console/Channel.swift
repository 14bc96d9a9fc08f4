/// A stream of bytes from or to a terminal, a pipe, a file, or a buffer of a test.
package protocol Channel: Sendable {
  /// The width of the terminal in columns, or nil if the channel is not a terminal or the width is
  /// unknown.
  var columns: Int? { get }
  var isTerminal: Bool { get }
  /// The number of bytes left to read, or nil if it is unknown.
  var remaining: Int? { get }
  /// The identity of the file, or nil if the channel is not a regular file.
  var identity: FileIdentity? { get }

  /// Appends at most `count` bytes to the buffer and returns how many were read: 0 at the end of
  /// the input.
  func read(into buffer: inout [UInt8], atMost count: Int) throws(ChannelError) -> Int

  /// Waits until bytes or the end of the input can be read without blocking. Returns false if that
  /// takes longer than the given time.
  func hasBytes(within seconds: Double) throws(ChannelError) -> Bool

  /// Writes all bytes.
  func write(_ bytes: Span<UInt8>) throws(ChannelError)

  /// Runs a closure while the echo of the terminal is switched off.
  ///
  /// If the process is suspended meanwhile, echo is restored until the process continues. Then
  /// `resuming` is called, because the prompt may no longer be visible.
  func withoutEcho<Result>(
    resuming: @escaping @Sendable () -> Void, _ body: () -> Result
  ) throws(ChannelError) -> Result
}

/// An error in reading from or writing to a channel.
package enum ChannelError: Error, Equatable {
  /// A signal arrived, or the reader closed the pipe.
  case interrupted
  /// Another failure, with the error message of the system.
  case failed(String)
}

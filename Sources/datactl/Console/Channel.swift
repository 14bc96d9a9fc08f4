/// A byte stream to or from a terminal, a pipe, a file, or a test.
package protocol Channel: Sendable {
  /// The width of the terminal in columns, or nil if it is not a terminal or the width is unknown.
  var columns: Int? { get }
  var isTerminal: Bool { get }
  /// The number of bytes left to read, or nil if it is unknown.
  var remaining: Int? { get }
  /// The identity of the regular file, or nil if the channel is not one.
  var identity: FileIdentity? { get }

  /// Appends at most `count` bytes to the buffer and returns their number, which is 0 at the end of
  /// the input.
  func read(into buffer: inout [UInt8], atMost count: Int) throws(ChannelError) -> Int

  /// Waits for input and returns whether a read would not block: bytes, or the end of the input,
  /// arrived within the given time.
  func hasBytes(within seconds: Double) throws(ChannelError) -> Bool

  /// Writes all bytes.
  func write(_ bytes: Span<UInt8>) throws(ChannelError)

  /// Runs a closure with the terminal's echo switched off.
  ///
  /// If the process is suspended meanwhile, echo is restored until it continues; then `resuming` is
  /// called, since the prompt may have scrolled away.
  func withoutEcho<Result>(
    resuming: @escaping @Sendable () -> Void, _ body: () -> Result
  ) throws(ChannelError) -> Result
}

/// An error of reading from or writing to a channel.
package enum ChannelError: Error, Equatable {
  /// A signal arrived, or the reader closed the pipe.
  case interrupted
  /// Any other failure, with the error message of the system.
  case failed(String)
}

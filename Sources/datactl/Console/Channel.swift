/// A stream of bytes from or to a terminal, a pipe, a file, or a buffer in a test.
package protocol Channel: Sendable {
  /// The width of the terminal in columns, or nil if the channel is not a terminal or the width is
  /// unknown.
  var columns: Int? { get }
  var isTerminal: Bool { get }
  /// The number of bytes left to read, or nil if it is unknown.
  var remaining: Int? { get }
  /// The identity of the file, or nil if the channel is not a regular file.
  var identity: FileIdentity? { get }

  /// The file offset of the next byte to read, or nil if the channel is not a regular file.
  var offset: Int? { get }

  /// Sets the offset of the next byte to read.
  func seek(to offset: Int) throws(ChannelError)

  /// Reads at most `count` bytes, and appends them to the buffer. Returns the number of bytes read,
  /// which is 0 at the end of the input.
  func read(into buffer: inout [UInt8], atMost count: Int) throws(ChannelError) -> Int

  /// Waits until the next read would not block, because there are bytes to read or the input has
  /// ended. Returns false if this takes longer than `seconds`.
  func hasBytes(within seconds: Double) throws(ChannelError) -> Bool

  /// Writes all bytes, and waits until they are written.
  func write(_ bytes: Span<UInt8>) throws(ChannelError)

  /// Runs a closure while the echo of the terminal is switched off.
  ///
  /// If the process is suspended while the closure runs, echo is switched on until the process
  /// continues. Then `resuming` is called, because the prompt may no longer be visible.
  func withoutEcho<Result>(
    resuming: @escaping @Sendable () -> Void, _ body: () -> Result
  ) throws(ChannelError) -> Result
}

/// An error that occurred while reading from a channel or writing to it.
package enum ChannelError: Error, Equatable {
  /// A signal arrived, or the reader closed the pipe.
  case interrupted
  /// A system call failed. The string is the error message of the system.
  case failed(String)
}

/// Carries bytes between the program and the outside: a terminal, a pipe, a file, or a test.
package protocol Channel: Sendable {
  /// The columns of the terminal that it leads to, if it does and the terminal knows.
  var columns: Int? { get }
  var isTerminal: Bool { get }
  /// The bytes that are left to read, if that is known.
  var remaining: Int? { get }
  /// Which regular file it leads to, if it does.
  var identity: FileIdentity? { get }

  /// Reads at most so many bytes behind those in the buffer; 0 at the end.
  func read(into buffer: inout [UInt8], atMost count: Int) throws(ChannelFault) -> Int

  /// Whether a read gives something, or the end, without waiting longer than so many seconds.
  func hasBytes(within seconds: Double) throws(ChannelFault) -> Bool

  /// Writes all the bytes.
  func write(_ bytes: Span<UInt8>) throws(ChannelFault)

  /// Runs the body while the terminal shows nothing of what is typed.
  ///
  /// If the process is stopped meanwhile, the terminal is as it was before until it goes on; then
  /// `resuming` is run, since the question may have scrolled away.
  func withoutEcho<Result>(
    resuming: @escaping @Sendable () -> Void, _ body: () -> Result
  ) throws(ChannelFault) -> Result
}

/// Why nothing more passes through a channel.
package enum ChannelFault: Error, Equatable {
  /// Somebody asked the program to stop, or nobody reads what it writes.
  case interrupted
  /// The system's words for anything else.
  case failed(String)
}

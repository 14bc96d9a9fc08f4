import Platform
private import Synchronization

/// A channel that reads from or writes to a file descriptor.
final class DescriptorChannel: Channel {
  private let descriptor: Int32
  private let closesItself: Bool
  /// The temporary file that owns the descriptor, if there is one. The reference to it keeps the
  /// descriptor open.
  private let file: (any AnyObject & Sendable)?
  /// What is needed to switch echo on while the process is suspended. Nil while echo is on.
  private let hiddenEcho = Mutex<HiddenEcho?>(nil)

  /// The data for suspending and resuming the process while echo is switched off.
  private struct HiddenEcho: Sendable {
    /// The state of the terminal before its echo was switched off.
    let state: Terminal.State
    let resuming: @Sendable () -> Void
  }

  private init(
    _ descriptor: Int32, closesItself: Bool, file: (any AnyObject & Sendable)? = nil
  ) {
    self.descriptor = descriptor
    self.closesItself = closesItself
    self.file = file
  }

  deinit {
    if closesItself { Descriptor.closeFile(descriptor) }
  }

  static var standardInput: DescriptorChannel { DescriptorChannel(0, closesItself: false) }
  static var standardOutput: DescriptorChannel { DescriptorChannel(1, closesItself: false) }
  static var standardError: DescriptorChannel { DescriptorChannel(2, closesItself: false) }

  /// Creates a channel that owns a descriptor. The descriptor is closed in `deinit`.
  convenience init(owning descriptor: Int32) {
    self.init(descriptor, closesItself: true)
  }

  convenience init(_ file: AnonymousTempFile) {
    self.init(file.descriptor, closesItself: false, file: file)
  }

  convenience init(_ file: FileReplacement) {
    self.init(file.descriptor, closesItself: false, file: file)
  }

  var columns: Int? { Terminal.columns(of: descriptor) }
  var isTerminal: Bool { Terminal.isTerminal(descriptor) }
  var remaining: Int? { Files.remaining(of: descriptor) }
  var identity: FileIdentity? { Files.identity(of: descriptor) }
  var offset: Int? { Files.offset(of: descriptor) }

  func seek(to offset: Int) throws(ChannelError) {
    do throws(SystemCallError) {
      try Descriptor.seek(descriptor, to: offset)
    } catch {
      throw .failed(error.text)
    }
  }

  func read(into buffer: inout [UInt8], atMost count: Int) throws(ChannelError) -> Int {
    while true {
      try waitForInput()
      do throws(SystemCallError) {
        return try Descriptor.readBytes(descriptor, into: &buffer, atMost: count)
      } catch {
        if !error.isInterruption && !error.wouldBlock { throw .failed(error.text) }
      }
    }
  }

  func hasBytes(within seconds: Double) throws(ChannelError) -> Bool {
    try waitForInput(seconds: seconds)
  }

  /// The default capacity of a pipe in bytes.
  private static let defaultPipeCapacity = 64 << 10

  func write(_ bytes: Span<UInt8>) throws(ChannelError) {
    if bytes.count > Self.defaultPipeCapacity { Files.enlargePipe(descriptor) }
    var start = 0
    while start < bytes.count {
      do throws(SystemCallError) {
        start += try Descriptor.writeBytes(descriptor, bytes.extracting(start..<bytes.count))
      } catch {
        if error.isBrokenPipe {
          SignalHandler.recordClosedPipe()
          throw .interrupted
        }
        if error.wouldBlock {
          try waitUntilWritable()
        } else if !error.isInterruption {
          throw .failed(error.text)
        }
      }
      // A signal can make `write` return early. Do not continue to write then, because the next
      // call might block.
      if start < bytes.count && isStopping { throw .interrupted }
    }
  }

  /// Whether to stop writing because of a signal. Writes to stderr always continue, so that the
  /// last error message is printed.
  private var isStopping: Bool { SignalHandler.received != nil && descriptor != 2 }

  func withoutEcho<Result>(
    resuming: @escaping @Sendable () -> Void, _ body: () -> Result
  ) throws(ChannelError) -> Result {
    do throws(SystemCallError) {
      SignalHandler.deferSuspension()
      defer { SignalHandler.restoreSuspension() }
      let state = try Terminal.hideEcho(of: descriptor)
      defer { Terminal.restore(state, of: descriptor) }
      hiddenEcho.withLock { $0 = HiddenEcho(state: state, resuming: resuming) }
      defer { hiddenEcho.withLock { $0 = nil } }
      return body()
    } catch {
      throw .failed(error.text)
    }
  }

  /// Suspends the process if SIGTSTP was received while echo was switched off. Returns whether the
  /// process was suspended. During the suspension, echo is switched on.
  private func suspendIfRequested() throws(SystemCallError) -> Bool {
    guard let hiddenEcho = hiddenEcho.withLock({ $0 }), SignalHandler.consumeSuspension() else {
      return false
    }
    Terminal.restore(hiddenEcho.state, of: descriptor)
    Signals.suspend()
    SignalHandler.deferSuspension()
    _ = try Terminal.hideEcho(of: descriptor)
    hiddenEcho.resuming()
    return true
  }

  /// Waits until the descriptor is readable. Returns false if this takes longer than `seconds`.
  ///
  /// - Throws: `interrupted` if a signal arrives first.
  @discardableResult
  private func waitForInput(seconds: Double? = nil) throws(ChannelError) -> Bool {
    // If a signal interrupts the wait, continue to wait for the rest of the time.
    let end = seconds.map { SystemClock.elapsed() + $0 }
    while true {
      var readiness: Descriptor.Readiness?
      do throws(SystemCallError) {
        readiness = try Descriptor.wait(
          for: .input, of: descriptor, alarm: SignalHandler.alarm,
          seconds: end.map { $0 - SystemClock.elapsed() })
        if readiness == .alarm, try suspendIfRequested() { readiness = nil }
      } catch {
        if !error.isInterruption { throw .failed(error.text) }
      }
      if readiness == .alarm || SignalHandler.received != nil { throw .interrupted }
      if let readiness { return readiness == .ready }
    }
  }

  /// Waits until the descriptor is writable or a signal arrives.
  private func waitUntilWritable() throws(ChannelError) {
    do throws(SystemCallError) {
      _ = try Descriptor.wait(
        for: .output, of: descriptor, alarm: descriptor == 2 ? nil : SignalHandler.alarm)
    } catch {
      if !error.isInterruption { throw .failed(error.text) }
    }
  }
}

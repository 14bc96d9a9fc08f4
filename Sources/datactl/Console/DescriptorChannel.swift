private import Synchronization

/// A channel over a file descriptor.
final class DescriptorChannel: Channel {
  private let descriptor: Int32
  private let closesItself: Bool
  /// The state to restore if the process is suspended while echo is off.
  private let hiddenEcho = Mutex<HiddenEcho?>(nil)

  /// The state of a terminal whose echo is switched off.
  private struct HiddenEcho: Sendable {
    /// The state before echo was switched off.
    let state: Platform.TerminalState
    let resuming: @Sendable () -> Void
  }

  private init(_ descriptor: Int32, closesItself: Bool) {
    self.descriptor = descriptor
    self.closesItself = closesItself
  }

  deinit {
    if closesItself { Platform.closeFile(descriptor) }
  }

  static var standardInput: DescriptorChannel { DescriptorChannel(0, closesItself: false) }
  static var standardOutput: DescriptorChannel { DescriptorChannel(1, closesItself: false) }
  static var standardError: DescriptorChannel { DescriptorChannel(2, closesItself: false) }

  /// Takes ownership of a descriptor and closes it when deinitialized.
  convenience init(owning descriptor: Int32) {
    self.init(descriptor, closesItself: true)
  }

  var columns: Int? { Platform.columns(of: descriptor) }
  var isTerminal: Bool { Platform.isTerminal(descriptor) }
  var remaining: Int? { Platform.remaining(of: descriptor) }
  var identity: FileIdentity? { Platform.identity(of: descriptor) }

  func read(into buffer: inout [UInt8], atMost count: Int) throws(ChannelError) -> Int {
    while true {
      try waitForInput()
      do throws(Platform.SystemError) {
        return try Platform.readBytes(descriptor, into: &buffer, atMost: count)
      } catch {
        if !error.isInterruption && !error.wouldBlock { throw .failed(error.text) }
      }
    }
  }

  func hasBytes(within seconds: Double) throws(ChannelError) -> Bool {
    try waitForInput(seconds: seconds)
  }

  /// The default capacity of a pipe.
  private static let defaultPipeCapacity = 64 << 10

  func write(_ bytes: Span<UInt8>) throws(ChannelError) {
    if bytes.count > Self.defaultPipeCapacity { Platform.enlargePipe(descriptor) }
    var start = 0
    while start < bytes.count {
      do throws(Platform.SystemError) {
        start += try Platform.writeBytes(descriptor, bytes.extracting(start..<bytes.count))
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
      // A signal ends a write early, and the next write might block.
      if start < bytes.count && isStopping { throw .interrupted }
    }
  }

  /// Whether a signal ends the writing. Writes to stderr continue, so that the final message is
  /// printed.
  private var isStopping: Bool { SignalHandler.received != nil && descriptor != 2 }

  func withoutEcho<Result>(
    resuming: @escaping @Sendable () -> Void, _ body: () -> Result
  ) throws(ChannelError) -> Result {
    do throws(Platform.SystemError) {
      SignalHandler.deferSuspension()
      defer { SignalHandler.restoreSuspension() }
      let state = try Platform.hideEcho(of: descriptor)
      defer { Platform.restore(state, of: descriptor) }
      hiddenEcho.withLock { $0 = HiddenEcho(state: state, resuming: resuming) }
      defer { hiddenEcho.withLock { $0 = nil } }
      return body()
    } catch {
      throw .failed(error.text)
    }
  }

  /// Suspends the process if SIGTSTP was received, and returns whether it was. Echo is restored
  /// while the process is suspended, and switched off again when it continues.
  private func suspendIfRequested() throws(Platform.SystemError) -> Bool {
    guard let hiddenEcho = hiddenEcho.withLock({ $0 }), SignalHandler.consumeSuspension() else {
      return false
    }
    Platform.restore(hiddenEcho.state, of: descriptor)
    Platform.suspend()
    SignalHandler.deferSuspension()
    _ = try Platform.hideEcho(of: descriptor)
    hiddenEcho.resuming()
    return true
  }

  /// Waits until the descriptor is readable, at most for the given time, and returns whether it is.
  ///
  /// - Throws: `interrupted` if a signal arrives first.
  @discardableResult
  private func waitForInput(seconds: Double? = nil) throws(ChannelError) -> Bool {
    while true {
      var readiness: Platform.Readiness?
      do throws(Platform.SystemError) {
        readiness = try Platform.wait(
          for: .input, of: descriptor, or: SignalHandler.alarm, seconds: seconds)
        if readiness == .other, try suspendIfRequested() { readiness = nil }
      } catch {
        if !error.isInterruption { throw .failed(error.text) }
      }
      if readiness == .other || SignalHandler.received != nil { throw .interrupted }
      if let readiness { return readiness == .ready }
    }
  }

  /// Waits until the descriptor is writable, or a signal arrives.
  private func waitUntilWritable() throws(ChannelError) {
    do throws(Platform.SystemError) {
      _ = try Platform.wait(
        for: .output, of: descriptor, or: descriptor == 2 ? nil : SignalHandler.alarm)
    } catch {
      if !error.isInterruption { throw .failed(error.text) }
    }
  }
}

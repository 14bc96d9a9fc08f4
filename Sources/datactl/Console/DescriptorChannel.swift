private import Synchronization

/// A channel over a file descriptor.
final class DescriptorChannel: Channel {
  private let descriptor: Int32
  private let closesItself: Bool
  /// The state to restore if the process is suspended while echo is off.
  private let silence = Mutex<Silence?>(nil)

  /// The state of a terminal whose echo is switched off.
  private struct Silence: Sendable {
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

  func read(into buffer: inout [UInt8], atMost count: Int) throws(ChannelFault) -> Int {
    while true {
      try waitForInput()
      do throws(Platform.Fault) {
        return try Platform.readBytes(descriptor, into: &buffer, atMost: count)
      } catch {
        if !error.isInterruption && !error.wouldWait { throw .failed(error.text) }
      }
    }
  }

  func hasBytes(within seconds: Double) throws(ChannelFault) -> Bool {
    try waitForInput(seconds: seconds)
  }

  /// The default capacity of a pipe.
  private static let narrowPipe = 64 << 10

  func write(_ bytes: Span<UInt8>) throws(ChannelFault) {
    if bytes.count > Self.narrowPipe { Platform.widenPipe(descriptor) }
    var start = 0
    while start < bytes.count {
      do throws(Platform.Fault) {
        start += try Platform.writeBytes(descriptor, bytes.extracting(start..<bytes.count))
      } catch {
        if error.isBrokenPipe {
          SignalWatch.noteClosedPipe()
          throw .interrupted
        }
        if error.wouldWait {
          try waitForRoom()
        } else if !error.isInterruption {
          throw .failed(error.text)
        }
      }
      // A signal ends a write early, and the next write might block.
      if start < bytes.count && isToldToStop { throw .interrupted }
    }
  }

  /// Whether a signal ends the writing. Writes to stderr continue, so that the final message is
  /// printed.
  private var isToldToStop: Bool { SignalWatch.received != nil && descriptor != 2 }

  func withoutEcho<Result>(
    resuming: @escaping @Sendable () -> Void, _ body: () -> Result
  ) throws(ChannelFault) -> Result {
    do throws(Platform.Fault) {
      SignalWatch.holdSuspension()
      defer { SignalWatch.releaseSuspension() }
      let state = try Platform.hideEcho(of: descriptor)
      defer { Platform.restore(state, of: descriptor) }
      silence.withLock { $0 = Silence(state: state, resuming: resuming) }
      defer { silence.withLock { $0 = nil } }
      return body()
    } catch {
      throw .failed(error.text)
    }
  }

  /// Suspends the process if SIGTSTP was received, and returns whether it was. Echo is restored
  /// while the process is suspended, and switched off again when it continues.
  private func suspendIfAsked() throws(Platform.Fault) -> Bool {
    guard let silence = silence.withLock({ $0 }), SignalWatch.takeSuspension() else { return false }
    Platform.restore(silence.state, of: descriptor)
    Platform.suspend()
    SignalWatch.holdSuspension()
    _ = try Platform.hideEcho(of: descriptor)
    silence.resuming()
    return true
  }

  /// Waits until the descriptor is readable, at most for the given time, and returns whether it is.
  ///
  /// - Throws: `interrupted` if a signal arrives first.
  @discardableResult
  private func waitForInput(seconds: Double? = nil) throws(ChannelFault) -> Bool {
    while true {
      var readiness: Platform.Readiness?
      do throws(Platform.Fault) {
        readiness = try Platform.wait(
          for: .input, of: descriptor, or: SignalWatch.alarm, seconds: seconds)
        if readiness == .other, try suspendIfAsked() { readiness = nil }
      } catch {
        if !error.isInterruption { throw .failed(error.text) }
      }
      if readiness == .other || SignalWatch.received != nil { throw .interrupted }
      if let readiness { return readiness == .ready }
    }
  }

  /// Waits until the descriptor is writable, or a signal arrives.
  private func waitForRoom() throws(ChannelFault) {
    do throws(Platform.Fault) {
      _ = try Platform.wait(
        for: .output, of: descriptor, or: descriptor == 2 ? nil : SignalWatch.alarm)
    } catch {
      if !error.isInterruption { throw .failed(error.text) }
    }
  }
}

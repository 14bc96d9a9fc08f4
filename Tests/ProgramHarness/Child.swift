import Foundation
package import Glibc

/// A running child process.
///
/// Its stdin is written, and its stdout and stderr are read, only while a method of this class
/// waits.
package final class Child {
  package let pid: pid_t
  private let line: String
  private let startTime = ContinuousClock.now
  private let timeLimit: Duration
  private var input: Pipe
  private var streams: [Stream]
  private var exitStatus: Int32?
  private var peakMemory = 0
  /// Whether to sample the peak memory of the process while waiting.
  package var watchesMemory = false

  /// A descriptor to read from, and the bytes read so far.
  private struct Stream {
    var descriptor: Int32
    var bytes: [UInt8] = []
  }

  /// The descriptor through which the test writes to the child's stdin.
  private struct Pipe {
    var descriptor: Int32 = -1
    var pending: ArraySlice<UInt8> = []
    /// Whether to close the descriptor when all pending bytes have been written.
    var closes = true
  }

  package init(
    _ program: Program, arguments: [String], input: Input, output: Output, errors: Output
  ) throws(Violation) {
    var spawn = Spawn()
    defer { spawn.closeChildDescriptors() }
    let command = program.command + arguments
    line = command.joined(separator: " ")
    timeLimit = program.timeLimit

    let inputDescriptor = try spawn.input(input)
    let outputDescriptor = try spawn.output(output, as: 1)
    let errorDescriptor = try spawn.output(errors, as: 2)
    switch input {
    case .nothing, .file: self.input = Pipe()
    case .open: self.input = Pipe(descriptor: inputDescriptor, closes: false)
    case .bytes(let bytes): self.input = Pipe(descriptor: inputDescriptor, pending: bytes[...])
    case .terminal(let bytes):
      self.input = Pipe(descriptor: inputDescriptor, pending: bytes[...], closes: false)
    }
    var echoDescriptor: Int32 = -1
    if case .terminal = input { echoDescriptor = dup(inputDescriptor) }
    streams = [outputDescriptor, errorDescriptor, echoDescriptor].map { Stream(descriptor: $0) }
    pid = try spawn.start(command, environment: program.environment, directory: program.directory)
  }

  deinit {
    if exitStatus == nil {
      kill(pid, SIGKILL)
      _ = waitpid(pid, nil, 0)
    }
    closeInput()
    for stream in streams where stream.descriptor >= 0 { close(stream.descriptor) }
  }

  package var outputBytes: [UInt8] { streams[0].bytes }
  package var errorBytes: [UInt8] { streams[1].bytes }

  package func signal(_ number: Int32) {
    kill(pid, number)
  }

  /// Enqueues text for the child's stdin. It is written the next time that a method waits.
  package func send(_ text: String) {
    input.pending += Array(text.utf8)
  }

  package func closeInput() {
    guard input.descriptor >= 0 else { return }
    close(input.descriptor)
    input.descriptor = -1
  }

  /// Closes the read end of the child's stdout, as `head` does.
  package func closeOutput() {
    guard streams[0].descriptor >= 0 else { return }
    close(streams[0].descriptor)
    streams[0].descriptor = -1
  }

  /// Writes stdin and reads stdout and stderr until the condition is true.
  ///
  /// - Parameter what: A description of the condition, for the error if the child exits first.
  package func wait(
    for what: String, until condition: (Child) -> Bool
  ) throws(Violation) {
    while !condition(self) {
      guard hasOpenStreams else { throw Violation("\(line): ended before \(what)") }
      try serveStreams(waiting: 20)
    }
  }

  /// Waits until the child is blocked because the pipe of its stdout is full. Reads nothing
  /// meanwhile.
  package func waitUntilOutputStalls() throws(Violation) {
    var before = 0
    while true {
      if ContinuousClock.now > deadline { throw timeoutViolation() }
      usleep(20_000)
      let available = availableOutput
      if available > 0 && available == before { return }
      before = available
    }
  }

  /// Waits until the child has written to its stdout. Reads nothing meanwhile.
  package func waitUntilOutputBegins() throws(Violation) {
    while availableOutput == 0 {
      if ContinuousClock.now > deadline { throw timeoutViolation() }
      usleep(100)
    }
  }

  /// The number of bytes in the pipe of the child's stdout.
  private var availableOutput: Int {
    var count: Int32 = 0
    _ = unsafe ioctl(streams[0].descriptor, UInt(FIONREAD), &count)
    return Int(count)
  }

  /// Writes stdin and reads stdout and stderr for the given duration, or until the child closes its
  /// output.
  package func run(for duration: Duration) throws(Violation) {
    let end = ContinuousClock.now + duration
    while ContinuousClock.now < end, hasOpenStreams {
      let rest = (end - ContinuousClock.now) / .milliseconds(1)
      try serveStreams(waiting: Int32(max(1, min(10, rest))))
    }
  }

  /// Waits until the process has exited, and reads nothing meanwhile.
  package func waitUntilExit() throws(Violation) {
    while !hasExited() {
      if ContinuousClock.now > deadline { throw timeoutViolation() }
      usleep(500)
    }
  }

  /// Reads the remaining output, waits until the process exits, and returns the result.
  package func finish() throws(Violation) -> Run {
    let readsUntilExit = streams[2].descriptor >= 0
    while hasOpenStreams {
      try serveStreams(waiting: watchesMemory ? 2 : 100)
      if readsUntilExit, hasExited() {
        while try serveStreams(waiting: 0) {}
        break
      }
    }
    try waitUntilExit()
    let seconds = (ContinuousClock.now - startTime) / .seconds(1)
    return Run(
      line: line, status: exitStatus ?? -1, outputBytes: streams[0].bytes,
      errorBytes: streams[1].bytes, echoBytes: streams[2].bytes, seconds: seconds,
      peakMemory: peakMemory)
  }

  private var deadline: ContinuousClock.Instant { startTime + timeLimit }

  /// Whether stdout or stderr is still open.
  private var hasOpenStreams: Bool { streams[0].descriptor >= 0 || streams[1].descriptor >= 0 }

  private func timeoutViolation() -> Violation {
    kill(pid, SIGKILL)
    let errors = String(decoding: streams[1].bytes.suffix(300), as: UTF8.self)
    return Violation("\(line): had not ended after \(timeLimit); errors \(errors)")
  }

  private func hasExited() -> Bool {
    if exitStatus != nil { return true }
    var status: Int32 = 0
    guard unsafe waitpid(pid, &status, WNOHANG) == pid else { return false }
    let signal = status & 0x7f
    exitStatus = signal == 0 ? (status >> 8) & 0xff : 128 + signal
    return true
  }

  /// Waits until a stream is ready, at most for the given time, then reads or writes all streams
  /// that are ready. Returns whether any stream was ready.
  @discardableResult
  private func serveStreams(waiting milliseconds: Int32) throws(Violation) -> Bool {
    if ContinuousClock.now > deadline { throw timeoutViolation() }
    let hasPendingInput = input.descriptor >= 0 && !input.pending.isEmpty
    var polls = streams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    polls.append(
      pollfd(fd: hasPendingInput ? input.descriptor : -1, events: Int16(POLLOUT), revents: 0))
    let ready = unsafe poll(&polls, nfds_t(polls.count), milliseconds)
    if watchesMemory { peakMemory = max(peakMemory, residentPeak(of: pid)) }
    guard ready > 0 else {
      if input.pending.isEmpty, input.closes { closeInput() }
      return false
    }
    for index in streams.indices where polls[index].revents != 0 { read(index) }
    if polls[3].revents != 0 { write() }
    if input.pending.isEmpty, input.closes { closeInput() }
    return true
  }

  private func read(_ index: Int) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe Glibc.read(streams[index].descriptor, &buffer, buffer.count)
    if count > 0 {
      streams[index].bytes += buffer.prefix(count)
    } else if count == 0 || errno != EINTR {
      close(streams[index].descriptor)
      streams[index].descriptor = -1
    }
  }

  private func write() {
    let piece = Array(input.pending.prefix(65_536))
    let count = unsafe Glibc.write(input.descriptor, piece, piece.count)
    if count > 0 {
      input.pending = input.pending.dropFirst(count)
    } else if errno != EINTR, errno != EAGAIN {
      input.pending = []
      closeInput()
    }
  }
}

/// Returns the peak resident memory of a process in bytes (`VmHWM`).
private func residentPeak(of pid: pid_t) -> Int {
  guard let text = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
    let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
    let kilobytes = line.split(separator: " ").dropFirst().compactMap({ Int($0) }).first
  else { return 0 }
  return kilobytes * 1024
}

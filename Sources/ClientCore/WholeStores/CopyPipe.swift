import DataAPI
import DataModel
import DataOutput
import Platform
import RecordText
import ServerClient
import Synchronization

/// A pipe between the walk over a store and the write to another one. It has a small buffer, so
/// each side waits for the other one.
final class CopyPipe: Sendable {
  private let reading: Int32
  private let writing: Atomic<Int32>
  private let isStopped = Atomic(false)
  /// A file descriptor that becomes readable when the program must stop.
  private let alarm: Int32?

  init(alarm: Int32?) throws(DataError) {
    guard let ends = Descriptor.makePipe() else {
      throw DataError(.failed, "cannot create a pipe: \(SystemCallError.last.text)")
    }
    self.alarm = alarm
    reading = ends.reading
    writing = Atomic(ends.writing)
  }

  deinit {
    closeWriting()
    Descriptor.closeFile(reading)
  }

  /// Ends the data.
  func closeWriting() {
    let descriptor = writing.exchange(-1, ordering: .relaxed)
    if descriptor >= 0 { Descriptor.closeFile(descriptor) }
  }

  /// Makes the next write fail, and discards what was written before. Call this when the data is
  /// not needed any more.
  ///
  /// The reading end is not closed instead, because SIGPIPE would end some programs.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    // The walk may need the thread of the caller.
    _ = DetachedThread.run { [self] in
      var bytes: [UInt8] = []
      while (try? read(into: &bytes, atMost: 64 << 10)) ?? 0 > 0 { bytes.removeAll() }
    }
  }

  /// Whether `stop` has not been called.
  var isNeeded: Bool { !isStopped.load(ordering: .relaxed) }

  /// Throws an error if `stop` was called.
  func checkIsNeeded() throws(DataError) {
    if !isNeeded { throw .interrupted }
  }
}

extension CopyPipe: ByteSink {
  func append(_ body: (inout [UInt8]) -> Void) throws(DataError) {
    var bytes: [UInt8] = []
    body(&bytes)
    try checkIsNeeded()
    do throws(SystemCallError) {
      try Descriptor.writeAll(writing.load(ordering: .relaxed), bytes.span)
    } catch {
      throw DataError(.failed, "cannot write to a pipe: \(error.text)")
    }
  }

  func flush() {}

  func discardBuffer() -> Bool { false }
}

/// Receives a walk from a server, as fast as the other store is written.
extension CopyPipe: ResponseReceiver {
  var mediaType: String? { ContentType.walk }

  func begin() {}

  func receive(_ bytes: Span<UInt8>) throws(DataError) { try write(bytes) }
}

extension CopyPipe: ByteSource {
  func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
    while true {
      do throws(SystemCallError) {
        // After `stop`, the rest is read even if the program must stop, so that the writer ends.
        let readiness =
          isNeeded ? try Descriptor.wait(for: .input, of: reading, alarm: alarm) : .ready
        if readiness == .ready {
          return try Descriptor.readBytes(reading, into: &buffer, atMost: count)
        }
      } catch {
        if error.isInterruption { continue }
        throw DataError(.failed, "cannot read from a pipe: \(error.text)")
      }
      throw .interrupted
    }
  }

  func hasBytes(within seconds: Double) -> Bool { true }
}

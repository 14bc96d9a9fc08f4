#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Operations on open file descriptors.
package enum Descriptor {
  /// Reads at most `count` bytes (`read`), and appends them to the buffer. Returns the number of
  /// bytes read, which is 0 at the end of the file.
  package static func readBytes(
    _ descriptor: Int32, into buffer: inout [UInt8], atMost count: Int
  ) throws(SystemCallError) -> Int {
    let start = buffer.count
    var result = 0
    buffer.append(addingCapacity: count) { output in
      unsafe output.withUnsafeMutableBufferPointer { bytes, initialized in
        guard let base = bytes.baseAddress else { return }
        unsafe result = read(descriptor, base + initialized, count)
        initialized += max(result, 0)
      }
    }
    guard result >= 0 else { throw .last }
    return buffer.count - start
  }

  /// Reads at most `count` bytes that begin at an offset in the file (`pread`), and appends them to
  /// the buffer. Returns the number of bytes read, which is 0 at the end of the file.
  package static func readBytes(
    _ descriptor: Int32, at offset: Int, into buffer: inout [UInt8], atMost count: Int
  ) throws(SystemCallError) -> Int {
    let start = buffer.count
    var result = 0
    buffer.append(addingCapacity: count) { output in
      unsafe output.withUnsafeMutableBufferPointer { bytes, initialized in
        guard let base = bytes.baseAddress else { return }
        unsafe result = pread(descriptor, base + initialized, count, off_t(offset))
        initialized += max(result, 0)
      }
    }
    guard result >= 0 else { throw .last }
    return buffer.count - start
  }

  /// Writes bytes (`write`). Returns the number of bytes written, which may be less than the number
  /// of given bytes.
  package static func writeBytes(
    _ descriptor: Int32, _ bytes: Span<UInt8>
  ) throws(SystemCallError) -> Int {
    let result = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe write(descriptor, bytes.baseAddress, bytes.count)
    }
    guard result >= 0 else { throw .last }
    return result
  }

  /// Writes all bytes (`write`). Continues after partial writes, and after interruptions by
  /// signals.
  package static func writeAll(
    _ descriptor: Int32, _ bytes: Span<UInt8>
  ) throws(SystemCallError) {
    var start = 0
    while start < bytes.count {
      do throws(SystemCallError) {
        start += try writeBytes(descriptor, bytes.extracting(start..<bytes.count))
      } catch {
        if !error.isInterruption { throw error }
      }
    }
  }

  /// Sets the file offset (`lseek`), so that the next read or write begins there.
  package static func seek(_ descriptor: Int32, to offset: Int) throws(SystemCallError) {
    guard lseek(descriptor, offset, SEEK_SET) == offset else { throw .last }
  }

  /// Removes all bytes from a file (`ftruncate`), and sets the offset to its start.
  package static func removeBytes(of descriptor: Int32) throws(SystemCallError) {
    guard ftruncate(descriptor, 0) == 0 else { throw .last }
    try seek(descriptor, to: 0)
  }

  /// Flushes the data of a file to the disk (`fsync`).
  package static func sync(_ descriptor: Int32) throws(SystemCallError) {
    guard fsync(descriptor) == 0 else { throw .last }
  }

  /// Closes a descriptor (`close`). Errors are ignored, because the file was only read, or its data
  /// is already on the disk.
  package static func closeFile(_ descriptor: Int32) {
    _ = close(descriptor)
  }

  /// Duplicates a descriptor (`dup`) and closes the duplicate (`close`). Some file systems report
  /// write errors only when a descriptor is closed. This function reports these errors while the
  /// original descriptor is still open.
  package static func closeDuplicate(of descriptor: Int32) throws(SystemCallError) {
    let duplicate = dup(descriptor)
    guard duplicate >= 0, close(duplicate) == 0 else { throw .last }
  }

  /// The event to wait for: a descriptor becomes readable (`input`) or writable (`output`).
  package enum Direction {
    case input
    case output
  }

  /// The reason why a wait ended.
  package enum Readiness {
    case ready
    /// The interrupt descriptor is readable: the program must stop.
    case alarm
    /// The time limit for the wait was reached.
    case timeout
  }

  /// Waits until a descriptor is ready, the descriptor `alarm` is readable, or `seconds` have
  /// passed (`poll`). If `seconds` is nil, there is no time limit. A negative descriptor is never
  /// ready.
  package static func wait(
    for direction: Direction, of descriptor: Int32, alarm: Int32?, seconds: Double? = nil
  ) throws(SystemCallError) -> Readiness {
    let event =
      switch direction {
      case .input: Int16(POLLIN)
      case .output: Int16(POLLOUT)
      }
    var requests = [
      pollfd(fd: descriptor, events: event, revents: 0),
      pollfd(fd: alarm ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = seconds.map { Int32(min(max($0 * 1_000, 0), 1_000_000_000)) } ?? -1
    let result = unsafe requests.withUnsafeMutableBufferPointer { requests in
      unsafe poll(requests.baseAddress, nfds_t(requests.count), milliseconds)
    }
    guard result >= 0 else { throw .last }
    if requests[1].revents != 0 { return .alarm }
    return requests[0].revents != 0 ? .ready : .timeout
  }

  /// Creates a pipe. A signal handler or a thread can write to it to wake code that waits for
  /// input.
  package static func makePipe() -> (reading: Int32, writing: Int32)? {
    var ends: InlineArray<2, Int32> = [-1, -1]
    var span = ends.mutableSpan
    let result = unsafe span.withUnsafeMutableBufferPointer { ends in
      unsafe pipe(ends.baseAddress)
    }
    guard result == 0 else { return nil }
    for index in ends.indices { _ = fcntl(ends[index], F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}

internal import DataModel
internal import Platform
internal import ServerClient
internal import Synchronization

/// The lines of a response, which are kept until they are read: few in memory, and many in a
/// temporary file. A slow reader therefore does not keep the connection from other requests.
final class StreamedResponse: ResponseReceiver, Sendable {
  private struct State {
    var bytes = SpooledBytes()
    /// The number of bytes that have been read.
    var position = 0
    /// The bytes after the last complete line that was returned.
    var rest: [UInt8] = []
    /// The status and the headers, or nil if they have not arrived.
    var header: ServerResponse?
    var end: Result<Void, DataError>?
    var waiting: CheckedContinuation<Void, Never>?
    /// Whether lines of the response have been returned.
    var isUsed = false

    /// Appends the next bytes to `buffer`. Returns how the response ended, or nil if more bytes can
    /// arrive.
    mutating func read(
      into buffer: inout [UInt8]
    ) throws(TempFileError) -> Result<Void, DataError>? {
      position += try bytes.read(
        at: position, into: &buffer, atMost: StreamedResponse.pieceSize)
      guard position == bytes.count else { return nil }
      // The file does not grow as long as the reader keeps up.
      try bytes.removeAll()
      position = 0
      return end
    }
  }

  let mediaType: String?
  private let state = Mutex(State())
  /// The number of bytes that are read at once. A longer line is read whole.
  private static let pieceSize = 256 << 10

  /// The largest size of a response that is read whole.
  static let maxWholeSize = 1 << 30
  private let maxSize: Int

  init(of mediaType: String?, maxSize: Int = .max) {
    self.mediaType = mediaType
    self.maxSize = maxSize
  }

  var canRestart: Bool { state.withLock { !$0.isUsed } }

  func begin() {
    state.withLock { state in
      state.bytes = SpooledBytes()
      state.position = 0
    }
  }

  func receive(header: ServerResponse) { state.withLock { $0.header = header } }

  func receive(_ bytes: Span<UInt8>) throws(DataError) {
    guard state.withLock({ $0.bytes.count + bytes.count <= maxSize }) else {
      throw .invalidResponse("it is longer than \(maxSize) bytes")
    }
    let waiting: CheckedContinuation<Void, Never>?
    do throws(TempFileError) {
      waiting = try state.withLock { state throws(TempFileError) in
        try state.bytes.append(bytes)
        return state.waiting.take()
      }
    } catch {
      throw DataError(.fileFailed, error.text, hint: error.hint)
    }
    waiting?.resume()
  }

  /// Notes that the response is complete, or that it failed.
  func end(_ result: Result<Void, DataError>) {
    let waiting = state.withLock { state in
      state.end = state.end ?? result
      return state.waiting.take()
    }
    waiting?.resume()
  }

  /// Returns the next lines, or nil at the end. Waits until a line is complete.
  ///
  /// - Throws: The error of the request, after all lines that arrived before it.
  func nextLines() async throws(DataError) -> [UInt8]? {
    var lines = state.withLock { state in
      defer { state.rest = [] }
      return state.rest
    }
    while true {
      let searched = lines.count
      let end = try read(into: &lines)
      if let last = lines[searched...].lastIndex(of: UInt8(ascii: "\n")) {
        state.withLock { state in
          state.rest = Array(lines[(last + 1)...])
          state.isUsed = true
        }
        lines.removeSubrange((last + 1)...)
        return lines
      }
      guard lines.count <= Schema.maxRecordSize * 2 else {
        throw .invalidResponse("a line is too long")
      }
      switch end {
      case .success?:
        // A JSON document need not end with a newline.
        return lines.isEmpty ? nil : lines
      case .failure(let error)?: throw error
      case nil: await waitForBytes()
      }
    }
  }

  /// Returns the next bytes, or nil at the end. Waits until there are some.
  ///
  /// - Throws: The error of the request, after all bytes that arrived before it.
  func nextBytes() async throws(DataError) -> [UInt8]? {
    while true {
      var bytes: [UInt8] = []
      let end = try read(into: &bytes)
      if !bytes.isEmpty {
        state.withLock { $0.isUsed = true }
        return bytes
      }
      switch end {
      case .success?: return nil
      case .failure(let error)?: throw error
      case nil: await waitForBytes()
      }
    }
  }

  /// Returns the status and the headers. Waits until they have arrived.
  func header() async throws(DataError) -> ServerResponse {
    while true {
      let (header, end) = state.withLock { ($0.header, $0.end) }
      if let header { return header }
      if case .failure(let error)? = end { throw error }
      await waitForBytes()
    }
  }

  private func read(into buffer: inout [UInt8]) throws(DataError) -> Result<Void, DataError>? {
    do throws(TempFileError) {
      return try state.withLock { state throws(TempFileError) in try state.read(into: &buffer) }
    } catch {
      throw DataError(.fileFailed, error.text, hint: error.hint)
    }
  }

  /// Returns the whole response, which must be complete.
  func text() throws(DataError) -> [UInt8] {
    do throws(TempFileError) {
      return try state.withLock { state throws(TempFileError) in
        var text: [UInt8] = []
        while text.count < state.bytes.count {
          _ = try state.bytes.read(at: text.count, into: &text, atMost: state.bytes.count)
        }
        return text
      }
    } catch {
      throw DataError(.fileFailed, error.text, hint: error.hint)
    }
  }

  private func waitForBytes() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          guard state.bytes.count == state.position, state.end == nil, !Task.isCancelled else {
            return true
          }
          state.waiting = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      end(.failure(.interrupted))
    }
  }
}

package import DataModel
internal import DataOutput
package import DataStore
internal import Synchronization

/// Reads whose result is copied as fast as possible, to memory or to a temporary file, so that a slow
/// reader does not keep a connection.
extension Client {
  /// The store of this process, if it limits the number of its connections; nil for other stores.
  package var pooledStore: PooledStore? {
    if case .store(let store) = (base ?? self).executor { store as? PooledStore } else { nil }
  }

  /// The store as its engine implements it, without limits and access rules. Nil if it is on a
  /// server.
  var engineStore: (any Store)? {
    guard case .store(let store) = (base ?? self).executor else { return nil }
    return pooledStore?.base ?? store
  }

  /// Answers a request to read records, and returns the lines of the answer.
  package func copiedLines(of request: ReadRequest) -> ResponseStream {
    var request = request
    request.format = .ndjson
    return copy { [self, request] response throws(DataError) in
      let sink = ResponseSink(response)
      let output = AnswerOutput(
        sink,
        checkInterruption: { () throws(DataError) in if Task.isCancelled { throw .interrupted } })
      try await answer(request, to: output)
      try sink.flush()
    }
  }

  /// Answers a request to read records, and returns the records.
  package func copiedRecords(of request: ReadRequest, _ schema: Schema) -> any RecordStream {
    ServerRecordStream(copiedLines(of: request), [], of: schema, from: .ownStore)
  }

  /// Returns a copy of the content of a file.
  package func copied(_ content: any ContentStream) -> any ContentStream {
    CopiedContent(
      copy: copy { response throws(DataError) in
        while let piece = try await content.next() { try response.receive(piece.span) }
      })
  }

  private func copy(
    _ body: @escaping @Sendable (StreamedResponse) async throws(DataError) -> Void
  ) -> ResponseStream {
    let response = StreamedResponse(of: nil)
    let task = Task {
      do throws(DataError) {
        try await body(response)
        response.end(.success(()))
      } catch {
        response.end(.failure(error))
      }
    }
    return ResponseStream(response, task, from: .ownStore) { [pooledStore] () throws(DataError) in
      try pooledStore?.check()
    }
  }
}

/// The content of a file that is being copied.
private struct CopiedContent: ContentStream {
  let copy: ResponseStream

  func next() async throws(DataError) -> [UInt8]? { try await copy.nextBytes() }
}

/// A sink that passes an answer on to the reader of a response.
private final class ResponseSink: ByteSink {
  private static let pieceSize = 64 << 10

  private struct State {
    var buffer: [UInt8] = []
    var hasPassedOn = false
  }

  private let state = Mutex(State())
  private let response: StreamedResponse

  init(_ response: StreamedResponse) {
    self.response = response
  }

  func append(_ body: (inout [UInt8]) -> Void) throws(DataError) {
    let size = state.withLock { state in
      body(&state.buffer)
      return state.buffer.count
    }
    if size >= Self.pieceSize { try flush() }
  }

  func flush() throws(DataError) {
    let bytes = state.withLock { state in
      defer { state.buffer = [] }
      state.hasPassedOn = true
      return state.buffer
    }
    try response.receive(bytes.span)
  }

  func discardBuffer() -> Bool {
    state.withLock { state in
      guard !state.hasPassedOn else { return false }
      state.buffer = []
      return true
    }
  }
}

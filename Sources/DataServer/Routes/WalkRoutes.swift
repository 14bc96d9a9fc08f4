internal import ClientCore
internal import DataAPI
internal import DataModel
internal import DataOutput
internal import Platform
internal import Synchronization

extension Route {
  static let walk = Route(
    "GET", "walk", .reads,
    "Read the whole store, as `datactl copy` and `datactl dump` do; for administrators.",
    forAdministrators: "read a whole store",
    parameters: [
      CommandOption(
        name: "only", isFlag: false, isRepeated: true, isPath: false,
        summary: "Read only this schema, and the schemas that it needs.")
    ]
  ) { request in
    try request.checkParameters(["only"])
    return try await request.walk()
  }
}

extension APIRequest {
  /// Sends the whole store. The response begins before the store is read, and is cut off if an error
  /// occurs.
  fileprivate func walk() async throws -> HTTPResponse? {
    guard head.method != "HEAD" else {
      return HTTPResponse(200, headers: [("Content-Type", ContentType.walk)])
    }
    let isFirst = service.isWalking.compareExchange(
      expected: false, desired: true, ordering: .relaxed
    ).exchanged
    guard isFirst else {
      throw HTTPError(
        503, .storeBusy, "another request reads the whole store",
        hint: "send the request again later", headers: [("Retry-After", "5")])
    }
    defer { service.isWalking.store(false, ordering: .relaxed) }
    // The walk blocks its thread while it waits for the client.
    let executor = try ThreadPoolExecutor(threads: 1)
    defer { executor.end() }
    let names = parameters["only"]
    return try await withClient(for: .reading) { client in
      let output = WalkOutput(to: exchange)
      let walk = try await client.walk(only: names.isEmpty ? nil : names)
      var response = HTTPResponse(
        200, headers: [("Content-Type", ContentType.walk)],
        body: .store(output.store, count: nil))
      service.complete(&response, head)
      exchange.reply(response)
      do throws(DataError) {
        try await withTaskExecutorPreference(executor) { () throws(DataError) in
          try await walk.write(to: output, passwords: .omitted)
        }
        output.store.finish()
      } catch {
        service.note(error, of: head)
        output.store.fail()
      }
      return nil
    }
  }
}

/// The body of a response that is written as fast as the client reads it, so that it needs little
/// memory and no temporary file.
private final class WalkOutput: ByteSink {
  let store = ByteStore(.discarded)
  private let exchange: Exchange
  /// The number of bytes that may wait for the client.
  private static let maxWaiting = 1 << 20
  /// How often the writer looks whether the client has caught up, in seconds.
  private static let interval = 0.002

  init(to exchange: Exchange) { self.exchange = exchange }

  func append(_ body: (inout [UInt8]) -> Void) throws(DataError) {
    var bytes: [UInt8] = []
    body(&bytes)
    try store.append(bytes.span)
    exchange.noteProgress()
    var sent = exchange.sentCount
    while store.keptCount > Self.maxWaiting {
      guard exchange.cancellation == nil else { throw .interrupted }
      _ = try? Descriptor.wait(for: .input, of: -1, alarm: nil, seconds: Self.interval)
      if exchange.sentCount > sent {
        sent = exchange.sentCount
        exchange.noteProgress()
      }
    }
    guard exchange.cancellation == nil else { throw .interrupted }
  }

  func flush() {}

  func discardBuffer() -> Bool { false }
}

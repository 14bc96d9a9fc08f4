internal import DataModel
internal import DataStore
package import Platform
internal import ServerClient
internal import Synchronization

/// The connections of a client to a server. A request uses one of them, and waits if all are in use.
///
/// Each connection blocks a thread of its own while it sends a request, so that the threads of the
/// caller are free.
final class ServerConnections: Sendable {
  private static let maxCount = 8

  /// A place for a connection, which is opened when it is first needed.
  private final class Slot: Sendable {
    private let opened = Mutex<ServerWorker?>(nil)

    func worker(
      opening open: () throws(DataError) -> ServerWorker
    ) throws(DataError) -> ServerWorker {
      if let worker = opened.withLock({ $0 }) { return worker }
      let worker = try open()
      opened.withLock { $0 = worker }
      return worker
    }
  }

  private let isClosed = Atomic(false)
  private let slots = ResourceQueue((0..<maxCount).map { _ in Slot() })
  private let server: ServerAddress
  private let shownAddress: String
  private let environment: Environment

  init(to server: ServerAddress, shownAs shownAddress: String, in environment: Environment) {
    self.server = server
    self.shownAddress = shownAddress
    self.environment = environment
  }

  /// Throws an error if the client has been closed, or if the current task is canceled.
  func check() throws(DataError) {
    if isClosed.load(ordering: .relaxed) { throw .clientIsClosed }
    if Task.isCancelled { throw .interrupted }
  }

  /// Closes the connections, after the requests that are being sent.
  func close() {
    isClosed.store(true, ordering: .relaxed)
    _ = slots.removeIdle()
  }

  /// Sends a request, and returns the response, even if the response reports an error. If the task
  /// is canceled, the request ends at once.
  ///
  /// - Parameter receiver: An object that receives the body of a successful response, or nil.
  func send(
    _ request: sending ServerRequest, to receiver: (any ResponseReceiver & Sendable)? = nil,
    repeating repetition: RemoteServer.Repetition
  ) async throws(DataError) -> ServerResponse {
    try check()
    let slot = try await slots.take()
    defer { slots.give(slot) }
    try check()
    let worker = try slot.worker { () throws(DataError) in
      try ServerWorker(server, shownAs: shownAddress, in: environment)
    }
    let transfer = PassedRequest(request)
    return try await withTaskCancellationHandler {
      await worker.send(transfer, to: receiver, repeating: repetition)
    } onCancel: {
      worker.alarm.wake()
    }.get()
  }
}

/// One connection to a server, and the thread on which it sends requests.
private actor ServerWorker {
  /// The pipe that interrupts the request that is being sent.
  nonisolated let alarm: WakePipe
  private nonisolated let executor = StoreExecutor.ownThread()
  private let server: RemoteServer

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.unowned }

  init(
    _ address: ServerAddress, shownAs shownAddress: String, in environment: Environment
  ) throws(DataError) {
    alarm = try WakePipe.open()
    server = try RemoteServer(
      at: address, shownAs: shownAddress, token: nil, alarm: alarm.reading,
      variable: environment.environment)
  }

  func send(
    _ transfer: PassedRequest, to receiver: (any ResponseReceiver & Sendable)?,
    repeating repetition: RemoteServer.Repetition
  ) -> Result<ServerResponse, DataError> {
    // The previous request may have been canceled just before it ended.
    alarm.drain()
    guard !Task.isCancelled, let request = transfer.take() else { return .failure(.interrupted) }
    do throws(DataError) {
      return .success(try server.send(request, to: receiver, repeating: repetition))
    } catch {
      return .failure(error)
    }
  }
}

extension WakePipe {
  /// Creates a pipe. Throws an error if the program has too many open files.
  package static func open() throws(DataError) -> WakePipe {
    do throws(SystemCallError) {
      return try WakePipe()
    } catch {
      throw DataError(.failed, "cannot create a pipe: \(error.text)")
    }
  }
}

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

  private struct State {
    var idle: [ServerWorker] = []
    var count = 0
    var waiting: [(id: UInt64, continuation: CheckedContinuation<ServerWorker?, Never>)] = []
    var nextID: UInt64 = 0
  }

  private let state = Mutex(State())
  private let server: ServerAddress
  private let shownAddress: String
  private let environment: Environment

  init(to server: ServerAddress, shownAs shownAddress: String, in environment: Environment) {
    self.server = server
    self.shownAddress = shownAddress
    self.environment = environment
  }

  /// Sends a request, and returns the response, even if the response reports an error. If the task
  /// is canceled, the request ends at once.
  ///
  /// - Parameter receiver: An object that receives the body of a successful response, or nil.
  func send(
    _ request: sending ServerRequest, to receiver: (any ResponseReceiver & Sendable)? = nil,
    repeating repetition: RemoteServer.Repetition
  ) async throws(DataError) -> ServerResponse {
    let worker = try await acquire()
    defer { release(worker) }
    let transfer = PassedRequest(request)
    return try await withTaskCancellationHandler {
      await worker.send(transfer, to: receiver, repeating: repetition)
    } onCancel: {
      worker.alarm.wake()
    }.get()
  }

  /// Returns an unused connection. Waits until there is one.
  private func acquire() async throws(DataError) -> ServerWorker {
    enum Step {
      case use(ServerWorker)
      case open
      case wait(UInt64)
    }
    let step: Step = state.withLock { state in
      if let worker = state.idle.popLast() { return .use(worker) }
      if state.count < Self.maxCount {
        state.count += 1
        return .open
      }
      state.nextID += 1
      return .wait(state.nextID)
    }
    switch step {
    case .use(let worker): return worker
    case .open:
      do throws(DataError) {
        return try ServerWorker(server, shownAs: shownAddress, in: environment)
      } catch {
        state.withLock { $0.count -= 1 }
        throw error
      }
    case .wait(let id):
      guard let worker = await waitForWorker(id) else { throw .interrupted }
      return worker
    }
  }

  /// Waits until another request releases a connection. Returns nil if the task is canceled.
  private func waitForWorker(_ id: UInt64) async -> ServerWorker? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A connection may have been released, or the task canceled, since `acquire` looked.
        let result: ServerWorker?? = state.withLock { state in
          if Task.isCancelled { return .some(nil) }
          if let worker = state.idle.popLast() { return worker }
          state.waiting.append((id, continuation))
          return nil
        }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
      }
      waiting?.continuation.resume(returning: nil)
    }
  }

  private func release(_ worker: ServerWorker) {
    let waiting = state.withLock { state in
      if state.waiting.isEmpty {
        state.idle.append(worker)
        return nil as CheckedContinuation<ServerWorker?, Never>?
      }
      return state.waiting.removeFirst().continuation
    }
    waiting?.resume(returning: worker)
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

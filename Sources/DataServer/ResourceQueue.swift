internal import DataModel
internal import Synchronization

/// Resources, each of which is used by one request at a time, and the requests that wait for one.
final class ResourceQueue<Resource: AnyObject & Sendable>: Sendable {
  private enum Outcome {
    case taken(Resource)
    case canceled
    /// Too many requests wait already.
    case refused
  }

  private struct Waiting {
    let id: Int
    /// The resource for which the request waits, or nil for any.
    let wanted: ObjectIdentifier?
    let continuation: CheckedContinuation<Outcome, Never>
  }

  private struct State {
    var idle: [Resource]
    /// The requests that wait, oldest first.
    var waiting: [Waiting] = []
    var nextID = 0
  }

  private let state: Mutex<State>

  init(_ resources: [Resource]) {
    state = Mutex(State(idle: resources))
  }

  /// Removes an idle resource from the queue and returns it. If all are in use, waits for one.
  ///
  /// - Parameters:
  ///   - wanted: The resource to take, or nil to take any.
  ///   - maxWaiting: The number of waiting requests from which on further requests do not wait.
  /// - Throws: `interrupted` if the task is canceled while it waits, or `storeBusy` if too many
  ///   requests wait.
  func take(
    _ wanted: Resource? = nil, maxWaiting: Int = .max
  ) async throws(DataError) -> Resource {
    let wanted = wanted.map { ObjectIdentifier($0) }
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state -> Outcome? in
          if Task.isCancelled { return .canceled }
          let index = state.idle.lastIndex { wanted == nil || ObjectIdentifier($0) == wanted }
          if let index { return .taken(state.idle.remove(at: index)) }
          if state.waiting.count >= maxWaiting { return .refused }
          state.waiting.append(Waiting(id: id, wanted: wanted, continuation: continuation))
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
      }
      waiting?.continuation.resume(returning: .canceled)
    }
    switch outcome {
    case .taken(let resource): return resource
    case .canceled: throw .interrupted
    case .refused: throw .tooManyPasswords
    }
  }

  func give(_ resource: Resource) {
    let next = state.withLock { state -> Waiting? in
      let index = state.waiting.firstIndex {
        $0.wanted == nil || $0.wanted == ObjectIdentifier(resource)
      }
      if let index { return state.waiting.remove(at: index) }
      state.idle.append(resource)
      return nil
    }
    next?.continuation.resume(returning: .taken(resource))
  }

  /// Removes and returns the idle resources.
  func removeIdle() -> [Resource] {
    state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
  }
}

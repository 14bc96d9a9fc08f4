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
    let caller: ClientPool.Caller
    let continuation: CheckedContinuation<Outcome, Never>
  }

  private struct State {
    var idle: [Resource]
    /// How many more resources anonymous requests may use.
    var anonymousShare: Int
    /// The requests that wait, oldest first.
    var waiting: [Waiting] = []
    var nextID = 0

    /// Returns whether a request may use a resource, if one is idle. If so, counts it.
    mutating func admit(_ caller: ClientPool.Caller) -> Bool {
      guard caller == .anonymous else { return true }
      guard anonymousShare > 0 else { return false }
      anonymousShare -= 1
      return true
    }
  }

  private let state: Mutex<State>

  /// - Parameter anonymousShare: How many of the resources anonymous requests may use at once.
  init(_ resources: [Resource], anonymousShare: Int = .max) {
    state = Mutex(State(idle: resources, anonymousShare: anonymousShare))
  }

  /// Removes an idle resource from the queue and returns it. If all are in use, waits for one.
  ///
  /// - Parameters:
  ///   - wanted: The resource to take, or nil to take any.
  ///   - maxWaiting: The number of waiting requests from which on further requests do not wait.
  /// - Throws: `interrupted` if the task is canceled while it waits, or `storeBusy` if too many
  ///   requests wait.
  func take(
    _ wanted: Resource? = nil, for caller: ClientPool.Caller = .user, maxWaiting: Int = .max
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
          if let index, state.admit(caller) { return .taken(state.idle.remove(at: index)) }
          if state.waiting.count >= maxWaiting { return .refused }
          state.waiting.append(
            Waiting(id: id, wanted: wanted, caller: caller, continuation: continuation))
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

  func give(_ resource: Resource, from caller: ClientPool.Caller = .user) {
    let next = state.withLock { state -> Waiting? in
      if caller == .anonymous { state.anonymousShare += 1 }
      for (index, waiting) in state.waiting.enumerated()
      where waiting.wanted == nil || waiting.wanted == ObjectIdentifier(resource) {
        if state.admit(waiting.caller) { return state.waiting.remove(at: index) }
      }
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

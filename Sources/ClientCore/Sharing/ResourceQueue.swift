package import DataModel
internal import Synchronization

/// How many of the resources of a queue a kind of request may use at once.
package enum ResourceShare: Sendable {
  /// As many as the limited share of the queue.
  case limited
  /// All of them.
  case unlimited
}

/// Resources, each of which is used by one request at a time, and the requests that wait for one.
package final class ResourceQueue<Resource: AnyObject & Sendable>: Sendable {
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
    let share: ResourceShare
    let continuation: CheckedContinuation<Outcome, Never>
  }

  private struct State {
    var idle: [Resource]
    /// How many more resources the requests with the limited share may use.
    var limitedShare: Int
    /// The requests that wait, oldest first.
    var waiting: [Waiting] = []
    var nextID = 0

    /// Returns whether a request may use a resource, if one is idle. If so, counts it.
    mutating func admit(_ share: ResourceShare) -> Bool {
      guard share == .limited else { return true }
      guard limitedShare > 0 else { return false }
      limitedShare -= 1
      return true
    }

    /// Removes an idle resource and returns it. Returns nil if the request must wait for one.
    mutating func takeIdle(_ wanted: ObjectIdentifier?, for share: ResourceShare) -> Resource? {
      let index = idle.lastIndex { wanted == nil || ObjectIdentifier($0) == wanted }
      guard let index, admit(share) else { return nil }
      return idle.remove(at: index)
    }
  }

  private let state: Mutex<State>

  /// - Parameter limitedShare: How many of the resources the requests with the limited share may use
  ///   at once.
  package init(_ resources: [Resource], limitedShare: Int = .max) {
    state = Mutex(State(idle: resources, limitedShare: limitedShare))
  }

  /// Removes an idle resource from the queue and returns it. If all are in use, waits for one.
  ///
  /// - Parameters:
  ///   - wanted: The resource to take, or nil to take any.
  ///   - maxWaiting: The number of waiting requests from which on further requests do not wait.
  /// - Returns: The resource, or nil if too many requests wait.
  /// - Throws: `interrupted` if the task is canceled while it waits.
  package func take(
    _ wanted: Resource? = nil, for share: ResourceShare = .unlimited, maxWaiting: Int
  ) async throws(DataError) -> Resource? {
    let wanted = wanted.map { ObjectIdentifier($0) }
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state -> Outcome? in
          if Task.isCancelled { return .canceled }
          if let resource = state.takeIdle(wanted, for: share) { return .taken(resource) }
          if state.waiting.count >= maxWaiting { return .refused }
          state.waiting.append(
            Waiting(id: id, wanted: wanted, share: share, continuation: continuation))
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
    case .refused: return nil
    }
  }

  /// Removes an idle resource from the queue and returns it. If all are in use, waits for one.
  package func take(
    _ wanted: Resource? = nil, for share: ResourceShare = .unlimited
  ) async throws(DataError) -> Resource {
    guard let resource = try await take(wanted, for: share, maxWaiting: .max) else {
      throw .interrupted
    }
    return resource
  }

  /// Removes an idle resource from the queue and returns it. Returns nil if the request would have
  /// to wait for one.
  package func takeIdle(for share: ResourceShare) -> Resource? {
    state.withLock { $0.takeIdle(nil, for: share) }
  }

  package func give(_ resource: Resource, from share: ResourceShare = .unlimited) {
    let next = state.withLock { state -> Waiting? in
      if share == .limited { state.limitedShare += 1 }
      for (index, waiting) in state.waiting.enumerated()
      where waiting.wanted == nil || waiting.wanted == ObjectIdentifier(resource) {
        if state.admit(waiting.share) { return state.waiting.remove(at: index) }
      }
      state.idle.append(resource)
      return nil
    }
    next?.continuation.resume(returning: .taken(resource))
  }

  /// Removes and returns the idle resources.
  package func removeIdle() -> [Resource] {
    state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
  }
}

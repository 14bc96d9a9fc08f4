import CPostgres
import DataModel
import DataStore

/// Sends several statements in one round trip with libpq's pipeline mode.
extension Connection {
  /// Sends further statements, waits for the results of all statements sent so far, and returns the
  /// result of the last one.
  func runPipelined(_ statements: [QueuedStatement]) throws(DataError) -> ResultSet {
    try sendPipelined(statements)
    guard let resultSet = try readPipelineResults() else { throw lost() }
    return resultSet
  }

  /// Sends a group of statements, and a sync message (`PQpipelineSync`) that ends the group. Does
  /// not wait for the results of the groups that were sent before.
  func sendPipelined(_ statements: [QueuedStatement]) throws(DataError) {
    if inFlight.isEmpty, unsafe library.enterPipeline(handle) != 1 { throw lost() }
    for queued in statements {
      try send(queued.statement)
      if queued.requestsFlush, unsafe library.sendFlush(handle) != 1 { throw lost() }
    }
    guard unsafe library.syncPipeline(handle) == 1 else { throw lost() }
    inFlight.append(statements)
  }

  /// Reads the results of the statements that were sent, in order, until the condition is true.
  func receive(until isComplete: () -> Bool) throws(DataError) {
    failure = nil
    try checkInterruption()
    while !isComplete(), !inFlight.isEmpty { _ = try readPipelineResults(of: 1) }
  }

  /// Reads the results of all statements that were sent, or of the first groups of them, and
  /// returns the last one. If a statement failed, reads the remaining results and then throws the
  /// first error.
  func readPipelineResults(of groupCount: Int = .max) throws(DataError) -> ResultSet? {
    let groups = inFlight.prefix(groupCount)
    inFlight.removeFirst(groups.count)
    var last: ResultSet?
    var firstError: (error: DataError, failure: EngineFailure?)?
    for group in groups {
      for queued in group {
        while let result = unsafe try nextResult() {
          if unsafe library.resultStatus(result) == Int32(datactl_pq_pipeline_aborted) {
            unsafe library.clear(result)
            continue
          }
          do throws(DataError) {
            let resultSet = try unsafe checked(result)
            queued.onResult?(resultSet)
            last = resultSet
          } catch {
            guard failure != .connectionLost else { throw error }
            firstError = firstError ?? (error, failure)
          }
        }
      }
      // Read the remaining results of the group, up to and including that of the sync message.
      while let result = unsafe try nextResult() {
        let status = unsafe library.resultStatus(result)
        unsafe library.clear(result)
        if status == Int32(datactl_pq_pipeline_sync) { break }
      }
    }
    if inFlight.isEmpty, unsafe library.exitPipeline(handle) != 1 { throw lost() }
    if let firstError {
      failure = firstError.failure
      throw firstError.error
    }
    return last
  }
}

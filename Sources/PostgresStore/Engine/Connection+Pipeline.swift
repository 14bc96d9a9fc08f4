import CPostgres
import DataModel
import DataStore

/// Sends several statements in one round trip with libpq's pipeline mode.
extension Connection {
  /// Sends statements after those already sent, and returns the result of the last one.
  func runTogether(_ statements: [Postponed]) throws(DataError) -> Answer {
    try sendTogether(statements)
    guard let answer = try answerTogether() else { throw lost() }
    return answer
  }

  /// Sends a group of statements and a sync, without waiting for the results of earlier groups.
  func sendTogether(_ statements: [Postponed]) throws(DataError) {
    if awaited.isEmpty, unsafe library.enterPipeline(handle) != 1 { throw lost() }
    for one in statements {
      try send(one.statement)
      if one.isUrgent, unsafe library.sendFlush(handle) != 1 { throw lost() }
    }
    guard unsafe library.syncPipeline(handle) == 1 else { throw lost() }
    awaited.append(statements)
  }

  /// Reads the results of all statements that were sent, returns the last one, and throws the first
  /// error.
  func answerTogether() throws(DataError) -> Answer? {
    let groups = awaited
    awaited = []
    var last: Answer?
    var refusal: (error: DataError, failure: Failure?)?
    for group in groups {
      for one in group {
        while let result = unsafe try nextResult() {
          if unsafe library.resultStatus(result) == Int32(datactl_pq_pipeline_aborted) {
            unsafe library.clear(result)
            continue
          }
          do throws(DataError) {
            let answer = try unsafe checked(result)
            one.hear?(answer)
            last = answer
          } catch {
            guard failure != .lost else { throw error }
            refusal = refusal ?? (error, failure)
          }
        }
      }
      // Reads the results up to and including the one of the sync.
      while let result = unsafe try nextResult() {
        let status = unsafe library.resultStatus(result)
        unsafe library.clear(result)
        if status == Int32(datactl_pq_pipeline_sync) { break }
      }
    }
    guard unsafe library.exitPipeline(handle) == 1 else { throw lost() }
    if let refusal {
      failure = refusal.failure
      throw refusal.error
    }
    return last
  }
}

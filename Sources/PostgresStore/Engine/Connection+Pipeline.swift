import CPostgres
import DataModel
import DataStore

/// Several statements in one journey.
extension Connection {
  /// Runs statements after those that the server has, and gives the answer to the last.
  func runTogether(_ statements: [Postponed]) throws(DataError) -> Answer {
    try sendTogether(statements)
    guard let answer = try answerTogether() else { throw lost() }
    return answer
  }

  /// Sends statements behind those that wait for their answers.
  func sendTogether(_ statements: [Postponed]) throws(DataError) {
    if awaited.isEmpty, unsafe library.enterPipeline(handle) != 1 { throw lost() }
    for one in statements {
      try send(one.statement)
      if one.isUrgent, unsafe library.sendFlush(handle) != 1 { throw lost() }
    }
    guard unsafe library.syncPipeline(handle) == 1 else { throw lost() }
    awaited.append(statements)
  }

  /// Looks at all that the server has, gives the last answer, and throws the first error.
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
      // The answer to the sync, and what comes behind it.
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

internal import ClientCore
internal import DataModel
internal import Synchronization

/// The threads that hash and verify the passwords of all requests, one for each core.
final class PasswordThreads: Sendable {
  /// The maximum number of requests that wait for a thread. A password takes 50 ms, so a request
  /// that had to wait longer would not be answered in time.
  static let maxWaiting = 32

  private let threads: ResourceQueue<WorkerThread>

  init(count: Int) throws(DataError) {
    var threads: [WorkerThread] = []
    for _ in 0..<count { threads.append(try WorkerThread()) }
    self.threads = ResourceQueue(threads)
  }

  /// Performs the jobs of one request one after another, each on any of the threads, and returns
  /// their results. Throws an error if too many requests wait already.
  func perform(_ jobs: [any PasswordJob]) async throws(DataError) -> [String?] {
    var results: [String?] = []
    for job in jobs {
      // A request that has begun is not refused.
      let maxWaiting = results.isEmpty ? Self.maxWaiting : .max
      guard let thread = try await threads.take(maxWaiting: maxWaiting) else {
        throw .tooManyPasswords
      }
      let result: Result<String?, DataError> = await withCheckedContinuation { continuation in
        thread.run {
          do throws(DataError) {
            continuation.resume(returning: .success(try job.result()))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      }
      threads.give(thread)
      results.append(try result.get())
    }
    return results
  }

  func end() {
    for thread in threads.removeIdle() { thread.end() }
  }
}

extension DataError {
  static var tooManyPasswords: DataError {
    DataError(.storeBusy, "too many passwords are being checked", hint: "try again later")
  }
}

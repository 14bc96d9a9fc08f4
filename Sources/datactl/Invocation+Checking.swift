import DataModel

extension CommandContext {
  /// Runs a check, a command whose exit status 1 means that there are findings. Failures with exit
  /// status 1 are rethrown as `CheckFailure`, which has a status of its own.
  func check(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as DataError where error.code != .findings && error.code.exitStatus == 1 {
      throw CheckFailure(error: error)
    }
  }
}

/// A check that failed, as opposed to one that has findings.
struct CheckFailure: Error {
  let error: DataError

  static let exitStatus: Int32 = 7
}

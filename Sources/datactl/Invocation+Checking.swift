import DataModel

extension Invocation {
  /// Carries out a check, whose exit status 1 says that there is something to report: a failure that
  /// would end with 1 elsewhere ends it with another number.
  func check(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as DataError where error.code != .findings && error.code.exitStatus == 1 {
      throw CheckFailure(error: error)
    }
  }
}

/// A check that could not look, or could not say what it saw.
struct CheckFailure: Error {
  let error: DataError

  static let exitStatus: Int32 = 7
}

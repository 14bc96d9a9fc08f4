package import DataModel

/// A stage of a commit, as reported to a `CommitListener`.
package enum CommitStage: Sendable {
  /// The commit has started: it cannot be canceled, and its result is not known yet.
  case inProgress
  /// The changes are committed.
  case done
  /// The commit failed, and the changes were rolled back.
  case failed
}

/// A closure that receives the stages of each commit of a store. With this information, a program
/// that is interrupted during a commit can report whether the changes were committed.
package typealias CommitListener = @Sendable (CommitStage) -> Void

extension CommitStage {
  /// Runs a commit, and reports its stages to a listener.
  ///
  /// - Parameter commit: A closure that commits the changes. If it throws an error although the
  ///   changes may have been committed, the error must have a `commitOutcome`.
  package static func report(
    _ listener: CommitListener?, _ commit: () throws(DataError) -> Void
  ) throws(DataError) {
    listener?(.inProgress)
    do throws(DataError) {
      try commit()
    } catch {
      switch error.commitOutcome {
      case nil: listener?(.failed)
      case .committed: listener?(.done)
      case .unknown: break
      }
      throw error
    }
    listener?(.done)
  }
}

/// What a failure affects, so that errors can tell what became of the work.
package enum FailureContext: Sendable {
  /// Output that may be incomplete.
  case reading
  /// All changes, of which none is kept.
  case writing
  /// The changes after the parts that were already committed.
  case afterPartialCommit

  /// What became of the work, as text for a hint.
  var consequence: String {
    switch self {
    case .reading: "the printed output is incomplete"
    case .writing: "nothing was changed"
    case .afterPartialCommit: "earlier commits are kept"
    }
  }

  /// What the user can do, as text for a hint.
  var suggestion: String {
    switch self {
    case .reading, .writing: "run the command again"
    case .afterPartialCommit: "continue after them"
    }
  }
}

extension PostgresStore.Access {
  /// The context in which a new connection starts.
  var failureContext: FailureContext {
    switch self {
    case .reading: .reading
    case .writing: .writing
    }
  }
}

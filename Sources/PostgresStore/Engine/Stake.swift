/// What is at stake when something goes wrong, so that errors can say what became of it.
package enum Stake: Sendable {
  /// The answer.
  case reading
  /// All that is written.
  case writing
  /// What is written behind the parts that were committed.
  case rest

  /// What became of the work when it ended early.
  var comfort: String {
    switch self {
    case .reading: "the printed output is incomplete"
    case .writing: "nothing was changed"
    case .rest: "earlier commits are kept"
    }
  }

  /// What is to be done then.
  var advice: String {
    switch self {
    case .reading, .writing: "run the command again"
    case .rest: "continue after them"
    }
  }
}

extension PostgresStore.Access {
  /// What is at stake at first.
  var stake: Stake {
    switch self {
    case .reading: .reading
    case .writing: .writing
    }
  }
}

/// How much a caller wants of the next batch.
package struct Portion: Sendable {
  /// How many records at most.
  let rows: Int
  /// For how many seconds to wait for bytes; an empty batch is given out then.
  let patience: Double?

  /// Asks for so many records at most, and for no more than fit into a batch.
  package init(rows: Int = .max, patience: Double? = nil) {
    self.rows = min(rows, Self.mostRows)
    self.patience = patience
  }

  /// How many records one batch has at most.
  private static var mostRows: Int { 4_096 }
}

/// Hears how far the reading has come while a batch is not full yet.
package struct ReadingWatch: Sendable {
  /// For how many seconds to wait for bytes before it is asked again.
  static var patience: Double { 0.25 }

  /// Whether there is something to read.
  package enum Input: Sendable {
    case flows
    case stalls
  }

  let isDue: @Sendable () -> Bool
  let hear: @Sendable (_ records: Int, _ bytes: Int, Input) -> Void

  /// Takes a question whether it is time to tell, and who is told of the records and the bytes.
  package init(
    isDue: @escaping @Sendable () -> Bool,
    hear: @escaping @Sendable (_ records: Int, _ bytes: Int, Input) -> Void
  ) {
    self.isDue = isDue
    self.hear = hear
  }
}

import DataClient
import DataModel

/// Hears what becomes of records that are saved, and prints them once they are committed.
struct SaveOutput: SaveListener {
  /// How often there is a commit.
  enum Committing {
    case once
    /// Part by part; of each it is said up to which line everything is saved.
    case onTheWay
  }

  private var printer: RecordPrinter
  private var spool = Spool()
  private let invocation: Invocation
  private var console: Console { invocation.console }
  private let progress: Progress?
  private let rejects: Rejects?
  private let committing: Committing
  private(set) var safeLine: Int?

  init(
    _ printer: RecordPrinter, rejects: Rejects?, progress: Progress?, committing: Committing,
    with invocation: Invocation
  ) throws(DataError) {
    self.printer = printer
    self.rejects = rejects
    self.progress = progress
    self.committing = committing
    self.invocation = invocation
    try spool.append { printer.begin(to: &$0) }
  }

  mutating func settled(
    _ changes: borrowing Changes, _ outcomes: [Outcome]
  ) throws(DataError) {
    try console.checkInterruption()
    if printer.isSilent { return }
    let saved = outcomes.indices.lazy.filter { row in
      switch outcomes[row] {
      case .created, .changed, .same: true
      case .refused: false
      }
    }
    let rows = changes.rows
    try spool.append { printer.write(rows, saved, to: &$0) }
  }

  mutating func rejected(
    _ rejection: Rejection, of changes: borrowing Changes
  ) throws(DataError) {
    try rejects?.write(rejection, of: changes)
  }

  mutating func progressed(_ progress: SaveProgress) {
    self.progress?.show(records: progress.records, bytes: progress.bytes)
  }

  mutating func committed(throughLine line: Int) throws(DataError) {
    safeLine = line
    switch committing {
    case .once: return
    case .onTheWay:
      progress?.end()
      try invocation.say("saved up to line \(line)")
      try print()
    }
  }

  /// Prints everything, once it may be printed.
  mutating func finish() throws(DataError) {
    progress?.end()
    // Whoever reads the records may go away and end the program with it.
    try rejects?.publish()
    try spool.append { printer.end(to: &$0) }
    try print()
  }

  /// Whether more was saved than is printed.
  var hasMore: Bool { printer.hasMore }

  /// Takes the progress line away when the save has failed. What was left out of the parts that
  /// stand is kept; an error in that is not the one to be told of.
  func giveUp() {
    progress?.end()
    if safeLine != nil { try? rejects?.publish() }
  }

  private mutating func print() throws(DataError) {
    try spool.print(on: console.output)
    try console.output.flush()
  }
}

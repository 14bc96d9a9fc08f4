import DataClient
import DataModel

/// Collects the results of a save, and prints them after the commit.
struct SaveOutput: SaveListener {
  /// When a save commits.
  enum Committing {
    case once
    /// Every few records; each commit reports the last line that is saved.
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

  /// Prints the rest of the output after the commit.
  mutating func finish() throws(DataError) {
    progress?.end()
    // Publish the rejects first: if the reader closes stdout, printing ends the program.
    try rejects?.publish()
    try spool.append { printer.end(to: &$0) }
    try print()
  }

  /// Whether more records were saved than are printed.
  var hasMore: Bool { printer.hasMore }

  /// Erases the progress line after the save has failed, and keeps the rejects of committed parts.
  /// Errors are ignored, since the save's own error is reported.
  func giveUp() {
    progress?.end()
    if safeLine != nil { try? rejects?.publish() }
  }

  private mutating func print() throws(DataError) {
    try spool.print(on: console.output)
    try console.output.flush()
  }
}

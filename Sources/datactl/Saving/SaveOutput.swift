import ClientCore
import DataModel
import DataOutput

/// Collects the results of a save, and prints them after the commit.
struct SaveOutput: SaveListener {
  /// When a save commits.
  enum CommitMode {
    case once
    /// Every few records; each commit reports the last line that is saved.
    case periodically
  }

  private var printer: RecordPrinter
  private var spool = Spool()
  private let context: CommandContext
  private var console: Console { context.console }
  private let progress: Progress?
  private let rejects: Rejects?
  private let commitMode: CommitMode
  private(set) var safeLine: Int?

  init(
    _ printer: RecordPrinter, rejects: Rejects?, progress: Progress?, commitMode: CommitMode,
    with context: CommandContext
  ) throws(DataError) {
    self.printer = printer
    self.rejects = rejects
    self.progress = progress
    self.commitMode = commitMode
    self.context = context
    try spool.append { printer.begin(to: &$0) }
  }

  mutating func applied(
    _ changes: borrowing RowChanges, _ outcomes: [Outcome]
  ) throws(DataError) {
    try console.checkInterruption()
    if printer.isSilent { return }
    let rows = changes.rows
    try spool.append { output in
      printer.write(
        rows, outcomes.indices,
        where: { row in
          switch outcomes[row] {
          case .created, .changed, .same: true
          case .refused: false
          }
        }, to: &output)
    }
  }

  mutating func rejected(
    _ rejection: Rejection, of changes: borrowing RowChanges
  ) throws(DataError) {
    try rejects?.write(rejection, of: changes)
  }

  mutating func progressed(_ progress: SaveProgress) {
    self.progress?.show(records: progress.records, bytes: progress.bytes)
  }

  mutating func committed(throughLine line: Int) throws(DataError) {
    safeLine = line
    switch commitMode {
    case .once: return
    case .periodically:
      progress?.end()
      try context.printMessage("saved up to line \(line)")
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
  func abort() {
    progress?.end()
    if safeLine != nil { try? rejects?.publish() }
  }

  private mutating func print() throws(DataError) {
    try spool.print(to: console.answerOutput)
    try console.output.flush()
  }
}

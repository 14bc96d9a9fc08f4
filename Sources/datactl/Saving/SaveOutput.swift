import ClientCore
import DataModel
import DataOutput

/// The output of a save. It collects the saved records, and prints them after the commit.
struct SaveOutput: SaveListener {
  /// How often a save commits.
  enum CommitMode {
    case once
    /// The save commits repeatedly (`--commit-every`). After each commit, the number of the last
    /// saved line is printed.
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

  /// Prints the remaining output after the last commit.
  mutating func finish() throws(DataError) {
    progress?.end()
    // Publish the rejects first, because printing throws an error if the reader has closed stdout.
    try rejects?.publish()
    try spool.append { printer.end(to: &$0) }
    try print()
    if let damage = printer.damage { throw damage }
  }

  /// Whether some of the saved records were not printed, because there are too many for a terminal.
  var hasMore: Bool { printer.hasMore }

  /// Erases the progress line after a save has failed. If some records were committed, replaces the
  /// rejects file.
  ///
  /// Errors are ignored, so that the error of the save is reported.
  func abort() {
    progress?.end()
    if safeLine != nil { try? rejects?.publish() }
  }

  private mutating func print() throws(DataError) {
    try spool.print(to: console.answerOutput)
    try console.output.flush()
  }
}

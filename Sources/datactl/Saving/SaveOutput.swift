import DataClient
import DataModel

/// Hears what becomes of records that are saved, and prints them once they are committed.
struct SaveOutput: SaveListener {
  private var printer: RecordPrinter
  private var spool = Spool()
  private let console: Console
  private let progress: Progress?
  private let rejects: Rejects?
  /// Whether there are commits on the way, each to be told of.
  private let commitsOnTheWay: Bool
  private(set) var safeLine: Int?

  init(
    _ printer: RecordPrinter, rejects: Rejects?, progress: Progress?, commitsOnTheWay: Bool,
    on console: Console
  ) throws(DataError) {
    self.printer = printer
    self.rejects = rejects
    self.progress = progress
    self.commitsOnTheWay = commitsOnTheWay
    self.console = console
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
    guard commitsOnTheWay else { return }
    progress?.end()
    try print()
  }

  /// Prints everything, once it may be printed.
  mutating func finish() throws(DataError) {
    progress?.end()
    try spool.append { printer.end(to: &$0) }
    try print()
    try rejects?.flush()
  }

  /// Whether more was saved than is printed.
  var hasMore: Bool { printer.hasMore }

  /// Takes the progress line away when the save has failed.
  func giveUp() {
    progress?.end()
  }

  private mutating func print() throws(DataError) {
    try spool.print(on: console.output)
    try console.output.flush()
  }
}

import ClientCore
import DataAPI
import DataModel
import DataOutput
import DataStore

/// The output of a save. It collects the saved records, and prints them after the commit.
struct SaveOutput: SaveListener {
  /// Whether a save commits once at the end, or repeatedly.
  enum CommitMode {
    case once
    /// The save commits repeatedly (`--commit-every`). After each commit, the number of the last
    /// saved line is printed.
    case periodically
  }

  /// What is printed for the saved records.
  enum Form {
    case nothing
    /// The saved records, or only those that were created or changed.
    case records(RecordPrinter, onlyChanged: Bool)
    /// The changes that the save makes, as a diff.
    case diff(DiffPrinter)
  }

  private var form: Form
  /// The printers for the changes of nested records, keyed by the name of the schema.
  private var insidePrinters: [String: DiffPrinter] = [:]
  private var spool = Spool()
  private let context: CommandContext
  private var console: Console { context.console }
  private let progress: Progress?
  private(set) var rejects: Rejects?
  private let commitMode: CommitMode
  /// The part of the input that is saved, or nil if the whole input is saved.
  private let part: CommandDocument.Part?
  /// The paths of the files that contain the records.
  private let files: [String]
  /// The last line of the input whose record has been committed, or nil if there is none.
  private(set) var safeLine: CommittedLine?

  init(
    _ form: Form, rejects: Rejects?, progress: Progress?, commitMode: CommitMode,
    files: [String], part: CommandDocument.Part?, with context: CommandContext
  ) throws(DataError) {
    self.form = form
    self.rejects = rejects
    self.progress = progress
    self.commitMode = commitMode
    self.files = files
    self.context = context
    self.part = part
    switch form {
    case .nothing, .diff: break
    case .records(var printer, let onlyChanged):
      if let earlier = part?.earlier.summary, earlier != SaveSummary() {
        printer.continueOutput(
          after: onlyChanged ? earlier.created + earlier.changed : earlier.saved)
        self.form = .records(printer, onlyChanged: onlyChanged)
      } else {
        try spool.append { printer.begin(to: &$0) }
      }
    }
  }

  var output: [UInt8]? {
    guard var bytes = spool.bytes(atMost: Receipt.maxOutputSize) else { return nil }
    if case .records(var printer, _) = form {
      guard printer.damage == nil else { return nil }
      if isAtEnd { printer.end(to: &bytes) }
    }
    return bytes
  }

  /// Whether no further part of the input follows.
  private var isAtEnd: Bool { part?.isLast ?? true }

  mutating func applied(
    _ changes: borrowing RowChanges, _ outcomes: [Outcome]
  ) throws(DataError) {
    try console.checkInterruption()
    switch form {
    case .nothing: break
    case .records(var printer, let onlyChanged):
      if printer.isSilent { return }
      form = .nothing
      let rows = changes.rows
      try spool.append { output in
        printer.write(
          rows, outcomes.indices,
          where: { row in
            switch outcomes[row] {
            case .created, .changed: true
            case .same: !onlyChanged
            case .refused: false
            }
          }, to: &output)
      }
      form = .records(printer, onlyChanged: onlyChanged)
    case .diff(var printer):
      form = .nothing
      let changes = copy changes
      try spool.append { printer.write(changes, outcomes, to: &$0) }
      form = .diff(printer)
    }
  }

  mutating func appliedInside(
    _ changes: borrowing RowChanges, _ outcomes: [Outcome]
  ) throws(DataError) {
    guard case .diff(let outer) = form else { return }
    let changes = copy changes
    let schema = changes.schema
    var printer = insidePrinters.removeValue(forKey: schema.name) ?? outer.inside(schema)
    try spool.append { printer.write(changes, outcomes, to: &$0) }
    insidePrinters[schema.name] = printer
  }

  var needsOldRecords: Bool { if case .diff = form { true } else { false } }

  mutating func deleted(_ records: Rows) throws(DataError) {
    guard case .diff(var printer) = form else { return }
    try spool.append { printer.write(deleted: records, to: &$0) }
    form = .diff(printer)
  }

  mutating func deletedInside(_ records: Rows, of schema: Schema) throws(DataError) {
    guard case .diff(let outer) = form else { return }
    var printer = insidePrinters.removeValue(forKey: schema.name) ?? outer.inside(schema)
    try spool.append { printer.write(deleted: records, to: &$0) }
    insidePrinters[schema.name] = printer
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
    let line = CommittedLine(line, of: files)
    safeLine = line
    switch commitMode {
    case .once: return
    case .periodically:
      progress?.end()
      try context.printMessage("saved up to \(line.text)")
      try print()
    }
  }

  /// Prints the remaining output after the last commit.
  mutating func finish() throws(DataError) {
    progress?.end()
    // Publish the rejects first, because printing throws an error if the reader has closed stdout.
    try rejects?.publish()
    var damage: DataError?
    switch form {
    case .nothing: damage = nil
    case .records(var printer, _):
      if isAtEnd { try spool.append { printer.end(to: &$0) } }
      damage = printer.damage
    case .diff(let printer):
      damage = printer.damage
      for inside in insidePrinters.sorted(by: { $0.key < $1.key }).compactMap(\.value.damage) {
        if damage == nil { damage = inside } else { damage?.add(inside) }
      }
    }
    try print()
    if let damage { throw damage }
  }

  /// Whether some of the saved records were not printed because they are too many for a terminal.
  var hasMore: Bool { if case .records(let printer, _) = form { printer.hasMore } else { false } }

  /// Removes the progress line after a save has failed. If some records were committed, also
  /// publishes the file of the rejected records.
  ///
  /// Errors that occur here are ignored, because the error of the save is reported.
  func abort() {
    progress?.end()
    if safeLine != nil { try? rejects?.publish() }
  }

  private mutating func print() throws(DataError) {
    try spool.print(
      to: AnswerOutput(console.output, checkInterruption: console.checkInterruption))
    try console.output.flush()
  }
}

import CommandSyntax
import DataAPI
import DataModel
import DataOutput
import DataStore
import ServerClient

/// Prints what a server sends as the output of a command, and writes the files that the command
/// line names.
final class RemoteOutput: ResponseReceiver {
  private let context: CommandContext
  /// The output for rejected records (`--rejects`), and its path.
  private let rejects: (path: String, output: PublishedOutput)?
  /// Whether the server has begun to send rejected records.
  private var hasReceivedRejects = false
  /// Whether `file` is the file for the rejected records.
  private var isWritingRejects = false
  /// Whether the file for the rejected records is complete and was published.
  private var hasPublishedRejects = false
  /// Whether output was printed, which cannot be undone if the command is sent again.
  private var hasPrinted = false
  /// The number of bytes that were printed on stdout since the command or its current part was sent
  /// for the first time.
  private var printedCount = 0
  /// Whether an earlier attempt to execute the command has printed output. If so, the output of
  /// this attempt is not printed.
  private var isPrintedAgain = false
  /// The folder that the command line names for the output of the command, or nil if it names none.
  /// All files that the server sends, except the file of rejected records, are written there.
  private let folder: String?
  /// The names of the files that `get --into` writes, which are made from the ids that the command
  /// line or stdin contains. Nil if the command is another one: `schema export` makes the names of
  /// its files from the schemas of the store.
  private let contentNames: Set<[UInt8]>?
  private var decoder = FrameDecoder()
  /// The file that the server is sending, or nil if there is none.
  private var file: PublishedOutput?
  /// Whether the current file could not be written. The rest of its content is then discarded.
  private var hasLostFile = false
  /// The folder to which files were written that have not been flushed to the disk.
  private var unsyncedFolder: String?
  /// The messages that the server has sent in this attempt to execute the command, and those that
  /// it sent in earlier attempts.
  private var messages = (own: PrintedMessages(), earlier: PrintedMessages())
  /// The first error that occurred when writing the output. After it, nothing more is written to
  /// stdout.
  private var outputError: DataError?
  /// Whether the command ends at once if its output cannot be written. A command that changes
  /// records continues instead, so that it can report what was committed.
  private let stopsAtOutputError: Bool
  /// How the command ended, or nil if the response is not complete.
  private(set) var end: CommandEnd?

  let mediaType: String? = Frame.responseType

  init(
    of command: ServedCommand, _ given: GivenInputs, _ files: AttachedFiles,
    with context: CommandContext
  ) {
    self.context = context
    rejects = files.rejects.flatMap { output in given["--rejects"].first.map { ($0, output) } }
    let folders = given["--into"] + given["FOLDER"].filter { $0 != "-" }
    folder = folders.first
    contentNames = given["--into"].isEmpty ? nil : Self.names(ofRecords: given["ID"], files.ids)
    stopsAtOutputError = command.effect == .reads
  }

  /// Returns the names of the files for the contents of records. The operand `-` means the ids in
  /// the lines of stdin.
  private static func names(ofRecords operands: [String], _ input: [UInt8]) -> Set<[UInt8]> {
    let lines = input.split(separator: UInt8(ascii: "\n")).map { line in
      String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
    let ids = operands.filter { $0 != "-" } + lines
    return Set(ids.map { Array(ContentFolder.name(of: $0).utf8) })
  }

  func begin() {
    decoder = FrameDecoder()
    file = nil
    hasLostFile = false
    end = nil
    isPrintedAgain = hasPrinted
    messages.earlier.append(messages.own)
    messages.own = PrintedMessages()
  }

  /// Prepares for sending the command again with the answer to a question. The output of the new
  /// attempt is printed, even if output was printed before the question.
  func prepareForAnswer() {
    hasPrinted = false
    printedCount = 0
  }

  /// Prepares for sending the next part of the input. Its output follows that of this part.
  func prepareForPart() {
    prepareForAnswer()
    messages = (own: PrintedMessages(), earlier: PrintedMessages())
  }

  func receive(_ bytes: Span<UInt8>) throws(DataError) {
    decoder.append(bytes)
    while let frame = try Self.parse({ () throws(DataError) in try decoder.next() }) {
      guard end == nil else { throw .invalidResponse("bytes follow the end") }
      try receive(frame)
    }
  }

  /// Calls a closure that parses a part of the response. If it fails, throws an error that says
  /// that the response is invalid.
  private static func parse<Value>(
    _ body: () throws(DataError) -> Value
  ) throws(DataError) -> Value {
    do throws(DataError) {
      return try body()
    } catch {
      throw .invalidResponse(error.problems[0].message)
    }
  }

  private static func file(_ frame: Frame) throws(DataError) -> WrittenFile {
    try parse { () throws(DataError) in try WrittenFile(parsing: frame.bytes.span) }
  }

  private func receive(_ frame: Frame) throws(DataError) {
    switch frame.kind {
    case .output:
      if isPrintedAgain { return loseOutput() }
      hasPrinted = true
      try write(frame.bytes)
      printedCount += frame.bytes.count
    case .message:
      // Print no message of success if the output could not be written, because the server does not
      // know this. If the reader has closed the pipe, no error is printed, and only the message
      // says what was saved.
      if let outputError, outputError.code != .interrupted { return }
      // The progress line is replaced, so it may be printed again.
      if !frame.bytes.starts(with: Self.erasing) {
        messages.own.append(frame.bytes)
        // An earlier attempt may have printed the message already.
        if messages.earlier.remove(frame.bytes) { return }
      }
      try attempt { () throws(DataError) in
        try context.console.errors.write(escaped(frame.bytes).span)
      }
    case .folder:
      let path = try Self.file(frame).name
      guard let folder, path.isSame(as: folder) else { throw Self.refusal(path) }
      try context.files.makeFolder(folder)
    case .file:
      let written = try Self.file(frame)
      file = nil
      hasLostFile = !(try attempt { () throws(DataError) in file = try open(written) })
    case .content:
      guard let file else {
        if hasLostFile { return }
        throw .invalidResponse("content without a file")
      }
      if !file.canBeDiscarded {
        if isPrintedAgain { return loseOutput() }
        hasPrinted = true
      }
      hasLostFile =
        !(try attempt { () throws(DataError) in
          try file.stream.write(frame.bytes.span)
        })
      if hasLostFile { self.file = nil }
    case .publish:
      let isPublished = try attempt { () throws(DataError) in try file?.publish() }
      if isPublished, isWritingRejects, file != nil { hasPublishedRejects = true }
      if file != nil, !isWritingRejects { unsyncedFolder = folder }
      file = nil
    case .end:
      if let folder = unsyncedFolder.take() { try context.files.sync(folder) }
      end = try Self.parse { () throws(DataError) in try CommandEnd(parsing: frame.bytes.span) }
    case .command, .path: throw .invalidResponse("a frame has an unexpected kind")
    }
  }

  /// Stops printing, because an earlier attempt has already printed a part of its output. The
  /// output of this attempt can differ, so it cannot continue the printed part.
  private func loseOutput() {
    if outputError == nil { outputError = Self.lostOutput }
  }

  private static let lostOutput = DataError(.outputFailed, "the response of the server was lost")

  private func write(_ bytes: [UInt8]) throws(DataError) {
    guard outputError == nil else { return }
    try attempt { () throws(DataError) in
      try context.console.output.write(bytes.span)
      try context.console.output.flush()
    }
  }

  /// Calls a closure that writes a part of the output. If that fails and the command only reads,
  /// throws the error. If that fails and the command may have changed records, stores the error in
  /// `outputError` and returns false, so that the command continues.
  @discardableResult
  private func attempt(_ write: () throws(DataError) -> Void) throws(DataError) -> Bool {
    do throws(DataError) {
      try write()
      return true
    } catch {
      guard !stopsAtOutputError, error.code != .notAStore else { throw error }
      if outputError == nil { outputError = error }
      return false
    }
  }

  /// Opens a file for writing. Throws an error unless the command line names the file or its
  /// folder.
  private func open(_ file: WrittenFile) throws(DataError) -> PublishedOutput {
    isWritingRejects = false
    if let rejects, file.folder == nil, file.name.isSame(as: rejects.path) {
      isWritingRejects = true
      defer { hasReceivedRejects = true }
      // If the command is sent again, the server sends all rejected records again.
      return hasReceivedRejects && rejects.output.canBeDiscarded
        ? try context.files.output(rejects.path) : rejects.output
    }
    guard let folder, file.folder?.isSame(as: folder) ?? true else {
      throw Self.refusal(file.name)
    }
    // `schema export` sends paths instead of names.
    let prefix = Array((file.folder == nil ? "\(folder)/" : "").utf8)
    let name = String(decoding: file.name.utf8.dropFirst(prefix.count), as: UTF8.self)
    guard file.name.utf8.starts(with: prefix), isExpected(name) else {
      throw Self.refusal(file.name)
    }
    // A symbolic link is replaced: the server must not choose it to write elsewhere.
    return try context.files.output(name, in: folder)
  }

  /// Returns whether the command could write a file with this name to its folder.
  private func isExpected(_ name: String) -> Bool {
    if let contentNames { return !name.isEmpty && contentNames.contains(Array(name.utf8)) }
    return name.hasSuffix(".json") && Names.isValid(String(name.dropLast(5)), as: .schema)
  }

  private static func refusal(_ path: String) -> DataError {
    .invalidResponse(
      "it contains a file that the command line does not name: \(Excerpt.quoted(path))")
  }

  /// The characters that erase the progress line.
  private static let erasing = Array("\r\u{1B}[K".utf8)

  /// Returns a message with control characters escaped, except for the characters that erase the
  /// progress line of a terminal.
  private func escaped(_ bytes: [UInt8]) -> [UInt8] {
    guard context.console.errors.isTerminal, bytes.starts(with: Self.erasing) else {
      return TerminalText.escaped(bytes)
    }
    return Self.erasing + TerminalText.escaped(Array(bytes.dropFirst(Self.erasing.count)))
  }
}

extension RemoteOutput {
  /// Ends the output of a command that succeeded. Throws an error if the output could not be
  /// written.
  ///
  /// - Parameter committed: A problem to add to this error, which says what was committed; nil if
  ///   nothing was committed.
  func finish(committed: Problem?) throws(DataError) {
    guard let outputError else { return }
    throw committed.map { outputError.adding(committed: $0) } ?? outputError
  }

  /// Returns the error that occurred when the output was written, or nil if there was none. If
  /// records were committed, the error also contains the problems of the rejected records
  /// (`skipping`), because these problems may have been part of the lost output.
  func failure(with skipping: CommandEnd.Skipping) -> DataError? {
    guard var error = outputError, let committed = skipping.committed else { return outputError }
    error.add(skipping.errors)
    return error.adding(committed: committed)
  }

  /// Prints lines, unless an earlier attempt has printed them.
  private func printUnprinted(_ lines: [String]) throws(DataError) {
    try context.printMessage(
      lines.filter { line in
        let message = Array("\(line)\n".utf8)
        return ![messages.earlier, messages.own].contains { $0.latest.contains(message) }
      })
  }

  /// Prints the output of a command that was executed, but whose response was lost. If the server
  /// has not kept the output, the command fails when it ends.
  func printRepeated(_ counts: CommandEnd.Counts, of given: GivenInputs) throws(DataError) {
    // An attempt that was not executed has found that it prints again what was printed before.
    outputError = outputError == Self.lostOutput ? nil : outputError
    if let output = counts.output {
      try write(Array(output.utf8.dropFirst(printedCount)))
    } else if given.command.path != ["delete"],
      given["--output"].first != OutputFormat.none.rawValue, outputError == nil
    {
      outputError = Self.lostOutput
    }
  }

  /// Reports the numbers of saved and deleted records of a command that was executed, but whose
  /// response was lost, and prints its output. Throws an error if the command has printed records
  /// that the server has not kept, because these are lost with the response.
  func finish(_ counts: CommandEnd.Counts, of given: GivenInputs) throws(DataError) {
    var committed = "the operations are committed"
    try printRepeated(counts, of: given)
    switch given.command.path {
    case ["save"]:
      committed = counts.saved.savedText
      try printUnprinted([counts.saved.sentence(isDryRun: false)])
    case ["delete"]:
      let summary = DeleteSummary(deleted: counts.deleted, nullified: counts.nullified)
      try printUnprinted(summary.lines(isDryRun: false))
    default: break
    }
    if let outputError {
      throw outputError.adding(committed: .incompleteOutput(of: committed))
    }
    if counts.saved.rejected > 0 {
      throw DataError(
        .invalid, "\(counts.saved.rejected.counted("record")) not saved",
        hint: rejects.flatMap { rejects in
          hasPublishedRejects
            ? Rejects.hint(count: counts.saved.rejected, path: rejects.path) : nil
        } ?? "the errors were lost with the response of the server: see them with --dry-run")
    }
  }
}

/// The messages of a server that were printed, for printing each of them once if the command is
/// sent again. Only the latest messages are kept; earlier ones are counted.
private struct PrintedMessages {
  private static let maxCount = 1_000
  /// The maximum number of bytes that are kept of a message.
  private static let maxSize = 4_096

  private(set) var latest: [[UInt8]] = []
  private var omittedCount = 0

  mutating func append(_ message: [UInt8]) {
    latest.append(Array(message.prefix(Self.maxSize)))
    omit(max(0, latest.count - Self.maxCount))
  }

  mutating func append(_ other: PrintedMessages) {
    latest += other.latest
    omittedCount += other.omittedCount
    omit(max(0, latest.count - Self.maxCount))
  }

  private mutating func omit(_ count: Int) {
    latest.removeFirst(count)
    omittedCount += count
  }

  /// Removes a message. Returns false if it was not printed. A message that is not kept is assumed
  /// to be one of those that were only counted.
  mutating func remove(_ message: [UInt8]) -> Bool {
    if let index = latest.firstIndex(of: Array(message.prefix(Self.maxSize))) {
      latest.remove(at: index)
      return true
    }
    guard omittedCount > 0 else { return false }
    omittedCount -= 1
    return true
  }
}

extension String {
  /// Returns whether two paths have the same bytes. `==` equates composed and decomposed letters.
  fileprivate func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

import ClientCore
import DataAPI
import DataModel
import DataOutput
import DataStore
import RecordText

/// Saves records in a store, prints them as the user asked, and reports the result.
struct RecordSaver {
  let client: Client
  let stored: StoredCatalog
  let schema: Schema
  let options: SaveOptions
  let format: OutputFormat?
  let context: CommandContext
  /// The deletion of the records that are not in the input (`--prune`), or nil.
  var pruning: DeleteRequest?
  /// Whether to save nothing and only count the records that would be deleted, so that the user can
  /// be asked to confirm the deletion.
  var isPreview = false
  /// The paths of the files that contain the records.
  var files: [String] = []
  /// The warnings about the files.
  var inputWarnings: InputWarnings?
  /// A schema change to apply in the same transaction as the save.
  var change: InferredChange?
  /// The schemas after the change, if it concerns the records in trees.
  var changedCatalog: Catalog?

  var catalog: Catalog { changedCatalog ?? stored.catalog }

  /// The part of the input that is saved, if a client sends the input in parts.
  private var part: CommandDocument.Part? { context.served?.part }

  /// Saves the records of a source, and writes rejected records to `rejects` if it is not nil.
  /// Returns a summary of the records that were deleted because the source does not contain them,
  /// or nil if no deletion was requested.
  @discardableResult
  func save(
    _ source: some ChunkSource, rejects: Rejects? = nil, progress: Progress? = nil
  ) async throws -> DeleteSummary? {
    let output = try output(rejects, progress)
    var save = RecordSave(
      source, of: schema, by: options.policy, try await request(), in: catalog,
      pruning: pruning, listener: output)
    do throws(DataError) {
      try await client.run(&save)
    } catch {
      save.listener.abort()
      if save.listener.safeLine != nil { try? printSummary(of: save.listener.rejects) }
      var failure = failure(error, safeLine: save.listener.safeLine)
      if save.isUnreadable, options.skipsInvalid {
        failure.partialCommit = Problem(.invalid, "no record was read", schema: schema.name)
      }
      throw failure
    }
    if isPreview {
      progress?.end()
      return save.pruned
    }
    context.served?.note(saved: save.summary)
    if let committed = committed(save.summary, safeLine: save.listener.safeLine) {
      context.served?.note(committed: committed)
    }
    var (summary, skippedProblems) = (save.summary, save.skippedProblems)
    var messages = (change?.messages ?? []) + save.warnings
    if earlierLine == nil, let columns = inputWarnings?.matchedColumns { messages.append(columns) }
    if let part {
      var saved = part.earlier
      try saved.add(summary, through: save.listener.safeLine?.line, skipping: skippedProblems)
      (summary, skippedProblems) = (saved.summary, saved.skipped)
      if !part.isLast, save.readingFailure == nil {
        try save.listener.finish()
        try context.printMessage(messages)
        context.served?.note(savedParts: saved)
        return nil
      }
    }
    let sentence = summary.sentence(isDryRun: options.isDryRun, inside: save.insideSummary)
    let sentences = [sentence] + (save.pruned?.lines(isDryRun: options.isDryRun) ?? [])
    do throws(DataError) {
      try save.listener.finish()
    } catch {
      // If the reader of stdout has closed the pipe, no error is printed. So report on stderr what
      // was saved.
      let isPipeClosed = context.console.signal() == .closedPipe
      try? context.printMessage(isPipeClosed ? messages + sentences : messages)
      throw failure(error, save.summary, save.skippedProblems, safeLine: save.listener.safeLine)
    }
    let truncation = save.listener.hasMore ? RecordPrinter.RowLimit.ofSaved.message : nil
    do throws(DataError) {
      try context.printMessage([truncation].compactMap(\.self) + messages + sentences)
    } catch {
      throw failure(error, save.summary, save.skippedProblems, safeLine: save.listener.safeLine)
    }
    if let skippedProblems {
      try printSummary(of: save.listener.rejects)
      let unidentified = pruning == nil ? nil : save.unidentified
      try throwRejected(
        skippedProblems, count: summary.rejected, save.readingFailure, unidentified)
    }
    return save.pruned
  }

  private func output(
    _ rejects: Rejects?, _ progress: Progress?
  ) throws(DataError) -> SaveOutput {
    let form: SaveOutput.Form
    let terminal = context.console.terminal
    if isPreview {
      form = .nothing
    } else if format == .diff {
      form = .diff(
        DiffPrinter(
          schema, includesSystemFields: options.policy.systemFields == .given, on: terminal,
          numbers: options.numbers))
    } else {
      form = .records(printer(on: terminal), onlyChanged: options.printsOnlyChanged)
    }
    return try SaveOutput(
      form, rejects: rejects, progress: progress,
      commitMode: options.commitEvery == nil ? .once : .periodically, files: files, part: part,
      with: context)
  }

  private func printer(on terminal: TerminalStyle?) -> RecordPrinter {
    let slots = schema.printedSlots(
      omitsSystemFields: !options.showsSystemFields
        && (format ?? .table).omitsSystemFields(on: terminal))
    return RecordPrinter(
      slots.map { schema.column($0) }, of: schema, format: format, defaultFormat: .table,
      cardinality: .several, on: terminal, rowLimit: .ofSaved, numbers: options.numbers)
  }

  private func request() async throws -> WriteRequest {
    var plan: PlanRequest?
    if let change { plan = try await client.request(for: change.plan) }
    let schemas = options.isDeep ? schema.treeSchemas(in: catalog) : [schema]
    return WriteRequest(
      to: schemas, versions: stored.versions(concerning: schemas), plan: plan,
      stamp: try await client.stamp(),
      wait: WriteWait(seconds: Double(options.wait)),
      end: options.isDryRun || isPreview ? .rollBack : .commit,
      onInvalid: !options.skipsInvalid ? .refuseAll : options.isDeep ? .skipTrees : .skip,
      commitEvery: options.commitEvery)
  }

  /// Returns the error for a failed save, with a message that says which records are saved.
  private func failure(_ error: DataError, safeLine: CommittedLine?) -> DataError {
    let committed = committedPart(upTo: safeLine)
    if error.code == .interrupted { return error.adding(committed: committed) }
    guard options.commitEvery != nil else { return error }
    var failure = error
    switch error.commitOutcome {
    case nil: failure.partialCommit = committed
    case .unknown:
      failure.partialCommit = (safeLine ?? earlierLine)?.problem(
        of: schema.name, mayHaveMore: true)
    case .committed: break
    }
    return failure
  }

  /// Returns the error for a save that was committed, but whose output could not be written
  /// completely. The error contains the problems of the rejected records, because they may not have
  /// been written either.
  private func failure(
    _ error: DataError, _ summary: SaveSummary, _ skippedProblems: DataError?,
    safeLine: CommittedLine?
  ) -> DataError {
    guard options.commitEvery == nil, let committed = committed(summary, safeLine: safeLine) else {
      return failure(error, safeLine: safeLine)
    }
    var failure = error
    if let skippedProblems { failure.add(skippedProblems) }
    return failure.adding(committed: committed)
  }

  /// Returns the problem to report if the output of the save cannot be written. It says what was
  /// committed. Returns nil for a dry run.
  private func committed(_ summary: SaveSummary, safeLine: CommittedLine?) -> Problem? {
    if options.isDryRun { return nil }
    if options.commitEvery != nil { return committedPart(upTo: safeLine) }
    // Records from the command line have no line number.
    return .incompleteOutput(
      of: summary.savedText, schema: schema.name,
      line: safeLine?.line == 0 ? nil : safeLine?.line)
  }

  /// Returns the problem that says which part of the input was committed.
  private func committedPart(upTo safeLine: CommittedLine?) -> Problem {
    (safeLine ?? earlierLine)?.problem(of: schema.name)
      ?? Problem(.stopped, "nothing was saved", schema: schema.name)
  }

  /// The last line that an earlier part of the input has committed.
  private var earlierLine: CommittedLine? { part?.earlier.line.map { CommittedLine($0, of: []) } }

  /// Prints what was wrong with the records in the rejects file.
  private func printSummary(of rejects: Rejects?) throws(DataError) {
    guard let rejects else { return }
    try context.printMessage(
      rejects.summary.lines(as: context.errorFormat, of: schema, hasFiles: files.count > 1))
  }

  /// Throws an error that says how many records were rejected. If reading stopped at a syntax
  /// error, the message contains the line of this error. The problems of the rejected records are
  /// printed first, unless they are in the rejects file.
  ///
  /// - Parameter unidentified: The rejected records because of which nothing was pruned.
  private func throwRejected(
    _ skippedProblems: DataError, count: Int, _ readingFailure: Problem?,
    _ unidentified: UnidentifiedRecords?
  ) throws {
    context.served?.note(skipped: skippedProblems)
    let records = count.counted("record")
    var message = options.isDryRun ? "\(records) would not be saved" : "\(records) not saved"
    if let readingFailure, let line = readingFailure.line {
      let file = files.count > 1 ? readingFailure.file : nil
      message += ", and reading\(file.map { " of \($0)" } ?? "") stopped at line \(line)"
    }
    var failure = DataError(.invalid, message)
    if let rejects = options.rejects, !options.isDryRun {
      failure = DataError(.invalid, message, hint: Rejects.hint(count: count, path: rejects))
    } else {
      try context.report(skippedProblems)
    }
    guard let unidentified else { throw failure }
    let place = unidentified.first.place(hasFiles: files.count > 1).map { " (first: \($0))" } ?? ""
    var notPruned = DataError(
      .loss,
      "not pruned: \(unidentified.count.counted("record")) without a readable id\(place)",
      hint: "correct the input, so that --prune does not delete records that it contains")
    notPruned.add(failure)
    throw notPruned
  }
}

extension SaveSummary {
  /// A clause for error messages that says how many records were saved.
  var savedText: String {
    "\(saved.counted("record")) \(saved == 1 ? "is" : "are") saved"
  }
}

import DataClient
import DataModel
import DataStore

/// Saves the records of a source and reports the result.
struct RecordSaving {
  let client: Client
  let stored: StoredCatalog
  let schema: Schema
  let options: SaveOptions
  let format: OutputFormat?
  let invocation: Invocation
  /// A schema change to apply together with the save.
  var change: InferredChange?

  /// Saves the records of a source; rejected records are written to `rejects`.
  func save(
    _ source: some ChangesSource, rejects: Rejects? = nil, progress: Progress? = nil
  ) async throws {
    var save = RecordSave(
      source, into: schema, of: stored.catalog,
      onInvalid: options.skipsInvalid ? .skip : .refuseAll, commitEvery: options.commitEvery,
      listener: try output(rejects, progress))
    let request = try await request()
    do throws(DataError) {
      try await client.run(&save, request)
    } catch {
      save.listener.giveUp()
      throw ending(error, safeLine: save.listener.safeLine)
    }
    let deeds = (change?.deeds ?? []) + save.warnings
    let sentence = save.summary.sentence(isDryRun: options.isDryRun)
    do throws(DataError) {
      try save.listener.finish()
    } catch {
      // A closed pipe prints no error, but stderr still reports what was saved.
      let isGone = invocation.console.signal() == .closedPipe
      try invocation.say(isGone ? deeds + [sentence] : deeds)
      throw ending(error, save.summary, save.leftOut, safeLine: save.listener.safeLine)
    }
    if save.listener.hasMore { try invocation.say(RecordPrinter.moreWords) }
    try invocation.say(deeds + [sentence])
    if !options.isDryRun, save.summary.saved > 0 {
      try invocation.checkInterruption(behind: save.summary.standing)
    }
    if let leftOut = save.leftOut { try refuse(leftOut, count: save.summary.rejected) }
  }

  private func output(
    _ rejects: Rejects?, _ progress: Progress?
  ) throws(DataError) -> SaveOutput {
    let printer = RecordPrinter(
      schema.printedSlots.map { schema.column($0) }, format: format, habit: .table,
      number: .several, on: invocation.console, stopping: .onTerminal)
    return try SaveOutput(
      printer, rejects: rejects, progress: progress,
      committing: options.commitEvery == nil ? .once : .onTheWay, with: invocation)
  }

  private func request() async throws -> SaveRequest {
    var plan: PlanRequest?
    if let change { plan = try await client.request(for: change.plan) }
    return SaveRequest(
      schema: schema, catalogVersion: stored.version, plan: plan,
      policy: options.policy, stamp: try await client.stamp(),
      wait: WriteWait(seconds: Double(options.wait)),
      end: options.isDryRun ? .rollBack : .commit,
      onInvalid: options.skipsInvalid ? .skip : .refuseAll, commitEvery: options.commitEvery)
  }

  /// Returns the error of a save that failed, with a message that reports what was committed.
  private func ending(_ error: DataError, safeLine: Int?) -> DataError {
    let saved =
      safeLine.map { "everything up to line \($0) is saved, and nothing after it" }
      ?? "nothing was saved"
    if error.code == .interrupted {
      return DataError(Problem(.interrupted, "interrupted: \(saved)", line: safeLine))
    }
    guard options.commitEvery != nil else { return error }
    var ending = error
    ending.aftermath = Problem(.stopped, saved, schema: schema.name, line: safeLine)
    return ending
  }

  /// Returns the error of a save that was committed although its output could not be written
  /// completely. It includes the rejected records, since writing the rejects may be what failed.
  private func ending(
    _ error: DataError, _ summary: SaveSummary, _ leftOut: DataError?, safeLine: Int?
  ) -> DataError {
    if options.isDryRun || options.commitEvery != nil {
      return ending(error, safeLine: safeLine)
    }
    let saved = "\(summary.standing), but the output is incomplete"
    // Records from the command line have no line number.
    let line = safeLine == 0 ? nil : safeLine
    if error.code == .interrupted {
      return DataError(Problem(.interrupted, "interrupted: \(saved)", line: line))
    }
    var ending = error
    if let leftOut { ending.add(leftOut) }
    ending.aftermath = Problem(.stopped, saved, schema: schema.name, line: line)
    return ending
  }

  /// Throws the error of a save with rejected records, which are in the rejects file or reported
  /// here.
  private func refuse(_ leftOut: DataError, count: Int) throws {
    let records = count.counted("record")
    let message = options.isDryRun ? "\(records) would not be saved" : "\(records) not saved"
    if let rejects = options.rejects, !options.isDryRun {
      let place = rejects == "-" ? "on standard output" : "in \(rejects)"
      throw DataError(
        .invalid, message,
        hint: count == 1
          ? "it is \(place), with its errors"
          : "they are \(place), each with its errors")
    }
    try invocation.report(leftOut)
    throw DataError(.invalid, message)
  }
}

extension SaveSummary {
  /// The number of saved records, for messages after an error.
  fileprivate var standing: String {
    "\(saved.counted("record")) \(saved == 1 ? "is" : "are") saved"
  }

  /// Returns the result of a save, in one line.
  fileprivate func sentence(isDryRun: Bool) -> String {
    if saved == 0 && rejected == 0 { return "Nothing to save: no records." }
    let kinds = [(created, "new"), (changed, "changed"), (same, "the same")]
      .filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", ")
    let head = "\(saved.grouped) \(isDryRun ? "would be saved" : "saved")"
    return kinds.isEmpty ? head : "\(head): \(kinds)"
  }
}

import DataClient
import DataModel
import DataStore

/// Saves the records of one source and says what became of them.
struct RecordSaving {
  let client: Client
  let stored: StoredCatalog
  let schema: Schema
  let options: SaveOptions
  let format: OutputFormat?
  let invocation: Invocation
  /// What happens to the schemas with the save.
  var change: InferredChange?

  /// Saves what the source gives; what is left out goes to the rejects.
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
      // Whoever went away hears no error; standard error says what was done all the same.
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

  /// The error with which a save ended, and what is saved nevertheless.
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

  /// The error of a save that stands, although not everything could be printed: the records that
  /// were left out are named, since what they were to be written to may be what failed.
  private func ending(
    _ error: DataError, _ summary: SaveSummary, _ leftOut: DataError?, safeLine: Int?
  ) -> DataError {
    if options.isDryRun || options.commitEvery != nil {
      return ending(error, safeLine: safeLine)
    }
    let saved = "\(summary.standing), but the output is incomplete"
    // What stands on the command line has no line.
    let line = safeLine == 0 ? nil : safeLine
    if error.code == .interrupted {
      return DataError(Problem(.interrupted, "interrupted: \(saved)", line: line))
    }
    var ending = error
    if let leftOut { ending.add(leftOut) }
    ending.aftermath = Problem(.stopped, saved, schema: schema.name, line: line)
    return ending
  }

  /// Ends a save that left records out: they are among the rejects, or named here.
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
  /// What stands now, as the words behind an error say it.
  fileprivate var standing: String {
    "\(saved.counted("record")) \(saved == 1 ? "is" : "are") saved"
  }

  /// What a save did, in one line.
  fileprivate func sentence(isDryRun: Bool) -> String {
    if saved == 0 && rejected == 0 { return "Nothing to save: no records." }
    let kinds = [(created, "new"), (changed, "changed"), (same, "the same")]
      .filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", ")
    let head = "\(saved.grouped) \(isDryRun ? "would be saved" : "saved")"
    return kinds.isEmpty ? head : "\(head): \(kinds)"
  }
}

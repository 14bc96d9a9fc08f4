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

  /// Saves what the source gives; `size` is how many bytes it will read, if that is known.
  func save(_ source: some ChangesSource, size: Int?) async throws {
    let console = invocation.console
    var save = RecordSave(
      source, into: schema, of: stored.catalog,
      onInvalid: options.skipsInvalid ? .skip : .refuseAll,
      listener: try output(size: size))
    let request = try await request()
    do throws(DataError) {
      try await client.run(&save, request)
    } catch {
      save.listener.giveUp()
      throw error.code == .interrupted ? interruption(safeLine: save.listener.safeLine) : error
    }
    try save.listener.finish()
    if save.listener.hasMore { try invocation.say(RecordPrinter.moreWords) }
    for warning in save.warnings { try invocation.say(warning) }
    try invocation.say(save.summary.sentence(isDryRun: options.isDryRun))
    if let leftOut = save.leftOut { try refuse(leftOut, count: save.summary.rejected, on: console) }
  }

  private func output(size: Int?) throws(DataError) -> SaveOutput {
    let console = invocation.console
    let rejects = try options.rejects.map { path throws(DataError) in
      Rejects(to: try invocation.output(path))
    }
    let printer = RecordPrinter(
      schema.printedSlots.map { schema.column($0) }, format: format, habit: .table,
      number: .several,
      on: console, stopping: .onTerminal)
    return try SaveOutput(
      printer, rejects: rejects,
      progress: invocation.isQuiet ? nil : Progress(on: console, total: size),
      commitsOnTheWay: options.commitEvery != nil, on: console)
  }

  private func request() async throws -> SaveRequest {
    SaveRequest(
      schema: schema, catalogVersion: stored.version, policy: options.policy,
      stamp: try await client.stamp(), wait: WriteWait(seconds: Double(options.wait)),
      end: options.isDryRun ? .rollBack : .commit,
      onInvalid: options.skipsInvalid ? .skip : .refuseAll, commitEvery: options.commitEvery)
  }

  private func interruption(safeLine: Int?) -> DataError {
    DataError(
      .interrupted,
      safeLine.map { "interrupted: everything is saved up to line \($0), and nothing behind it" }
        ?? "interrupted: nothing was saved")
  }

  /// Ends a save that left records out: they are in the file of the rejects, or named here.
  private func refuse(_ leftOut: DataError, count: Int, on console: Console) throws {
    let message = "\(count.counted("record")) not saved"
    if let rejects = options.rejects {
      throw DataError(
        .invalid, message,
        hint: count == 1
          ? "it is in \(rejects), with what is wrong with it"
          : "they are in \(rejects), each with what is wrong with it")
    }
    try invocation.report(leftOut)
    throw DataError(.invalid, message)
  }
}

extension SaveSummary {
  /// What a save did, in one line.
  fileprivate func sentence(isDryRun: Bool) -> String {
    if saved == 0 && rejected == 0 { return "Nothing to save: there was no record." }
    let kinds = [(created, "new"), (changed, "changed"), (same, "the same")]
      .filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", ")
    let head = "\(saved.grouped) \(isDryRun ? "would be saved" : "saved")"
    return kinds.isEmpty ? head : "\(head): \(kinds)"
  }
}

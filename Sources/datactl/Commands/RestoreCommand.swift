import ClientCore
import CommandSyntax
import DataModel
import DataStore
import Platform

/// `datactl restore`: creates a store from a dump or a backup.
struct RestoreCommand: DeclaredCommand {
  var file = ""
  var replaces = false
  var isConfirmed = false
  var options = SchemaChangeOptions()

  static let declaration = CommandDeclaration(
    RestoreCommand.self, "restore", "Restore a store from a dump or a backup.",
    discussion: [
      """
      Reads an archive of `datactl dump`, and creates its schemas, records, functions and files in \
      a store that does not exist yet, or that has no schemas. The records get the system fields \
      that they had. The kind of the store does not have to be that of the dumped one.
      """,
      """
      Everything is restored in one transaction. If the archive was cut or changed, the command \
      fails with exit status 6, and names the part of the archive. The store is then as it was.
      """,
      """
      An archive contains no passwords. Users cannot log in until they get a new one with \
      `datactl passwd`. The command prints how many they are.
      """,
      """
      FILE can also be a file of `datactl backup`. The store must then be a file that does not exist \
      yet. It gets everything that is in the backup, also the passwords, and only you may read it.
      """,
      """
      With `--replace`, a backup replaces the file of an existing store. The backup is inspected \
      first, as `datactl doctor` does. The command shows the records and the ids of both stores, and \
      asks for confirmation; in a script, pass `--yes`. It then waits until no other program has the \
      store open, so stop programs such as `datactl serve` first. The old file remains as \
      `shop.db.replaced-` with the time. All sessions of the restored store are ended.
      """,
    ],
    inputs: [
      .operand(
        "FILE", \.file, kind: .file, "The archive or the backup. `-` reads an archive from stdin."),
      .flag(
        "--replace", \.replaces, "Replace the file of an existing store with the backup."),
      .flag("--yes", letter: "y", \.isConfirmed, "Do not ask for confirmation."),
      .group(\.options, SchemaChangeOptions.inputs),
    ],
    rules: [.needs("--yes", "--replace")],
    examples: [
      Example("datactl restore shop.tgz --store new.db", "Restore a dump in a new file."),
      Example(
        "datactl restore shop.tgz --store new.db --dry-run",
        "Check a dump, without restoring it."),
      Example(
        "datactl restore copy.db --replace --store shop.db",
        "Replace a store with a backup of it."),
    ],
    exitStatuses: [
      .done, .failed, .usageOfOptions, .schemaNotFound, .forbidden, .wholeStoreConflict, .invalid,
      .store, .interrupted, .terminated,
    ],
    seeAlso: ["backup", "doctor", "dump", "passwd", "stores"])
}

extension RestoreCommand {
  func run(with context: CommandContext) async throws {
    if try isBackup(with: context) { return try await restoreBackup(with: context) }
    if replaces {
      _ = try context.input(file, for: "the backup")
      throw DataError(
        .usage, "--replace needs a file of datactl backup, but \(file) is another file",
        hint: "restore a dump in a new store, without --replace")
    }
    let input = try context.input(file, for: "the archive")
    var client = try await context.open(for: .writing, wait: options.wait)
    if options.isDryRun { client = client.dryRun() }
    let target = client
    let summary = try await context.change(orSay: "nothing was restored") {
      try await context.showingProgress { monitor throws(DataError) in
        try await target.restore(
          input, file: input.file, wait: WriteWait(seconds: Double(options.wait)),
          monitor: monitor)
      }
    }
    try context.printResult(of: options.isDryRun ? nil : "the store is restored") {
      () throws(DataError) in
      try context.printMessage(summary.lines(options.isDryRun ? "would be restored" : "restored"))
    }
  }

  /// Returns whether the file is a backup, which is an SQLite database.
  private func isBackup(with context: CommandContext) throws(DataError) -> Bool {
    let path = Files.absolute(file, in: context.console.folder)
    // What is read from a pipe cannot be read again.
    guard file != "-", (try? FileStatus(path))?.kind == .regular else { return false }
    let input = try context.input(file, for: "the backup")
    let expected = Array("SQLite format 3\0".utf8)
    var start: [UInt8] = []
    while start.count < expected.count,
      try input.read(into: &start, atMost: expected.count - start.count) > 0
    {}
    return start == expected
  }

  /// Copies a backup to the file of the store.
  private func restoreBackup(with context: CommandContext) async throws {
    let address = try context.storeAddress()
    guard case .file(let path) = address.kind else {
      throw DataError(
        .usage, "a backup can be restored only to a file: \(address)",
        hint: "write datactl copy \(file) \(address)")
    }
    var source = context
    source.choice = try StoreChoice.find(
      option: "sqlite:\(Files.absolute(file, in: context.console.folder))",
      in: context.environment)
    if replaces, let old = try? FileStatus(path) {
      guard let new = try? FileStatus(Files.absolute(file, in: context.console.folder)),
        !new.isSameFile(as: old)
      else {
        throw DataError(.usage, "the backup is the store itself: \(address)")
      }
      return try await replace(path, with: source, in: context)
    }
    let opened = try await source.open(for: .reading)
    let client = options.isDryRun ? opened.dryRun() : opened
    _ = try await context.showingProgress { monitor throws(DataError) in
      try await client.backUp(to: path, shown: "\(address)", verifies: false, monitor: monitor)
    }
    try context.printMessage(
      "\(address) \(options.isDryRun ? "would be restored" : "is restored") from \(file)")
  }

  /// Replaces the file of a store with a backup.
  private func replace(
    _ path: String, with source: CommandContext, in context: CommandContext
  ) async throws {
    let address = try context.storeAddress()
    let old: String
    do throws(DataError) {
      old = try await context.open(for: .reading).contentSummary()
    } catch {
      guard error.code == .storeDamaged else {
        throw error.code != .notAStore
          ? error
          : DataError(
            .notAStore, error.problems[0].message,
            hint: "move its files away, as datactl help stores describes, and restore the backup "
              + "without --replace")
      }
      old = error.problems[0].message
    }
    // The file is not replaced while this process has it open.
    await context.closeClients()
    let client = try await source.open(for: .reading)
    var request = InspectionRequest()
    request.isComplete = true
    let findings = try await context.showingProgress { [request] monitor throws(DataError) in
      try await client.inspect(request, monitor: monitor)
    }.findings.filter { ![.oldFormat, .foreignTable].contains($0.code) }
    if let finding = findings.first {
      throw DataError(
        .storeDamaged, "\(file): \(findings.count.counted("finding")): \(finding.message)",
        hint: "see datactl doctor --full --store \(ShellText.word(file))")
    }
    try context.printMessage([
      "\(address): \(old)", "\(file): \(try await client.contentSummary())",
    ])
    if options.isDryRun { return try context.printMessage("\(address) would be replaced") }
    if !isConfirmed {
      try context.confirm(
        "replace \(address) with \(file)", declined: "\(address) was not replaced")
    }
    let suffix = ".replaced-\(try context.environment.now().fileNamePart)"
    let kept = try await context.change(orSay: "nothing was changed") {
      try await context.showingProgress { monitor throws(DataError) in
        try await client.replaceStore(
          at: path, keepingAs: suffix, wait: WriteWait(seconds: Double(options.wait)),
          monitor: monitor)
      }
    }
    try context.printMessage([
      "\(address) is restored from \(file)", "the old file is now \(kept)",
    ])
  }
}

extension Timestamp {
  /// The time to the second without punctuation, such as `20261124T065300Z`.
  fileprivate var fileNamePart: String {
    description.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
  }
}

import ClientCore
import CommandSyntax
import DataModel
import DataStore

/// `datactl restore`: creates the content of a store from a dump.
struct RestoreCommand: DeclaredCommand {
  var file = ""
  var options = SchemaChangeOptions()

  static let declaration = CommandDeclaration(
    RestoreCommand.self, "restore", "Restore a store from a dump.",
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
    ],
    inputs: [
      .operand("FILE", \.file, kind: .file, "The archive, or `-` for standard input."),
      .group(\.options, SchemaChangeOptions.inputs),
    ],
    examples: [
      Example("datactl restore shop.tgz --store new.db", "Restore a dump in a new file."),
      Example(
        "datactl restore shop.tgz --store new.db --dry-run",
        "Check a dump, without restoring it."),
    ],
    exitStatuses: [
      .done, .failed, .usageOfOptions, .schemaNotFound, .forbidden, .wholeStoreConflict, .invalid,
      .store, .interrupted, .terminated,
    ],
    seeAlso: ["dump", "passwd", "stores"])
}

extension RestoreCommand {
  func run(with context: CommandContext) async throws {
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
}

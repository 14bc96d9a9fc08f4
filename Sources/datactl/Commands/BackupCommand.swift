import ClientCore
import CommandSyntax
import DataModel

/// `datactl backup`: copies a store in a file to another file.
struct BackupCommand: DeclaredCommand {
  var file = ""
  var verifies = false

  static let declaration = CommandDeclaration(
    BackupCommand.self, "backup", "Copy the file of a store to a new file.",
    discussion: [
      """
      Copies a store in a file to FILE, with everything that is in it: also passwords, sessions, \
      and the log of schema changes. The copy is of one moment. Other commands can read and write \
      the store meanwhile, and do not wait.
      """,
      """
      FILE is itself a store, which you can use with `--store FILE`. Only you may read it. It must \
      not exist yet, and it exists only when it is complete and checked. If the command is killed, \
      at most the file `FILE-new` remains. The next backup to FILE removes it.
      """,
      """
      With `--verify`, the command also reads all records and the contents of all files in the copy, \
      and compares them with the store. It then prints a line for each schema, and one for the \
      functions, as `datactl copy` does: the records, the files, and the digest of the records.
      """,
      """
      Only a store in a file can be copied. For databases and servers, use `datactl dump`, or the \
      program `pg_dump` of PostgreSQL.
      """,
    ],
    inputs: [
      .operand("FILE", \.file, kind: .outputFile, "The new file."),
      .flag(
        "--verify", \.verifies, "Read the copy, compare it with the store, and print the digests."),
    ],
    examples: [
      Example("datactl backup copy.db --store shop.db", "Back up a store."),
      Example(
        #"datactl backup "shop.db.$(date +%F)" --verify"#,
        "Make and verify a backup whose name contains the date."),
    ],
    exitStatuses: [
      .done, .failed, .usageOfOptions, .forbidden, .wholeStoreConflict, .store, .interrupted,
      .brokenPipe, .terminated,
    ],
    seeAlso: ["copy", "dump", "stores"])

  var storeUse: StoreUse { .none }
}

extension BackupCommand {
  func run(with context: CommandContext) async throws {
    guard file != "-" else {
      throw DataError(
        .usage, "cannot write a backup to standard output", hint: "pass FILE, or use datactl dump")
    }
    if let address = context.storeChoice()?.address, !address.isFile {
      throw Client.backupNeedsFile(address)
    }
    let client = try await context.open(for: .reading)
    let path = Files.absolute(file, in: context.console.folder)
    let summary = try await context.showingProgress { monitor throws(DataError) in
      try await client.backUp(to: path, shown: file, verifies: verifies, monitor: monitor)
    }
    try context.printResult(of: "the backup is complete") { () throws(DataError) in
      try summary?.print(to: context.answerOutput, as: nil)
      try context.printMessage(
        summary?.lines("backed up") ?? ["\(client.address) is backed up to \(file)"])
    }
  }
}

import ClientCore
import CommandSyntax
import DataModel
import DataOutput
import DataStore

/// `datactl copy`: copies a whole store to another one.
struct CopyCommand: DeclaredCommand {
  var source = ""
  var target = ""
  var schemaNames: [String] = []
  var omitsPasswords = false
  var options = SchemaChangeOptions()
  var format: OutputFormat?

  static let declaration = CommandDeclaration(
    CopyCommand.self, "copy", "Copy a whole store to another one.",
    discussion: [
      """
      Copies the schemas, the records with their system fields, the functions, the contents of files \
      and the passwords of one moment from FROM to TO. Each of them is a file or a database. FROM is \
      not changed. TO must not exist yet, or have no schemas.
      """,
      """
      Everything is copied in one transaction. If the command fails or is stopped before its end, \
      TO is as it was. Then the command reads TO and compares the digest of each schema; if it is \
      stopped meanwhile, the error says that the store is copied. Sessions, the log of schema \
      changes and earlier versions of records are not copied.
      """,
      .heading("Output"),
      """
      Prints a line for each schema, and one for the functions: its records, its files, and its \
      digest, which is the SHA-256 of what `datactl list SCHEMA -o ndjson` prints. It is the same in \
      each kind of store.
      """,
    ],
    inputs: [
      .operand(
        "FROM", \.source, kind: .store,
        "The address of the store to copy, or its name in `datactl.json`."),
      .operand("TO", \.target, kind: .store, "The address or the name of the new store."),
      .repeatedOption(
        "--only", \.schemaNames, value: "SCHEMA", kind: .text,
        """
        Copy only this schema, and the schemas that it needs: those to which it refers, and those \
        whose inverse relations its access rules name. Functions that use other schemas are left \
        out. You can repeat the option.
        """),
      .flag(
        "--without-passwords", \.omitsPasswords,
        "Do not copy the hashes of passwords. Users cannot log in until they get a new password."),
      .group(\.options, SchemaChangeOptions.inputs),
      .choice(
        "--output", letter: "o", \.format, value: "FORMAT",
        of: [.json, .ndjson, .csv, .tsv, .md, .table, .none], "The output format."),
    ],
    examples: [
      Example("datactl copy shop.db postgres://db.example/shop", "Move a file to a database."),
      Example(
        "datactl copy shop.db todos.db --only todo",
        "Copy the todos, and the records to which they refer."),
    ],
    exitStatuses: [
      .done, .failed, .usageOfOptions, .schemaNotFound, .forbidden, .wholeStoreConflict, .invalid,
      .store, .interrupted, .brokenPipe, .terminated,
    ],
    seeAlso: ["dump", "restore", "stores"])

  var storeUse: StoreUse { .none }
}

extension CopyCommand {
  func run(with context: CommandContext) async throws {
    for (name, action) in [(source, "read"), (target, "write")] {
      guard let choice = context.storeChoice(name), choice.address.server != nil else { continue }
      throw DataError(
        .usage, "copy cannot \(action) a store on a server: \(choice.address)",
        hint: "run copy on the machine of the server, with the address of its store")
    }
    let from = try await context.open(source, for: .reading)
    var to = try await context.open(
      target, for: .writing, wait: options.wait, executor: .ownThread())
    if options.isDryRun { to = to.dryRun() }
    let client = to
    let summary = try await context.change(orSay: "nothing was copied") {
      try await context.showingProgress { monitor throws(DataError) in
        try await from.copy(
          to: client, only: schemaNames.isEmpty ? nil : schemaNames,
          passwords: omitsPasswords ? .omitted : .included,
          wait: WriteWait(seconds: Double(options.wait)), monitor: monitor)
      }
    }
    if !options.isDryRun {
      do throws(DataError) {
        try await client.verify(summary)
      } catch {
        guard error.code == .interrupted else { throw error }
        throw error.adding(
          committed: Problem(.stopped, "the store is copied, but was not compared"))
      }
    }
    try context.printResult(of: options.isDryRun ? nil : "the store is copied") {
      () throws(DataError) in
      try summary.print(to: context.answerOutput, as: format)
      try context.printMessage(summary.lines(options.isDryRun ? "would be copied" : "copied"))
    }
  }
}

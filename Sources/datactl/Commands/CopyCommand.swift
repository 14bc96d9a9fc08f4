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
      and the passwords of one moment from FROM to TO. FROM is a file, a database, or a store on a \
      server, and is not changed. TO is a file or a database. It must not exist yet, have no \
      schemas, or be an unfinished copy of FROM.
      """,
      """
      Only an administrator can copy a store on a server; log in first. A server sends no passwords. \
      The command prints how many users need a new one.
      """,
      """
      The records are written in parts. Then the command compares the digest of each schema in FROM \
      and TO, and checks all references. Until then TO is an unfinished copy, and other commands \
      cannot use it. If the command fails or is stopped, run it again: it reads FROM again, and \
      writes only what is missing in TO or has changed. Sessions, the log of schema changes and \
      earlier versions of records are not copied.
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
        "datactl copy https://shop.example shop.db", "Copy a store on a server to a file."),
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
    if let choice = context.storeChoice(target), choice.address.server != nil {
      throw DataError(
        .usage, "copy cannot write a store on a server: \(choice.address)",
        hint: "run copy on the machine of the server, with the address of its store")
    }
    let from = try await context.open(source, for: .reading)
    var to = try await context.open(
      target, for: .writing, wait: options.wait, executor: .ownThread(),
      unfinishedCopies: .accepted)
    if options.isDryRun { to = to.dryRun() }
    let client = to
    let summary = try await context.change(orSay: "the copy is not complete") {
      try await context.reading(from) { monitor throws(DataError) in
        try await from.copy(
          to: client, only: schemaNames.isEmpty ? nil : schemaNames,
          passwords: omitsPasswords ? .omitted : .included,
          wait: WriteWait(seconds: Double(options.wait)), alarm: SignalHandler.alarm,
          monitor: monitor)
      }
    }
    try context.printResult(of: options.isDryRun ? nil : "the store is copied") {
      () throws(DataError) in
      try summary.print(to: context.answerOutput, as: format)
      try context.printMessage(summary.lines(options.isDryRun ? "would be copied" : "copied"))
    }
  }
}

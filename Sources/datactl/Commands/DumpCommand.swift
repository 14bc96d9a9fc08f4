import ClientCore
import CommandSyntax
import DataModel
import DataOutput

/// `datactl dump`: writes the whole store to an archive.
struct DumpCommand: DeclaredCommand {
  var file: String?
  var schemaNames: [String] = []

  static let declaration = CommandDeclaration(
    DumpCommand.self, "dump", "Write the whole store to an archive.",
    discussion: [
      """
      Writes the schemas, the records with their system fields, the functions and the contents of \
      files to FILE, or to standard output. The records are those of one moment, even while other \
      commands write. On Citus, this holds only if no command writes meanwhile; if one did, the \
      command fails. `datactl restore` reads the archive, into any kind of store.
      """,
      """
      The store can also be on a server, for its administrators; log in first. Each file of the \
      archive is then collected in a temporary file before it is written.
      """,
      """
      Passwords, sessions, earlier versions of records and the log of schema changes are not in \
      the archive. FILE must not exist yet. Only you may read it, and it exists only when it is \
      complete. The same store has the same archive, byte for byte.
      """,
      .heading("The archive"),
      """
      The archive is a tar file that is compressed with gzip, so that `tar` and `jq` can read it. \
      It contains these files, in this order:
      """,
      .definitions([
        Definition("schemas/NAME.json", "the schema file of each schema"),
        Definition(
          "records/NAME.ndjson", "the records of each schema, as `datactl list` prints them"),
        Definition("functions.ndjson", "the stored functions"),
        Definition("files/SHA256", "the contents of files, named by their SHA-256"),
        Definition(
          "manifest.json",
          "the id of the store, and the size and the SHA-256 of each of these files"),
      ]),
    ],
    inputs: [
      .optionalOperand(
        "FILE", \.file, kind: .outputFile,
        "The new file for the archive. Without FILE, or with `-`, it is standard output."),
      .repeatedOption(
        "--only", \.schemaNames, value: "SCHEMA", kind: .schema,
        """
        Dump only this schema, and the schemas that it needs: those to which it refers, and those \
        whose inverse relations its access rules name. Functions that use other schemas are left \
        out. You can repeat the option.
        """),
    ],
    examples: [
      Example("datactl dump shop.tgz", "Dump the store to a file."),
      Example(
        "datactl dump shop.tgz --store https://shop.example", "Dump a store on a server."),
      Example(
        "datactl dump todos.tgz --only todo",
        "Dump the todos, and the records of the schemas to which todos refer."),
      Example(
        "datactl dump | tar xzOf - manifest.json | jq -r '.members[].name'",
        "Print the names of the files in a dump."),
    ],
    exitStatuses: [
      .done, .failed, .usageOfOptions, .schemaNotFound, .forbidden, .wholeStoreConflict, .store,
      .interrupted, .brokenPipe, .terminated,
    ],
    seeAlso: ["list", "schema export", "stores"])

  // The command reads a store on a server itself, instead of running there.
  var storeUse: StoreUse { .none }
}

extension DumpCommand {
  func run(with context: CommandContext) async throws {
    let console = context.console
    let path = file == "-" ? nil : file
    guard path != nil || !console.output.isTerminal else {
      throw DataError(
        .usage, "cannot write the archive to a terminal, because it is binary",
        hint: "pass FILE, or redirect the output: > FILE")
    }
    let archive = try path.map { path throws(DataError) in
      try ReplacementFile(creating: path, in: console.folder)
    }
    let client = try await context.open(for: .reading)
    let summary = try await context.reading(client) { monitor throws(DataError) in
      try await client.dump(
        only: schemaNames.isEmpty ? nil : schemaNames, to: archive?.output ?? console.output,
        alarm: SignalHandler.alarm, monitor: monitor)
    }
    try archive?.publish()
    try context.printMessage(summary.lines("dumped"))
  }
}

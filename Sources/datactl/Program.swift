import ClientCore
package import CommandSyntax
import DataModel
import DataServer

/// The program: the declaration of its commands, and the function that runs it.
package enum Program {
  package static let version = Client.version
  /// The date in the header of each manual page.
  package static let date = "November 20, 2026"

  /// The declaration of all commands, options and topics. Parsing, help, the manual and the
  /// completions are derived from it.
  package static let declaration = ProgramDeclaration<Settings, any Command>(
    "datactl", version: version,
    "Store typed records in SQLite or PostgreSQL, with schemas as files in git.",
    discussion: [
      """
      datactl keeps typed records in a store, which is an SQLite file or a PostgreSQL database. A \
      schema declares the fields of its records. For example, these commands create a schema, save \
      a record, and print the todos that are not done:
      """,
      .literal(
        """
        $ datactl schema create todo title:text! done:boolean
        Schema todo created.
        $ datactl save todo tea title='Buy tea' done=false -o none
        1 saved: 1 new
        $ datactl list todo --where 'not done' --fields title -o ndjson
        {"todo_id":"tea","title":"Buy tea"}
        """),
      """
      In the first command, `!` marks a required field. In the second command, `tea` is the id of \
      the record. The option `-o` determines the output: with `none`, no record is printed, and \
      with `ndjson`, each record is printed as a JSON object on one line.
      """,
      """
      By default, the store is a file in the data folder of the user. `datactl help stores` \
      explains how to choose another store.
      """,
      """
      Records are read and written as JSON, CSV or XML. A store in an SQLite file can also be read \
      with other SQLite tools.
      """,
    ],
    settings: Settings.inputs, rules: Settings.rules,
    commands: [
      .group("schema", schemaGroup),
      .command("get", GetCommand.declaration),
      .command("list", ListCommand.declaration),
      .command("save", SaveCommand.declaration),
      .command("delete", DeleteCommand.declaration),
      .command("batch", BatchCommand.declaration),
      .command("edit", EditCommand.declaration),
      .command("backup", BackupCommand.declaration),
      .command("copy", CopyCommand.declaration),
      .command("dump", DumpCommand.declaration),
      .command("restore", RestoreCommand.declaration),
      .command("doctor", DoctorCommand.declaration),
      .command("login", LogInCommand.declaration),
      .command("logout", LogOutCommand.declaration),
      .command("whoami", WhoAmICommand.declaration),
      .command("passwd", PasswordCommand.declaration),
      .command("access", AccessCommand.declaration),
      .command("serve", ServeCommand.declaration),
      .command("call", CallCommand.declaration),
    ],
    environment: Settings.environment, exitStatuses: ExitStatus.all, topics: HelpTopics.all,
    answers: FamiliarWords.answers)

  private static let schemaGroup = GroupDeclaration<any Command>(
    "schema", "Manage schemas.",
    discussion: [
      """
      These commands manage schemas. A schema declares the fields of records, their types and \
      their rules. Keep your schemas as files in git, one file for each schema, and apply them to \
      the store.
      """,
      """
      For example, if the schema files are in the folder `schemas`, the first of these commands \
      applies them to the store, and creates the store if it does not exist. After you change the \
      files, the second command prints the changes that are not in the store yet:
      """,
      .literal(
        """
        $ datactl schema apply schemas
        $ datactl schema plan schemas
        """),
    ],
    commands: [
      SchemaListCommand.declaration, SchemaShowCommand.declaration,
      SchemaCreateCommand.declaration, SchemaPlanCommand.declaration,
      SchemaApplyCommand.declaration, SchemaDiffCommand.declaration,
      SchemaLintCommand.declaration, SchemaInferCommand.declaration,
      SchemaRenameCommand.declaration, SchemaDropCommand.declaration,
      SchemaExportCommand.declaration, SchemaLogCommand.declaration,
      SchemaTypesCommand.declaration,
    ],
    seeAlso: ["schema-files"])

  /// Runs the command that the arguments of a console specify, and returns the exit status.
  package static func run(on console: Console) async -> Int32 {
    let line = parse(console.arguments, on: console)
    let context = CommandContext(console: console, settings: line.settings)
    do {
      if !line.isDeclared { try Plugin.runIfFound(for: console.arguments, with: context) }
      switch line.request {
      case .failure(let error): throw DataError(redacted(error, on: console))
      case .success(let request): try await handle(request, with: context)
      }
      await context.closeClients()
      try console.output.flush()
      return 0
    } catch {
      await context.closeClients()
      return context.fail(error)
    }
  }

  private static func parse(
    _ words: [String], on console: Console
  ) -> ParsedLine<Settings, any Command> {
    declaration.parse(
      words, nearest: { nearest($0, among: $1) }, undeclared: { Plugin.names(in: console) })
  }

  /// Returns the error for a command line, with all secrets redacted.
  ///
  /// The original error cannot be redacted, because a secret is no longer recognizable if the error
  /// contains only a part of it. So the words of the command line are redacted first, and then
  /// parsed again to get the same error.
  private static func redacted(_ error: UsageError, on console: Console) -> UsageError {
    let redacted = console.arguments.map { Secrets.redacted(inText: $0) }
    guard redacted != console.arguments else { return error }
    return switch parse(redacted, on: console).request {
    case .failure(let error): error
    case .success: error
    }
  }

  /// Runs a command, or sends it to the server that its store is on.
  private static func run(
    _ command: any Command, in line: [String], with context: CommandContext
  ) async throws {
    var context = context
    if let choice = context.choice(for: command) {
      if let client = context.remoteClient(of: choice),
        let inputs = declaration.givenInputs(of: line)
      {
        return try await RemoteCommand(inputs, on: client, with: context).run(choice)
      }
      if case .selected = command.storeUse { context.choice = choice }
    }
    try await command.run(with: context)
  }

  /// Runs a command as a part of another one, on the store that the other one has selected.
  static func run(_ line: [String], with context: CommandContext) async throws {
    switch declaration.parse(line, nearest: { nearest($0, among: $1) }).request {
    case .failure(let error): throw DataError(error)
    case .success(.run(let command)):
      do {
        try await run(command, in: line, with: context)
        await context.closeClients()
        try context.console.output.flush()
      } catch {
        await context.closeClients()
        throw error
      }
    case .success: preconditionFailure("\(line) runs no command")
    }
  }

  private static func handle(
    _ request: Request<any Command>, with context: CommandContext
  ) async throws {
    let console = context.console
    var description: ProgramDescription { declaration.description }
    switch request {
    case .run(let command):
      try console.checkEncoding()
      try context.checkEnvironment()
      try await run(command, in: console.arguments, with: context)
    case .help(let subject):
      let style: TextStyle = console.hasColor(console.output) ? .bold : .plain
      let width = console.width(of: console.output)
      let plugins = subject == .program ? Plugin.names(in: console) : []
      try console.output.write(
        description.help(subject, plugins: plugins, width: width, style: style))
    case .helpJSON(let subject):
      try console.output.write(description.json(subject))
    case .version:
      try console.output.write("datactl \(version)\n")
      guard context.settings.verbosity == .verbose else { return }
      for (library, version) in LibraryVersions.all + [("libmicrohttpd", HTTPServer.libraryVersion)]
      {
        try console.output.write("\(library) \(Excerpt.escaped(version ?? "not found"))\n")
      }
    case .completionScript(let shell):
      try console.output.write(description.completionScript(for: shell))
    case .candidates(let line):
      let settings = declaration.parse(line.words) { _, _ in nil }.settings
      let context = CommandContext(console: console, settings: settings)
      try await Candidates(description: description, context: context).print(for: line)
      await context.closeClients()
    }
  }
}

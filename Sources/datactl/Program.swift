package import CommandSyntax
import DataModel

/// The program: what it declares, and how a line is carried out.
package enum Program {
  package static let version = "0.1.0"
  /// The day that stands in the heads of the manual.
  package static let date = "November 20, 2026"

  /// All there is, for help, the manual, completions, and for lines that are wrong.
  package static let declaration = ProgramDeclaration<Settings, any Command>(
    "datactl", version: version,
    "Keep typed records: schemas in git, records as JSON, in a file that any SQLite tool can read.",
    settings: Settings.inputs, rules: Settings.rules, commands: entries.map { $0.make() },
    environment: Settings.environment, exitStatuses: ExitStatus.all, topics: Topics.all)

  /// What can follow the program's name; each is made when it is needed.
  private static let entries: [Entry] = [
    Entry("schema") { .group(schemaGroup) },
    Entry("get") { .command(GetCommand.declaration) },
    Entry("list") { .command(ListCommand.declaration) },
    Entry("save") { .command(SaveCommand.declaration) },
    Entry("delete") { .command(DeleteCommand.declaration) },
    Entry("login") { .command(LogInCommand.declaration) },
    Entry("logout") { .command(LogOutCommand.declaration) },
    Entry("whoami") { .command(WhoAmICommand.declaration) },
  ]

  private struct Entry: Sendable {
    let name: String
    let make: @Sendable () -> ProgramDeclaration<Settings, any Command>.Entry

    init(
      _ name: String,
      make: @escaping @Sendable () -> ProgramDeclaration<Settings, any Command>.Entry
    ) {
      self.name = name
      self.make = make
    }
  }

  private static let schemaGroup = GroupDeclaration<any Command>(
    "schema", "Declare what records look like.",
    discussion: [
      """
      A schema is a kind of record: its fields, their types and their rules. A team keeps its \
      schemas as files in git, one file each.
      """
    ],
    commands: [
      SchemaListCommand.declaration, SchemaShowCommand.declaration,
      SchemaCreateCommand.declaration, SchemaApplyCommand.declaration,
      SchemaDropCommand.declaration, SchemaExportCommand.declaration,
      SchemaTypesCommand.declaration,
    ],
    seeAlso: ["schema-files"])

  /// Carries out the line of a console and returns the status to end with.
  package static func run(on console: Console) async -> Int32 {
    let line = parse(console.arguments)
    let invocation = Invocation(console: console, settings: line.settings)
    do {
      switch line.request {
      case .failure(let error): throw DataError(error)
      case .success(let request): try await answer(request, with: invocation)
      }
      try console.output.flush()
      return 0
    } catch {
      return invocation.fail(error)
    }
  }

  /// Reads a line, at first with no command but the one that its first word names: to make them all
  /// would be half of what a short command takes. What that cannot carry out, all of them look at.
  private static func parse(_ words: [String]) -> ParsedLine<Settings, any Command> {
    let likely = ProgramDeclaration<Settings, any Command>(
      "datactl", version: version, "", settings: Settings.inputs, rules: Settings.rules,
      commands: entries.filter { $0.name == words.first }.map { $0.make() }, exitStatuses: [])
    let line = likely.parse(words) { _, _ in nil }
    switch line.request {
    case .success(.run): return line
    case .success(.version) where words.first == "--version": return line
    case .success(.version), .success(.help), .success(.helpJSON), .success(.completionScript),
      .success(.candidates), .failure:
      return declaration.parse(words) { nearest($0, among: $1) }
    }
  }

  private static func answer(
    _ request: Request<any Command>, with invocation: Invocation
  ) async throws {
    let console = invocation.console
    var description: ProgramDescription { declaration.description }
    switch request {
    case .run(let command):
      try await command.run(with: invocation)
    case .help(let subject):
      let style: TextStyle = console.hasColor(console.output) ? .bold : .plain
      let width = console.width(of: console.output)
      try console.output.write(description.help(subject, width: width, style: style))
    case .helpJSON:
      try console.output.write(description.json())
    case .version:
      try console.output.write("datactl \(version)\n")
    case .completionScript(let shell):
      try console.output.write(description.completionScript(for: shell))
    case .candidates(let line):
      let settings = declaration.parse(line.words) { _, _ in nil }.settings
      let invocation = Invocation(console: console, settings: settings)
      try await Candidates(description: description, invocation: invocation).print(for: line)
    }
  }
}

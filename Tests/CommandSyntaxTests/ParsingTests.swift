import CommandSyntax
import Testing

@Suite("Parsing")
struct ParsingTests {
  /// Returns a list action, with the values of omitted options as default arguments.
  static func list(
    _ schema: String = "tea", _ assignments: [String] = [], order: String? = nil, limit: Int = 20,
    fields: [String] = [], format: Shop.Format? = nil, count: Bool = false
  ) -> Shop.Action {
    .list(
      schema: schema, assignments: assignments, order: order, limit: limit, fields: fields,
      format: format, count: count)
  }

  static func save(
    _ id: String? = nil, _ assignments: [String] = [], create: Bool = false, skip: Bool = false,
    rejects: String? = nil
  ) -> Shop.Action {
    .save(
      schema: "tea", id: id, assignments: assignments, create: create, update: false, skip: skip,
      rejects: rejects)
  }

  @Test(
    "parses a command line into the command and the values of its options",
    arguments: [
      (["list", "tea"], list()),
      (["list", "tea", "--limit", "5"], list(limit: 5)),
      (["list", "tea", "--limit=5"], list(limit: 5)),
      (["list", "tea", "-l", "5"], list(limit: 5)),
      (["list", "tea", "-l5"], list(limit: 5)),
      (["list", "--limit", "5", "tea"], list(limit: 5)),
      (["--limit", "5", "list", "tea"], list(limit: 5)),
      (["-cl5", "list", "tea"], list(limit: 5, count: true)),
      (["list", "-cl", "5", "tea"], list(limit: 5, count: true)),
      (["list", "tea", "-cq"], list(count: true)),
      (["list", "tea", "--order", "-due"], list(order: "-due")),
      (["list", "tea", "--order", "--help"], list(order: "--help")),
      (["list", "tea", "--order", "--"], list(order: "--")),
      (["list", "tea", "--order="], list(order: "")),
      (["list", "tea", "--order=a=b"], list(order: "a=b")),
      (["list", "tea", "--order", ""], list(order: "")),
      (["list", "tea", "-fa", "--field", "b", "-f", "c"], list(fields: ["a", "b", "c"])),
      (["list", "tea", "-ojson"], list(format: .json)),
      (["list", "tea", "a=1", "b:=2"], list("tea", ["a=1", "b:=2"])),
      (["list", "tea", "--count", "a=1"], list("tea", ["a=1"], count: true)),
      (["list", "--", "tea", "--limit", "--"], list("tea", ["--limit", "--"])),
      (["--", "list", "tea"], list()),
      (["list", "-"], list("-")),
      (["list", "--", "--help"], list("--help")),
      (["list", ""], list("")),
      (["list", "help"], list("help")),
      (["list", "👩‍🚀"], list("👩‍🚀")),
      (["save", "tea"], save()),
      (["save", "tea", "7"], save("7")),
      (["save", "tea", "7", "a=1"], save("7", ["a=1"])),
      (["save", "tea", "a=1", "b=2"], save(nil, ["a=1", "b=2"])),
      (["save", "tea", "a:=1"], save(nil, ["a:=1"])),
      (["save", "tea", "a@=-"], save(nil, ["a@=-"])),
      (["save", "tea", "a+=1", "a-=1"], save(nil, ["a+=1", "a-=1"])),
      (["save", "tea", "yearBorn=5"], save(nil, ["yearBorn=5"])),
      (["save", "tea", "7=5"], save("7=5")),
      (["save", "tea", "a.b=5"], save("a.b=5")),
      (["save", "tea", "=5"], save("=5")),
      (["save", "tea", "--", "-7"], save("-7")),
      (["save", "tea", "--skip-invalid", "--rejects", "-"], save(skip: true, rejects: "-")),
      (
        ["delete", "tea", "7", "9"],
        .delete(schema: "tea", ids: ["7", "9"], all: false, revision: nil)
      ),
      (
        ["delete", "tea", "7", "--revision", "9223372036854775807"],
        .delete(schema: "tea", ids: ["7"], all: false, revision: .max)
      ),
      (
        ["move", "1", "2", "3", "top", "-r", "light"],
        .move(from: ["1", "2", "3"], to: "top", reason: "light", mode: .table)
      ),
      (
        ["move", "1", "top", "-rlight", "--mode", "json"],
        .move(from: ["1"], to: "top", reason: "light", mode: .json)
      ),
      (["schema", "create", "tea"], .create(name: "TEA", user: false)),
      (["--user", "schema", "create", "tea"], .create(name: "TEA", user: true)),
      (["schema", "--quiet", "create", "--user", "tea"], .create(name: "TEA", user: true)),
      (["schema", "load", "."], .load(folder: ".")),
    ] as [([String], Shop.Action)])
  func meaning(words: [String], action: Shop.Action) throws {
    let parsed = Shop.program.parse(words, nearest: Shop.nearest)
    #expect(try parsed.request.get() == .run(action))
    // The inputs of the line, given by their names, describe the same action.
    let given = try #require(Shop.program.givenInputs(of: words))
    let command = try #require(Shop.program.command(given.command.path))
    var inputs = CommandInputs()
    for (name, word) in given.words { inputs.add(name, word) }
    #expect(try command.action(for: inputs, nearest: Shop.nearest) == action)
  }

  @Test(
    "recognizes --help and --version even when the command line has errors",
    arguments: [
      ([], .help(.overview)),
      (["--quiet"], .help(.overview)),
      (["-h"], .help(.program)),
      (["--help"], .help(.program)),
      (["help"], .help(.program)),
      (["help", "list"], .help(.command(["list"]))),
      (["help", "schema"], .help(.group("schema"))),
      (["help", "schema", "create"], .help(.command(["schema", "create"]))),
      (["help", "formats"], .help(.topic("formats"))),
      (["help", "help"], .help(.command(["help"]))),
      (["help", "completion"], .help(.command(["completion"]))),
      (["help", "list", "--nonsense"], .help(.command(["list"]))),
      (["help", "schema", "create", "--help"], .help(.command(["schema", "create"]))),
      (["help", "--help"], .help(.command(["help"]))),
      (["list", "--help"], .help(.command(["list"]))),
      (["list", "--nonsense", "--limit", "many", "--help"], .help(.command(["list"]))),
      (["list", "-qh", "a", "b"], .help(.command(["list"]))),
      (["--help", "list"], .help(.command(["list"]))),
      (["nonsense", "--help"], .help(.program)),
      (["schema"], .help(.group("schema"))),
      (["schema", "--store", "x"], .help(.group("schema"))),
      (["schema", "-h"], .help(.group("schema"))),
      (["schema", "nonsense", "-h"], .help(.group("schema"))),
      (["schema", "create", "-h"], .help(.command(["schema", "create"]))),
      (["help", "--json"], .helpJSON(.program)),
      (["--json", "help"], .helpJSON(.program)),
      (["help", "list", "--json"], .helpJSON(.command(["list"]))),
      (["help", "schema", "--json"], .helpJSON(.group("schema"))),
      (["help", "formats", "--json"], .helpJSON(.topic("formats"))),
      (["--version"], .version),
      (["list", "--nonsense", "--version"], .version),
      (["completion", "zsh"], .completionScript(.zsh)),
      (
        ["completion", "candidates", "1", "--", "list", "--", "-h"],
        .candidates(CompletionLine(words: ["list", "--", "-h"], index: 1))
      ),
    ] as [([String], Request<Shop.Action>)])
  func documents(words: [String], request: Request<Shop.Action>) throws {
    #expect(try Shop.program.parse(words, nearest: Shop.nearest).request.get() == request)
  }
}

import Foundation
import PostgresHarness
import ProgramHarness
import Testing

/// Tests with stores, credentials, page tokens and plans that version 0.1 created. They are stored
/// in `Tests/CommandTests/Fixtures`.
@Suite("Compatibility with version 0.1")
struct CompatibilityTests {
  /// Returns the path of a fixture that version 0.1 created.
  private static func fixture(_ name: String) -> String {
    Binary.file("Tests/CommandTests/Fixtures/0.1/\(name)")
  }

  private static func text(_ name: String) throws -> String {
    try String(contentsOfFile: fixture(name), encoding: .utf8)
  }

  /// Returns a test folder with a copy of the store that version 0.1 created.
  static func copiedStore() throws -> TestFolder {
    guard StoreKind.current == .postgres else {
      let folder = try TestFolder()
      try FileManager.default.copyItem(atPath: fixture("store.db"), toPath: folder.path("shop.db"))
      return folder
    }
    let (folder, database) = try TestFolder.onPostgres()
    try folder.write("store.sql", try text("store.sql"))
    let shell = try PostgresServer.shared.get().shell(database)
    try folder.tool(arguments: shell + ["-o", "/dev/null", "-f", "store.sql"])
    return folder
  }

  @Test(
    "lists the records of a store created by version 0.1 with byte-for-byte identical output",
    .onEveryStore)
  func lists() throws {
    let folder = try Self.copiedStore()
    let samples = try folder.run("list", "sample", "--with-files").exits(0)
    #expect(samples.output == (try Self.text("sample.list")))
    guard StoreKind.current == .file else {
      // The timestamps in this fixture differ from those of the fixture with the expected output,
      // so only the number of records is compared.
      try folder.run("list", "item", "--count").exits(0).prints("250\n")
      return
    }
    #expect(try folder.run("list", "item").exits(0).output == (try Self.text("item.list")))
  }

  @Test(
    "saves and deletes records and renames a field in a store created by version 0.1",
    .onEveryStore)
  func writes() throws {
    let folder = try Self.copiedStore()
    try folder.run("save", "item", "i1", "amount+=5", "-o", "none").exits(0)
    try folder.run("save", "sample", "new", "friends+=f1", "text=x", "-o", "none").exits(0)
    try folder.run("delete", "friend", "f2").exits(0)
    try folder.run("list", "function", "--count").prints("1\n")
    try folder.run("list", "--function", "cheap", "--param", "most=3", "-o", "ids")
      .exits(0).prints("i2\ni1\n")
    try folder.run("save", "item", "i2", "sku=S3").exits(5)
    try folder.run("schema", "rename", "item.amount", "stock").exits(0)
    let steps = try folder.run("schema", "log", "-o", "json").exits(0).json.elements
    #expect(steps.count == 6)
    try folder.run("get", "item", "i1", "-o", "json", "--fields", "stock").exits(0)
      .prints("{\"item_id\":\"i1\",\"stock\":6}\n")
  }

  @Test("gives a store created by version 0.1 an id with the first write", .onEveryStore)
  func storeID() throws {
    let folder = try Self.copiedStore()
    func ids() throws -> [String] {
      try (0..<2).map { _ in
        try folder.shell("datactl dump | tar xzOf - manifest.json | jq -r .store").output
      }
    }
    #expect(try ids() == ["null\n", "null\n"])
    try folder.run("save", "item", "i1", "amount+=5", "-o", "none").exits(0)
    let found = try ids()
    #expect(found[0].count == 37 && found[0] == found[1])
  }

  @Test("accepts a login session created by version 0.1", .onEveryStore)
  func session() throws {
    let folder = try Self.copiedStore()
    guard StoreKind.current == .file else {
      try folder.run(
        "login", "--username", "ann", "--password-stdin", input: .text("correct horse\n")
      )
      .exits(0)
      return
    }
    let token = try Self.text("token").trimmingCharacters(in: .whitespacesAndNewlines)
    let byToken = folder.program.with(["DATACTL_TOKEN": token])
    #expect(try byToken.run(["whoami", "-o", "json"]).exits(0).json["user"]?.text == "ann")
    let directory = folder.root + "/config/datactl"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let credentials = try Self.text("credentials.json").replacing(
      "@STORE@", with: folder.path("shop.db"))
    _ = FileManager.default.createFile(
      atPath: directory + "/credentials.json", contents: Data(credentials.utf8),
      attributes: [.posixPermissions: 0o600])
    #expect(try folder.run("whoami", "-o", "json").exits(0).json["user"]?.text == "ann")
  }

  @Test("continues from a page token printed by version 0.1", .onEveryStore)
  func pageToken() throws {
    let folder = try Self.copiedStore()
    let token = try Self.text("page-token").trimmingCharacters(in: .whitespacesAndNewlines)
    let page = try folder.run(
      "list", "item", "--order", "-price", "--limit", "3", "--after", token, "-o", "ids")
    try page.exits(0).prints("i247\ni246\ni245\n")
  }

  @Test(
    "plans the same schema changes as version 0.1, and applies a plan saved by version 0.1",
    .onEveryStore)
  func plan() throws {
    let folder = try Self.copiedStore()
    let made = try folder.run("schema", "plan", Self.fixture("item2.json"), "-o", "json").exits(0)
    #expect(Self.withoutSentences(made.output) == Self.withoutSentences(try Self.text("plan.json")))
    try folder.run(
      "schema", "apply", "--plan", Self.fixture("plan.json"), "--allow-loss", "item.old"
    ).exits(0)
    try folder.run("get", "item", "i7", "-o", "json", "--fields", "name,price").exits(0)
      .prints("{\"item_id\":\"i7\",\"name\":\"Item 7\",\"price\":\"7.5\"}\n")
  }

  @Test("prints the same keys and values as version 0.1 in every machine-readable format")
  func machineFormats() throws {
    let folder = try Self.copiedStore()
    for name in ["item.json", "item2.json", "sample.json"] {
      try folder.write(name, try Self.text(name))
    }
    var text = ""
    for line in Self.commands {
      let errors = line.contains("--errors json") ? "2>&1" : "2>/dev/null"
      let run = try folder.shell("(\(line)) \(errors)")
      let output = run.output.replacing(folder.directory, with: "FOLDER")
      text += "$ \(line)\n" + Self.withoutSentences(output) + "[\(run.status)]\n"
    }
    let path = Binary.file("Tests/CommandTests/Golden/machine-formats.txt")
    if ProcessInfo.processInfo.environment["DATACTL_RECORD"] == "1" {
      try Data(text.utf8).write(to: URL(filePath: path))
    }
    #expect(text == Self.withoutSentences(try String(contentsOfFile: path, encoding: .utf8)))
  }

  /// Commands with machine-readable output, which must stay the same.
  private static let commands = [
    "datactl schema list -o json", "datactl schema show item", "datactl schema log -o json",
    "datactl schema types -o json", "datactl schema plan item2.json -o json",
    "datactl schema diff item2.json -o json", "datactl schema lint item2.json -o json",
    "datactl list item -o ids --limit 2 | datactl schema infer",
    "datactl list item --explain --where 'price > 3' --order amount -o json",
    "datactl list item --limit 2 --order price -o page",
    "datactl list item --count -o json", "datactl list item --sum price --max amount -o json",
    "datactl list item --group-by owner --avg price -o json",
    "datactl list item --section-by title --limit 1 -o json",
    "datactl list item --distinct owner -o json",
    "datactl list item --where 'price < 2' --expand owner -o json",
    "datactl whoami -o json", "datactl --errors json get item none",
    "datactl --errors json list itme", "datactl --errors json list item --where 'prise > 1'",
    "datactl --errors json save item i2 sku=S3", "datactl --errors json save item i2 price=x",
    "datactl --errors json save item i2 owner=nix", "datactl --errors json delete user ann",
    "datactl --errors json list --frist",
    "datactl --errors json save item --create i1 title=x",
    "datactl --errors json save item i1 revision=7 title=x",
    "datactl --errors json --store nowhere.db list item",
    "datactl --errors json login --username ann --password-stdin < /dev/null",
    "echo '{\"item_id\":\"q\",\"title\":1,\"x\":2}' | datactl --errors json save item",
    "datactl -q --errors json schema apply item2.json",
  ]

  /// Replaces sentences in JSON with ellipses, because newer versions may reword them.
  private static func withoutSentences(_ json: String) -> String {
    let sentence =
      /"(text|message|hint|mend|title|why|doc|prints)": ?("(?:[^"\\]|\\.)*"|\["[^\]]*\])/
    let json = json.replacing(/"datactl [0-9.]+"/, with: "\"datactl VERSION\"")
    return json.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // The title of an item is data, not a sentence.
      line.contains("item_id") ? String(line) : String(line).replacing(sentence) { "\"\($0.1)\":…" }
    }.joined(separator: "\n")
  }
}

@Suite("Stores of format 1", .onEveryStore)
struct FormatUpgradeTests {
  @Test("upgrades a store of format 1 on the first write, but not on a read")
  func upgrade() throws {
    let folder = try CompatibilityTests.copiedStore()
    #expect(try folder.format() == "1")
    try folder.run("list", "item", "--count").exits(0)
    try folder.run("save", "item", "i7", "price=8", "--dry-run").exits(0)
    #expect(try folder.format() == "1")
    try folder.run("save", "item", "i7", "price=8").exits(0)
    #expect(try folder.format() == "2")
    try folder.run("get", "item", "i7", "--fields", "price", "-o", "csv").exits(0)
    try folder.run("schema", "create", "extra", "name:text").exits(0)
    try folder.checkIntegrity()
  }
}

extension TestFolder {
  /// Returns the format of the store's internal tables.
  fileprivate func format() throws -> String {
    let query =
      switch StoreKind.current {
      case .file: try tool("sqlite3", "shop.db", "pragma user_version")
      case .postgres: try tool("psql", "-XAt", address, "-c", "select format from datactl._meta")
      }
    return query.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

@Suite("Stores of format 3", .onEveryStore)
struct NewerStoreTests {
  @Test(
    "says that a schema with an unknown key, type or rule was made by a newer datactl",
    arguments: [
      (#""note": {"type": "text", "owned": true}"#, "only relations can have \"owned\""),
      (#""note": {"type": "color"}"#, "found \"color\""),
      (#""note": {"type": "text", "access": {"read": "friends"}}"#, "found \"friends\""),
      (#""note": {"type": "text", "access": {"list": "users"}}"#, "no key \"list\""),
      (#""note": {"type": "text", "min_words": 3}"#, "a field has no key \"min_words\""),
      (#""note": {"type": "text"}}, "history": {"days": 9"#, "no key \"history\""),
      (#""note": {"type": "text"}}, "kind": "class", "doc": {"#, "found \"class\""),
      (#""note": {"type": "relation", "to": "item", "on_delete": "keep"}"#, "found \"keep\""),
      (#""note": {"type": "decimal", "digits": 30, "scale": 2}"#, "a decimal has 1 to 18"),
    ])
  func unknownDefinition(_ note: String, _ reason: String) throws {
    let folder = try folder()
    let contents = try folder.change(#""note": {"type": "text"}"#, to: note)
    for command in [
      ["list", "item"], ["get", "item", "a"], ["save", "item", "b", "note=x"],
      ["delete", "item", "a"],
      ["schema", "list"], ["schema", "show", "item"], ["schema", "export"],
      ["schema", "drop", "item"],
      ["schema", "rename", "item", "thing"], ["schema", "create", "other", "name:text"],
    ] {
      try folder.datactl.run(command).exits(7).printsNothing().reports(
        "\(folder.storeName): schema item was made by a newer datactl: ", reason,
        "install a newer version of datactl")
    }
    #expect(
      try folder.run("list", "item", "--errors", "json").exits(7).errors
        .contains("\"store_too_new\""))
    #expect(try folder.contents() == contents)
  }

  @Test("says that a definition is damaged if it is no JSON, or if the store has format 2")
  func damagedDefinition() throws {
    let folder = try folder()
    try folder.change(#"{"type": "text"}"#, to: #"{"type": "te"#)
    try folder.run("get", "item", "a").exits(7)
      .reports("the stored definition of schema item is invalid")
    let older = try TestFolder()
    try older.prepare("schema", "create", "item", "note:text")
    try older.change(#"{"type": "text"}"#, to: #"{"type": "text", "min_words": 3}"#)
    try older.run("list", "item").exits(7)
      .reports("the stored definition of schema item is invalid: a field has no key \"min_words\"")
  }

  @Test("a store gets format 3 with its first named session, and its defaults remain texts")
  func namedSession() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "user", "--user")
    try folder.prepare("save", "user", "ann", "password@=-", input: .text("canary99"))
    try folder.prepare("schema", "create", "item", "note:text", "number:integer")
    try folder.change(#"{"type": "text"}"#, to: #"{"type": "text", "default": ":user"}"#)
    func logIn(_ options: String...) throws {
      let run = try folder.program.run(
        ["login", "-u", "ann", "--password-stdin"] + options, input: .text("canary99"))
      try run.exits(0)
    }
    func note(of id: String) throws -> String? {
      let saved = try folder.run("save", "item", id, "number=1", "-o", "json").exits(0)
      return try saved.json.elements.first?["note"]?.text
    }
    try logIn()
    #expect(try note(of: "a") == ":user")
    #expect(try folder.format() == "2")
    let wrong = try folder.program.run(
      ["login", "-u", "ann", "--password-stdin", "--name", "ci"], input: .text("wrong"))
    try wrong.exits(4)
    #expect(try folder.format() == "2")
    for name in ["ci", "ci", "home"] { try logIn("--name", name) }
    #expect(try folder.format() == "3")
    let sessions = try folder.run("whoami", "--sessions", "-o", "json").exits(0).json.elements
    #expect(sessions.map { $0["name"]?.text } == [nil, "ci", "ci", "home"])
    #expect(try note(of: "b") == ":user")
    let shown = try folder.run("schema", "show", "item").exits(0).output
    #expect(shown.contains(#""note": {"type": "text", "default": "\u003auser"}"#))
    try folder.run("schema", "apply", "-", input: .text(shown)).exits(0)
    #expect(try note(of: "c") == ":user")
    try folder.run("schema", "apply", "-", input: .text(shown.replacing(#"\u003a"#, with: ":")))
      .exits(0)
    #expect(try note(of: "d") == "ann")
  }

  @Test(
    "a store gets format 3 with the key disabled or the default :user",
    arguments: [
      (#""disabled": "x""#, #""x": {"type": "boolean"}"#),
      (#""doc": "x""#, #""x": {"type": "text", "default": ":user"}"#),
    ])
  func keys(_ key: String, _ field: String) throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "user", "--user")
    #expect(try folder.format() == "2")
    let schema = """
      {"schema": "user", "kind": "user", \(key),
       "fields": {"username": {"type": "id"}, "password": {"type": "password"}, \(field)}}
      """
    try folder.run("schema", "apply", "-", "--dry-run", input: .text(schema)).exits(0)
    #expect(try folder.format() == "2")
    try folder.run("schema", "apply", "-", input: .text(schema)).exits(0)
    #expect(try folder.format() == "3")
  }

  private func folder() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "item", "price:decimal:12,2", "note:text")
    try folder.prepare("save", "item", "a", "price=12.50", "note=x")
    #expect(try folder.format() == "3")
    return folder
  }
}

extension TestFolder {
  /// Replaces a part of the stored definition of the schema `item`, and returns the contents of the
  /// store.
  @discardableResult
  fileprivate func change(_ part: String, to new: String) throws -> String {
    let table = StoreKind.current == .file ? "_schema" : "datactl._schema"
    let update = """
      update \(table) set definition = replace(definition, '\(part)', '\(new)') where name = 'item'
      """
    switch StoreKind.current {
    case .file: try tool("sqlite3", "shop.db", update)
    case .postgres: try tool("psql", "-XAqt", address, "-c", update)
    }
    let contents = try contents()
    #expect(contents.contains(new))
    return contents
  }

  /// Returns the contents of the store as SQL statements, without the lines that `pg_dump` makes
  /// different each time.
  fileprivate func contents() throws -> String {
    try dump().split(separator: "\n").filter { !$0.contains("restrict ") }.joined(separator: "\n")
  }
}

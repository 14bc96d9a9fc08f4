import Foundation
import ProgramHarness
import Testing

@Suite("Examples in help and manual", .onEveryStoreInAll)
struct ExamplesTests {
  @Test("runs every example in help and manual pages successfully")
  func examples() throws {
    let lines = try CommandTree(try TestFolder().prepare("help", "--json").json).commands
      .flatMap(\.examples)
    #expect(lines.count > 20)
    // A store in a file is created once, and copied for each example.
    let sample = try StoreKind.current == .file ? TestFolder() : nil
    if let sample { try Self.populate(sample) }
    // Examples that name a database file are run only on a store in a file.
    for line in lines
    where StoreKind.current == .file
      || !line.contains("shop.db") && !line.hasPrefix("datactl doctor")
    {
      // Only administrators can copy a store on a server: see `ServedCopyTests`.
      if ["copy", "dump"].contains(where: { line.hasPrefix("datactl \($0) ") }),
        line.contains("https://")
      {
        continue
      }
      do {
        try Self.run(line, with: sample)
      } catch {
        Issue.record("\(line): \(error)")
      }
    }
  }

  @Test(
    "moves all records and stored functions to another store with the command in `help stores`")
  func moving() throws {
    let folder = try TestFolder(store: "sqlite:shop.db")
    try Self.populate(folder)
    try folder.prepare("save", "user", "ann", "email=a@b.example")
    try folder.prepare(
      "save", "function",
      input: .text(
        #"{"function_id":"all","item_type":"todo","function":{"selectCore":"from todo"}}"#))
    let help = try folder.prepare("help", "stores").output.components(separatedBy: "\n")
    let line = try #require(help.first { $0.contains("$ datactl copy sqlite:shop.db") })
    let command = line.replacing(#/^ *[$] /#, with: "").replacing(
      "postgres://db.example/shop", with: "sqlite:new.db")
    try folder.shell(command).exits(0)
    for schema in ["user", "todo", "function"] {
      let lists = try ["shop.db", "new.db"].map { store in
        try folder.prepare("list", schema, "--with-files", "--store", store).output
      }
      #expect(lists[0] == lists[1])
      #expect(!lists[0].isEmpty)
    }
  }

  private static func run(_ line: String, with sample: TestFolder?) throws {
    let folder = try TestFolder()
    if !line.hasPrefix("datactl schema create") {
      if let sample {
        for name in try sample.files {
          try FileManager.default.copyItem(
            atPath: sample.path(name), toPath: folder.path(name))
        }
      } else {
        try populate(folder)
      }
    }
    if line.hasPrefix("datactl restore") { try folder.prepare("dump", "shop.tgz") }
    if line.contains("--replace --store") { try folder.prepare("backup", "copy.db") }
    if line.hasPrefix("datactl doctor") { try folder.shell("chmod o= shop.db*").exits(0) }
    let line = line.replacing("postgres://db.example/shop", with: "sqlite:moved.db")
    if line.hasPrefix("datactl serve") { return try serve(line, in: folder) }
    if line.hasPrefix("datactl call") { return try call(line, in: folder) }
    if line.hasPrefix("datactl access") {
      try folder.shell(
        """
        set -e; datactl schema export rules
        jq '.access = {"read": "anyone", "update": "users"}' rules/todo.json > todo.json
        datactl schema apply todo.json
        """
      ).exits(0)
    }
    let needsSession = ["datactl whoami", "datactl logout", "datactl passwd"].contains {
      line.hasPrefix($0)
    }
    if needsSession {
      try folder.prepare(
        "login", "--username", "ann", "--password-stdin", "--name", "ci",
        input: .text("secret word\n"))
    }
    // A prompt requires a terminal, from which the answer is read.
    let prompts =
      ["datactl login", "datactl passwd", "datactl restore copy.db"].contains {
        line.hasPrefix($0)
      } && !line.contains("stdin")
    let answers =
      line.hasPrefix("datactl restore")
      ? "y\n" : String(repeating: "secret word\n", count: line.contains("passwd") ? 3 : 1)
    try folder.shell(
      "set -o pipefail; export EDITOR=true; \(line.replacing("nano", with: "true"))",
      input: prompts ? .typed(answers) : .nothing,
      errors: prompts ? .terminal : .captured
    ).exits(0)
  }

  /// Calls the method of an example on a server in the test folder.
  private static func call(_ line: String, in folder: TestFolder) throws {
    try folder.write("numbers.json", "[1,2]")
    try folder.tool("mkdir", "-m", "755", "methods")
    for name in ["hello", "sum"] {
      try folder.write("methods/\(name)", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\n")
      try folder.tool("chmod", "755", "methods/\(name)")
    }
    try folder.write(
      "methods/methods.json", #"{"hello":{"access":"anyone"},"sum":{"access":"anyone"}}"#)
    let server = try TestServer(folder, "--methods", "methods")
    try folder.shell(line.replacing("https://shop.example", with: server.address)).exits(0)
  }

  /// Starts the server of an example, but only on loopback and in the test folder, and stops it.
  private static func serve(_ line: String, in folder: TestFolder) throws {
    try folder.tool(
      arguments: [
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost",
        "-days", "2", "-keyout", folder.path("key.pem"), "-out", folder.path("cert.pem"),
      ]
    ).exits(0)
    let words = line.replacing("0.0.0.0:443", with: "127.0.0.1:0")
      .replacing("/run/shop/api", with: folder.path("api"))
      .split(separator: " ").dropFirst(2)
    try TestServer(folder, arguments: words.map(String.init)).stop().exits(0)
  }

  /// Creates a store with todos and users, and the schema files and other files that the examples
  /// read.
  private static func populate(_ folder: TestFolder) throws {
    try folder.prepare("schema", "create", "user", "email:text", "--user")
    for name in ["ann", "ci"] {
      try folder.prepare(
        "save", "user", input: .text(#"{"username":"\#(name)","password":"secret word"}"#))
    }
    try folder.prepare(
      "schema", "create", "todo", "title:text!", "done:boolean", "due:datetime", "tags:text+",
      "priority:integer", "steps:todo+", "place:geopoint", "owner:user:todos")
    try folder.prepare("save", "todo", "tea", "title=Buy tea", "done=true", "priority=5")
    try folder.prepare("save", "todo", "milk", "title=Buy milk", "done=false")
    try folder.prepare("schema", "create", "draft", "text:text")
    try folder.prepare("schema", "create", "photo", "data:file")
    try FileManager.default.createDirectory(
      atPath: folder.path("img"), withIntermediateDirectories: true)
    try folder.write("img/sunset.jpg", "a photo")
    try folder.prepare("save", "photo", "sunset.jpg", "data@=img/sunset.jpg")
    try folder.prepare("schema", "export", "schemas")
    try folder.write("todos.csv", "code,Name,note\nt1,Buy cheese,new\n")
    try folder.write("todos.ndjson", "{\"title\":\"Buy eggs\"}\n{\"title\":\"Buy bread\"}\n")
    try folder.write(
      "changes.ndjson", "{\"save\":\"todo\",\"id\":\"tea\",\"record\":{\"priority\":4}}\n")
    try folder.write("secret", "secret word\n")
  }
}

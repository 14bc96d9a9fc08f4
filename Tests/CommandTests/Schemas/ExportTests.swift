import Foundation
import ProgramHarness
import TestSupport
import Testing

/// The schemas to export: those of a typical shop, and schemas with unusual names and values.
enum Model: String, CaseIterable, Sendable {
  case shop
  case odd

  var directory: String { Binary.file("Tests/CommandTests/Model/\(rawValue)") }

  var files: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: directory).sorted().map {
        "\(directory)/\($0)"
      }
    }
  }
}

@Suite("Exported schemas")
struct ExportTests {
  private static let suffixes = [
    "json": "files.json", "sql": "sql", "jsonschema": "schema.json", "typescript": "ts",
    "markdown": "md", "mermaid": "mmd", "dot": "dot",
  ]
  private static let validator = Binary.file("Tests/CommandTests/Schemas/validate.py")

  private func export(_ format: String, _ model: Model, in folder: TestFolder) throws -> Run {
    try folder.run("schema", "export", "--format", format, "--from", model.directory).exits(0)
      .reportsNothing()
  }

  @Test(
    "exports schemas in each format exactly as in the golden file",
    arguments: Model.allCases)
  func goldens(_ model: Model) throws {
    let folder = try TestFolder()
    for (format, suffix) in Self.suffixes {
      let run = try export(format, model, in: folder)
      try GoldenOutput.compare(run, with: "\(model.rawValue).\(suffix)", in: folder)
    }
    let types = try export("swift", model, in: folder)
    try GoldenOutput.compare(
      types, withFile: "Tests/ExportedTypesTests/Exported/\(model.rawValue.capitalized).swift",
      in: folder)
    #expect(try folder.files == [])
  }

  @Test(
    "exports an OpenAPI document with the operations of each schema", arguments: Model.allCases)
  func operations(_ model: Model) throws {
    let folder = try TestFolder()
    let document = try export("openapi", model, in: folder)
    let operations = try folder.tool(
      "/usr/bin/python3", Self.validator, "operations", input: .bytes(document.outputBytes))
    try GoldenOutput.compare(operations, with: "\(model.rawValue).openapi.txt", in: folder)
  }

  @Test(
    "exports the same schemas from a store and from files", .onEveryStore, arguments: Model.allCases
  )
  func store(_ model: Model) throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "apply", model.directory)
    for format in Self.suffixes.keys.sorted() + ["swift", "openapi"] {
      let stored = try folder.run("schema", "export", "--format", format).exits(0).reportsNothing()
      #expect(stored.output == (try export(format, model, in: folder).output), "\(format)")
    }
  }

  @Test(
    "exports SQL that creates the same tables as the store",
    arguments: Model.allCases)
  func sql(_ model: Model) throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "apply", model.directory)
    let sql = try export("sql", model, in: folder)
    try folder.tool("sqlite3", "own.db", input: .bytes(sql.outputBytes))
    let listing = """
      select type, name, replace(replace(sql, char(10), ''), ' ', '') from sqlite_schema
      where tbl_name not glob '[_]*' and tbl_name <> 'function' order by name
      """
    let own = try folder.tool("sqlite3", "own.db", listing).lines
    let stored = try folder.tool("sqlite3", "shop.db", listing).lines
    #expect(own.count > 8)
    #expect(own == stored)
  }

  @Test(
    "exports valid documents in the formats jsonschema, openapi and meta",
    arguments: Model.allCases)
  func validity(_ model: Model) throws {
    let folder = try TestFolder()
    for format in ["jsonschema", "openapi", "meta"] {
      try folder.write(format, try export(format, model, in: folder).output)
      let check = format == "openapi" ? "openapi" : "schema"
      try folder.tool("/usr/bin/python3", Self.validator, check, format)
    }
    for file in try model.files {
      try folder.tool("/usr/bin/python3", Self.validator, "accepts", "meta", file)
    }
  }

  @Test(
    "exports a JSON Schema that accepts printed records, new records and changes", .onEveryStore)
  func records() throws {
    let folder = try TestFolder()
    try GoldenOutput.prepare(folder)
    try folder.prepare("schema", "create", "member", "--user", "nick:text!")
    let schema = try folder.run("schema", "export", "--format", "jsonschema").exits(0).output
    try folder.write("schema.json", schema)
    func validate(_ definition: String, _ lines: String) throws {
      try folder.tool(
        "/usr/bin/python3", Self.validator, "records", "schema.json", definition,
        input: .text(lines))
    }
    let records = try folder.run("list", "sample", "-o", "ndjson").exits(0).output
    try validate("sample", records)
    try validate("sample.new", records)
    try validate("sample.change", records)
    let member = #"{"username":"ann","password":"secret word","nick":"A"}"# + "\n"
    try validate("member.new", member)
    let saved = try folder.run("save", "member", input: .text(member)).exits(0).output
    try validate("member", saved)
    let changes =
      #"{"sample_id":"full","whole":{"$add":-3},"texts":{"$append":["x"],"$remove":["y"]}}"# + "\n"
    try validate("sample.change", changes)
    try folder.run("save", "sample", input: .text(changes)).exits(0)
    for wrong in [
      #"{"sample_id":"a","nothing":1}"#, #"{"sample_id":"a","whole":1.5}"#,
      #"{"sample_id":"a","place":{"lat":91,"lon":0}}"#, #"{"whole":1}"#,
    ] {
      #expect(throws: PreparationError.self) { try validate("sample.change", wrong + "\n") }
      try folder.run("save", "sample", "--update", input: .text(wrong)).fails()
    }
    #expect(throws: PreparationError.self) { try validate("member", member) }
  }

  @Test(
    "exports types that the TypeScript compiler accepts",
    .needs(TypeScript.isInstalled, "needs the Debian package node-typescript"),
    arguments: Model.allCases)
  func typeScript(_ model: Model) throws {
    let folder = try TestFolder()
    try folder.write("types.ts", try export("typescript", model, in: folder).output)
    try folder.tool("node", "-e", TypeScript.check, "types.ts")
    try folder.write("broken.ts", "export interface { }\n")
    #expect(throws: PreparationError.self) {
      try folder.tool("node", "-e", TypeScript.check, "broken.ts")
    }
  }

  @Test("exports a diagram that Graphviz renders without warnings", arguments: Model.allCases)
  func drawing(_ model: Model) throws {
    let folder = try TestFolder()
    try folder.write("model.dot", try export("dot", model, in: folder).output)
    let drawing = try folder.tool("dot", "-Tsvg", "model.dot").reportsNothing()
    for name in try model.files.map({ URL(filePath: $0).deletingPathExtension().lastPathComponent })
    {
      #expect(drawing.output.contains(">\(name)<"), "\(name)")
    }
  }
}

extension ExportTests {
  @Test("draws a relation of a schema to itself as a loop that does not cross other tables")
  func loop() throws {
    let folder = try TestFolder()
    try folder.write(
      "model.json",
      """
      {"schema":"person","fields":{"person_id":{"type":"id"},"name":{"type":"text"}}}
      {"schema":"task","fields":{"task_id":{"type":"id"},"parent":{"type":"relation","to":"task"},
      "blocks":{"type":"relation","to":"task","many":true},
      "owner":{"type":"relation","to":"person"}}}
      """)
    let graph = try folder.run(
      "schema", "export", "--from", "model.json", "--format", "dot"
    ).exits(0)
    try folder.write("model.dot", graph.output)
    let plain = try folder.tool("dot", "-Tplain", "model.dot").reportsNothing().output
    let lines = plain.split(separator: "\n").map { $0.split(separator: " ") }
    let box = try #require(lines.first { $0.starts(with: ["node", "person"]) })
      .dropFirst(2).prefix(4).compactMap { Double($0) }
    let loops = lines.filter { line in
      line.first == "edge" && line[1] == "task" && line[2] != "person"
    }
    #expect(loops.count == 4)
    for loop in loops {
      let count = try #require(Int(loop[3]))
      let numbers = loop.dropFirst(4).prefix(2 * count).compactMap { Double($0) }
      for point in stride(from: 0, to: numbers.count, by: 2) {
        let isInside =
          abs(numbers[point] - box[0]) < box[2] / 2 && abs(numbers[point + 1] - box[1]) < box[3] / 2
        #expect(!isInside, "\(loop.joined(separator: " "))")
      }
    }
  }
}

/// The TypeScript compiler, if the Debian package is installed.
private enum TypeScript {
  static let path = "/usr/share/nodejs/typescript"
  static var isInstalled: Bool { FileManager.default.fileExists(atPath: path) }

  static let check = """
    const ts = require('\(path)');
    const fs = require('fs');
    const path = process.argv[1];
    const file = ts.createSourceFile(path, fs.readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
    for (const problem of file.parseDiagnostics) console.error(problem.start, problem.messageText);
    const names = file.statements.map(part => part.name && part.name.text);
    if (new Set(names).size !== names.length) { console.error('a name occurs twice'); process.exit(1); }
    process.exit(file.parseDiagnostics.length);
    """
}

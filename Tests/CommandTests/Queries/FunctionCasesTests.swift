import Foundation
import ProgramHarness
import Testing

@Suite("Stored functions, sections, pages and lookups: test cases from a file", .onEveryStore)
struct FunctionCasesTests {
  @Test("the file of test cases contains cases of every kind, such as lookup and pages")
  func kinds() throws {
    let kinds = Set(try FunctionCases().lines.map(\.kind))
    #expect(
      kinds == [
        "schema", "record", "lookup", "function", "sections", "pages", "parameters", "error",
      ])
  }

  @Test(
    "finds a record by any of the fields given to get --by", arguments: FunctionCases.of("lookup"))
  func lookup(_ line: FunctionCases.Line) throws {
    let folder = try populated()
    let fields = try #require(line["by"] as? [String]).joined(separator: ",")
    let id = try #require(line["id"] as? String)
    let run = try folder.run("get", "account", "--by", fields, "-o", "ids", "--", id)
    try expect(run, line)
    for listed in line.expected["lists"] as? [String] ?? [] { try run.reports(listed) }
  }

  @Test(
    "lists the records that a stored function selects",
    arguments: FunctionCases.of("function"))
  func function(_ line: FunctionCases.Line) throws {
    let folder = try populated()
    let saved = try save(line, in: folder)
    guard saved.status == 0 else { return try expect(saved, line) }
    var arguments = ["list", "--function", "F", "-o", "ids"]
    if let condition = line["where"] as? String { arguments += ["--where", condition] }
    let run = try folder.program.run(arguments)
    try expect(run, line)
    if let warned = line.expected["warns"] as? String {
      try run.reports(warned)
    } else {
      try run.reportsNothing()
    }
  }

  @Test(
    "treats the value of --param as a plain value, never as syntax of the function",
    arguments: FunctionCases.of("parameters"))
  func parameters(_ line: FunctionCases.Line) throws {
    let folder = try populated()
    try save(line, in: folder).exits(0)
    var arguments = ["list", "--function", "F", "-o", "ids"]
    for (position, value) in (line["params"] as? [String] ?? []).enumerated() {
      arguments += ["--param", "\(position + 1)=\(value)"]
    }
    try expect(try folder.program.run(arguments), line)
    try folder.program.run(arguments + ["--param", "99=x"]).exits(2)
  }

  @Test(
    "prints records in sections, and lists the titles of the sections as the index",
    arguments: FunctionCases.of("sections"))
  func sections(_ line: FunctionCases.Line) throws {
    let folder = try populated()
    var arguments = ["list", "account", "-o", "json", "--section-by"]
    arguments += [try #require(line["section_by"] as? String), "--order"]
    arguments.append(try #require(line["order"] as? String))
    if let condition = line["where"] as? String { arguments += ["--where", condition] }
    let answer = try folder.program.run(arguments).exits(0).json
    let index = answer["index"]?.elements.compactMap(\.text)
    #expect(index == line.expected["index"] as? [String])
    let found = (answer["sections"]?.elements ?? []).map { section -> [AnyHashable] in
      let ids = section["records"]?.elements.compactMap { $0["account_id"]?.text } ?? []
      #expect(section["count"]?.number == Double(ids.count))
      return [section["title"]?.text ?? "", ids]
    }
    let expectedSections = try #require(line.expected["sections"] as? [[Any]]).map { section in
      [section[0] as? String ?? "", section[1] as? [String] ?? []] as [AnyHashable]
    }
    #expect(found == expectedSections)
  }

  @Test(
    "prints every record exactly once in consecutive pages of a list",
    arguments: FunctionCases.of("pages"))
  func pages(_ line: FunctionCases.Line) throws {
    let folder = try TestFolder()
    let count = try #require(line["records"] as? Int)
    let limit = try #require(line["limit"] as? Int)
    try folder.saveManyTodos(count)
    var pages: [Int] = []
    var ids: [String] = []
    var token: String?
    repeat {
      let after = token.map { ["--after", $0] } ?? []
      let page = try folder.program.run(
        ["list", "todo", "--order", "-priority", "--limit", "\(limit)", "-o", "page"] + after
      ).exits(0).json
      let records = page["records"]?.elements ?? []
      if !records.isEmpty { pages.append(records.count) }
      ids += records.compactMap { $0["todo_id"]?.text }
      token = page["next"]?.text
    } while token != nil
    #expect(pages == line.expected["pages"] as? [Int])
    #expect(ids == (0..<count).reversed().map { String(1_000_000_000 + $0) })
  }

  @Test(
    "names the cause, such as item_type, in the error about an invalid stored function",
    arguments: FunctionCases.of("error"))
  func errors(_ line: FunctionCases.Line) throws {
    let folder = try populated()
    if let id = line["run"] as? String {
      try expect(try folder.run("list", "--function", id), line)
    } else {
      try expect(try folder.run("save", "function", input: .text(line.json("save"))), line)
    }
    #expect(try folder.prepare("list", "account", "--count").output == "9\n")
  }

  private func populated() throws -> TestFolder {
    let folder = try TestFolder()
    try FunctionCases.populate(folder)
    return folder
  }

  private func save(_ line: FunctionCases.Line, in folder: TestFolder) throws -> Run {
    let record =
      try "{\"function_id\":\"F\",\"item_type\":\"Account\",\"function\":"
      + line.json("function") + "}"
    return try folder.run("save", "function", "-o", "none", input: .text(record))
  }

  private func expect(_ run: Run, _ line: FunctionCases.Line) throws {
    try run.exits(Int32(line.expected["exit"] as? Int ?? 0))
    if let ids = line.expected["ids"] as? [String] {
      try run.prints(ids.map { $0 + "\n" }.joined())
    }
    if let name = line.expected["names"] as? String { try run.reports(name) }
  }
}

/// Test cases for lookups, functions, parameters, sections, pages and errors. Each contains the
/// expected result.
struct FunctionCases {
  /// A line in the file of test cases.
  struct Line: @unchecked Sendable, CustomStringConvertible {
    let number: Int
    let object: [String: Any]

    var kind: String { object["kind"] as? String ?? "" }
    var expected: [String: Any] { object["expect"] as? [String: Any] ?? [:] }
    var description: String { "line \(number): \(kind) \(object["name"] ?? "")" }

    subscript(key: String) -> Any? { object[key] is NSNull ? nil : object[key] }

    /// Returns the value of a key, as JSON text.
    func json(_ key: String) throws -> String {
      let data = try JSONSerialization.data(
        withJSONObject: object[key] ?? NSNull(), options: [.fragmentsAllowed, .sortedKeys])
      return String(decoding: data, as: UTF8.self)
    }
  }

  let lines: [Line]

  /// Reads the file of test cases.
  init() throws {
    let path = Binary.file("Tests/CommandTests/Cases/function_cases.jsonl")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    lines = try text.split(separator: "\n").enumerated().map { index, line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return Line(number: index + 1, object: object as? [String: Any] ?? [:])
    }
  }

  static func of(_ kind: String) -> [Line] {
    ((try? FunctionCases())?.lines ?? []).filter { $0.kind == kind }
  }

  /// Creates the schema and saves the records that the file contains.
  static func populate(_ folder: TestFolder) throws {
    for line in of("schema") { try folder.write("account.json", line.json("schema")) }
    try folder.prepare("schema", "apply", "account.json")
    var records = ""
    for line in of("record") { records += try line.json("record") + "\n" }
    try folder.prepare("save", "account", input: .text(records))
  }
}

import ProgramHarness
import Testing
import datactl

@Suite("Trees whose schemas are inferred")
struct InferredTreeTests {
  private static let orders = """
    [{"id": "o1", "customer": {"id": 7, "name": "Ann"}, "ship": {"street": "A"},
      "lines": [{"id": 1, "price": 4.5, "parts": [{"x": 1}, {"x": 2}]}, {"id": 2, "price": 3}]},
     {"lines": [{"id": 1, "price": 9}], "id": "o2", "customer": {"id": 7, "name": "Ann"},
      "ship": {"street": "B"}}]
    """

  private func save(
    _ folder: CommandFolder, _ text: String, _ options: String...
  ) async throws -> Run {
    try folder.write("in.json", text)
    return try await folder.run(
      ["save", "order", "--infer", "--deep", "-o", "none", "--file", "in.json"] + options)
  }

  private func ids(_ folder: CommandFolder, _ schema: String) async throws -> String {
    try await folder.run("list", schema, "-o", "ids").exits(0).output.replacing("\n", with: " ")
  }

  @Test(
    "derives the ids of records from those of the outer ones, so that a second save changes none")
  func twice() async throws {
    let folder = try CommandFolder()
    for count in ["new", "the same"] {
      let saved = try await save(folder, Self.orders).exits(0)
      #expect(saved.errors.hasSuffix("2 saved: 2 \(count) (and 8 nested: 8 \(count))\n"))
    }
    #expect(try await ids(folder, "order_lines") == "o1.lines.1 o1.lines.2 o2.lines.1 ")
    #expect(try await ids(folder, "order_lines_parts") == "o1.lines.1.parts.0 o1.lines.1.parts.1 ")
    #expect(try await ids(folder, "order_ship") == "o1.ship.0 o2.ship.0 ")
    #expect(try await ids(folder, "customer") == "7 ")
    let list = try await folder.run("list", "order", "--expand", "lines.parts,customer,ship")
    try folder.write("list.json", list.output)
    let saved = try await folder.run("save", "order", "--deep", "-o", "none", "--file", "list.json")
    #expect(saved.errors == "2 saved: 2 the same (and 8 nested: 8 the same)\n")
  }

  @Test("deletes what the document dropped, and adds the fields and lists that are new in it")
  func changed() async throws {
    let folder = try CommandFolder()
    _ = try await save(folder, Self.orders).exits(0)
    let changed = try await save(
      folder,
      """
      [{"id": "o1", "customer": {"id": 7}, "lines": [{"id": 2, "price": 3, "color": "red"}],
        "tags": [{"t": "x"}]}]
      """
    ).exits(0)
    #expect(changed.errors.contains("Added to order_lines: color text\n"), "\(changed.errors)")
    #expect(
      changed.errors.contains(
        "Schema order_tags created: order_tags_id id, order relation, position integer, t text\n"),
      "\(changed.errors)")
    #expect(
      changed.errors.hasSuffix(
        "1 saved: 1 changed (and 6 nested: 1 new, 1 changed, 1 the same, 3 deleted)\n"),
      "\(changed.errors)")
    #expect(try await ids(folder, "order_lines") == "o1.lines.2 o2.lines.1 ")
    #expect(try await ids(folder, "order_lines_parts") == "")
  }

  @Test("keeps the order of a list of more than ten objects without keys")
  func positions() async throws {
    let folder = try CommandFolder()
    let lines = (0..<12).map { "{\"n\": \($0)}" }.joined(separator: ",")
    for count in ["new", "the same"] {
      let saved = try await save(folder, "{\"order_id\": \"o\", \"lines\": [\(lines)]}").exits(0)
      #expect(saved.errors.hasSuffix("1 saved: 1 \(count) (and 12 nested: 12 \(count))\n"))
    }
    let order = try await folder.run(
      "get", "order", "o", "--expand", "lines", "-o", "ndjson")
    let numbers = order.output.matches(of: /"n":(\d+)/).compactMap { Int($0.1) }
    #expect(numbers == Array(0..<12))
  }

  @Test(
    "reports a record that a list contains twice, also far apart, and a derived id that is too long"
  )
  func problems() async throws {
    let folder = try CommandFolder()
    _ = try await save(folder, Self.orders).exits(0)
    let twice = try await save(
      folder, #"{"id": "o1", "lines": [{"id": 2, "price": 3}, {"id": 2, "price": 4}]}"#
    ).exits(6)
    #expect(
      twice.errors.hasSuffix(
        "$.lines[1]: the record is listed twice, first at $.lines[0]\n"), "\(twice.errors)")
    let name = String(repeating: "x", count: 250)
    let long = try await save(folder, #"{"id": "\#(name)", "lines": [{"price": 3}]}"#).exits(6)
    #expect(long.errors.contains("expected an id of 1 to 255 bytes"), "\(long.errors)")
    let padding = String(repeating: "x", count: 1_200_000)
    let far = """
      {"id": "o3", "lines": [{"order_lines_id": "l", "note": "\(padding)"}]}
      {"id": "o4", "lines": [{"order_lines_id": "l", "note": "\(padding)"}]}
      """
    let listed = try await save(folder, far).exits(6)
    #expect(listed.errors.contains("$.lines[0]: the record is listed twice\n"), "\(listed.errors)")
    #expect(try await ids(folder, "order") == "o1 o2 ")
  }

  @Test("reads the lists of existing inverses, and gives a root without an id a new one")
  func existing() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "order", "title:text")
    try await folder.prepare("schema", "create", "line", "order:order:lines:owned", "n:integer")
    let saved = try await save(folder, #"{"title": "a", "lines": [{"n": 1}, {"n": 2, "m": 3}]}"#)
      .exits(0)
    #expect(
      saved.errors == """
        Added to line: m integer
        1 saved: 1 new (and 2 nested: 2 new)

        """)
    let one = try await save(folder, #"{"lines": [{"n": 1}]}"#, "--", "o9").exits(0)
    #expect(one.errors == "1 saved: 1 new (and 1 nested: 1 new)\n")
    let found = try await folder.run("list", "line", "order=o9", "-o", "ids")
    #expect(found.output == "o9.lines.0\n")
    let order = try await folder.run("list", "order", "title=a", "-o", "ids").output.dropLast()
    #expect(try await ids(folder, "line").hasPrefix("\(order).lines.0 \(order).lines.1 "))
  }
}

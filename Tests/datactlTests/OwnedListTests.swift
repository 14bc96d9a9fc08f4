import ProgramHarness
import Testing
import datactl

@Suite("Owned lists")
struct OwnedListTests {
  /// A session with orders, their lines in the order of their places, and the parts of the lines.
  private func session() async throws -> TestSession {
    let session = try TestSession()
    let line = TestSession.schema(
      "line",
      """
      , "ord": {"type": "relation", "to": "ord", "inverse": "lines", "owned": true, \
      "position": "place"}, "place": {"type": "integer", "max": 3}, \
      "code": {"type": "text", "unique": true}, "price": {"type": "number"}
      """)
    #expect(await session.run("schema create ord title:text").status == 0)
    #expect(await session.run("schema apply -", input: line).status == 0)
    #expect(await session.run("schema create part line:line:parts:owned n:integer").status == 0)
    #expect(await session.run("schema create note ord:ord:notes text:text").status == 0)
    let saved = await save(
      session,
      """
      {"ord_id":"o1","lines":[{"line_id":"a","code":"x","parts":[{"part_id":"p"}]},
        {"line_id":"b"}],"notes":[{"note_id":"n"}]}
      {"ord_id":"o2","lines":[]}
      """, after: 0)
    #expect(saved.errors == "2 saved: 2 new (and 4 nested: 4 new)\n")
    return session
  }

  private func save(
    _ session: TestSession, _ input: String, _ options: String = "-o none", after seconds: Int64 = 1
  ) async -> Outcome {
    await session.run(
      "save ord --deep \(options)", input: input,
      clock: 1_795_143_900_000_000 + seconds * 1_000_000)
  }

  private func lines(_ session: TestSession) async -> String {
    await session.run("list line --fields ord,place -o csv --order ord,place").output
      .replacing("\r\n", with: " ")
  }

  private func revision(_ session: TestSession, _ id: String) async -> String {
    await session.run("get ord \(id) --fields revision -o csv").output
      .replacing("\r\n", with: " ")
  }

  @Test("prints what it reads, in JSON and XML")
  func roundTrip() async throws {
    let session = try await session()
    for format in ["json", "xml"] {
      let list = await session.run("list ord --expand lines.parts,notes -o \(format)")
      let saved = await save(session, list.output)
      #expect(saved.errors == "2 saved: 2 the same (and 4 nested: 4 the same)\n")
    }
  }

  @Test("deletes the parts that a list does not name, with their own parts, and keeps its order")
  func whole() async throws {
    let session = try await session()
    let changed = await save(
      session, #"{"ord_id":"o1","lines":["b",{"line_id":"c","code":"x"}]}"#, "-o diff")
    #expect(
      changed.output == """
        {"ord_id":"o1","did":"change","changes":{}}
        {"schema":"line","line_id":"c","did":"create","changes":{"ord":[null,"o1"],"code":[null,"x"]}}
        {"schema":"line","line_id":"a","did":"delete","changes":{"ord":["o1",null],"code":["x",null]}}

        """)
    #expect(changed.errors == "1 saved: 1 changed (and 4 nested: 1 new, 1 the same, 2 deleted)\n")
    #expect(await session.run("list part --count").output == "0\n")
    #expect(await session.run("list note --count").output == "1\n")
    let reordered = await save(session, #"{"ord_id":"o1","lines":["c","b"]}"#, after: 2)
    #expect(reordered.errors == "1 saved: 1 changed (and 2 nested: 2 changed)\n")
    #expect(await lines(session) == "line_id,ord,place c,o1,1 b,o1,2 ")
    #expect(await revision(session, "o1") == "ord_id,revision o1,3 ")
    let tooMany = await save(
      session, #"{"ord_id":"o1","lines":["b",{"line_id":"d"},{"line_id":"e"},"c"]}"#)
    #expect(tooMany.status == 6)
    #expect(tooMany.errors.contains("$.lines[3].place: expected at most 3, found 4"))
  }

  @Test("leaves the parts alone if the list is missing, with --replace too")
  func missing() async throws {
    let session = try await session()
    let replaced = await save(session, #"{"ord_id":"o1","title":"A"}"#, "--replace -o none")
    #expect(replaced.errors == "1 saved: 1 changed\n")
    #expect(await lines(session) == "line_id,ord,place a,o1, b,o1, ")
    #expect(await save(session, #"{"ord_id":"o1","lines":null}"#).status == 6)
    let emptied = await save(session, #"{"ord_id":"o1","lines":[]}"#)
    #expect(emptied.errors == "1 saved: 1 changed (and 3 nested: 3 deleted)\n")
  }

  @Test("moves a part that another list names, and gives both owners a new revision")
  func moving() async throws {
    let session = try await session()
    // The first list does not name the line, but the second does.
    let moved = await save(
      session, #"[{"ord_id":"o1","lines":["b"]},{"ord_id":"o2","lines":["a"]}]"#)
    #expect(moved.errors == "2 saved: 2 changed (and 2 nested: 1 changed, 1 the same)\n")
    #expect(await lines(session) == "line_id,ord,place b,o1, a,o2, ")
    #expect(await session.run("list part --count").output == "1\n")
    #expect(await revision(session, "o1 o2") == "ord_id,revision o1,2 o2,2 ")
    let taken = await save(session, #"{"ord_id":"o3","lines":["a"]}"#, "--create")
    #expect(taken.status == 5)
    #expect(taken.errors.contains(#"$.lines[0].ord: the record already belongs to "o2""#))
    let note = await save(session, #"{"ord_id":"o2","notes":["n",{"note_id":"m"}]}"#)
    #expect(note.errors == "1 saved: 1 the same (and 2 nested: 1 new, 1 changed)\n")
    #expect(await session.run("list note ord=o2 --count").output == "2\n")
  }

  @Test(
    "rejects lists that contradict each other or themselves, with their paths",
    arguments: [
      (
        #"{"ord_id":"o1","lines":["a","a"]}"#,
        "$.lines[1]: the record is listed twice, first at $.lines[0]"
      ),
      (
        #"{"ord_id":"o1","lines":[{"line_id":"a","ord":"o2"}]}"#,
        #"$.lines[0].ord: expected "o1", whose list contains the record, found "o2""#
      ),
      (
        #"{"ord_id":"o1","lines":["a"],"lines":[]}"#, "$.lines: duplicate field in a record"
      ),
      (
        #"[{"ord_id":"o1","lines":["a"]},{"ord_id":"o1","lines":[]}]"#,
        "the input contains lines of this record twice"
      ),
      (
        #"{"ord_id":"o1","lines":[true]}"#,
        "$.lines[0].line_id: expected a record or an id, found true"
      ),
      (
        #"{"ord_id":"o1","lines":{}}"#,
        "$.lines: expected an array of records and ids, found an object"
      ),
    ])
  func contradictions(input: String, message: String) async throws {
    let session = try await session()
    let refused = await save(session, input)
    #expect(refused.status == 6)
    #expect(refused.errors.contains(message))
    #expect(await lines(session) == "line_id,ord,place a,o1, b,o1, ")
  }

  @Test("names --deep for an inverse, and reports a listed id that does not exist")
  func hints() async throws {
    let session = try await session()
    let flat = await session.run("save ord", input: #"{"ord_id":"o1","lines":[]}"#)
    #expect(
      flat.errors.contains("lines is the inverse of line.ord: to save its records, pass --deep"))
    #expect(await save(session, #"{"ord_id":"o1","lines":["z"]}"#).status == 3)
  }

  @Test("saves one tree under an id")
  func id() async throws {
    let session = try await session()
    let saved = await session.run(
      "save ord o2 --deep -o none", input: #"{"lines":[{"line_id":"d"}]}"#)
    #expect(saved.errors == "1 saved: 1 changed (and 1 nested: 1 new)\n")
    let two = await session.run("save ord o2 --deep", input: #"{"lines":[]} {"lines":[]}"#)
    #expect(two.status == 6)
    let none = await session.run("save ord o2 --deep --file /dev/null")
    #expect(none.errors.contains("expected one record, found none"))
  }

  @Test("reads and writes lists in the terms of a map, and reads a document twice like once")
  func maps() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "ord", "customer:text")
    try await folder.prepare("schema", "create", "line", "ord:ord:lines:owned", "text:text")
    try folder.write(
      "map.json",
      """
      {"map": "orders", "format": "xml", "schema": "ord", "records": "/orders/order", "fields": {
        "ord_id": "@id", "customer": "customer",
        "lines": {"at": "lines/line[]", "fields": {"text": "text()"}}}, "system": {}}
      """)
    let order = """
      <order id="o"><customer>Ann</customer><lines><line>tea</line><line>cup</line></lines></order>
      """
    try folder.write("orders.xml", "<orders>\(order)</orders>")
    let arguments = ["save", "ord", "--map", "map.json", "-o", "none", "--file", "orders.xml"]
    for counts in ["1 new (and 2 nested: 2 new)", "1 the same (and 2 nested: 2 the same)"] {
      let saved = try await folder.run(arguments).exits(0)
      #expect(saved.errors == "1 saved: \(counts)\n")
    }
    #expect(try await folder.run("list", "line", "-o", "ids").output == "o.lines.0\no.lines.1\n")
    #expect(try await folder.run("list", "ord", "--map", "map.json").output.contains(order))
    try folder.write(
      "orders.xml", "<orders>\(order.replacing("<line>cup</line>", with: ""))</orders>")
    let removed = try await folder.run(arguments).exits(0)
    #expect(
      removed.errors == "1 saved: 1 changed (and 2 nested: 1 the same, 1 deleted)\n")
  }

  @Test("gives the owners of changed parts one new revision, whatever changed the parts")
  func revisions() async throws {
    let session = try await session()
    for (command, expected) in [
      ("save part p n=1", "o1,2"), ("save part p n=1", "o1,2"), ("save line c ord=o1", "o1,3"),
      ("save line c ord=o2", "o1,4"), ("delete line b", "o1,5"),
      ("save line --where ord='o1' price=3 --yes", "o1,6"),
      ("save ord o1 title=A", "o1,7"), ("delete part p", "o1,8"),
      ("save line a price=3", "o1,8"), ("delete line --all --yes", "o1,9"),
    ] {
      let options = command.hasPrefix("save") ? " -o none" : ""
      #expect(await session.run(command + options).status == 0)
      #expect(await revision(session, "o1") == "ord_id,revision \(expected) ", "\(command)")
    }
    #expect(await revision(session, "o2") == "ord_id,revision o2,3 ")
  }

  @Test("skips a tree with its deletions as a whole, and keeps what it names")
  func skipping() async throws {
    let session = try await session()
    let skipped = await save(
      session,
      """
      {"ord_id":"o1","lines":["b"]}
      {"ord_id":"o2","title":"A","lines":["a",{"line_id":"c","code":"y"},{"line_id":"d","code":"y"}]}
      """, "--skip-invalid -o none")
    #expect(skipped.status == 6)
    #expect(skipped.errors.contains("1 saved: 1 changed (and 1 nested: 1 the same)"))
    #expect(await lines(session) == "line_id,ord,place a,o1, b,o1, ")
  }

  @Test("rejects a chain of owners that is a circle or too long")
  func chains() async throws {
    let session = try TestSession()
    #expect(await session.run("schema create node parent:node:children:owned").status == 0)
    for number in 1...32 {
      let parent = number == 1 ? "" : "n\(number - 1)"
      #expect(await session.run("save node n\(number) parent=\(parent) -o none").status == 0)
    }
    let circle = await session.run("save node n1 parent=n3")
    #expect(circle.status == 6)
    #expect(circle.errors.contains("the record would own itself: n1, n3, n2, n1"))
    let long = await session.run("save node n33 parent=n32")
    #expect(long.errors.contains("more than 32 records in a chain of owners"))
    #expect(await session.run("save node m -o none", input: "{\"node_id\":\"m\"}").status == 0)
    #expect(await session.run("save node n1 parent=m").status == 6)
  }
}

import DataClient
import Foundation
import ProgramHarness
import TestSupport
import Testing

/// The library with a store on a server. Its results and errors must be those of the same calls
/// with a file.
@Suite("The library with a store on a server", .onEveryStore)
struct LibraryTests {
  struct Todo: Codable, Hashable, Sendable {
    var todoID: String
    var title: String
    var done: Bool?
    var due: Timestamp?
    var tags: [String]?
    var stock: Int?
    var price: DecimalValue?
    var owner: ReferenceTo<Person>?
    var revision: Int64?
  }

  struct Person: Codable, Hashable, Sendable {
    var personID: String
    var name: String
  }

  struct Order: Codable, Hashable, Sendable {
    var orderID: String
    var customer: Person?
    var lines: [Line] = []
  }

  struct Line: Codable, Hashable, Sendable {
    var lineID: String
    var count: Int
    var product: Product
  }

  struct Product: Codable, Hashable, Sendable {
    var productID: String
    var title: String
  }

  struct Visit: Codable, Hashable, Sendable {
    var visitID: String
    var order: Order?
    var guide: ReferenceTo<Person>?
  }

  struct Trip: Codable, Hashable, Sendable {
    var tripID: String
    var visits: [Visit] = []
    var before: ReferenceTo<Trip>?
  }

  /// The same call with both clients.
  private struct Step {
    let name: String
    /// Whether the call must fail; nil if it may.
    let fails: Bool?
    let call: @Sendable (Client) async throws -> String

    init(
      _ name: String, fails: Bool? = false,
      _ call: @escaping @Sendable (Client) async throws -> String
    ) {
      self.name = name
      self.fails = fails
      self.call = call
    }

    /// The text with which the outcome of a failed call begins.
    static let failure = "failed: "

    func outcome(_ client: Client) async -> String {
      do {
        let result = try await call(client)
        if fails == true { Issue.record("\(name): does not fail: \(result)") }
        return result
      } catch let error as DataError {
        if fails == false { Issue.record("\(name): \(error)") }
        return Self.failure
          + error.problems.map { problem in
            "\(problem.code.rawValue) \(problem.schema ?? "-") \(problem.id ?? "-") "
              + "\(problem.field ?? "-") \(problem.line ?? 0): \(problem.message)"
          }.joined(separator: "\n")
      } catch {
        return "\(error)"
      }
    }
  }

  /// Two stores of the same kind, of which the second one is on a server, and clients of both with
  /// the same rights.
  private struct Pair {
    let folders: [TestFolder]
    let server: TestServer
    let file: Client
    let remote: Client

    init() async throws {
      folders = [try TestFolder(), try TestFolder()]
      let schema = """
        {"schema": "user", "kind": "user", "roles": "roles",
         "fields": {"username": {"type": "id"}, "password": {"type": "password"},
                    "roles": {"type": "[text]"}}}
        """
      var opened: [Client] = []
      for folder in folders {
        let file = "sqlite:\(folder.path("shop.db"))"
        let client = try await Client.open(
          folder.address.hasPrefix("postgres") ? folder.address : file)
        try await client.applySchemas([schema])
        try await client.records("user").save([
          ["username": "root", "password": "canary99", "roles": ["admin"]],
          ["username": "ann", "password": "canary98"],
          ["username": "bob", "password": "canary97"],
        ])
        opened.append(client)
      }
      await opened[1].close()
      server = try TestServer(folders[1])
      file = opened[0].acting(as: "root")
      remote = try await Client.open(server.address)
      try await remote.logIn("root", password: "canary99")
    }
  }

  private static let steps: [Step] = [
    Step("create schemas") { client in
      try await client.createSchema("person", ["name:text!"])
      let todo = try await client.createSchema(
        "todo",
        [
          "title:text!", "done:boolean", "due:datetime", "tags:text+", "stock:integer",
          "price:decimal:10,2", "owner:person",
        ])
      return "\(todo.name) \(todo.fields.map(\.name))"
    },
    Step("create an existing schema", fails: true) { client in
      try await client.createSchema("person", ["name:text!"])
      return "created"
    },
    Step("list schemas") { client in "\(try await client.schemas().map(\.name))" },
    Step("save drafts") { client in
      let people = client.records("person")
      let saved = try await people.save([
        ["person_id": "ann", "name": "Ann"], ["person_id": "bob", "name": "Bob \u{1F600}\n\""],
      ])
      return "\(saved)"
    },
    Step("save values") { client in
      let todos = client.records(of: Todo.self)
      let saved = try await todos.save(
        (1...9).map { number in
          Todo(
            todoID: "t\(number)", title: "title \(number % 3)", done: number % 2 == 0,
            due: Timestamp(microseconds: Int64(number) * 86_400_000_000),
            tags: number > 5 ? ["late", "x"] : [], stock: number * 10,
            price: DecimalValue("\(number).50"), owner: number == 1 ? "ann" : nil)
        })
      return "\(saved)"
    },
    Step("get") { client in
      let todos = client.records(of: Todo.self)
      return "\(try await todos.get("t1") as Any) \(try await todos.get("t99") as Any)"
    },
    Step("get several") { client in
      "\(try await client.records("todo").get(["t3", "t1", "t3"]))"
    },
    Step("get missing ones", fails: true) { client in
      "\(try await client.records("todo").get(["t9", "x", "t1", "y"]))"
    },
    Step("get of no schema", fails: true) { client in
      "\(try await client.records("tod").get("t1") as Any)"
    },
    Step("list") { client in
      var found: [String] = []
      for try await todo in client.records("todo").list(
        where: "stock > :least and title like 'title%'", parameters: ["least": 30],
        order: "-due, title", limit: 4)
      {
        found.append("\(todo)")
      }
      return found.joined(separator: "\n")
    },
    Step("list by values") { client in
      var found: [String] = []
      let matches: [[String: DraftValue]] = [
        ["tags": "late"], ["owner": nil, "done": true], ["todoID": "t2"], ["title": "title 1"],
        ["stock": 20], ["owner": "ann"], ["nothing": 1], ["stock": "x"],
      ]
      for matching in matches {
        do {
          for try await todo in client.records(of: Todo.self).list(matching: matching) {
            found.append(todo.todoID)
          }
        } catch let error as DataError {
          found.append(error.problems[0].message)
        }
      }
      return "\(found)"
    },
    Step("list with an invalid condition", fails: true) { client in
      for try await _ in client.records("todo").list(where: "stock > 'x' and colour = 1") {}
      return "listed"
    },
    Step("count") { client in
      let todos = client.records("todo")
      let all = try await todos.count()
      return "\(all) \(try await todos.count(where: "done", matching: ["tags": "x"]))"
    },
    Step("pages") { client in
      let todos = client.records(of: Todo.self)
      var page = try await todos.page(limit: 4, order: "-stock")
      var pages = [page.records.map(\.todoID)]
      while let next = page.next {
        page = try await todos.page(after: next, limit: 4, order: "-stock")
        pages.append(page.records.map(\.todoID))
      }
      let back = try await todos.page(before: page.previous, limit: 4, order: "-stock")
      return "\(pages) \(back.records.map(\.todoID)) \(back.previous == nil)"
    },
    Step("a page of a wrong token", fails: true) { client in
      "\(try await client.records("todo").page(after: "x", limit: 4).records)"
    },
    Step("groups") { client in
      let groups = try await client.records("todo").groups(
        by: "title, month(due)", [.sum("stock"), .average("stock"), .maximum("price")],
        having: "count > 1", order: "-title")
      return groups.map { group in
        group.names.map { "\($0)=\(group[$0] ?? .null)" }.joined(separator: " ")
      }.joined(separator: "\n")
    },
    Step("expand relations") { client in
      let todos = client.records("todo")
      try await client.applySchemas([
        """
        {"schema": "step", "fields": {
          "step_id": {"type": "id"}, "text": {"type": "text"},
          "todo": {"type": "relation", "to": "todo", "inverse": "steps"},
          "helpers": {"type": "relation", "to": "person", "many": true}}}
        """
      ])
      try await client.records("step").save([
        ["step_id": "s1", "todo": "t1", "helpers": ["bob", "ann"], "text": "a"],
        ["step_id": "s2", "todo": "t1", "helpers": []], ["step_id": "s3", "text": "c"],
      ])
      var found: [String] = []
      func note(_ record: Record?) {
        found.append("\(record as Any)")
        for name in ["owner", "steps", "helpers", "todo"] {
          for related in record?.related(name) ?? [] {
            found.append("\(name): \(related) \(related.related("helpers") as Any)")
          }
        }
      }
      note(try await todos.get("t1", expanding: "owner,steps.helpers"))
      for record in try await todos.get(["t2", "t1"], expanding: "owner") { note(record) }
      for try await record in todos.list(order: "title", limit: 3, expanding: "owner,steps") {
        note(record)
      }
      let steps = try await client.records("step").page(
        limit: 2, order: "-step_id", expanding: "helpers,todo.owner")
      for record in steps.records { note(record) }
      return found.joined(separator: "\n")
    },
    Step("expand relations of values") { client in
      var found: [String] = []
      for try await todo in client.records(of: Todo.self).list(limit: 3, expanding: "owner") {
        found.append("\(todo.owner?.id.text ?? "-") \(todo.owner?.record?.name ?? "-")")
      }
      let todo = try await client.records(of: Todo.self).get("t1", expanding: "owner,steps")
      var other = todo?.owner
      other?.id = "bob"
      found.append("\(todo?.owner == "ann") \(other?.record as Any)")
      return "\(found)"
    },
    Step("expand no relation", fails: true) { client in
      "\(try await client.records("todo").get("t1", expanding: "title,nothing") as Any)"
    },
    Step("trees") { client in
      try await client.createSchema(for: Order.self)
      let orders = client.records(of: Order.self)
      let tea = Product(productID: "tea", title: "Tea")
      let order = Order(
        orderID: "o1", customer: Person(personID: "ann", name: "Ann"),
        lines: [
          Line(lineID: "l1", count: 2, product: tea),
          Line(lineID: "l2", count: 1, product: Product(productID: "mug", title: "Mug")),
        ])
      let saved = try await orders.save([order, Order(orderID: "o2")])
      var listed: [Order] = []
      for try await order in orders.list(order: "-order_id") { listed.append(order) }
      let got = try await orders.get("o1")
      let page = try await orders.page(limit: 1)
      let counts = "\(try await client.records("line").count())"
      return "\(saved) \(listed) \(got == order) \(page.records) \(counts)"
    },
    Step("deep trees") { client in
      try await client.createSchema(for: Visit.self)
      try await client.createSchema(for: Trip.self)
      let trips = client.records(of: Trip.self)
      let order = try await client.records(of: Order.self).get("o1")
      let visits = [
        Visit(visitID: "v1", order: order, guide: "bob"), Visit(visitID: "v2", order: order),
        Visit(visitID: "v3", guide: "ann"),
      ]
      try await trips.save([
        Trip(tripID: "a", visits: visits), Trip(tripID: "b", visits: [visits[2]], before: "a"),
      ])
      var listed: [Trip] = []
      for try await trip in trips.list(order: "-trip_id", expanding: "before") {
        listed.append(trip)
      }
      let got = try await trips.get("b", expanding: "before,visits.guide")
      let page = try await trips.page(limit: 1, expanding: "visits.guide")
      return """
        \(listed) \(listed[0].before?.record as Any) \(got?.before?.record?.visits as Any)
        \(got?.visits.first?.guide?.record as Any) \(page.records)
        """
    },
    Step("documents") { client in
      guard let camel = DataMap.builtIn(named: "camel") else { return "no map" }
      let todos = client.records("todo")
      let json =
        #"[{"todoId": "d1", "title": "\u00e4 \n", "stock": 3}, {"todoId": "d2", "title": ""}]"#
      let saved = try await todos.save(document: json.utf8, map: camel)
      let one = try await todos.document(of: "d1", map: camel)
      let none = try await todos.document(of: "d99", map: camel)
      let several = try await todos.document(
        map: camel, where: "title != :t", parameters: ["t": "x"], order: "-title", limit: 3)
      let texts = [one ?? [], several].map { text in
        // The two stores were not changed at the same time.
        String(decoding: text, as: UTF8.self).replacing(/"(created|modified)At":"[^"]*"/, with: "")
      }
      return "\(saved) \(texts) \(none == nil)"
    },
    Step("documents of a map") { client in
      let nested = try DataMap(
        parsing: """
          {"map": "orders", "format": "xml", "schema": "order", "records": "/orders/order",
           "fields": {"order_id": "@id", "customer": {"at": "by", "fields": {
             "person_id": "@id", "name": "name"}}},
           "frame": {"/orders/@version": "2"}, "unknown": "ignore"}
          """)
      let csv = try DataMap(
        parsing: """
          {"map": "people", "format": "csv", "separator": ";", "schema": "person",
           "fields": {"person_id": "Nr", "name": "Name \u{e4}"}}
          """)
      let orders = client.records("order")
      let xml = try await orders.document(map: nested)
      let saved = try await orders.save(
        document: """
          <orders><order id="o5"><by id="eve"><name>Eve</name></by></order></orders>
          """.utf8,
        map: nested)
      let people = try await client.records("person").save(
        document: "Nr;Name \u{e4}\nfay;\"Fay; F\"\n".utf8, map: csv)
      let list = try await client.records("person").document(map: csv, order: "name")
      let texts = [xml, list].map { String(decoding: $0, as: UTF8.self) }
      return "\(saved) \(people) \(texts) \(try await client.records("person").get("eve") as Any)"
    },
    Step("an invalid document", fails: true) { client in
      guard let camel = DataMap.builtIn(named: "camel") else { return "no map" }
      let json = #"[{"todoId": "d1", "stock": "x"}, {"todoId": "d3"}, {"todoID": 1}]"#
      return "\(try await client.records("todo").save(document: json.utf8, map: camel))"
    },
    Step("a document of another schema", fails: true) { client in
      let map = try DataMap(parsing: #"{"map": "m", "schema": "todo", "fields": {"title": "t"}}"#)
      return "\(try await client.records("person").document(map: map))"
    },
    Step("contents") { client in
      try await client.createSchema("page", ["photo:file", "text:text"])
      let pages = client.records("page")
      try await pages.save([["page_id": "p1"], ["page_id": "p 2/\u{e4}"]])
      let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
      for number in 0..<3_000 {
        continuation.yield(Array(repeating: UInt8(number % 251), count: 1_024))
      }
      continuation.finish()
      let file = try await pages.setContent(
        "photo", of: "p 2/\u{e4}", from: stream, name: "\u{e4} b.bin", type: "x-test/a; b=c")
      try await pages.setContent("photo", of: "p1", from: URL(filePath: "/etc/passwd"))
      let empty = AsyncStream<[UInt8]> { $0.finish() }
      var found = ["\(file)", "\(try await pages.get("p 2/\u{e4}")?["photo"] as Any)"]
      let content = try await pages.content("photo", of: "p 2/\u{e4}")
      var sum = 0
      for try await piece in try #require(content) {
        sum = piece.reduce(sum) { $0 &* 31 &+ Int($1) }
      }
      found.append("\(content?.file as Any) \(sum)")
      for range in [0..<1, 1_023..<1_026, 3_071_999..<9_999_999] {
        let part = try await pages.content("photo", of: "p 2/\u{e4}", range: range)
        found.append("\(try await part?.bytes() as Any)")
      }
      try await pages.setContent("photo", of: "p1", from: empty, name: "empty.png")
      let none = try await pages.content("photo", of: "p1")
      found.append("\(none?.file as Any) \(try await none?.bytes() as Any)")
      found.append("\(try await pages.content("photo", of: "p9") == nil)")
      return found.joined(separator: "\n")
    },
    Step("a range outside a content", fails: true) { client in
      "\(try await client.records("page").content("photo", of: "p 2/\u{e4}", range: 4_000_000..<4_000_001) as Any)"
    },
    Step("the content of no file field", fails: true) { client in
      "\(try await client.records("page").content("text", of: "p1") as Any)"
    },
    Step("the content for a missing record", fails: true) { client in
      let empty = AsyncStream<[UInt8]> { $0.finish() }
      return
        "\(try await client.records("page").setContent("photo", of: "p9", from: empty, name: "a"))"
    },
    Step("the content for no file field", fails: true) { client in
      let empty = AsyncStream<[UInt8]> { $0.finish() }
      return
        "\(try await client.records("page").setContent("text", of: "p1", from: empty, name: "a"))"
    },
    Step("an invalid tree", fails: true) { client in
      let line = Line(lineID: "l3", count: 1, product: Product(productID: "\n", title: ""))
      try await client.records(of: Order.self).save(Order(orderID: "o3", lines: [line]))
      return "saved"
    },
    Step("update") { client in
      let tea = try await client.records(of: Todo.self).update(
        "t1", ["stock": .add(-2), "title": "tea", "tags": .append(["new"])])
      return "\(tea)"
    },
    Step("update a missing record", fails: true) { client in
      "\(try await client.records(of: Todo.self).update("none", ["stock": 1]))"
    },
    Step("update all") { client in
      let todos = client.records("todo")
      let count = try await todos.updateAll(
        ["done": true], where: "stock < :most", parameters: ["most": 50])
      return "\(count) \(try await todos.count(where: "done"))"
    },
    Step("save invalid drafts", fails: true) { client in
      try await client.records("todo").save([
        ["todo_id": "a", "title": "ok"], ["todo_id": "b", "stock": "many"],
        ["todo_id": "c", "titel": "x", "title": "t"], ["todo_id": "d", "title": nil],
      ])
      return "saved"
    },
    Step("save a draft without an id", fails: true) { client in
      "\(try await client.records("todo").save(["title": "no id"]))"
    },
    Step("save drafts, one without an id", fails: true) { client in
      "\(try await client.records("todo").save([["todo_id": "z", "title": "z"], ["title": "no id"]]))"
    },
    Step("save a sequence without an id", fails: true) { client in
      let drafts = AsyncStream<Draft> { stream in
        stream.yield(["title": "no id"])
        stream.finish()
      }
      return "\(try await client.records("todo").save(contentsOf: drafts))"
    },
    Step("save a sequence") { client in
      let todos = client.records(of: Todo.self)
      let counts = try await todos.save(contentsOf: todos.list(where: "done"))
      let (stream, continuation) = AsyncStream<Draft>.makeStream()
      for number in 1...20_000 {
        continuation.yield(["todo_id": .text("s\(number)"), "title": .text("\(number)")])
      }
      continuation.finish()
      let more = try await client.records("todo").save(contentsOf: stream)
      let deleted = try await todos.delete(where: "todo_id like 's%'")
      return "\(counts) \(more) \(deleted)"
    },
    Step("save an invalid sequence", fails: true) { client in
      let (stream, continuation) = AsyncStream<Draft>.makeStream()
      for value in ["1", "2", "x"] {
        continuation.yield(["todo_id": .text("s\(value)"), "title": "t", "stock": .text(value)])
      }
      continuation.finish()
      return "\(try await client.records("todo").save(contentsOf: stream))"
    },
    Step("save an outdated revision", fails: true) { client in
      try await client.records("todo").save(["todo_id": "t1", "title": "x", "revision": 1])
      return "saved"
    },
    Step("create an existing record", fails: true) { client in
      try await client.records("person").save(["person_id": "ann", "name": "A"], mode: .create)
      return "saved"
    },
    Step("a dangling reference", fails: true) { client in
      try await client.records("todo").save(["todo_id": "t1", "owner": "missing"])
      return "saved"
    },
    Step("replace") { client in
      "\(try await client.records("todo").save(["todo_id": "t2", "title": "new"], mode: .replace))"
    },
    Step("a dry run") { client in
      let dry = client.dryRun()
      let deletion = try await dry.records("todo").delete(where: "stock > 50")
      let saved = try await dry.records("person").save(["person_id": "zoe", "name": "Zoe"])
      return "\(deletion) \(saved) \(try await client.records("person").count())"
    },
    Step("a batch") { client in
      let results = try await client.batch { batch in
        let person = batch.save(["person_id": "cat", "name": "Cat"], in: "person")
        batch.save(["todo_id": "t20", "title": "b", "owner": .reference(person)], in: "todo")
        batch.save(["done": false], in: "todo", where: "stock >= 80")
        batch.check("t20", in: "todo", where: "owner = 'cat'")
        batch.get("t20", in: "todo")
        batch.getJSON("t20", in: "todo", fields: "title, n = length(title)", expanding: "")
        batch.delete("t9", in: "todo")
      }
      return results.map { result in
        if case .readJSON(let bytes) = result { return String(decoding: bytes, as: UTF8.self) }
        return "\(result)"
      }.joined(separator: "\n")
    },
    Step("a batch that fails", fails: true) { client in
      try await client.batch { batch in
        batch.delete("t8", in: "todo")
        batch.check("t7", in: "todo", where: "stock > 1000")
      }
      return "done"
    },
    Step("delete a referenced record") { client in
      "\(try await client.records("person").delete("cat"))"
    },
    Step("delete") { client in
      let todos = client.records(of: Todo.self)
      let one = try await todos.delete("t3")
      let value = try await todos.get("t4")
      let two = try await todos.delete(value ?? Todo(todoID: "none", title: ""))
      let some = try await todos.delete(["t5", "t6"])
      let matching = try await todos.delete(matching: ["title": "new"])
      return "\(one) \(two) \(some) \(matching) \(try await todos.count())"
    },
    Step("delete missing ones", fails: true) { client in
      "\(try await client.records("todo").delete(["t1", "x", "y"]))"
    },
    Step("delete all") { client in
      "\(try await client.records("todo").deleteAll()) \(try await client.records("todo").count())"
    },
    Step("act for another user", fails: true) { client in
      let other = client.acting(as: "missing")
      return "\(try await other.records("person").count())"
    },
    Step("act for no user", fails: true) { client in
      "\(try await client.acting(as: nil).records("person").save(["person_id": "x", "name": "X"]))"
    },
    Step("migrate") { client in
      let schema = try await client.createSchema(
        "person", ["name:text!", "age:integer"], ifExists: .migrate)
      try await client.records("person").save(["person_id": "ann", "age": 31])
      return "\(schema.fields.map(\.name)) \(try await client.records("person").get("ann") as Any)"
    },
  ]

  @Test("has the same results and errors as with a file")
  func contract() async throws {
    let pair = try await Pair()
    for step in Self.steps {
      let (local, remote) = (await step.outcome(pair.file), await step.outcome(pair.remote))
      #expect(remote == local, "\(step.name)")
    }
  }
}

extension LibraryTests {
  /// Calls of a user who is not an administrator.
  private static let userSteps: [Step] = [
    Step("save own notes") { client in
      let saved = try await client.records("note").save([
        ["note_id": "a1", "text": "one", "shop": "s1"], ["note_id": "a2", "text": "two"],
      ])
      return "\(saved)"
    },
    Step("list") { client in
      var found: [String] = []
      for try await note in client.records("note").list(order: "-note_id", expanding: "shop,owner")
      {
        found.append("\(note) \(note.related("shop") as Any) \(note.related("owner") as Any)")
      }
      return found.joined(separator: "\n")
    },
    Step("count and groups") { client in
      let notes = client.records("note")
      let groups = try await notes.groups(by: "owner", order: "owner")
      return "\(try await notes.count()) \(groups.map { "\($0["owner"] as Any) \($0.count)" })"
    },
    Step("get a hidden note") { client in
      "\(try await client.records("note").get("b1") as Any)"
    },
    Step("get hidden and own notes", fails: true) { client in
      "\(try await client.records("note").get(["a1", "b1"]))"
    },
    Step("change a note of another user", fails: true) { client in
      "\(try await client.records("note").update("b2", ["text": "mine"]))"
    },
    Step("change a note that is hidden", fails: true) { client in
      "\(try await client.records("note").update("b1", ["text": "mine"]))"
    },
    Step("create a note for another user", fails: true) { client in
      "\(try await client.records("note").save(["note_id": "a3", "owner": "bob", "text": "x"]))"
    },
    Step("write a field that is not allowed", fails: true) { client in
      "\(try await client.records("note").save(["note_id": "a1", "price": 3]))"
    },
    Step("find by a hidden field", fails: true) { client in
      "\(try await client.records("note").count(where: "price > 1"))"
    },
    Step("order by a hidden field", fails: true) { client in
      "\(try await client.records("note").page(limit: 2, order: "price").records)"
    },
    Step("use a schema that is hidden", fails: true) { client in
      "\(try await client.records("secret").count())"
    },
    Step("list schemas") { client in
      "\(try await client.schemas().map { "\($0.name) \($0.fields.map(\.name))" })"
    },
    Step("change a schema", fails: true) { client in
      "\(try await client.createSchema("more", ["text:text"]))"
    },
    Step("a batch") { client in
      let results = try await client.batch { batch in
        batch.save(["note_id": "a4", "text": "four"], in: "note")
        batch.get("a1", in: "note")
      }
      return "\(results)"
    },
    Step("a batch with a change that is not allowed", fails: true) { client in
      try await client.batch { batch in
        batch.save(["note_id": "a5", "text": "five"], in: "note")
        batch.delete("b2", in: "note")
      }
      return "done"
    },
    Step("delete all notes that are visible", fails: true) { client in
      "\(try await client.records("note").deleteAll())"
    },
    Step("delete own notes") { client in
      let notes = client.records("note")
      return "\(try await notes.delete(["a1", "a4"])) \(try await notes.count())"
    },
  ]

  @Test("has the same results and errors as with a file for a user with few rights")
  func users() async throws {
    let pair = try await Pair()
    let schemas = [
      """
      {"schema": "shop", "fields": {"shop_id": {"type": "id"}, "name": {"type": "text"}},
       "access": {"read": "name = 'open'"}}
      """,
      """
      {"schema": "secret", "fields": {"secret_id": {"type": "id"}}, "access": {"read": "role:admin"}}
      """,
      """
      {"schema": "note", "fields": {"note_id": {"type": "id"}, "text": {"type": "text"},
         "price": {"type": "number", "access": {"read": "role:admin", "write": "role:admin"}},
         "public": {"type": "boolean"}, "shop": {"type": "relation", "to": "shop"},
         "owner": {"type": "relation", "to": "user", "default": ":user"}},
       "access": {"read": ["owner = :user", "public"], "create": "owner = :user",
                  "update": "owner = :user", "delete": "owner = :user"}}
      """,
    ]
    for client in [pair.file, pair.remote] {
      try await client.applySchemas(schemas)
      try await client.records("shop").save([
        ["shop_id": "s1", "name": "open"], ["shop_id": "s2", "name": "closed"],
      ])
      try await client.records("note").save([
        ["note_id": "b1", "owner": "bob", "price": 2],
        ["note_id": "b2", "owner": "bob", "public": true, "shop": "s2"],
      ])
    }
    let file = pair.file.acting(as: "ann")
    let remote = try await Client.open(pair.server.address)
    try await remote.logIn("ann", password: "canary98")
    for step in Self.userSteps {
      let (local, remote) = (await step.outcome(file), await step.outcome(remote))
      #expect(remote == local, "\(step.name)")
    }
  }

  @Test("reads the schemas again when another client has changed them")
  func changedSchemas() async throws {
    let pair = try await Pair()
    for step in Self.steps.prefix(5) { _ = await step.outcome(pair.remote) }
    let other = try await Client.open(pair.server.address)
    try await other.logIn("root", password: "canary99")
    let todos = other.records("todo")
    let read = { () async throws -> [String] in
      var names: [String] = []
      for try await todo in todos.list(limit: 1, expanding: "owner") {
        names.append("\(todo.related("owner") ?? [])")
      }
      names.append("\(try await todos.get("t1", expanding: "owner")?.related("owner") ?? [])")
      let page = try await todos.page(limit: 1, expanding: "owner")
      return names + page.records.map { "\($0.related("owner") ?? [])" }
    }
    let before = try await read()
    try await pair.remote.createSchema("person", ["name:text!", "age:integer"], ifExists: .migrate)
    try await pair.remote.records("person").save(["person_id": "ann", "age": 31])
    let after = try await read()
    #expect(before.count == 3 && !before[0].contains("age"))
    #expect(after.count == 3 && after.allSatisfy { $0.contains("\"age\":31") }, "\(after)")
  }

  /// Random calls on the records of one schema.
  private static func randomStep(_ random: inout SeededRandom) -> Step {
    func id() -> String { "r\(Int.random(in: 0..<12, using: &random))" }
    func draft(_ id: String) -> Draft {
      var draft: Draft = ["todo_id": .text(id)]
      let values: [(String, [DraftValue])] = [
        ("title", ["a", "b\u{301}", "\u{1F600} \"x\" \\n", "", nil]),
        ("stock", [1, -5, .add(3), 9_007_199_254_740_993, nil, "x"]),
        ("tags", [["x"], ["y", "x"], [], .append(["z"]), .remove(["x"])]),
        ("price", [1.5, "0.10", 7, nil]), ("owner", ["ann", "bob", nil, "missing"]),
        ("due", ["2026-11-20T10:00:00Z", "soon", nil]), ("revision", [1, 2]),
      ]
      for (name, choices) in values where Bool.random(using: &random) {
        draft[name] = choices.randomElement(using: &random)
      }
      return draft
    }
    let conditions = [
      "stock > 0", "tags contains 'x'", "title like '%a%'", "owner.name = 'Ann'", "price < :least",
      "stock is null", "colour = 1", "due > '2026-01-01'", "not (stock = 1)",
    ]
    let condition = conditions.randomElement(using: &random) ?? "true"
    let parameters: [String: DraftValue] = condition.contains(":least") ? ["least": 3] : [:]
    let order = ["", "-stock", "title, -todo_id", "owner.name", "nothing"].randomElement(
      using: &random)
    let mode = [SaveMode.createOrChange, .create, .update, .replace].randomElement(using: &random)
    let drafts = (0...Int.random(in: 0...2, using: &random)).map { _ in draft(id()) }
    let (one, other) = (id(), id())
    let limit = Int.random(in: 0...5, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0...2:
      return Step("save \(drafts) \(String(describing: mode))", fails: nil) { client in
        "\(try await client.records("todo").save(drafts, mode: mode ?? .create))"
      }
    case 3:
      return Step("list \(condition) \(order ?? "") \(limit)", fails: nil) { client in
        var found: [String] = []
        let list = client.records("todo").list(
          where: condition, parameters: parameters, order: order ?? "", limit: limit)
        for try await record in list { found.append("\(record)") }
        return "\(found)"
      }
    case 4:
      return Step("get \(one) \(other)", fails: nil) { client in
        let todos = client.records("todo")
        return "\(try await todos.get(one) as Any) \(try await todos.get([other, one]))"
      }
    case 5:
      return Step("delete \(one) or \(condition)", fails: nil) { client in
        let todos = client.records("todo")
        if limit > 2 { return "\(try await todos.delete([one, other]))" }
        return "\(try await todos.delete(where: condition, parameters: parameters))"
      }
    case 6:
      return Step("count \(condition)", fails: nil) { client in
        "\(try await client.records("todo").count(where: condition, parameters: parameters))"
      }
    case 7:
      return Step("update all \(condition)", fails: nil) { client in
        "\(try await client.records("todo").updateAll(["stock": .add(1)], where: condition, parameters: parameters))"
      }
    default:
      return Step("batch \(drafts) \(one)", fails: nil) { client in
        let results = try await client.batch { batch in
          for draft in drafts { batch.save(draft, in: "todo") }
          batch.delete(one, in: "todo", ifExists: true)
          batch.check(count: limit, in: "todo", where: condition, parameters: parameters)
        }
        return "\(results)"
      }
    }
  }

  @Test("has the same results and errors as with a file for random programs", .tags(.random))
  func programs() async throws {
    let pair = try await Pair()
    for step in Self.steps.prefix(4) {
      for client in [pair.file, pair.remote] { _ = await step.outcome(client) }
    }
    var (calls, failures) = (0, 0)
    for seed in Seeds.count(test: 60, all: 1_000) {
      var random = SeededRandom(seed: UInt64(seed))
      for _ in 0..<Int.random(in: 3...9, using: &random) {
        let step = Self.randomStep(&random)
        let (local, remote) = (await step.outcome(pair.file), await step.outcome(pair.remote))
        #expect(remote == local, "seed \(seed): \(step.name)")
        calls += 1
        if local.hasPrefix(Step.failure) { failures += 1 }
      }
    }
    #expect(
      failures * 10 > calls && failures * 10 < calls * 7, "\(failures) of \(calls) calls fail")
  }
}

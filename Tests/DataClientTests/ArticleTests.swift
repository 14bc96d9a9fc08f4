import DataClient
import Foundation
import TestSupport
import Testing

/// The examples of the article `DataClient`, in order, as one program.
private enum Examples {
  struct Todo: Codable, Sendable {
    var todoID: RecordID
    var title: String
    var done = false
    var due: Date?
    var tags: [String]?
    var owner: Reference?
  }

  struct Customer: Codable, Sendable {
    var customerID: RecordID
    var name: String
  }

  struct Line: Codable, Sendable {
    var lineID: RecordID?
    var product: String
    var quantity: Int
  }

  struct Order: Codable, Sendable {
    var orderID: RecordID
    var customer: Customer
    var lines: [Line]
    var agent: ReferenceTo<Customer>?
  }

  struct Episode: Codable, Sendable, Mapped {
    static let map = DataMap.builtIn(named: "camel")!
    var episodeID: RecordID
    var title: String
  }

  static func run(_ address: String, print: (Any...) -> Void) async throws -> Client {
    let client = try await Client.open(address)

    try await client.createSchema("person", ["name:text!", "age:integer"])

    var joe: Draft = ["name": "Joe", "age": 25]
    joe.assignID(in: "person")
    let people = client.records("person")
    let saved = try await people.save(joe)

    try await people.update(saved.id, ["age": .add(1)])

    if let record = try await people.get(saved.id) {
      var draft = record.draft
      draft["name"] = "Joseph"
      try await people.save(draft)
    }

    try await client.createSchema(for: Todo.self, relations: ["owner": "person"])

    let tea = Todo(todoID: .new(), title: "Buy tea", tags: ["shop"], owner: Reference(saved.id))
    let todos = client.records(of: Todo.self)
    try await todos.save(tea)
    for try await todo in todos.list(matching: ["done": false], order: "-due") {
      print(todo.title)
    }
    if try await todos.count() > 0 {
      try await todos.delete(tea)
    }

    try await client.createSchema(for: Order.self)
    let ann = Customer(customerID: "ann", name: "Ann")
    let orders = client.records(of: Order.self)
    try await orders.save(
      Order(
        orderID: "o1", customer: ann,
        lines: [Line(product: "tea", quantity: 2), Line(product: "mug", quantity: 1)],
        agent: "ann"))
    if let order = try await orders.get("o1") {
      print(order.customer.name, order.lines.map(\.product))
    }

    let order = try await client.records("order").get("o1", expanding: "customer,lines")
    print(order?.related("lines")?.count ?? 0)

    let lines = client.records("line")
    let page = try await lines.page(limit: 1, order: "-quantity")
    if let next = page.next {
      let second = try await lines.page(after: next, limit: 1, order: "-quantity")
      print(second.records.count)
    }

    for group in try await lines.groups(by: "product", [.sum("quantity")]) {
      let product = try group.value("product", as: String.self) ?? ""
      print(product, group.count, try group.value("sum_quantity", as: Int.self) ?? 0)
    }

    let deletion = try await client.dryRun().records("line").delete(where: "quantity < 2")
    print(deletion.deleted)

    try await client.createSchema("page", ["title:text!", "scan:file"])
    let pages = client.records("page")
    try await pages.save(["page_id": "p1", "title": "Cover"])
    try await pages.setContent(
      "scan", of: "p1", from: URL(filePath: "/etc/passwd"), name: "cover.txt")
    if let scan = try await pages.content("scan", of: "p1") {
      for try await piece in scan where !piece.isEmpty { print(scan.file.type) }
    }

    let map = try DataMap(
      parsing: """
        {"map": "tea", "format": "xml", "schema": "product", "records": "/shop/tea",
         "fields": {"product_id": "@code", "title": "name", "price": "price"}}
        """)
    try await client.createSchema("product", ["title:text!", "price:number"])
    let text = "<shop><tea code='t1'><name>Assam</name><price>4.5</price></tea></shop>"
    let products = client.records("product")
    try await products.save(document: text.utf8, map: map)
    let document = try await products.document(map: map, where: "price < 5")
    print(String(decoding: document, as: UTF8.self))

    try await client.createSchema(for: Episode.self)
    let episodes = client.records(of: Episode.self)
    try await episodes.save(document: #"[{"episodeID": "e1", "title": "Pilot"}]"#.utf8)
    if let document = try await episodes.document(of: "e1") {
      print(String(decoding: document, as: UTF8.self))
    }

    do {
      try await people.save(["person_id": "ann", "age": "old"])
    } catch let error as DataError where error.code == .invalid {
      for problem in error.problems { print(problem.field ?? "", problem.message) }
    }
    return client
  }

  static func logIn(_ client: Client, password: String) async throws {
    try await client.logIn("ann", password: password)
  }

  static func endSessions(_ client: Client, password: String) async throws {
    try await client.logIn("ann", password: password, sessionName: "ci")
    for session in try await client.sessions(of: "ann") { print(session.name ?? "-") }
    try await client.endSessions(of: "ann", named: "ci")
  }
}

/// The program of the article `GettingStarted`, which ProductTests builds as a package of its own.
private enum Tutorial {
  struct Person: Codable, Sendable {
    var personID: RecordID
    var name: String
    var age: Int?
  }

  struct Todo: Codable, Sendable {
    var todoID: RecordID
    var title: String
    var done = false
    var due: Date?
    var owner: Reference?
  }

  static func open() async throws -> Client {
    let client = try await Client.open("sqlite:todos.db")
    return client
  }

  static func run(_ client: Client, print: (Any...) -> Void) async throws {
    try await client.createSchema(for: Person.self, ifExists: .keep)
    try await client.createSchema(
      for: Todo.self, relations: ["owner": "person"], ifExists: .keep)

    let ann = Person(personID: "ann", name: "Ann", age: 31)
    let people = client.records(of: Person.self)
    print(try await people.save(ann))

    let todos = client.records(of: Todo.self)
    try await todos.save([
      Todo(todoID: "tea", title: "Buy tea", due: Date(timeIntervalSince1970: 0), owner: "ann"),
      Todo(todoID: "mail", title: "Read mail", done: true),
    ])

    for try await todo in todos.list(where: "owner.name = 'Ann'", order: "-due") {
      print(todo.title, todo.owner?.id ?? "")
    }
    print(try await todos.count(matching: ["done": true]))

    let map = try DataMap(
      parsing: """
        {"map": "staff", "format": "json", "schema": "person", "system": {},
         "fields": {"person_id": "id", "name": "fullName", "age": "years"}}
        """)
    try await people.save(document: #"{"id": "bo", "fullName": "Bo"}"#.utf8, map: map)
    if let document = try await people.document(of: "ann", map: map) {
      print(String(decoding: document, as: UTF8.self))
    }

    try await todos.delete("mail")
    print(try await todos.delete(where: "due < now()").deleted)

    do {
      try await client.records("person").save(["person_id": "bo", "name": "Bo", "age": "old"])
    } catch {
      print(error)
    }
    await client.close()
  }
}

@Suite("Examples in the DocC articles")
struct ArticleTests {
  @Test("returns the documented results when the examples of the articles run")
  func running() async throws {
    var printed: [String] = []
    let client = try await Examples.run("memory:") { parts in
      printed.append(parts.map { "\($0)" }.joined(separator: " "))
    }
    let documents = printed.filter { $0.hasPrefix("<") || $0.hasPrefix("{") }
    #expect(documents.count == 2)
    #expect(documents.first?.contains(#"<tea code="t1"><name>Assam</name>"#) == true)
    #expect(documents.last?.hasPrefix(#"{"episodeID":"e1","title":"Pilot","#) == true)
    #expect(
      printed.filter { !documents.contains($0) } == [
        "Buy tea", "Ann [\"tea\", \"mug\"]", "2", "1", "mug 1 1", "tea 1 2", "1",
        "text/plain",
        "age expected integer, found text \"old\"",
        "name required",
      ])
    for try await person in client.records("person").list() {
      #expect(person["name"] == .text("Joseph"))
      #expect(person["age"] == .integer(26))
      #expect(person.revision == 3)
    }
    let shop = try await Shop()
    try await shop.client.records("user").save(["username": "ann", "password": "canary bird"])
    try await Examples.logIn(shop.client, password: "canary bird")
    try await Examples.endSessions(shop.client, password: "canary bird")
    // The client has ended its own session.
    #expect(try await shop.client.whoAmI() == nil)
  }

  @Test(
    "returns the documented results each time the tutorial runs")
  func tutorial() async throws {
    let folder = try TemporaryFolder()
    for _ in 1...2 {
      var printed: [String] = []
      let client = try await Client.open("sqlite:\(folder.path)/todos.db")
      try await Tutorial.run(client) { parts in
        printed.append(parts.map { "\($0)" }.joined(separator: " "))
      }
      #expect(
        printed == [
          "Person(personID: ann, name: \"Ann\", age: Optional(31))", "Buy tea ann", "1",
          #"{"id":"ann","fullName":"Ann","years":31}"# + "\n", "1",
          #"person.age: expected integer, found text "old""#,
        ])
    }
  }

  @Test(
    "this test file contains every example of the articles, line by line",
    arguments: [
      ("DataClient.md", 21), ("GettingStarted.md", 10),
    ])
  func verbatim(name: String, count: Int) throws {
    let here = URL(filePath: #filePath)
    let article = here.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/DataClient/DataClient.docc/\(name)")
    let program = lines(try String(contentsOf: here, encoding: .utf8))
    let examples = try String(contentsOf: article, encoding: .utf8)
      .components(separatedBy: "```swift\n").dropFirst()
      .map { lines($0.components(separatedBy: "```")[0]) }
      .filter { $0.first?.hasPrefix("// swift-tools-version") == false }
    #expect(examples.count == count)
    for example in examples {
      #expect(
        program.indices.contains { program[$0...].starts(with: example) }, "\(example)")
    }
  }

  /// Returns the nonempty lines, trimmed.
  private func lines(_ text: String) -> [String] {
    text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }
}

import DataClient
import DataStore
import Foundation
import TestSupport
import Testing

@Suite("Model types that contain records")
struct TreeTests {
  struct Customer: Codable, Hashable, Sendable {
    var customerID: RecordID
    var name: String
    var since: Date?
  }

  enum Size: String, Codable, CaseIterable, Sendable {
    case small
    case large
  }

  struct Product: Codable, Hashable, Sendable {
    var productID: String
    var title: String
    var size = Size.small
    var tags: [String] = []
  }

  struct Line: Codable, Hashable, Sendable {
    var lineID: RecordID?
    var product: Product
    var quantity: Int
    var substitutes: [Product] = []
  }

  struct Phone: Codable, Hashable, Sendable {
    var number: String
    var isMobile: Bool?
  }

  struct Order: Codable, Hashable, Sendable {
    var orderID: RecordID
    var customer: Customer
    var lines: [Line]
    var phones: [String: Phone] = [:]
    var giftTo: Customer?
    var agent: ReferenceTo<Customer>?
    var watchers: Set<ReferenceTo<Customer>> = []
    var size = Size.large
  }

  struct Category: Codable, Hashable, Sendable {
    var categoryID: RecordID
    var title: String?
    var children: [Category] = []
  }

  final class Link: Codable, Sendable {
    let linkID: RecordID
    let next: Link?
    let other: Link?

    init(_ id: String, next: Link?, other: Link? = nil) {
      linkID = RecordID(id)
      self.next = next
      self.other = other
    }
  }

  private let ann = Customer(customerID: "ann", name: "Ann", since: Date(timeIntervalSince1970: 0))
  private let tea = Product(productID: "tea", title: "Tea", size: .large, tags: ["hot"])
  private let mug = Product(productID: "mug", title: "Mug")

  private func client(_ store: any Store = MemoryStore()) async throws -> Client {
    let choice = try StoreChoice.find(option: "memory:", in: Shop.environment())
    let client = Client(store, choice: choice, in: Shop.environment())
    try await client.createSchema(for: Order.self)
    return client
  }

  private var order: Order {
    Order(
      orderID: "o1", customer: ann,
      lines: [
        Line(lineID: "l2", product: mug, quantity: 2),
        Line(lineID: "l1", product: tea, quantity: 1, substitutes: [mug, tea]),
      ],
      phones: ["home": Phone(number: "1"), "work": Phone(number: "2", isMobile: true)],
      agent: "ann", watchers: ["ann"])
  }

  @Test("creates schemas for a model type and its nested model types")
  func schemas() async throws {
    let client = try await client()
    #expect(
      try await client.schemas().map(\.name) == ["customer", "line", "order", "product"])
    let customer = Relation(to: "customer")
    #expect(
      try await client.schema("order").fields == [
        Field("order_id", .id), Field("customer", .relation(customer), isRequired: true),
        Field("lines", .relation(Relation(to: "line", isMany: true))),
        Field("phones", .json, isRequired: true), Field("gift_to", .relation(customer)),
        Field("agent", .relation(customer)),
        Field("watchers", .relation(Relation(to: "customer", isMany: true))),
        Field("size", .text, isRequired: true, oneOf: [.text("small"), .text("large")]),
      ])
    #expect(
      try await client.schema("line").fields.map(\.type) == [
        .id, .relation(Relation(to: "product")), .integer,
        .relation(Relation(to: "product", isMany: true)),
      ])
  }

  @Test("creates only the schemas of nested types that do not exist yet")
  func existingSchemas() async throws {
    let client = try await Client.open("memory:", in: Shop.environment())
    let product = try await client.createSchema("product", ["title:text!", "weight:number"])
    try await client.createSchema(for: Line.self)
    #expect(try await client.schema("product") == product)
    let error = try await problem { try await client.createSchema(for: Line.self) }
    #expect(error.code == .exists)
    try await client.createSchema(for: Order.self, ifExists: .migrate)
    #expect(try await client.schema("product") == product)
  }

  @Test("reads back an instance that was saved together with nested records")
  func roundTrip() async throws {
    let client = try await client()
    #expect(try await client.records(of: Order.self).save(order) == order)
    let record = try #require(try await client.records("order").get("o1"))
    #expect(record["lines"] == .list([.text("l2"), .text("l1")]))
    #expect(record["agent"] == .text("ann"))
    #expect(try await client.records(of: Order.self).get("o1") == order)
    #expect(try await client.records(of: Order.self).get(["o1"]) == [order])
    #expect(try await client.records(of: Order.self).get("o2") == nil)
    #expect(try await client.records(of: Product.self).get("tea") == tea)
    let missing = try await problem {
      _ = try await client.records(of: Order.self).get(["o1", "o2"])
    }
    #expect(
      missing
        == DataError(
          Problem(.notFound, "there is no such record", schema: "order", id: "o2")))

    var changed = order
    changed.customer.name = "Anna"
    changed.giftTo = Customer(customerID: "bo", name: "Bo")
    changed.lines.removeFirst()
    changed.lines[0].quantity = 5
    try await client.records(of: Order.self).save([changed])
    var listed: [Order] = []
    for try await order in client.records(of: Order.self).list(where: "customer.name = 'Anna'") {
      listed.append(order)
    }
    #expect(listed == [changed])
    #expect(try await client.records("customer").get("ann")?.revision == 2)
    #expect(try await client.records("product").get("tea")?.revision == 1)
    #expect(try await client.records("line").get("l2") != nil)
    #expect(try await client.records(of: Order.self).delete(changed).deleted == 1)
    #expect(try await client.records("line").count() == 2)
  }

  @Test("saves and reads nested records in arrays, sets, optionals and wrapper types")
  func containers() async throws {
    struct Wrapper: Codable, Hashable, Sendable {
      var product: Product

      init(_ product: Product) { self.product = product }

      init(from decoder: any Decoder) throws {
        product = try decoder.singleValueContainer().decode(Product.self)
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(product)
      }
    }
    struct Tag: Codable, Hashable, Sendable {
      var tagID: String
    }
    struct Box: Codable, Hashable, Sendable {
      var boxID: String
      var set: Set<Product>
      var optionals: [Product?]
      var none: [Product]?
      var wrapper: Wrapper
      var tag: Tag
      var json: [[Product]]
    }
    let client = try await Client.open("memory:", in: Shop.environment())
    try await client.createSchema("tag", ["label:text"])
    try await client.records("tag").save(["tag_id": "t", "label": "Tag"])
    try await client.createSchema(for: Box.self, relations: ["wrapper": "product"])
    let schema = try await client.schema("box")
    #expect(
      schema.fields.map(\.type.name) == [
        "id", "relation", "relation", "relation", "relation", "relation", "json",
      ])
    var box = Box(
      boxID: "b", set: [tea, mug], optionals: [mug, tea], wrapper: Wrapper(tea),
      tag: Tag(tagID: "t"), json: [[tea], []])
    try await client.records(of: Box.self).save(box)
    box.none = []
    #expect(try await client.records(of: Box.self).get("b") == box)
    #expect(try await client.records("tag").get("t")?.revision == 1)
  }

  @Test("saves and reads the parts of a record, and deletes those that a value no longer contains")
  func parts() async throws {
    struct Note: Codable, Hashable, Sendable {
      var noteID: RecordID?
      var text: String
    }
    struct Piece: Codable, Hashable, Sendable {
      var pieceID: RecordID?
      var title: String
      var notes: [Note]?
    }
    struct Box: Codable, Hashable, Sendable {
      var boxID: RecordID
      var label: String?
      var pieces: [Piece]
      var revision: Int?
    }
    let client = try await client()
    try await client.createSchema("box", ["label:text"])
    try await client.createSchema(
      "piece", ["box:box:pieces:owned", "title:text!"])
    try await client.createSchema("note", ["piece:piece:notes:owned", "text:text!"])
    let boxes = client.records(of: Box.self)
    let a = Piece(pieceID: "a", title: "A", notes: [Note(noteID: "n", text: "x")])
    let b = Piece(pieceID: "b", title: "B", notes: [])
    let saved = try await boxes.save(Box(boxID: "1", pieces: [b, a]))
    #expect(saved.revision == 1 && saved.pieces == [b, a])
    var box = try #require(try await boxes.get("1"))
    #expect(box == Box(boxID: "1", pieces: [a, b], revision: 1))
    box.pieces = [Piece(pieceID: "b", title: "C"), Piece(title: "D", notes: [])]
    #expect(try await boxes.save(box).revision == 2)
    var found: [Box] = []
    for try await box in boxes.list() { found.append(box) }
    #expect(found.count == 1 && found[0].pieces.map(\.title).sorted() == ["C", "D"])
    #expect(try await client.records("note").count() == 0)
    await #expect(throws: DataError.self) { try await boxes.save(box) }
    let page = try await boxes.page(limit: 1)
    #expect(page.records == found)
    do {
      box.pieces = [Piece(title: "E", notes: [Note(text: "y")]), Piece(pieceID: "", title: "F")]
      box.revision = nil
      try await boxes.save(box)
      Issue.record("an invalid id was saved")
    } catch let error as DataError {
      #expect(error.problems.map(\.path) == ["$.pieces[1]"])
    }
  }

  @Test("assigns ids to new nested records")
  func newIDs() async throws {
    let client = try await client()
    var order = order
    order.lines[0].lineID = nil
    try await client.records(of: Order.self).save(order)
    let record = try #require(try await client.records("order").get("o1"))
    let found = try #require(try await client.records(of: Order.self).get("o1"))
    let id = try #require(found.lines[0].lineID)
    #expect(record["lines"] == .list([.text(id.text), .text("l1")]))
    order.lines[0].lineID = id
    #expect(found == order)
  }

  @Test("reads each level of a tree with one query for each type")
  func queries() async throws {
    let store = ReadCounting(MemoryStore())
    let client = try await client(store)
    try await client.records(of: Order.self).save(
      (1...3).map { number in
        var order = order
        order.orderID = RecordID("o\(number)")
        order.giftTo = number == 2 ? Customer(customerID: "bo", name: "Bo") : nil
        return order
      })
    _ = store.takeReads()
    var count = 0
    for try await order in client.records(of: Order.self).list() {
      #expect(order.lines.map(\.product.title) == ["Mug", "Tea"])
      count += 1
    }
    #expect(count == 3)
    #expect(store.takeReads() == ["order", "customer", "line", "product"])
    _ = try await client.records(of: Order.self).get("o2")
    #expect(store.takeReads() == ["order", "customer", "line", "product"])
    _ = try await client.records(of: Customer.self).get("ann")
    for try await _ in client.records(of: Product.self).list() {}
    #expect(store.takeReads() == ["customer", "product"])
  }

  @Test(
    "fetches nested records with queries for at most 2,000 ids each",
    arguments: ["memory:", "sqlite"])
  func streaming(engine: String) async throws {
    let folder = try TemporaryFolder()
    let address = engine == "sqlite" ? "sqlite:\(folder.path)/shop.db" : engine
    let opened = try await Client.open(address, in: Shop.environment())
    let store = ReadCounting(try opened.store)
    let client = Client(store, choice: opened.choice, in: Shop.environment())
    try await client.createSchema(for: Category.self)
    let children = (0..<100).map { Category(categoryID: RecordID("c\($0)"), title: "C\($0)") }
    let parents = (10..<35).map {
      Category(categoryID: RecordID("p\($0)"), title: "P", children: children)
    }
    #expect(
      try await client.records(of: Category.self).save(parents).map(\.categoryID)
        == parents.map(\.categoryID))
    _ = store.takeReads()
    var found: [Category] = []
    for try await category in client.records(of: Category.self).list(where: "title = 'P'") {
      found.append(category)
    }
    #expect(found == parents)
    #expect(store.takeReads() == ["category", "category", "category"])
    #expect(
      try await client.records(of: Category.self).get(["p12", "p11"]) == [parents[2], parents[1]])
    #expect(try await client.records(of: Category.self).count() == 125)
    await client.close()
  }

  @Test("saves and reads a recursive type with up to 32 levels, and rejects deeper trees")
  func recursion() async throws {
    let client = try await Client.open("memory:", in: Shop.environment())
    try await client.createSchema(for: Category.self)
    func chain(_ depth: Int) -> Category {
      (1...depth).reversed().reduce(Category(categoryID: "end")) { child, number in
        Category(
          categoryID: RecordID("c\(number)"), title: "C",
          children: child.categoryID == "end" ? [] : [child])
      }
    }
    try await client.records(of: Category.self).save(chain(32))
    #expect(try await client.records(of: Category.self).get("c1") == chain(32))
    let tooDeep = try await problem { try await client.records(of: Category.self).save(chain(33)) }
    let path = "$" + String(repeating: ".children[0]", count: 32)
    var expected = Problem(.invalid, "the tree is deeper than 32 records", schema: "category")
    expected.path = path
    #expect(tooDeep == DataError(expected))
    try await client.records("category").save(["category_id": "c32", "children": ["c1"]])
    let cycle = try await problem { _ = try await client.records(of: Category.self).get("c1") }
    expected = Problem(
      .invalid, "the tree is deeper than 32 records", schema: "category", id: "c32",
      field: "children")
    expected.path = "$" + String(repeating: ".children[0]", count: 31)
    #expect(cycle == DataError(expected))
  }

  @Test("reads a record only once when several records refer to it")
  func sharing() async throws {
    let store = ReadCounting(MemoryStore())
    let client = try await client(store)
    try await client.createSchema(for: Link.self)
    let last = Link("d", next: nil)
    try await client.records(of: Link.self).save(
      Link("a", next: Link("b", next: last), other: Link("c", next: last)))
    _ = store.takeReads()
    let found = try #require(try await client.records(of: Link.self).get("a"))
    #expect(found.next?.next?.linkID == "d" && found.other?.next?.linkID == "d")
    #expect(found.next?.other == nil && found.next?.next?.next == nil)
    #expect(store.takeReads() == ["link", "link", "link"])
  }

  /// Types whose values can be invalid, and their schemas.
  private enum Loose {
    struct Product: Codable, Sendable {
      var productID: String
      var title: String?
      var weight: Double?
      var revision: Int?
    }

    struct Line: Codable, Sendable {
      var lineID: String
      var product: Product?
      var extra: [String: Double]?
    }

    struct Order: Codable, Sendable {
      var orderID: String
      var lines: [Line]
    }

    static func client() async throws -> Client {
      let client = try await Client.open("memory:", in: Shop.environment())
      try await client.createSchema("product", ["title:text!", "weight:number"])
      try await client.createSchema("line", ["product:product", "extra:json"])
      try await client.createSchema("order", ["lines:line+"])
      return client
    }

    static func order(_ id: String, _ products: Product...) -> Order {
      Order(
        orderID: id,
        lines: products.enumerated().map { index, product in
          Line(lineID: "\(id)-\(index)", product: product)
        })
    }
  }

  @Test("reports the paths of all invalid nested records, and saves nothing")
  func invalidRecords() async throws {
    let client = try await Loose.client()
    let valid = Loose.order("o1", Loose.Product(productID: "tea", title: "Tea"))
    var invalid = Loose.order(
      "o2", Loose.Product(productID: "mug", title: nil),
      Loose.Product(productID: "a b\n", title: "A", weight: .infinity))
    invalid.lines[0].extra = ["a": .nan]
    let error = try await problem {
      try await client.records(of: Loose.Order.self).save([valid, invalid])
    }
    let invalidID =
      #"expected an id of 1 to 255 bytes without control characters, found "a b\u000a""#
    #expect(
      error.problems.map { "\($0.path ?? "-") \($0.field ?? "-"): \($0.message)" } == [
        "$.lines[0] extra: record 2: expected a finite number, found nan",
        "$.lines[1].product weight: record 2: expected a finite number, found inf",
        "$.lines[0].product title: record 2: expected a value, found null",
        "$.lines[1].product product_id: record 2: \(invalidID)",
        "$.lines[1] product: record 2: \(invalidID)",
      ])
    #expect(error.problems.allSatisfy { $0.line == nil && $0.file == nil })
    for schema in ["order", "line", "product"] {
      #expect(try await client.records(schema).count() == 0)
    }
    let single = try await problem {
      try await client.records(of: Loose.Order.self).save(
        Loose.order("o3", Loose.Product(productID: "x", title: nil)))
    }
    #expect(
      single.description == "$.lines[0].product.title: expected a value, found null")
  }

  @Test("rejects a record that occurs twice in one tree with different values")
  func contradiction() async throws {
    let client = try await Loose.client()
    let error = try await problem {
      try await client.records(of: Loose.Order.self).save(
        Loose.order(
          "o1", Loose.Product(productID: "tea", title: "Tea"),
          Loose.Product(productID: "tea", title: "Mug")))
    }
    #expect(
      error.description == """
        $.lines[1].product: the record occurs twice with different values, first at $.lines[0].product
          to refer to a record without changing it, write only its id
        """)
  }

  @Test("fails with a conflict when the revision of a nested record is outdated")
  func conflict() async throws {
    let client = try await Loose.client()
    var order = Loose.order("o1", Loose.Product(productID: "tea", title: "Tea"))
    try await client.records(of: Loose.Order.self).save(order)
    order = try #require(try await client.records(of: Loose.Order.self).get("o1"))
    #expect(order.lines[0].product?.revision == 1)
    try await client.records("product").save(["product_id": "tea", "title": "Green tea"])
    order.lines[0].product?.title = "Black tea"
    let error = try await problem { try await client.records(of: Loose.Order.self).save(order) }
    #expect(error.problems.map(\.code) == [.changed])
    #expect(error.problems.map(\.path) == ["$.lines[0].product"])
  }

  @Test("reports the path of a nested record with a value that cannot be decoded")
  func undecodable() async throws {
    struct Product: Codable, Sendable {
      var productID: String
      var title: String
      var weight: Int8?
    }
    struct Line: Codable, Sendable {
      var lineID: String
      var product: Product
      var extra: [String: Int]?
    }
    struct Order: Codable, Sendable {
      var orderID: String
      var lines: [Line]
    }
    let client = try await Client.open("memory:", in: Shop.environment())
    try await client.createSchema("product", ["title:text!", "weight:integer"])
    try await client.createSchema("line", ["product:product!", "extra:json"])
    try await client.createSchema("order", ["lines:line+"])
    try await client.records("product").save(["product_id": "tea", "title": "Tea", "weight": 1000])
    try await client.records("line").save(
      [["line_id": "l0", "product": "tea"], ["line_id": "l1", "product": "tea"]])
    try await client.records("order").save(["order_id": "o1", "lines": ["l0", "l1"]])
    let weight = try await problem { _ = try await client.records(of: Order.self).get("o1") }
    var expected = Problem(
      .invalid, "expected Int8, found number 1000", schema: "product", id: "tea", field: "weight")
    expected.path = "$.lines[0].product"
    #expect(weight == DataError(expected))
    try await client.records("product").save(["product_id": "tea", "weight": 100])
    try await client.records("line").save(
      ["line_id": "l1", "product": "tea", "extra": ["a": "x"]])
    let extra = try await problem { _ = try await client.records(of: Order.self).get("o1") }
    expected = Problem(
      .invalid, "a: expected Int, found text \"x\"", schema: "line", id: "l1", field: "extra")
    expected.path = "$.lines[1]"
    #expect(extra == DataError(expected))
  }

  @Test("reports every property, also of nested types, that does not fit its schema")
  func mismatches() async throws {
    struct Customer: Codable, Sendable {
      var customerID: String
      var name: Int
      var since: String
    }
    struct Order: Codable, Sendable {
      var orderID: String
      var customer: [Customer]
      var lines: Line
      var giftTo: Customer?
      var agent: ReferenceTo<Product>?
      var watchers: [String: Customer]
    }
    let client = try await client()
    let error = try await problem { _ = try await client.records(of: Order.self).get("o1") }
    #expect(
      error.problems.map { "\($0.schema ?? "") \($0.message)" } == [
        "order Order.customer: the field is relation, and Array<Customer> cannot store its values",
        "order Order.lines: the field is relation, and Line cannot store its values",
        "customer Customer.name: the field is text, and Int cannot store its values",
        "customer Customer.since: the field is datetime, and String cannot store its values",
        "order Order.agent: the field is relation, and ReferenceTo<Product> cannot store its values",
        "order Order.watchers: the field is relation, and Dictionary<String, Customer> cannot store its values",
      ])
  }

  @Test("saves a nested enum property when `one_of` lists the raw values of the enum")
  func nestedEnum() async throws {
    enum Level: String, Codable {
      case low
      case high
    }
    struct Customer: Codable, Sendable {
      var customerID: String
      var level: Level
    }
    struct Order: Codable, Sendable {
      var orderID: String
      var customer: Customer
      var products: [Product]
    }
    var customer = SchemaDraft(name: "customer")
    customer.fields = [
      .init(Field("customer_id", .id)),
      .init(Field("level", .text, isRequired: true, oneOf: [.text("low"), .text("high")])),
    ]
    let client = try await Client.open("memory:", in: Shop.environment())
    let schema = try Schema(checking: customer)
    try await client.apply { stored throws(DataError) in
      try SchemaPlan(from: stored, to: [schema], reading: .partial)
    }
    try await client.createSchema(for: Product.self)
    try await client.createSchema("order", ["customer:customer!", "products:product+"])
    try await client.records(of: Order.self).save(
      Order(orderID: "o1", customer: Customer(customerID: "c", level: .high), products: [tea]))
    let found = try #require(try await client.records(of: Order.self).get("o1"))
    #expect(found.customer.level == .high && found.products == [tea])
  }

  @Test("explains why nested records cannot be saved or read when an enum is not CaseIterable")
  func unknownProperties() async throws {
    enum Level: String, Codable {
      case low
    }
    struct Order: Codable, Sendable {
      var orderID: String
      var level: Level
      var products: [Product]
    }
    let client = try await Client.open("memory:", in: Shop.environment())
    try await client.createSchema(for: Product.self)
    try await client.createSchema("order", ["level:text!", "products:product+"])
    let saving = try await problem {
      try await client.records(of: Order.self).save(
        Order(orderID: "o1", level: .low, products: [tea]))
    }
    #expect(
      saving.description == """
        order.products: cannot save nested records: decoding a sample failed after the property level
          make the type of level CaseIterable
        """)
    try await client.records(of: Product.self).save(tea)
    let record = try await client.records("order").save(
      ["order_id": "o1", "level": "low", "products": ["tea"]])
    let reading = try await problem { _ = try await client.records(of: Order.self).get("o1") }
    #expect(
      reading.description == """
        order.products: expected an object, found text "tea"
          decode the type with get or list, and make the enum types of the properties before this \
        one CaseIterable
        """)
    #expect(try await problem { _ = try record.decode(Order.self) } == reading)
  }

  @Test("accepts only ids for relations, not nested records, when an instance is saved in a batch")
  func batch() async throws {
    let client = try await client()
    let error = try await problem {
      try await client.batch { try $0.save(Line(product: tea, quantity: 1)) }
    }
    #expect(error.problems.map(\.field) == ["product"])
    #expect(error.problems.map(\.message) == ["expected an id, found an object"])
  }

  @Test("keeps the password of a nested user when the password property is nil")
  func users() async throws {
    struct User: Codable, Sendable {
      var username: String
      var password: String?
      var email: String?
    }
    struct Note: Codable, Sendable {
      var noteID: String
      var author: User
    }
    let client = try await Client.open("memory:", in: Shop.environment())
    try await client.createSchema(for: Note.self)
    #expect(try await client.schema("user").kind == .user)
    try await client.records(of: Note.self).save(
      Note(noteID: "n", author: User(username: "ann", password: "canary bird", email: "a@b.c")))
    var note = try #require(try await client.records(of: Note.self).get("n"))
    #expect(note.author.password == nil)
    note.author.email = nil
    try await client.records(of: Note.self).save(note)
    #expect(try await client.records("user").get("ann")?["email"] == .null)
    #expect(try await client.logIn("ann", password: "canary bird").user == "ann")
  }
}

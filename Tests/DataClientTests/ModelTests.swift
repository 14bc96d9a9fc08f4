import DataClient
import Foundation
import Testing

@Suite("Saving and reading Swift model types")
struct ModelTests {
  struct Person: Codable, Hashable, Sendable {
    var personID: RecordID
    var name: String
    var age: Int?
  }

  struct Todo: Codable, Hashable, Sendable {
    var todoID: String
    var title: String
    var done = false
    var due: Date?
    var tags: [String]?
    var assignee: Reference?
    var steps: [Reference] = []
    var revision: Int?
  }

  enum Color: String, Codable, Sendable {
    case red
    case green
  }

  struct Settings: Codable, Hashable, Sendable {
    var volume: Double
    var colour: Color
    var names: [String: Int]
    var seen: Date?
  }

  struct Sample: Codable, Hashable, Sendable {
    var sampleID: UUID
    var text: URL?
    var integer: UInt8?
    var number: Float?
    var boolean: Bool?
    var date: CalendarDate?
    var datetime: Timestamp?
    var geopoint: GeoPoint?
    var file: FileReference?
    var json: Settings?
    var one: Reference?
    var many: [RecordID]
    var texts: [Color]?
    var integers: [Int]?
    var numbers: Set<Double>?
    var booleans: [Bool]?
    var dates: [CalendarDate]?
    var datetimes: [Date]?
    var createdAt: Date?
  }

  struct Member: Codable, Sendable, Recorded {
    static var schema: String { "user" }
    var username: String
    var password: String?
    var email: Data?
  }

  @Test("converts timestamps to dates and back")
  func timestamps() throws {
    for microseconds: Int64 in [0, -1, 1_500_000, 1_795_000_000_123_456, -62_135_596_800_000_000] {
      let time = try #require(Timestamp(microseconds: microseconds))
      #expect(Timestamp(Date(time)) == time)
    }
    #expect(Timestamp(Date(timeIntervalSince1970: 1.25))?.microseconds == 1_250_000)
    #expect(Timestamp(Date.distantFuture) == nil || Date.distantFuture < Date(Timestamp.latest))
    #expect(Timestamp(Date(timeIntervalSince1970: 1e300)) == nil)
    #expect(Timestamp(Date(timeIntervalSince1970: .nan)) == nil)
  }

  @Test("saves and decodes an instance without loss")
  func roundTrip() async throws {
    let client = try await Shop().client
    let ann = Person(personID: .new(), name: "Ann", age: 31)
    #expect(try await client.records(of: Person.self).save(ann) == ann)
    #expect(try await client.records(of: Person.self).get(ann.personID.text) == ann)
    #expect(try await client.records(of: Person.self).get("unknown") == nil)

    let id = try #require(UUID(uuidString: "0190163D-8694-739B-AEA5-966C26F8AD91"))
    let when = try #require(Timestamp(microseconds: 1_795_143_900_123_456))
    var sample = Sample(sampleID: id, many: [ann.personID])
    #expect(try await saved(sample, client) == sample)
    sample.text = URL(string: "https://example.org/a?b=c")
    sample.integer = 255
    sample.number = 1.5
    sample.boolean = false
    sample.date = CalendarDate(year: 2024, month: 2, day: 29)
    sample.datetime = when
    sample.geopoint = try GeoPoint(latitude: -1.5, longitude: 180)
    sample.json = Settings(
      volume: 1, colour: .green, names: ["a": 1], seen: Date(timeIntervalSince1970: 1.5))
    sample.one = Reference(ann.personID)
    sample.texts = [.red, .green, .red]
    sample.integers = [.min, .max]
    sample.numbers = [0.1, .leastNonzeroMagnitude]
    sample.booleans = [true, false]
    sample.dates = [.earliest, .latest]
    sample.datetimes = [Date(timeIntervalSince1970: 0)]
    #expect(try await saved(sample, client) == sample)
    let stored = try #require(try await client.records("sample").get(id.uuidString.lowercased()))
    #expect(stored["date"] == sample.date.map { .date($0) })
    #expect(stored["datetime"] == .datetime(when))
    #expect(
      stored["json"]
        == .json(
          #"{"volume":1,"colour":"green","names":{"a":1},"seen":"1970-01-01T00:00:01.500Z"}"#)
        || stored["json"]
          == .json(
            #"{"volume":1.0,"colour":"green","names":{"a":1},"seen":"1970-01-01T00:00:01.500Z"}"#)
    )
  }

  /// Saves a sample and returns it as decoded, without its system fields.
  private func saved(_ sample: Sample, _ client: Client) async throws -> Sample? {
    try await client.records(of: Sample.self).save(sample)
    var found = try await client.records(of: Sample.self).get(
      sample.sampleID.uuidString.lowercased())
    #expect(found?.createdAt != nil)
    found?.createdAt = nil
    return found
  }

  @Test("stores Foundation's Decimal and DecimalValue without rounding")
  func decimals() async throws {
    struct Price: Codable, Hashable, Sendable {
      var priceID: String
      var amount: Decimal
      var exact: DecimalValue?
    }
    let client = try await Client.open("memory:", in: Shop.environment())
    try await client.createSchema("price", ["amount:decimal:18,4!", "exact:decimal:18,2"])
    for text in ["0.1", "-12345678901234.5678", "99999999999999.9999", "0"] {
      let price = Price(
        priceID: "a", amount: try #require(Decimal(string: text)), exact: DecimalValue("12.50"))
      try await client.records(of: Price.self).save(price)
      #expect(try await client.records(of: Price.self).get("a") == price)
    }
    let largest = String(repeating: "9", count: 38)
    for text in ["12.50", "-0.01", "18446744073709551616.5", largest, "-0.\(largest)", "0"] {
      let value = try #require(DecimalValue(text))
      #expect(Decimal(value) == Decimal(string: text))
      #expect(DecimalValue(exactly: Decimal(value)) == value)
    }
    #expect(DecimalValue(exactly: .nan) == nil)
    #expect(DecimalValue(exactly: Decimal(string: "1e60") ?? 0) == nil)
    await #expect(throws: DataError.self) {
      try await client.records(of: Price.self).save(Price(priceID: "a", amount: .nan))
    }
  }

  @Test("keeps all 18 digits of decimals in models, drafts, queries, groups and documents")
  func decimalDigits() async throws {
    struct Price: Codable, Hashable, Sendable, Mapped {
      static let map = DataMap.builtIn(named: "camel")!
      var priceID: String
      var n: Decimal
      var f: DecimalValue
    }
    let client = try await Client.open("memory:", in: Shop.environment())
    try await client.createSchema("price", ["n:decimal:18,0!", "f:decimal:18,18!"])
    let (n, f) = ("123456789012345678", "0.123456789012345678")
    let number = try #require(Decimal(string: n))
    let integer = try #require(Int64(n))
    let fraction = try #require(DecimalValue(f))
    let price = Price(priceID: "a", n: number, f: fraction)
    try await client.records(of: Price.self).save([
      price, Price(priceID: "b", n: -number, f: -fraction),
    ])
    #expect(try await client.records(of: Price.self).get("a") == price)
    #expect(try await client.records(of: Price.self).get("b")?.n == -number)
    try await client.records("price").save(
      ["price_id": "c", "n": .integer(integer), "f": .decimal(fraction)] as Draft)
    #expect(try await client.records(of: Price.self).get("c")?.f == fraction)
    let one = try #require(DecimalValue("0.000000000000000001"))
    try await client.records("price").save(
      ["price_id": "c", "n": .add(1), "f": .add(-one)] as Draft)
    let changed = try #require(try await client.records("price").get("c"))
    #expect(changed["n"] == .decimal(DecimalValue(123_456_789_012_345_679)))
    #expect(try changed.value("f", as: DecimalValue.self) == fraction - one)
    #expect(try await client.records("price").save(changed.draft).revision == changed.revision)
    for (condition, matching) in [
      ("f = :f and n = :n", [:]), ("", ["f": .decimal(fraction)]),
      ("n + f = 123456789012345678.123456789012345678", [:]),
    ] as [(String, [String: DraftValue])] {
      let parameters: [String: DraftValue] =
        condition.contains(":")
        ? ["f": .decimal(fraction), "n": .decimal(DecimalValue(integer))] : [:]
      #expect(
        try await client.records("price").count(
          where: condition, matching: matching, parameters: parameters) == 1)
    }
    let groups = try await client.records("price").groups(by: "f", [.sum("n")], order: "f")
    #expect(
      try groups.map { try $0.value("f", as: DecimalValue.self) } == [
        -fraction, fraction - one, fraction,
      ])
    #expect(try groups[0].value("sum_n", as: Decimal.self) == -number)
    let page = try await client.records("price").page(limit: 1, order: "-f * 1")
    #expect(page.records.map(\.id) == ["a"])
    let second = try await client.records(of: Price.self).page(
      after: page.next, limit: 1, order: "-f * 1")
    #expect(second.records.map(\.f) == [fraction - one])
    let document = try await client.records(of: Price.self).document(order: "f")
    #expect(
      String(decoding: document, as: UTF8.self).contains(#""n":-\#(n),"f":-\#(f)"#))
    try await client.records(of: Price.self).save(document: document)
    #expect(try await client.records("price").get("a")?.revision == 1)
    let json = try JSONEncoder().encode(price)
    #expect(try JSONDecoder().decode(Price.self, from: json) == price)
  }

  @Test("rounds a date to the nearest microsecond")
  func dateRounding() async throws {
    let client = try await Shop().client
    let id = try #require(UUID(uuidString: "0190163D-8694-739B-AEA5-966C26F8AD91"))
    var sample = Sample(sampleID: id, many: [])
    sample.datetimes = [0.6e-6, 0.4e-6, -0.6e-6, -0.4e-6].map {
      Date(timeIntervalSinceReferenceDate: $0)
    }
    try await client.records(of: Sample.self).save(sample)
    let stored = try #require(try await client.records("sample").get(id.uuidString.lowercased()))
    let times = try [1, 0, -1, 0].map { offset in
      try #require(Timestamp(microseconds: 978_307_200_000_000 + offset))
    }
    #expect(stored["datetimes"] == .list(times.map { .datetime($0) }))
  }

  @Test("clears a field when the property of the saved instance is nil")
  func clearing() async throws {
    let client = try await Shop().client
    var ann = Person(personID: "ann", name: "Ann", age: 31)
    try await client.records(of: Person.self).save(ann)
    ann.age = nil
    #expect(try await client.records(of: Person.self).save(ann).age == nil)
    try await client.records(of: Person.self).save(ann)
    let record = try #require(try await client.records("person").get("ann"))
    #expect(record["age"] == .null)
    #expect(record.revision == 2)
  }

  @Test("rejects saving an instance with an outdated revision, and reports a conflict")
  func precondition() async throws {
    let client = try await Shop().client
    try await client.records(of: Todo.self).save(Todo(todoID: "t", title: "tea"))
    var mine = try #require(try await client.records(of: Todo.self).get("t"))
    #expect(mine.revision == 1)
    try await client.records("todo").save(["todo_id": "t", "title": "milk"])
    mine.title = "coffee"
    let error = try await problem { try await client.records(of: Todo.self).save(mine) }
    #expect(error.code == .changed)
  }

  @Test("saves several instances at once and lists them in order")
  func listing() async throws {
    let client = try await Shop().client
    let todos = (0..<3).map { number in
      Todo(
        todoID: "t\(number)", title: "title", done: number == 1,
        due: Date(timeIntervalSince1970: Double(number)))
    }
    let saved = try await client.records(of: Todo.self).save(todos)
    #expect(saved.map(\.todoID) == ["t0", "t1", "t2"])
    var found: [String] = []
    for try await todo in client.records(of: Todo.self).list(
      matching: ["done": false], order: "-due")
    {
      found.append(todo.todoID)
    }
    #expect(found == ["t2", "t0"])
  }

  @Test("keeps a password, which is decoded as nil, when the instance is saved again")
  func password() async throws {
    let client = try await Shop().client
    let saved = try await client.records(of: Member.self).save(
      Member(username: "ann", password: "canary bird", email: Data("abc".utf8)))
    #expect(saved.password == nil)
    #expect(try await client.records("user").get("ann")?["email"] == .text("YWJj"))
    var ann = try #require(try await client.records(of: Member.self).get("ann"))
    #expect(ann.password == nil)
    #expect(ann.email == Data("abc".utf8))
    ann.email = nil
    try await client.records(of: Member.self).save(ann)
    #expect(try await client.logIn("ann", password: "canary bird").user == "ann")
  }

  @Test("gets, counts and deletes records of a model type")
  func typedCalls() async throws {
    let client = try await Shop().client
    try await client.records(of: Todo.self).save(
      (1...6).map { Todo(todoID: "t\($0)", title: "tea", done: $0 > 4) })
    #expect(
      try await client.records(of: Todo.self).get(["t2", "t1"]).map(\.todoID) == ["t2", "t1"])
    #expect(try await client.records(of: Todo.self).count() == 6)
    #expect(
      try await client.records(of: Todo.self).count(where: "done = :d", parameters: ["d": true])
        == 2)
    let first = try #require(try await client.records(of: Todo.self).get("t1"))
    #expect(try await client.records(of: Todo.self).delete(first).deleted == 1)
    let stale = try #require(try await client.records(of: Todo.self).get("t2"))
    try await client.records("todo").save(["todo_id": "t2", "title": "milk"])
    let conflict = try await problem { try await client.records(of: Todo.self).delete(stale) }
    #expect(conflict.code == .changed)
    try await client.records(of: Todo.self).delete(Todo(todoID: "t2", title: ""))
    try await client.records(of: Todo.self).delete("t3", revision: 1)
    #expect(try await client.records(of: Todo.self).delete(matching: ["done": true]).deleted == 2)
    try await client.records(of: Todo.self).delete(["t4"])
    #expect(try await client.records(of: Todo.self).deleteAll().deleted == 0)
  }
}

import DataModel
import DataStore
import SQLiteStore
import Testing

@Suite("SQLite: query plans")
struct ExplainTests {
  private static let town = Result {
    try Schema.test("town", Field("name", .text), Field("place", .geopoint), indexes: [["name"]])
  }
  private static let item = Result {
    try Schema.test(
      "item", Field("title", .text), Field("stock", .integer), Field("due", .datetime),
      Field("done", .boolean), Field("place", .geopoint),
      Field("town", .relation(Relation(to: "town"))),
      Field("towns", .relation(Relation(to: "town", isMany: true))), Field("tags", .array(.text)),
      indexes: [["title"], ["stock", "-due"], ["done", "due"]])
  }

  private let folder: TestFolder
  private let store: SQLiteStore
  private let schema: Schema

  init() async throws {
    folder = try TestFolder()
    schema = try Self.item.get()
    store = try folder.open()
    try await store.createSchemas([try Self.town.get(), schema])
  }

  private func explanation(
    _ condition: Condition, order: String..., bound: Query.Bound? = nil, limit: Int? = nil
  ) async throws -> Explanation {
    try await store.explain(
      Query(
        schema, where: condition, order: order.map(OrderTerm.init(text:)), bound: bound,
        limit: limit, slots: [0, 1]))
  }

  private func isSearch(_ condition: Condition, _ detail: String) async throws -> Bool {
    try await explanation(condition).steps.contains {
      $0.contains("SEARCH") && $0.contains(detail)
    }
  }

  @Test("uses an index for comparisons, lists of values and patterns that begin with text")
  func searches() async throws {
    let title = { (criterion: Criterion) in Condition.test(FieldPath("title"), criterion) }
    let values = (0..<200).map { Value.text("t\($0)") }
    for criterion: Criterion in [
      .compare(.equal, .text("x")), .compare(.less, .text("x")), .between(.text("a"), .text("b")),
      .isIn([.text("a"), .text("b")]), .isIn(values), .isNull,
      .like(try LikePattern("ab%")), .like(try LikePattern("ab%c_")), .like(try LikePattern("ab")),
    ] {
      #expect(try await isSearch(title(criterion), "item.title"), "\(criterion)")
      let both = Condition.and([title(criterion), .test(FieldPath("tags"), .isEmpty)])
      #expect(try await isSearch(both, "item.title"), "\(criterion)")
    }
    #expect(try await !isSearch(title(.like(try LikePattern("%b"))), "item.title"))
  }

  @Test("starts the search with the related records when their condition can use an index")
  func hops() async throws {
    let far = FieldPath(names: ["town", "name"])
    #expect(try await isSearch(.test(far, .compare(.equal, .text("x"))), "town.name"))
    #expect(
      try await isSearch(.test(far, .compare(.equal, .text("x"))), "item.town:reference"))
    let key = FieldPath(names: ["town", "town_id"])
    #expect(try await isSearch(.test(key, .compare(.equal, .text("x"))), "item.town:reference"))
    let towns = FieldPath("towns")
    #expect(try await isSearch(.test(towns, .contains(.text("x"))), "item.towns:reference"))
  }

  @Test("uses the index of geographic cells for circles, boxes and points")
  func points() async throws {
    let center = try GeoPoint(latitude: 47.37, longitude: 8.54)
    let circle = try #require(GeoCircle(center: center, meters: 5_000))
    for path in [FieldPath("place"), FieldPath(names: ["town", "place"])] {
      let owner = path.names.count == 1 ? "item" : "town"
      #expect(try await isSearch(.test(path, .withinCircle(circle)), "\(owner).place:cell"))
      #expect(try await isSearch(.test(path, .withinBox(circle.box)), "\(owner).place:cell"))
      #expect(
        try await isSearch(.test(path, .compare(.equal, .geopoint(center))), "\(owner).place:cell"))
    }
  }

  @Test("reports whether records are ordered by an index or by sorting")
  func orders() async throws {
    #expect(try await explanation(.all, order: "stock", "-due").ordering == .byIndex)
    #expect(try await explanation(.all, order: "-stock", "due").ordering == .byIndex)
    #expect(try await explanation(.all, order: "stock", "due").ordering == .bySorting)
    #expect(try await explanation(.all, order: "due").ordering == .bySorting)
    #expect(try await explanation(.all).ordering == .byIndex)
    let done = Condition.equals(field: "done", value: .boolean(false))
    #expect(try await explanation(done, order: "due").ordering == .byIndex)
    #expect(try await explanation(.all, order: "town.name").ordering == .bySorting)
    let steps = try await explanation(.all, order: "town.name").steps
    #expect(steps.first?.hasPrefix("SCAN item") == true)
    #expect(steps.last == "USE TEMP B-TREE FOR ORDER BY")
  }

  @Test(
    "finds the records before or after a cursor only by index searches",
    arguments: [true, false])
  func pages(isAfter: Bool) async throws {
    let cursor = Query.Cursor([.integer(5), .null, .text("i")])
    let plan = try await explanation(
      .all, order: "stock", "-due", bound: isAfter ? .after(cursor) : .before(cursor), limit: 10)
    #expect(plan.ordering == .byIndex)
    #expect(plan.steps.allSatisfy { $0.hasPrefix("SEARCH item USING INDEX item.stock.-due (") })
    #expect(plan.steps.count == (isAfter ? 2 : 4))
  }
}

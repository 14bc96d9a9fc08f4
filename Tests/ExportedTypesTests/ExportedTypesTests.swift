import DataClient
import Foundation
import Testing

/// The files in `Exported` are the output of `schema export --format swift` for the models of the
/// command tests, which compare them.
@Suite("Swift types written by schema export")
struct ExportedTypesTests {
  private func client(_ model: String) async throws -> Client {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let folder = tests.appending(path: "CommandTests/Model/\(model)").path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).map {
      try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
    }
    let client = try await Client.open("memory:")
    try await client.applySchemas(files)
    return client
  }

  @Test("saves and reads instances of Swift types that schema export wrote, without loss")
  func shop() async throws {
    let client = try await client("shop")
    let ann = Customer(
      username: "ann", password: "secret word", name: "Ann", email: "ann@example.org")
    try await client.records(of: Customer.self).save(ann)
    let home = Address(
      addressID: "home", customer: "ann", street: "Main Street 1", city: "Bern",
      place: try GeoPoint(latitude: 46.95, longitude: 7.45))
    try await client.records(of: Address.self).save(home)
    try await client.records(of: Category.self).save(
      Category(categoryID: "hot", title: "Hot drinks"))
    let tea = Product(
      productID: "tea", label: "Green tea", price: 4.5, tags: ["hot"], categories: ["hot"])
    try await client.records(of: Product.self).save(tea)
    let purchase = Purchase(
      purchaseID: "p1", customer: "ann", deliverTo: Reference(home.addressID),
      boughtAt: try #require(Timestamp(microseconds: 1_763_600_000_123_456)))
    try await client.records(of: Purchase.self).save(purchase)
    let line = PurchaseLine(
      purchaseLineID: "l1", purchase: Reference(purchase.purchaseID), product: "tea", price: 4.5)
    try await client.records(of: PurchaseLine.self).save(line)

    let customer = try #require(try await client.records(of: Customer.self).get("ann"))
    #expect(customer.name == "Ann" && customer.password == nil && customer.newsletter == false)
    let address = try #require(try await client.records(of: Address.self).get("home"))
    #expect(address.place == home.place && address.country == "CH")
    let product = try #require(try await client.records(of: Product.self).get("tea"))
    #expect(product.label == "Green tea" && product.stock == 0 && product.categories == ["hot"])
    let bought = try #require(try await client.records(of: Purchase.self).get("p1"))
    #expect(bought.state == "open" && bought.boughtAt == purchase.boughtAt && bought.note == nil)
    #expect(try await client.records(of: PurchaseLine.self).get("l1")?.count == 1)
    // Saving an unchanged record does not change its revision.
    try await client.records(of: Product.self).save(product)
    #expect(try await client.records("product").get("tea")?.revision == 1)
  }

  @Test("Swift types from schema export support unusual field names and the schema's defaults")
  func odd() async throws {
    let client = try await client("odd")
    try await client.records("x_y_z").save(["x_y_z_id": "plain", "must": .json([1])])
    let plain = try #require(try await client.records(of: XYZ.self).get("plain"))
    var made = XYZ(xYZID: "made", must: [1])
    try await client.records(of: XYZ.self).save(made)
    made = try #require(try await client.records(of: XYZ.self).get("made"))
    #expect(made.default == plain.default && made.default == "a\"b\\(1)\\c\n\u{2028}`$`")
    #expect(made.whole == plain.whole && made.whole == 9_007_199_254_740_993)
    #expect(made.real == plain.real && made.yes == plain.yes && made.at == plain.at)
    #expect(made.place == plain.place && made.any == plain.any && made.any != nil)
    #expect(made.texts == plain.texts && made.times == plain.times && made.reals == plain.reals)

    made.Class_ = "class"
    made.aBC = 1
    made.todoId = 2
    made.todoID = 3
    made.end = "*/"
    try await client.records(of: XYZ.self).save(made)
    let record = try #require(try await client.records("x_y_z").get("made"))
    #expect(record["class"] == .text("class") && record["a_b_c"] == .integer(1))
    #expect(record["todo_id"] == .integer(2) && record["todo_i_d"] == .integer(3))
    #expect(record["end"] == .text("*/"))
    try await client.records(of: TaskRecord.self).save(
      TaskRecord(taskID: "t", encode: "e", schema: "s"))
    #expect(try await client.records(of: TaskRecord.self).get("t")?.encode == "e")
    try await client.records(of: GeoPointRecord.self).save(
      GeoPointRecord(geoPointID: "g", place: made.place))
    #expect(try await client.records(of: GeoPointRecord.self).get("g")?.place == plain.place)
  }
}

import Foundation
import PostgresHarness
import ProgramHarness

/// Saving orders that contain their lines, compared with saving the lines and then the orders.
struct TreeBenchmark {
  /// An empty store for each contender.
  private struct Store {
    let address: String
    /// Removes all schemas and records.
    let clear: () throws -> Void
  }

  private static let linesOfOrder = 5

  private let prefix: String
  private let workspace: Workspace
  private let size: Int
  private let deep: Store
  private let flat: Store

  static func run(on workspace: Workspace, size: Int, _ report: (Comparison.Result) -> Void) throws
  {
    try write(size, on: workspace)
    let stores = ["own.db", "peer.db"].map { name in
      Store(address: name) { workspace.remove(name) }
    }
    let benchmark = TreeBenchmark(
      prefix: "", workspace: workspace, size: size, deep: stores[0], flat: stores[1])
    report(try benchmark.trees().run(on: workspace))
    report(try benchmark.xml("as XML", "plain.xml", "--deep").run(on: workspace))
    report(try benchmark.xml("by a map of XML", "mapped.xml", "--map map.json").run(on: workspace))
    for store in stores { workspace.remove(store.address) }
    guard PostgresServer.isInstalled else { return }
    let server = try PostgresServer.durable()
    let databases = try (1...2).map { _ in
      let name = try server.newDatabase()
      return Store(address: server.address(name)) {
        _ = try server.run("drop schema if exists datactl cascade; checkpoint", in: name)
      }
    }
    report(
      try TreeBenchmark(
        prefix: PostgresEnvironment.Kind.postgres.prefix, workspace: workspace, size: size,
        deep: databases[0], flat: databases[1]
      ).trees().run(on: workspace))
  }

  private func trees() -> Comparison {
    Comparison(
      work: prefix + "save --deep, orders with \(Self.linesOfOrder) lines:", count: size,
      datactl: Comparison.Contender(
        name: "datactl", prepare: { try declare(deep) },
        command: saving("trees.ndjson", "order --deep", in: deep)),
      peers: [
        Comparison.Contender(
          name: "two flat saves", goal: size >= 100_000 ? 2 : nil, prepare: { try declare(flat) },
          command: saving("lines.ndjson", "line", in: flat) + " && "
            + saving("orders.ndjson", "order", in: flat))
      ], check: compare)
  }

  /// The same trees in XML, compared with JSON.
  private func xml(_ form: String, _ file: String, _ option: String) throws -> Comparison {
    let bytes = try FileManager.default.attributesOfItem(atPath: workspace.path(file))[.size]
    let megabytes = (bytes as? Int ?? 0) / 1_000_000
    return Comparison(
      work: "\(prefix)save \(form), \(megabytes) MB with orders:", count: size,
      datactl: Comparison.Contender(
        name: "datactl", prepare: { try declare(deep) },
        command: saving(file, "order \(option)", in: deep)),
      peers: [
        Comparison.Contender(
          name: "save --deep", prepare: { try declare(flat) },
          command: saving("trees.ndjson", "order --deep", in: flat))
      ], check: compare)
  }

  private func saving(_ file: String, _ arguments: String, in store: Store) -> String {
    "\"$BINARY\" --store '\(store.address)' -q save \(arguments) -o none <\(file)"
  }

  private func declare(_ store: Store) throws {
    try store.clear()
    try workspace.run(
      """
      create="\\"$BINARY\\" --store '\(store.address)' -q schema create"
      eval "$create line 'product:text!' amount:integer price:number" &&
      eval "$create order 'customer:text!' placed:datetime total:number lines:line+"
      """)
  }

  /// Throws unless both stores have the same records.
  private func compare() throws {
    let sums = try [deep, flat].map { store in
      try ["order_id,customer,placed,total,lines", "line_id,product,amount,price"].map { fields in
        let schema = fields.prefix { $0 != "_" }
        return try workspace.run(
          """
          "$BINARY" --store '\(store.address)' list \(schema) --fields \(fields) -o ndjson | cksum
          """)
      }
    }
    guard sums[0] == sums[1] else { throw Violation("not the same records: \(sums)") }
  }
}

/// The files of the contenders.
extension TreeBenchmark {
  private static func write(_ size: Int, on workspace: Workspace) throws {
    func write(_ file: String, _ text: (Order) -> String) throws {
      var random = RandomCells()
      try workspace.write(file, lines: size) { text(Order($0, &random)) }
    }
    try write("trees.ndjson", \.tree)
    try write("orders.ndjson", \.record)
    try write("lines.ndjson", \.lineRecords)
    func writeXML(_ file: String, in frame: String, _ text: (Order) -> String) throws {
      var random = RandomCells()
      try workspace.write(file, lines: size + 2) { number in
        if number == 0 { return "<\(frame)>" }
        return number > size ? "</\(frame)>" : text(Order(number - 1, &random))
      }
    }
    try writeXML("plain.xml", in: "records", \.plainXML)
    try writeXML("mapped.xml", in: "orders", \.mappedXML)
    let map = """
      {"map": "orders", "format": "xml", "schema": "order", "records": "/orders/order",
       "system": {}, "fields": {
        "order_id": "@order_id", "customer": "customer", "placed": "placed", "total": "total",
        "lines": {"at": "line[]", "fields": {
          "line_id": "@line_id", "product": "product", "amount": "amount", "price": "price"}}}}
      """
    try Data(map.utf8).write(to: URL(filePath: workspace.path("map.json")))
  }

  private struct Order {
    typealias Record = [(name: String, cell: Cell)]

    /// The fields without the lines. The first is the id.
    private let fields: Record
    private let lines: [Record]

    init(_ number: Int, _ random: inout RandomCells) {
      fields = [
        ("order_id", Self.id("o\(number)")), ("customer", random.text(2)),
        ("placed", random.time()), ("total", random.number()),
      ]
      lines = (0..<linesOfOrder).map { index in
        [
          ("line_id", Self.id("l\(number)-\(index)")), ("product", random.text(2)),
          ("amount", random.integer(below: 100)), ("price", random.number()),
        ]
      }
    }

    private static func id(_ id: String) -> Cell { Cell(plain: id, json: "\"\(id)\"") }

    /// The order with its lines.
    var tree: String { Self.json(fields, lines: lines.map { Self.json($0) }) }

    /// The order with the ids of its lines.
    var record: String { Self.json(fields, lines: lines.map { $0[0].cell.json }) }

    var lineRecords: String { lines.map { Self.json($0) }.joined(separator: "\n") }

    /// The tree in the form of `list --expand -o xml`.
    var plainXML: String {
      let items = lines.map { "<item>\(Self.xml("line", $0))</item>" }
      return Self.xml("order", fields, "<lines>\(items.joined())</lines>")
    }

    /// The tree in the form that the map describes.
    var mappedXML: String {
      Self.xml("order", fields, lines.map { Self.xml("line", $0) }.joined())
    }

    private static func json(_ record: Record, lines: [String]? = nil) -> String {
      let members = record.map { "\"\($0.name)\":\($0.cell.json)" }
      let array = lines.map { ["\"lines\":[\($0.joined(separator: ","))]"] } ?? []
      return "{\((members + array).joined(separator: ","))}"
    }

    private static func xml(_ name: String, _ record: Record, _ lines: String = "") -> String {
      let elements = record.dropFirst().map { "<\($0.name)>\($0.cell.plain)</\($0.name)>" }
      let id = "\(record[0].name)=\"\(record[0].cell.plain)\""
      return "<\(name) \(id)>\(elements.joined())\(lines)</\(name)>"
    }
  }
}

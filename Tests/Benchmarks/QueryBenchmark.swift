import Foundation
import ProgramHarness

/// Queries with a result of constant size in stores of any size, compared with the best SQL for
/// them.
struct QueryBenchmark {
  private static let item = """
    {
      "schema": "item",
      "fields": {
        "item_id": {"type": "id"}, "title": {"type": "text"}, "stock": {"type": "integer"},
        "due": {"type": "datetime"}, "place": {"type": "geopoint"},
        "town": {"type": "relation", "to": "town"}
      },
      "indexes": [["stock"], ["due"]]
    }
    """
  /// The number of records in each result.
  static let resultSize = 100
  /// A circle around a town as a datactl condition, and below in plain SQL.
  static let circleCondition = "place within 5 km of (47.37, 8.54)"
  static let circleSQL = """
    2 * 6371008.8 * asin(sqrt(pow(sin(radians("place.lat" - 47.37) / 2), 2)
    + cos(radians(47.37)) * cos(radians("place.lat"))
    * pow(sin(radians("place.lon" - 8.54) / 2), 2))) <= 5000
    """

  private struct Query {
    let work: String
    /// The arguments after `list item`.
    let arguments: String
    let sql: String
    var store = "own.db"
  }

  private let workspace: Workspace
  private let size: Int

  static func run(on workspace: Workspace, size: Int, _ report: (Comparison.Result) -> Void) throws
  {
    let benchmark = QueryBenchmark(workspace: workspace, size: size)
    try benchmark.prepare()
    for query in try benchmark.queries() {
      report(try benchmark.comparison(query).run(on: workspace))
    }
    workspace.remove("own.db")
    workspace.remove("peer.db")
  }

  /// Creates the stores: a hundred items for each stock value, one due date per second, and a
  /// hundred items near the town.
  private func prepare() throws {
    let towns = max(Self.resultSize, size / 10)
    let start = Date(timeIntervalSince1970: 1_600_000_000)
    try Data(Self.item.utf8).write(to: URL(filePath: workspace.path("item.json")))
    workspace.remove("own.db")
    try workspace.run(
      """
      "$BINARY" --store own.db -q schema create town name:text!
      "$BINARY" --store own.db -q schema apply item.json
      """)
    try workspace.write("towns.ndjson", lines: towns) { number in
      #"{"town_id":"t\#(number)","name":"a town with the number \#(number)"}"#
    }
    try workspace.write("items.ndjson", lines: size) { number in
      """
      {"item_id":"\(id(number))","title":"an item with a title","stock":\(number / Self.resultSize),\
      "due":"\(start.addingTimeInterval(Double(number)).formatted(.iso8601))",\
      "place":\(Self.location(number, of: size)),"town":"t\(number * 7 % towns)"}
      """
    }
    try workspace.run(
      """
      "$BINARY" --store own.db -q save town -o none <towns.ndjson &&
      "$BINARY" --store own.db -q save item -o none <items.ndjson
      """)
    try workspace.copy("own.db", to: "peer.db")
    try workspace.run(
      """
      sqlite3 peer.db 'create virtual table near using rtree(id, south, north, west, east, +item);
        insert into near select row_number() over (), "place.lat", "place.lat", "place.lon",
        "place.lon", item_id from item'
      """)
  }

  /// Returns the location of an item as JSON.
  static func location(_ number: Int, of size: Int) -> String {
    let isNear = number % (size / resultSize) == 5
    let step = Double(number % 9_973)
    let latitude = isNear ? 47.35 + step / 250_000 : -80 + step / 100
    let longitude = isNear ? 8.54 : Double(number % 360) - 180
    return "{\"lat\":\(latitude),\"lon\":\(longitude)}"
  }

  private func id(_ number: Int) -> String {
    "i" + String(String(100_000_000 + number).dropFirst())
  }

  private func queries() throws -> [Query] {
    let from = 1_600_000_000 + size / 2
    let times = [from, from + Self.resultSize].map {
      Date(timeIntervalSince1970: Double($0)).formatted(.iso8601)
    }
    let last = size - 3 * Self.resultSize - 1
    let after = "(stock, item_id) > (\(last / Self.resultSize), '\(id(last))')"
    return [
      Query(
        work: "an equality", arguments: "stock=70",
        sql: "select * from item where stock = 70 order by item_id"),
      Query(
        work: "a range", arguments: "--where \"due >= '\(times[0])' and due < '\(times[1])'\"",
        sql: """
          select * from item where due >= \(from)000000 and due < \(from + Self.resultSize)000000
          order by item_id
          """),
      Query(
        work: "the first page", arguments: "--order stock --limit 100",
        sql: "select * from item order by stock, item_id limit 100"),
      Query(
        work: "a page near the end",
        arguments: "--order stock --limit 100 --after \(try token(after: last + 1))",
        sql: "select * from item where \(after) order by stock, item_id limit 100"),
      Query(
        work: "an expand", arguments: "stock=70 --expand town",
        sql: """
          select * from item left join town on town_id = town where stock = 70 order by item_id
          """),
      Query(
        work: "within 5 km", arguments: "--where '\(Self.circleCondition)'",
        sql: """
          select item.* from near join item on item_id = near.item where south >= 47.32 and
          north <= 47.42 and west >= 8.47 and east <= 8.61 and
          \(Self.circleSQL) order by item_id
          """, store: "peer.db"),
    ]
  }

  /// Returns the page token after the given number of records.
  private func token(after count: Int) throws -> String {
    let end = try workspace.run(
      """
      "$BINARY" --store own.db list item --order stock --limit \(count) --fields stock -o page \
      | tail -c 1000
      """)
    let parts = end.components(separatedBy: "\"next\":\"")
    guard parts.count == 2, let token = parts[1].split(separator: "\"").first else {
      throw Violation("no token in \(end)")
    }
    return String(token)
  }

  private func comparison(_ query: Query) throws -> Comparison {
    let file = "question.sql"
    let script = query.sql.split(separator: "\n").joined(separator: " ")
    try Data(script.utf8).write(to: URL(filePath: workspace.path(file)))
    let own = "\"$BINARY\" --store own.db list item \(query.arguments)"
    let peer = "sqlite3 -json \(query.store) <\(file)"
    return Comparison(
      work: "\(query.work), \(Self.resultSize) of \(Table.grouped(size))",
      datactl: Comparison.Contender(name: "datactl", command: own, repeats: 5),
      peers: [Comparison.Contender(name: "sqlite3", goal: 1.5, command: peer, repeats: 5)],
      rounds: 80,
      check: {
        let ids = try [own, peer].map {
          try workspace.run("\($0) | grep -o '\"item_id\":\"[^\"]*\"'")
        }
        guard ids[0] == ids[1], ids[0].split(separator: "\n").count == Self.resultSize else {
          throw Violation("\(query.work): not the same \(Self.resultSize) records: \(ids)")
        }
      })
  }
}

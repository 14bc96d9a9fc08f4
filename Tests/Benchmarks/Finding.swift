import Foundation
import ProgramHarness

/// Queries with a result of constant size in stores of any size, compared with the best SQL for
/// them.
struct Finding {
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
  static let answer = 100
  /// A circle around a town as a datactl condition, and below in plain SQL.
  static let within = "place within 5 km of (47.37, 8.54)"
  static let isWithin = """
    2 * 6371008.8 * asin(sqrt(pow(sin(radians("place.lat" - 47.37) / 2), 2)
    + cos(radians(47.37)) * cos(radians("place.lat"))
    * pow(sin(radians("place.lon" - 8.54) / 2), 2))) <= 5000
    """

  private struct Question {
    let work: String
    /// The arguments after `list item`.
    let words: String
    let sql: String
    var store = "own.db"
  }

  private let track: Track
  private let size: Int

  static func run(on track: Track, size: Int, _ report: (Contest.Result) -> Void) throws {
    let finding = Finding(track: track, size: size)
    try finding.prepare()
    for question in try finding.questions() {
      report(try finding.contest(question).run(on: track))
    }
    track.remove("own.db")
    track.remove("peer.db")
  }

  /// Creates the stores: a hundred items for each stock value, one due date per second, and a
  /// hundred items near the town.
  private func prepare() throws {
    let towns = max(Self.answer, size / 10)
    let start = Date(timeIntervalSince1970: 1_600_000_000)
    try Data(Self.item.utf8).write(to: URL(filePath: track.path("item.json")))
    track.remove("own.db")
    try track.run(
      """
      "$BINARY" --store own.db -q schema create town name:text!
      "$BINARY" --store own.db -q schema apply item.json
      """)
    try track.write("towns.ndjson", lines: towns) { number in
      #"{"town_id":"t\#(number)","name":"a town with the number \#(number)"}"#
    }
    try track.write("items.ndjson", lines: size) { number in
      """
      {"item_id":"\(id(number))","title":"an item with a title","stock":\(number / Self.answer),\
      "due":"\(start.addingTimeInterval(Double(number)).formatted(.iso8601))",\
      "place":\(Self.place(number, of: size)),"town":"t\(number * 7 % towns)"}
      """
    }
    try track.run(
      """
      "$BINARY" --store own.db -q save town -o none <towns.ndjson &&
      "$BINARY" --store own.db -q save item -o none <items.ndjson
      """)
    try track.copy("own.db", to: "peer.db")
    try track.run(
      """
      sqlite3 peer.db 'create virtual table near using rtree(id, south, north, west, east, +item);
        insert into near select row_number() over (), "place.lat", "place.lat", "place.lon",
        "place.lon", item_id from item'
      """)
  }

  /// Returns the location of an item as JSON.
  static func place(_ number: Int, of size: Int) -> String {
    let isNear = number % (size / answer) == 5
    let step = Double(number % 9_973)
    let latitude = isNear ? 47.35 + step / 250_000 : -80 + step / 100
    let longitude = isNear ? 8.54 : Double(number % 360) - 180
    return "{\"lat\":\(latitude),\"lon\":\(longitude)}"
  }

  private func id(_ number: Int) -> String {
    "i" + String(String(100_000_000 + number).dropFirst())
  }

  private func questions() throws -> [Question] {
    let from = 1_600_000_000 + size / 2
    let times = [from, from + Self.answer].map {
      Date(timeIntervalSince1970: Double($0)).formatted(.iso8601)
    }
    let last = size - 3 * Self.answer - 1
    let behind = "(stock, item_id) > (\(last / Self.answer), '\(id(last))')"
    return [
      Question(
        work: "an equality", words: "stock=70",
        sql: "select * from item where stock = 70 order by item_id"),
      Question(
        work: "a range", words: "--where \"due >= '\(times[0])' and due < '\(times[1])'\"",
        sql: """
          select * from item where due >= \(from)000000 and due < \(from + Self.answer)000000
          order by item_id
          """),
      Question(
        work: "the first page", words: "--order stock --limit 100",
        sql: "select * from item order by stock, item_id limit 100"),
      Question(
        work: "a page near the end",
        words: "--order stock --limit 100 --after \(try token(behind: last + 1))",
        sql: "select * from item where \(behind) order by stock, item_id limit 100"),
      Question(
        work: "an expand", words: "stock=70 --expand town",
        sql: """
          select * from item left join town on town_id = town where stock = 70 order by item_id
          """),
      Question(
        work: "within 5 km", words: "--where '\(Self.within)'",
        sql: """
          select item.* from near join item on item_id = near.item where south >= 47.32 and
          north <= 47.42 and west >= 8.47 and east <= 8.61 and
          \(Self.isWithin) order by item_id
          """, store: "peer.db"),
    ]
  }

  /// Returns the page token after the given number of records.
  private func token(behind count: Int) throws -> String {
    let end = try track.run(
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

  private func contest(_ question: Question) throws -> Contest {
    let file = "question.sql"
    let script = question.sql.split(separator: "\n").joined(separator: " ")
    try Data(script.utf8).write(to: URL(filePath: track.path(file)))
    let own = "\"$BINARY\" --store own.db list item \(question.words)"
    let peer = "sqlite3 -json \(question.store) <\(file)"
    return Contest(
      work: "\(question.work), \(Self.answer) of \(Table.grouped(size))",
      datactl: Contest.Side(name: "datactl", command: own, repeats: 5),
      peers: [Contest.Side(name: "sqlite3", goal: 1.5, command: peer, repeats: 5)], rounds: 80,
      check: {
        let ids = try [own, peer].map {
          try track.run("\($0) | grep -o '\"item_id\":\"[^\"]*\"'")
        }
        guard ids[0] == ids[1], ids[0].split(separator: "\n").count == Self.answer else {
          throw Violation("\(question.work): not the same \(Self.answer) records: \(ids)")
        }
      })
  }
}

import Foundation
import ProgramHarness

/// Work on many records of eight fields: save, list, filter, upsert, delete.
enum Bulk {
  static func run(on track: Track, size: Int, _ report: (Contest.Result) -> Void) throws {
    let trial = try Trial(.eight, size: size, on: track)
    report(try trial.save().run(on: track))
    report(try trial.list().run(on: track))
    report(try selection(on: track, size).run(on: track))
    report(try upsert(trial, on: track).run(on: track))
    report(try deletion(trial, on: track).run(on: track))
    for store in ["own.db", "peer.db", "utils.db", "first.db", "second.db"] { track.remove(store) }
  }

  /// Lists a quarter of the records by a condition that no index serves.
  private static func selection(on track: Track, _ size: Int) throws -> Contest {
    let test = "stock < 50000 and done = 1"
    let count = try track.run("sqlite3 own.db 'select count(*) from record where \(test)'")
    let lines = Int(count.dropLast())
    return Contest(
      work: "list --where, a quarter of", count: size,
      datactl: Contest.Side(
        name: "datactl",
        command: """
          "$BINARY" --store own.db list record --where 'stock < 50000 and done = true' -o ndjson
          """, lines: lines),
      peers: [
        Contest.Side(
          name: "sqlite3",
          command: "sqlite3 -json own.db 'select * from record where \(test) order by record_id'",
          lines: lines)
      ])
  }

  /// Changes three fields of each existing record.
  private static func upsert(_ trial: Trial, on track: Track) throws -> Contest {
    try track.run(
      """
      sqlite3 own.db "select json_object('record_id', record_id, 'note', 'changed',
        'price', price * 2, 'stock', stock + 1) from record" >changes.ndjson && sync changes.ndjson
      """)
    try Data(ShellScript.upsert("changes.ndjson").utf8)
      .write(to: URL(filePath: track.path("upsert.sql")))
    return Contest(
      work: "upsert", count: trial.size,
      datactl: Contest.Side(
        name: "datactl", prepare: { try track.copy("own.db", to: "first.db") },
        command: "\"$BINARY\" --store first.db -q save record -o none <changes.ndjson"),
      peers: [
        Contest.Side(
          name: "sqlite3", prepare: { try track.copy("own.db", to: "second.db") },
          command: "sqlite3 second.db <upsert.sql")
      ], rounds: 2, check: { try trial.compare("first.db", "second.db") })
  }

  /// Deletes half of the records.
  private static func deletion(_ trial: Trial, on track: Track) throws -> Contest {
    let counts = "select count(*), sum(done), sum(stock) from record"
    return Contest(
      work: "delete --where, half of", count: trial.size,
      datactl: Contest.Side(
        name: "datactl", prepare: { try track.copy("own.db", to: "first.db") },
        command: "\"$BINARY\" --store first.db -q delete record --where 'done = true' --yes"),
      peers: [
        Contest.Side(
          name: "sqlite3", prepare: { try track.copy("own.db", to: "second.db") },
          command: """
            sqlite3 second.db 'pragma synchronous = full; delete from record where done = 1'
            """)
      ], rounds: 2,
      check: {
        let left = try ["first", "second"].map { try track.run("sqlite3 \($0).db '\(counts)'") }
        guard left[0] == left[1], left[0].contains("|0|") else {
          throw Violation("not the same is left: \(left)")
        }
      })
  }
}

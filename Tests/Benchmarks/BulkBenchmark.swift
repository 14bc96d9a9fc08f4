import Foundation
import ProgramHarness

/// Work on many records of eight fields: save, list, filter, upsert, delete.
enum BulkBenchmark {
  static func run(on workspace: Workspace, size: Int, _ report: (Comparison.Result) -> Void) throws
  {
    let benchmark = try SQLiteBenchmark(.eight, size: size, on: workspace)
    report(try benchmark.save().run(on: workspace))
    report(try benchmark.list().run(on: workspace))
    report(try selection(on: workspace, size).run(on: workspace))
    report(try upsert(benchmark, on: workspace).run(on: workspace))
    report(try deletion(benchmark, on: workspace).run(on: workspace))
    for store in ["own.db", "peer.db", "utils.db", "first.db", "second.db"] {
      workspace.remove(store)
    }
  }

  /// Lists a quarter of the records by a condition that no index serves.
  private static func selection(on workspace: Workspace, _ size: Int) throws -> Comparison {
    let test = "stock < 50000 and done = 1"
    let count = try workspace.run("sqlite3 own.db 'select count(*) from record where \(test)'")
    let lines = Int(count.dropLast())
    return Comparison(
      work: "list --where, a quarter of", count: size,
      datactl: Comparison.Contender(
        name: "datactl",
        command: """
          "$BINARY" --store own.db list record --where 'stock < 50000 and done = true' -o ndjson
          """, lines: lines),
      peers: [
        Comparison.Contender(
          name: "sqlite3",
          command: "sqlite3 -json own.db 'select * from record where \(test) order by record_id'",
          lines: lines)
      ])
  }

  /// Changes three fields of each existing record.
  private static func upsert(_ benchmark: SQLiteBenchmark, on workspace: Workspace) throws
    -> Comparison
  {
    try workspace.run(
      """
      sqlite3 own.db "select json_object('record_id', record_id, 'note', 'changed',
        'price', price * 2, 'stock', stock + 1) from record" >changes.ndjson && sync changes.ndjson
      """)
    try Data(ShellScript.upsert("changes.ndjson").utf8)
      .write(to: URL(filePath: workspace.path("upsert.sql")))
    return Comparison(
      work: "upsert", count: benchmark.size,
      datactl: Comparison.Contender(
        name: "datactl", prepare: { try workspace.copy("own.db", to: "first.db") },
        command: "\"$BINARY\" --store first.db -q save record -o none <changes.ndjson"),
      peers: [
        Comparison.Contender(
          name: "sqlite3", prepare: { try workspace.copy("own.db", to: "second.db") },
          command: "sqlite3 second.db <upsert.sql")
      ], rounds: 2, check: { try benchmark.compare("first.db", "second.db") })
  }

  /// Deletes half of the records.
  private static func deletion(_ benchmark: SQLiteBenchmark, on workspace: Workspace) throws
    -> Comparison
  {
    let counts = "select count(*), sum(done), sum(stock) from record"
    return Comparison(
      work: "delete --where, half of", count: benchmark.size,
      datactl: Comparison.Contender(
        name: "datactl", prepare: { try workspace.copy("own.db", to: "first.db") },
        command: "\"$BINARY\" --store first.db -q delete record --where 'done = true' --yes"),
      peers: [
        Comparison.Contender(
          name: "sqlite3", prepare: { try workspace.copy("own.db", to: "second.db") },
          command: """
            sqlite3 second.db 'pragma synchronous = full; delete from record where done = 1'
            """)
      ], rounds: 2,
      check: {
        let left = try ["first", "second"].map { try workspace.run("sqlite3 \($0).db '\(counts)'") }
        guard left[0] == left[1], left[0].contains("|0|") else {
          throw Violation("not the same is left: \(left)")
        }
      })
  }
}

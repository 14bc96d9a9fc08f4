import Foundation
import ProgramHarness

/// A search for points within a distance on a server, compared with SQL that uses a GiST index on
/// points.
struct PostgresQueryBenchmark {
  private let size: Int
  private let environment: PostgresEnvironment
  private let workspace: Workspace

  init(size: Int, on environment: PostgresEnvironment, _ workspace: Workspace) throws {
    self.size = size
    self.environment = environment
    self.workspace = workspace
    try workspace.write("places.ndjson", lines: size) { number in
      "{\"title\":\"an item with a title\",\"place\":\(QueryBenchmark.location(number, of: size))}"
    }
    try environment.declare("title:text place:geopoint")
    try workspace.run(environment.datactl("-q save record -o none <places.ndjson"))
    try environment.execute(
      """
      insert into peer.record select * from datactl.record;
      create index near on peer.record using gist (point("place.lon", "place.lat"))
      """)
    try environment.runMaintenance()
  }

  func comparison() throws -> Comparison {
    let query = """
      select * from peer.record where point("place.lon", "place.lat")
      <@ box(point(8.47, 47.32), point(8.61, 47.42)) and \(QueryBenchmark.circleSQL) order by record_id
      """
    try Data(query.utf8).write(to: URL(filePath: workspace.path("near.sql")))
    let own = environment.datactl("list record --where '\(QueryBenchmark.circleCondition)'")
    let peer = environment.psql(file: "near.sql")
    return Comparison(
      work:
        "\(environment.kind.prefix)within 5 km, \(QueryBenchmark.resultSize) of \(Table.grouped(size))",
      datactl: Comparison.Contender(name: "datactl", command: own, repeats: 5),
      peers: [Comparison.Contender(name: "psql", goal: 1.5, command: peer, repeats: 5)], rounds: 40,
      check: {
        let ids = try [
          workspace.run("\(own) -o ids"), workspace.run("\(peer) | cut -d'|' -f1"),
        ]
        guard ids[0] == ids[1], ids[0].split(separator: "\n").count == QueryBenchmark.resultSize
        else {
          throw Violation("not the same \(QueryBenchmark.resultSize) places: \(ids)")
        }
      })
  }
}

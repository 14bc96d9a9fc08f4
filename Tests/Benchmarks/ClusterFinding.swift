import Foundation
import ProgramHarness

/// A search for points within a distance on a server, compared with SQL that uses a GiST index on
/// points.
struct ClusterFinding {
  private let size: Int
  private let cluster: Cluster
  private let track: Track

  init(size: Int, on cluster: Cluster, _ track: Track) throws {
    self.size = size
    self.cluster = cluster
    self.track = track
    try track.write("places.ndjson", lines: size) { number in
      "{\"title\":\"an item with a title\",\"place\":\(Finding.place(number, of: size))}"
    }
    try cluster.declare("title:text place:geopoint")
    try track.run(cluster.datactl("-q save record -o none <places.ndjson"))
    try cluster.ask(
      """
      insert into peer.record select * from datactl.record;
      create index near on peer.record using gist (point("place.lon", "place.lat"))
      """)
    try cluster.settle()
  }

  func contest() throws -> Contest {
    let question = """
      select * from peer.record where point("place.lon", "place.lat")
      <@ box(point(8.47, 47.32), point(8.61, 47.42)) and \(Finding.isWithin) order by record_id
      """
    try Data(question.utf8).write(to: URL(filePath: track.path("near.sql")))
    let own = cluster.datactl("list record --where '\(Finding.within)'")
    let peer = cluster.psql(file: "near.sql")
    return Contest(
      work: "\(Cluster.prefix)within 5 km, \(Finding.answer) of \(Table.grouped(size))",
      datactl: Contest.Side(name: "datactl", command: own, repeats: 5),
      peers: [Contest.Side(name: "psql", goal: 1.5, command: peer, repeats: 5)], rounds: 40,
      check: {
        let ids = try [
          track.run("\(own) -o ids"), track.run("\(peer) | cut -d'|' -f1"),
        ]
        guard ids[0] == ids[1], ids[0].split(separator: "\n").count == Finding.answer else {
          throw Violation("not the same \(Finding.answer) places: \(ids)")
        }
      })
  }
}

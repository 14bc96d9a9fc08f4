import Foundation
import PostgresHarness
import ProgramHarness

/// Work on a PostgreSQL server, compared with `psql` on the same rows.
struct Cluster {
  /// The prefix of work names, which distinguishes them from the same work on SQLite.
  static let prefix = "PostgreSQL: "
  private static let store = "bench"

  private let track: Track
  private let server: PostgresServer
  /// The beginnings of the command lines of datactl and `psql`.
  private let own: String
  private let shell: String

  static func run(on track: Track, sizes: [Int], _ report: (Contest.Result) -> Void) throws {
    let cluster = try Cluster(track)
    report(try cluster.get().run(on: track))
    for size in sizes {
      let trial = try ClusterTrial(.eight, size: size, on: cluster, track)
      for contest in try trial.contests() { report(try contest.run(on: track)) }
      let related = try ClusterTrial(.related(size), size: size, on: cluster, track)
      report(try related.save().run(on: track))
      report(try ClusterFinding(size: size, on: cluster, track).contest().run(on: track))
    }
  }

  private init(_ track: Track) throws {
    self.track = track
    server = try PostgresServer.durable()
    own = "\"$BINARY\" --store '\(server.address(Self.store))'"
    shell = try server.shell(Self.store).map { "'\($0)'" }.joined(separator: " ")
    try server.run("create database \(Self.store)")
  }

  /// Returns the command line by which datactl works on its store.
  func datactl(_ words: String) -> String { "\(own) \(words)" }

  /// Returns the command line by which `psql` executes a statement.
  func psql(_ words: String) -> String { "\(shell) -c \"\(words)\"" }

  /// Returns the command line by which `psql` executes a file in one transaction.
  func psql(file: String) -> String { "\(shell) -1 -f \(file)" }

  /// Executes statements on the server, and returns the output.
  @discardableResult
  func ask(_ statements: String) throws -> String {
    try server.run(statements, in: Self.store)
  }

  /// Recreates the store without records, and a peer table with the same columns and indexes.
  func declare(_ shape: Shape) throws { try declare(shape.declaration) }

  /// Does the same for fields in the syntax of `schema create`.
  func declare(_ fields: String) throws {
    try ask("drop schema if exists datactl, peer cascade")
    try track.run(datactl("-q schema create record \(fields)"))
    try ask("create schema peer; create table peer.record (like datactl.record including all)")
    try settle()
  }

  /// Runs pending maintenance (`vacuum`, `checkpoint`), so that no contender pays for the work of
  /// another.
  func settle() throws {
    try ask("vacuum analyze")
    try ask("checkpoint")
  }

  private func get() throws -> Contest {
    try declare(.eight)
    try track.run(datactl("-q save record -o none one title=tea price=4"))
    try settle()
    let select = psql("select * from datactl.record where record_id = 'one'")
    let get = datactl("get record one")
    for line in [get, select] {
      let output = try track.run(line)
      guard output.contains("one"), output.contains("tea") else {
        throw Violation("the record is not what \(line) prints: \(output)")
      }
    }
    return Contest(
      work: Self.prefix + "get one record",
      datactl: Contest.Side(name: "datactl", command: get, repeats: 5),
      peers: [Contest.Side(name: "psql", goal: 1, command: select, repeats: 5)], rounds: 200)
  }
}

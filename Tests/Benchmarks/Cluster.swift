import Foundation
import PostgresHarness
import ProgramHarness

/// Work on a PostgreSQL server, beside its own shell with rows of the same table.
struct Cluster {
  /// What each work is called begins so, since a store in a file does the same.
  static let prefix = "PostgreSQL: "
  private static let store = "bench"

  private let track: Track
  private let server: PostgresServer
  /// The beginnings of the lines that call datactl and the server's shell.
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

  /// The line by which datactl does something with its store.
  func datactl(_ words: String) -> String { "\(own) \(words)" }

  /// The line by which the server's shell does something.
  func psql(_ words: String) -> String { "\(shell) -c \"\(words)\"" }

  /// The line by which the server's shell runs a file, all of it or nothing.
  func psql(file: String) -> String { "\(shell) -1 -f \(file)" }

  /// Lets the server do something, and gives what it answers.
  @discardableResult
  func ask(_ statements: String) throws -> String {
    try server.run(statements, in: Self.store)
  }

  /// Makes the store anew, without a record, and beside it a table like that of the records.
  func declare(_ shape: Shape) throws { try declare(shape.declaration) }

  /// The same, of fields in the words of `schema create`.
  func declare(_ fields: String) throws {
    try ask("drop schema if exists datactl, peer cascade")
    try track.run(datactl("-q schema create record \(fields)"))
    try ask("create schema peer; create table peer.record (like datactl.record including all)")
    try settle()
  }

  /// Lets the server finish what it has put off: no side should pay for another's.
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

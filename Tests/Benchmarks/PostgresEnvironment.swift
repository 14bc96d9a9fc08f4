import Foundation
import PostgresHarness
import ProgramHarness

/// Work on a PostgreSQL server, compared with `psql` on the same rows.
struct PostgresEnvironment {
  /// The prefix of work names, which distinguishes them from the same work on SQLite.
  static let prefix = "PostgreSQL: "
  private static let store = "bench"

  private let workspace: Workspace
  private let server: PostgresServer
  /// The beginnings of the command lines of datactl and `psql`.
  private let own: String
  private let shell: String

  static func run(on workspace: Workspace, sizes: [Int], _ report: (Comparison.Result) -> Void)
    throws
  {
    let environment = try PostgresEnvironment(workspace)
    report(try environment.get().run(on: workspace))
    for size in sizes {
      let benchmark = try PostgresBenchmark(.eight, size: size, on: environment, workspace)
      for comparison in try benchmark.comparisons() { report(try comparison.run(on: workspace)) }
      let related = try PostgresBenchmark(.related(size), size: size, on: environment, workspace)
      report(try related.save().run(on: workspace))
      report(
        try PostgresQueryBenchmark(size: size, on: environment, workspace).comparison().run(
          on: workspace))
    }
  }

  private init(_ workspace: Workspace) throws {
    self.workspace = workspace
    server = try PostgresServer.durable()
    own = "\"$BINARY\" --store '\(server.address(Self.store))'"
    shell = try server.shell(Self.store).map { "'\($0)'" }.joined(separator: " ")
    try server.run("create database \(Self.store)")
  }

  /// Returns the command line by which datactl works on its store.
  func datactl(_ arguments: String) -> String { "\(own) \(arguments)" }

  /// Returns the command line by which `psql` executes a statement.
  func psql(_ arguments: String) -> String { "\(shell) -c \"\(arguments)\"" }

  /// Returns the command line by which `psql` executes a file in one transaction.
  func psql(file: String) -> String { "\(shell) -1 -f \(file)" }

  /// Executes statements on the server, and returns the output.
  @discardableResult
  func execute(_ statements: String) throws -> String {
    try server.run(statements, in: Self.store)
  }

  /// Recreates the store without records, and a peer table with the same columns and indexes.
  func declare(_ shape: Shape) throws { try declare(shape.declaration) }

  /// Does the same for fields in the syntax of `schema create`.
  func declare(_ fields: String) throws {
    try execute("drop schema if exists datactl, peer cascade")
    try workspace.run(datactl("-q schema create record \(fields)"))
    try execute("create schema peer; create table peer.record (like datactl.record including all)")
    try runMaintenance()
  }

  /// Runs pending maintenance (`vacuum`, `checkpoint`), so that no contender pays for the work of
  /// another.
  func runMaintenance() throws {
    try execute("vacuum analyze")
    try execute("checkpoint")
  }

  private func get() throws -> Comparison {
    try declare(.eight)
    try workspace.run(datactl("-q save record -o none one title=tea price=4"))
    try runMaintenance()
    let select = psql("select * from datactl.record where record_id = 'one'")
    let get = datactl("get record one")
    for line in [get, select] {
      let output = try workspace.run(line)
      guard output.contains("one"), output.contains("tea") else {
        throw Violation("the record is not what \(line) prints: \(output)")
      }
    }
    return Comparison(
      work: Self.prefix + "get one record",
      datactl: Comparison.Contender(name: "datactl", command: get, repeats: 5),
      peers: [Comparison.Contender(name: "psql", goal: 1, command: select, repeats: 5)], rounds: 200
    )
  }
}

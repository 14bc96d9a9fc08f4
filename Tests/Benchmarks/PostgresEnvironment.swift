import Foundation
import PostgresHarness
import ProgramHarness

/// Work on a PostgreSQL server or a Citus cluster, compared with `psql` on the same rows.
struct PostgresEnvironment {
  /// The server that does the work.
  enum Kind: String, CaseIterable {
    case postgres = "PostgreSQL: "
    /// The cluster at the address in `DATACTL_TEST_CITUS`.
    case citus = "Citus: "

    /// The prefix of work names, which distinguishes them from the same work on SQLite.
    var prefix: String { rawValue }
  }

  let kind: Kind
  private let workspace: Workspace
  private let server: PostgresServer
  private let store: String
  /// The beginnings of the command lines of datactl and `psql`.
  private let own: String
  private let shell: String

  static func run(
    _ kind: Kind, on workspace: Workspace, sizes: [Int], _ report: (Comparison.Result) -> Void
  ) throws {
    let environment = try PostgresEnvironment(kind, workspace)
    report(try environment.get().run(on: workspace))
    for size in sizes {
      let benchmark = try PostgresBenchmark(.eight, size: size, on: environment, workspace)
      for comparison in try benchmark.comparisons() { report(try comparison.run(on: workspace)) }
      if kind == .citus { continue }
      let related = try PostgresBenchmark(.related(size), size: size, on: environment, workspace)
      report(try related.save().run(on: workspace))
      report(
        try PostgresQueryBenchmark(size: size, on: environment, workspace).comparison().run(
          on: workspace))
    }
    try environment.end()
  }

  private init(_ kind: Kind, _ workspace: Workspace) throws {
    self.kind = kind
    self.workspace = workspace
    switch kind {
    case .postgres:
      server = try PostgresServer.durable()
      store = try server.newDatabase()
    case .citus:
      let citus = try CitusServer.shared.get()
      server = try citus.server
      store = try citus.newDatabase()
    }
    own = "\"$BINARY\" --store '\(server.address(store))'"
    shell = try server.shell(store).map { "'\($0)'" }.joined(separator: " ")
  }

  /// Drops the database of the work, which a cluster keeps.
  private func end() throws {
    if kind == .citus { try CitusServer.shared.get().drop(store) }
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
    try server.run(statements, in: store)
  }

  /// Recreates the store without records, and a peer table with the same columns and indexes.
  func declare(_ shape: Shape) throws { try declare(shape.declaration) }

  /// Does the same for fields in the syntax of `schema create`.
  func declare(_ fields: String) throws {
    try execute("drop schema if exists datactl, peer cascade")
    try workspace.run(datactl("-q schema create record \(fields)"))
    try execute("create schema peer; create table peer.record (like datactl.record including all)")
    if kind == .citus {
      try execute(
        """
        select create_distributed_table('peer.record', 'record_id', \
        colocate_with => 'datactl.record')
        """)
    }
    try runMaintenance()
  }

  /// Runs pending maintenance (`vacuum`, `checkpoint`), so that no contender pays for the work of
  /// another.
  func runMaintenance() throws {
    // On a cluster, only a statement that names tables is sent to the workers.
    try execute("vacuum analyze datactl.record, peer.record")
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
      work: kind.prefix + "get one record",
      datactl: Comparison.Contender(name: "datactl", command: get, repeats: 5),
      peers: [Comparison.Contender(name: "psql", goal: 1, command: select, repeats: 5)], rounds: 200
    )
  }
}

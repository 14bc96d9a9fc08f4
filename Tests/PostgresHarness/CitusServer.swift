import Foundation

/// The Citus that the tests use: the cluster whose coordinator is at the address in
/// `DATACTL_TEST_CITUS`, or a fake.
package enum CitusServer: Sendable {
  case cluster(PostgresServer)
  case fake(FakeCitus)

  package static let shared = Result {
    if let address = ProcessInfo.processInfo.environment["DATACTL_TEST_CITUS"] {
      return CitusServer.cluster(try PostgresServer(at: address))
    }
    return CitusServer.fake(try FakeCitus.shared.get())
  }

  /// The coordinator; for the fake, the server that it is based on.
  package var server: PostgresServer {
    get throws {
      switch self {
      case .cluster(let coordinator): coordinator
      case .fake: try PostgresServer.shared.get()
      }
    }
  }

  /// Whether this is the fake.
  package var isFake: Bool { if case .fake = self { true } else { false } }

  /// The address of a database: by default the one that tests share.
  package func address(_ database: String? = nil) -> String {
    switch self {
    case .cluster(let coordinator): coordinator.address(database)
    case .fake(let fake): fake.address(database)
    }
  }

  /// Creates another database with the extension, and on a cluster with the same workers.
  package func newDatabase() throws -> String {
    switch self {
    case .cluster(let coordinator): try Self.newDatabase(of: coordinator)
    case .fake(let fake): try fake.newDatabase()
    }
  }

  private static func newDatabase(of coordinator: PostgresServer) throws -> String {
    let name = PostgresServer.newName()
    let nodes = try coordinator.run(
      "select nodename || ' ' || nodeport from pg_dist_node where isactive order by groupid"
    ).split(separator: "\n").map { $0.split(separator: " ") }
    guard nodes.count > 1 else {
      throw PostgresServer.Unavailable(description: "the cluster has no workers")
    }
    var statements: [String] = []
    for (index, node) in nodes.enumerated() {
      let (host, port) = (String(node[0]), Int(node[1]) ?? 0)
      try coordinator.run("create database \(name)", on: host, port: port, in: "postgres")
      try coordinator.run("create extension citus", on: host, port: port, in: name)
      let function = index == 0 ? "citus_set_coordinator_host" : "citus_add_node"
      statements.append("select \(function)('\(host)', \(port))")
    }
    for statement in statements { try coordinator.run(statement, in: name) }
    return name
  }

  /// Drops a database that `newDatabase` created.
  package func drop(_ database: String) throws {
    switch self {
    case .cluster(let coordinator):
      let nodes = try coordinator.run("select nodename || ' ' || nodeport from pg_dist_node")
      for node in nodes.split(separator: "\n").map({ $0.split(separator: " ") }) {
        try coordinator.run(
          "drop database if exists \(database) with (force)", on: String(node[0]),
          port: Int(node[1]) ?? 0, in: "postgres")
      }
    case .fake: try server.drop(database)
    }
  }

  /// Returns the distributed tables of a database and their distribution columns.
  package func distributedTables(of database: String) throws -> [String] {
    let query =
      switch self {
      case .cluster:
        """
        select c.relname || ' ' || column_to_column_name(logicalrelid, partkey) \
        from pg_dist_partition join pg_class as c on c.oid = logicalrelid \
        where partmethod = 'h' order by 1
        """
      case .fake:
        """
        select c.relname || ' ' || a.attname from fake_citus.spread as s \
        join pg_class as c on c.oid = s.relation \
        join pg_attribute as a on a.attrelid = s.relation and a.attnum = s.attribute order by 1
        """
      }
    return try server.run(query, in: database).split(separator: "\n").map(String.init)
  }
}

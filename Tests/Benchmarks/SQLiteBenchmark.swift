import Foundation
import ProgramHarness

/// Saving and listing many records of a shape: datactl in `own.db`, the sqlite3 shell in `peer.db`.
struct SQLiteBenchmark {
  let shape: Shape
  let size: Int
  private let workspace: Workspace
  let data: String
  private let totals: String

  /// Writes the data file and the script for the sqlite3 shell.
  init(_ shape: Shape, size: Int, on workspace: Workspace) throws {
    self.shape = shape
    self.size = size
    self.workspace = workspace
    data = "data.\(shape.format.rawValue)"
    var random = RandomCells()
    let header = shape.format == .csv ? 1 : 0
    try workspace.write(data, lines: size + header) { shape.line($0, &random) }
    try Self.declare(shape, "own.db", on: workspace)
    let script = ShellScript(
      shape: shape,
      definitions: try workspace.run(
        """
        sqlite3 own.db "select sql || ';' from sqlite_master
          where tbl_name = 'record' and sql is not null"
        """),
      pageSize: try workspace.run("sqlite3 own.db 'pragma page_size'"))
    totals = script.totals
    try Data(script.load(data).utf8).write(to: URL(filePath: workspace.path("load.sql")))
  }

  /// Recreates a store without records.
  static func declare(_ shape: Shape, _ store: String, on workspace: Workspace) throws {
    workspace.remove(store)
    try workspace.run("\"$BINARY\" --store \(store) -q schema create record \(shape.declaration)")
  }

  /// Throws unless the columns of both stores have the same counts, sums, minimums and maximums.
  func compare(_ first: String, _ second: String) throws {
    try Data(totals.utf8).write(to: URL(filePath: workspace.path("totals.sql")))
    let answers = try [first, second].map { try workspace.run("sqlite3 \($0) <totals.sql") }
    let totals = answers.map { $0.split(separator: "|", omittingEmptySubsequences: false) }
    if let (one, other) = zip(totals[0], totals[1]).first(where: { $0 != $1 }) {
      throw Violation("\(first) and \(second) do not hold the same: \(one), \(other)")
    }
    let count = try workspace.run("sqlite3 \(first) 'select count(*) from record'")
    guard count == "\(size)\n" else { throw Violation("\(count) records of \(size)") }
  }

  private var nameSuffix: String { shape.name.isEmpty ? "" : " \(shape.name)" }
  private var rounds: Int { size > 200_000 ? 3 : 5 }

  /// Returns the goal if it applies: goals are set for a million records.
  private func goal(_ ratio: Double) -> Double? {
    size >= 1_000_000 && shape.name.isEmpty ? ratio : nil
  }

  func save() -> Comparison {
    var peers = [
      Comparison.Contender(
        name: "sqlite3", goal: goal(0.4), prepare: { workspace.remove("peer.db") },
        command: "sqlite3 peer.db <load.sql")
    ]
    if workspace.hasSQLiteUtils, shape.name.isEmpty {
      peers.append(
        Comparison.Contender(
          name: "sqlite-utils", goal: goal(1.0 / 15), prepare: { workspace.remove("utils.db") },
          command: "sqlite-utils insert utils.db record \(data) --nl", isSlow: true))
    }
    return Comparison(
      work: "save\(nameSuffix)", count: size,
      datactl: Comparison.Contender(
        name: "datactl", prepare: { try Self.declare(shape, "own.db", on: workspace) },
        command: "\"$BINARY\" --store own.db -q save record -o none <\(data)"),
      peers: peers, rounds: rounds, check: { try compare("own.db", "peer.db") })
  }

  func list() -> Comparison {
    let isCSV = shape.format == .csv
    let order = "select * from record order by record_id"
    return Comparison(
      work: "list\(nameSuffix)", count: size,
      datactl: Comparison.Contender(
        name: "datactl",
        command: "\"$BINARY\" --store own.db list record -o \(shape.format.rawValue)",
        lines: isCSV ? nil : size),
      peers: [
        Comparison.Contender(
          name: "sqlite3", goal: goal(0.4),
          command: "sqlite3 \(isCSV ? "-header -csv" : "-json") own.db '\(order)'",
          lines: isCSV ? nil : size)
      ], rounds: rounds)
  }
}

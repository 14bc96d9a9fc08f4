import Foundation
import ProgramHarness

/// Saving and listing many records of a shape on a server, compared with `\copy` of the same rows.
struct PostgresBenchmark {
  private let shape: Shape
  private let size: Int
  private let environment: PostgresEnvironment
  private let workspace: Workspace
  /// The files with the records as NDJSON, and with the rows as `\copy` reads them.
  private let data = "data.ndjson"
  private let rows = "rows.copy"
  private let table = "datactl.record"

  /// Writes the data file, and exports the rows that datactl stores for it.
  init(_ shape: Shape, size: Int, on environment: PostgresEnvironment, _ workspace: Workspace)
    throws
  {
    self.shape = shape
    self.size = size
    self.environment = environment
    self.workspace = workspace
    var random = RandomCells()
    try workspace.write(data, lines: size) { shape.line($0, &random) }
    try environment.declare(shape)
    try workspace.run(saving(data))
    try workspace.run("\(environment.psql("\\copy \(table) to '\(rows)'")) && sync \(rows)")
  }

  func comparisons() throws -> [Comparison] {
    [save(), list(), try saveWithIDs(), try upsert()]
  }

  func save() -> Comparison {
    Comparison(
      work: work("save"), count: size,
      datactl: Comparison.Contender(
        name: "datactl", prepare: { try environment.declare(shape) }, command: saving(data)),
      peers: [copy(goal: 1.5)], rounds: rounds, check: { try compare("peer.record") })
  }

  private func list() -> Comparison {
    Comparison(
      work: work("list"), count: size,
      datactl: Comparison.Contender(
        name: "datactl", command: environment.datactl("list record -o ndjson"), lines: size),
      peers: [
        ("\\copy in order", "(select * from \(table) order by record_id)"), ("\\copy", table),
      ].map { name, source in
        Comparison.Contender(
          name: name, goal: goal(1.5), command: environment.psql("\\copy \(source) to stdout"),
          lines: size)
      }, rounds: rounds)
  }

  /// Saves new records that have ids.
  private func saveWithIDs() throws -> Comparison {
    let names = shape.fields.map(\.name).joined(separator: ",")
    let file = "identified.ndjson"
    try workspace.run(
      "\(environment.datactl("list record -o ndjson --fields \(names)")) >\(file) && sync \(file)")
    return Comparison(
      work: work("save with ids"), count: size,
      datactl: Comparison.Contender(
        name: "datactl", prepare: { try environment.declare(shape) }, command: saving(file)),
      peers: [copy(goal: environment.kind == .citus ? 3 : 2.5)], rounds: rounds,
      check: { try compare("peer.record") })
  }

  /// Changes three fields of each existing record; compared with the server's own upsert.
  private func upsert() throws -> Comparison {
    let file = "changes.ndjson"
    let changed = "record_id, 'changed' as note, price * 2 as price, stock + 1 as stock"
    // Citus does not keep the names of the columns in `row_to_json`.
    let object =
      "json_build_object('record_id', record_id, 'note', 'changed', 'price', price * 2, "
      + "'stock', stock + 1)"
    try workspace.run(
      """
      \(environment.psql("select \(object) from \(table)")) >\(file)
      \(environment.psql("\\copy (select \(changed) from \(table)) to 'changes.copy'"))
      sync \(file) changes.copy
      """)
    try Data(Self.upsert.utf8).write(to: URL(filePath: workspace.path("upsert.sql")))
    return Comparison(
      work: work("upsert"), count: size,
      datactl: Comparison.Contender(
        name: "datactl", prepare: { try restore(table) }, command: saving(file)),
      peers: [
        copy(goal: environment.kind == .citus ? 6 : 2.5),
        Comparison.Contender(
          name: "on conflict", prepare: { try restore("peer.record") },
          command: environment.psql(file: "upsert.sql")),
      ], rounds: rounds, check: { try compare("peer.record") })
  }

  private static let upsert = """
    create temp table line
      (record_id text collate "C", note text, price double precision, stock bigint);
    \\copy line from 'changes.copy'
    insert into peer.record
      (record_id, note, price, stock, created_at, created_by, modified_at, modified_by, revision)
    select record_id, note, price, stock, now(), null, now(), null, 1 from line
    on conflict (record_id) do update set note = excluded.note, price = excluded.price,
      stock = excluded.stock, modified_at = excluded.modified_at,
      modified_by = excluded.modified_by, revision = record.revision + 1;

    """

  /// Refills a table with the original rows.
  private func restore(_ table: String) throws {
    try environment.execute("truncate \(table)")
    try workspace.run(environment.psql("\\copy \(table) from '\(rows)'"))
    try environment.runMaintenance()
  }

  private func saving(_ file: String) -> String {
    environment.datactl("-q save record -o none <\(file)")
  }

  /// Copies the exported rows into the peer table.
  private func copy(goal ratio: Double) -> Comparison.Contender {
    Comparison.Contender(
      name: "\\copy", goal: goal(ratio),
      prepare: { try environment.execute("truncate peer.record; checkpoint") },
      command: environment.psql("\\copy peer.record from '\(rows)'"))
  }

  private func work(_ name: String) -> String {
    environment.kind.prefix + name + (shape.name.isEmpty ? "" : " \(shape.name)")
  }

  private var rounds: Int { size > 200_000 ? 3 : 5 }

  /// Returns the goal if it applies: goals are set for a million records.
  private func goal(_ ratio: Double) -> Double? {
    size >= 1_000_000 && shape.name.isEmpty ? ratio : nil
  }

  /// Throws unless the columns of both tables have the same counts, sums, minimums and maximums.
  private func compare(_ other: String) throws {
    let answers = try [table, other].map { source in
      try environment.execute("select \(shape.totals) from \(source)")
    }
    let totals = answers.map { $0.split(separator: "|", omittingEmptySubsequences: false) }
    if let (one, other) = zip(totals[0], totals[1]).first(where: { $0 != $1 }) {
      throw Violation("the rows of datactl and of \\copy are not the same: \(one), \(other)")
    }
    guard totals[0].first == "\(size)" else { throw Violation("\(totals[0]) of \(size) rows") }
  }
}

extension Shape {
  /// The aggregates by which PostgreSQL compares the rows of two tables.
  fileprivate var totals: String {
    let columns = fields.flatMap { field -> [String] in
      let name = field.name
      let (value, measure) =
        switch field.type {
        case .text, .record: (name, "length(\(name))")
        case .integer: (name, name)
        case .boolean: ("\(name)::int", "\(name)::int")
        case .datetime: (name, "extract(epoch from \(name))")
        // A sum of integers does not depend on the order, unlike a sum of floating-point numbers.
        case .number: (name, "round(\(name) * 100)::bigint")
        case .texts, .json: ("\(name)::text", "length(\(name)::text)")
        }
      return ["count(\(value))", "sum(\(measure))", "min(\(value))", "max(\(value))"]
    }
    let counts = ["count(*)", "count(created_at)", "count(modified_at)", "sum(revision)"]
    return (counts + columns).joined(separator: ", ")
  }
}

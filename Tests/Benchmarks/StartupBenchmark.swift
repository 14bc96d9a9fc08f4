import ProgramHarness

/// Processes with very little work, so that startup time dominates.
enum StartupBenchmark {
  static func run(on workspace: Workspace, _ report: (Comparison.Result) -> Void) throws {
    try SQLiteBenchmark.declare(.eight, "own.db", on: workspace)
    try workspace.run("\"$BINARY\" --store own.db -q save record -o none one title=tea price=4")
    for comparison in try reading(workspace) + [
      saving(workspace), many(workspace), parallel(workspace),
    ] {
      report(try comparison.run(on: workspace))
    }
    workspace.remove("own.db")
    workspace.remove("peer.db")
  }

  private static func reading(_ workspace: Workspace) throws -> [Comparison] {
    // Without -readonly, which would leave the write-ahead log for the next process.
    let select = "sqlite3 -json own.db \"select * from record where record_id = 'one'\""
    let get = "\"$BINARY\" --store own.db get record one"
    for contender in [get, select] {
      let output = try workspace.run(contender)
      guard output.contains("\"record_id\":\"one\""), output.contains("\"title\":\"tea\"") else {
        throw Violation("the record is not what \(contender) prints: \(output)")
      }
    }
    return [("--version", "\"$BINARY\" --version"), ("get one record", get)].map { work, command in
      Comparison(
        work: work, datactl: Comparison.Contender(name: "datactl", command: command, repeats: 5),
        peers: [Comparison.Contender(name: "sqlite3", goal: 1.1, command: select, repeats: 5)],
        rounds: 200
      )
    }
  }

  private static let save = "\"$BINARY\" --store own.db -q save record -o none title=tea price=4"
  private static let insert =
    "sqlite3 -cmd '.timeout 30000' peer.db \"\(ShellScript.insert)\""

  private static func recreate(_ workspace: Workspace) throws {
    try SQLiteBenchmark.declare(.eight, "own.db", on: workspace)
    try workspace.copy("own.db", to: "peer.db")
  }

  private static func saving(_ workspace: Workspace) -> Comparison {
    Comparison(
      work: "save one record",
      datactl: Comparison.Contender(
        name: "datactl", prepare: { try recreate(workspace) }, command: save, repeats: 10),
      peers: [Comparison.Contender(name: "sqlite3", command: insert, repeats: 10)],
      rounds: 10, check: { try compare(10, workspace) })
  }

  private static func many(_ workspace: Workspace) -> Comparison {
    Comparison(
      work: "single saves, a process each:", count: 1_000,
      datactl: Comparison.Contender(
        name: "datactl", prepare: { try recreate(workspace) }, command: Workspace.loop(1_000, save)),
      peers: [Comparison.Contender(name: "sqlite3", command: Workspace.loop(1_000, insert))],
      rounds: 1, isOneProcess: false, check: { try compare(1_000, workspace) })
  }

  private static func parallel(_ workspace: Workspace) -> Comparison {
    Comparison(
      work: "single saves at once:", count: 40,
      datactl: Comparison.Contender(
        name: "datactl", prepare: { try recreate(workspace) }, command: Workspace.parallel(40, save)
      ),
      peers: [Comparison.Contender(name: "sqlite3", command: Workspace.parallel(40, insert))],
      rounds: 10, isOneProcess: false, check: { try compare(40, workspace) })
  }

  private static func compare(_ count: Int, _ workspace: Workspace) throws {
    let totals = try ["own", "peer"].map {
      try workspace.run("sqlite3 \($0).db 'select count(*), sum(price), sum(revision) from record'")
    }
    guard totals[0] == totals[1], totals[0].hasPrefix("\(count)|") else {
      throw Violation("\(count) records were expected in both stores: \(totals)")
    }
  }
}

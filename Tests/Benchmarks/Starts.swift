import ProgramHarness

/// Processes with very little work, so that startup time dominates.
enum Starts {
  static func run(on track: Track, _ report: (Contest.Result) -> Void) throws {
    try Trial.declare(.eight, "own.db", on: track)
    try track.run("\"$BINARY\" --store own.db -q save record -o none one title=tea price=4")
    for contest in try reading(track) + [saving(track), many(track), crowd(track)] {
      report(try contest.run(on: track))
    }
    track.remove("own.db")
    track.remove("peer.db")
  }

  private static func reading(_ track: Track) throws -> [Contest] {
    // Without -readonly, which would leave the write-ahead log for the next process.
    let select = "sqlite3 -json own.db \"select * from record where record_id = 'one'\""
    let get = "\"$BINARY\" --store own.db get record one"
    for side in [get, select] {
      let output = try track.run(side)
      guard output.contains("\"record_id\":\"one\""), output.contains("\"title\":\"tea\"") else {
        throw Violation("the record is not what \(side) prints: \(output)")
      }
    }
    return [("--version", "\"$BINARY\" --version"), ("get one record", get)].map { work, command in
      Contest(
        work: work, datactl: Contest.Side(name: "datactl", command: command, repeats: 5),
        peers: [Contest.Side(name: "sqlite3", goal: 1.1, command: select, repeats: 5)], rounds: 200
      )
    }
  }

  private static let save = "\"$BINARY\" --store own.db -q save record -o none title=tea price=4"
  private static let insert =
    "sqlite3 -cmd '.timeout 30000' peer.db \"\(ShellScript.insert)\""

  private static func renew(_ track: Track) throws {
    try Trial.declare(.eight, "own.db", on: track)
    try track.copy("own.db", to: "peer.db")
  }

  private static func saving(_ track: Track) -> Contest {
    Contest(
      work: "save one record",
      datactl: Contest.Side(
        name: "datactl", prepare: { try renew(track) }, command: save, repeats: 10),
      peers: [Contest.Side(name: "sqlite3", command: insert, repeats: 10)],
      rounds: 10, check: { try compare(10, track) })
  }

  private static func many(_ track: Track) -> Contest {
    Contest(
      work: "single saves, a process each:", count: 1_000,
      datactl: Contest.Side(
        name: "datactl", prepare: { try renew(track) }, command: Track.loop(1_000, save)),
      peers: [Contest.Side(name: "sqlite3", command: Track.loop(1_000, insert))],
      rounds: 1, isOneProcess: false, check: { try compare(1_000, track) })
  }

  private static func crowd(_ track: Track) -> Contest {
    Contest(
      work: "single saves at once:", count: 40,
      datactl: Contest.Side(
        name: "datactl", prepare: { try renew(track) }, command: Track.crowd(40, save)),
      peers: [Contest.Side(name: "sqlite3", command: Track.crowd(40, insert))],
      rounds: 10, isOneProcess: false, check: { try compare(40, track) })
  }

  private static func compare(_ count: Int, _ track: Track) throws {
    let totals = try ["own", "peer"].map {
      try track.run("sqlite3 \($0).db 'select count(*), sum(price), sum(revision) from record'")
    }
    guard totals[0] == totals[1], totals[0].hasPrefix("\(count)|") else {
      throw Violation("\(count) records were expected in both stores: \(totals)")
    }
  }
}

import Foundation
import ProgramHarness

/// Measures datactl beside the sqlite3 shell: `Benchmarks BINARY [SIZE…]`.
@main
struct Main {
  static func main() throws {
    guard CommandLine.arguments.count > 1 else {
      print("usage: Benchmarks BINARY [SIZE…]")
      exit(2)
    }
    let given = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
    let sizes = given.isEmpty ? [100_000, 1_000_000] : given
    let track = try Track(binary: CommandLine.arguments[1])
    var results = try starts(track).map { try $0.run(rounds: 35) }
    for size in sizes {
      results += try bulk(track, size).map { try $0.run(rounds: size > 200_000 ? 3 : 5) }
    }
    print(table(results))
  }

  /// Processes that do very little. A run is 40 of them, so that the sides take turns often: other
  /// work on the machine then slows both alike.
  private static func starts(_ track: Track) throws -> [Contest] {
    try track.shell(
      """
      "$BINARY" schema create record \(Samples.fields.map { "'\($0)'" }.joined(separator: " "))
      "$BINARY" save -o none record one title=tea price=4
      """)
    func repeated(_ command: String) -> () throws -> Double {
      let line = "i=0; while [ $i -lt 40 ]; do \(command) >/dev/null || exit; i=$((i + 1)); done"
      return { try track.time(line) / 40 }
    }
    // Without -readonly, which would leave the journal behind for the next one.
    let select = "sqlite3 -json shop.db \"select * from record where record_id = 'one'\""
    for side in ["\"$BINARY\" get record one", select] {
      let output = try track.shell(side).output
      guard output.contains("\"record_id\":\"one\""), output.contains("\"title\":\"tea\"") else {
        throw Violation("the record is not what \(side) prints: \(output)")
      }
    }
    return [
      Contest(
        work: "--version", datactl: repeated("\"$BINARY\" --version"), peer: repeated(select),
        memory: { try track.memory(["--version"]) }),
      Contest(
        work: "get one record", datactl: repeated("\"$BINARY\" get record one"),
        peer: repeated(select), memory: { try track.memory(["get", "record", "one"]) }),
    ]
  }

  /// Saving and listing many records.
  private static func bulk(_ track: Track, _ size: Int) throws -> [Contest] {
    var samples = Samples(seed: 20_261_120)
    let data = "data\(size).ndjson"
    try samples.write(size, to: track.path(data))
    let fields = Samples.fields.map { "'\($0)'" }.joined(separator: " ")
    let definitions = try track.shell(
      """
      sqlite3 shop.db "select sql || ';' from sqlite_master
        where tbl_name = 'record' and sql is not null"
      """
    ).output
    let pageSize = Int(try track.shell("sqlite3 shop.db 'pragma page_size'").lines[0]) ?? 4096
    try Data(Peer.load(data, definitions: definitions, pageSize: pageSize).utf8)
      .write(to: URL(filePath: track.path("load.sql")))

    func declare(_ store: String) throws {
      track.remove(store)
      try track.shell("\"$BINARY\" --store sqlite:\(store) schema create record \(fields)")
    }
    let count = size.formatted(.number.locale(Locale(identifier: "en_US")))
    let save = Contest(
      work: "save \(count)",
      datactl: {
        try declare("own.db")
        let line = "\"$BINARY\" --store sqlite:own.db -q save record -o none <\(data)"
        return try track.time(line)
      },
      peer: {
        track.remove("peer.db")
        let seconds = try track.time("sqlite3 peer.db <load.sql >/dev/null")
        let totals = try ["own", "peer"].map {
          try track.shell("sqlite3 \($0).db \"\(Peer.totals)\"").output
        }
        guard totals[0] == totals[1], totals[0].hasPrefix("\(size)|") else {
          throw Violation("the two sides did not do the same work: \(totals)")
        }
        return seconds
      },
      memory: {
        try declare("memory.db")
        return try track.memory(
          ["--store", "sqlite:memory.db", "save", "record", "-o", "none"],
          input: .file(track.path(data)))
      })
    let list = Contest(
      work: "list \(count)",
      datactl: {
        try track.time(
          "[ $(\"$BINARY\" --store sqlite:own.db list record | wc -l) = \(size) ]")
      },
      peer: {
        try track.time(
          "[ $(sqlite3 -json own.db 'select * from record order by record_id' | wc -l) = \(size) ]")
      }, memory: { try track.memory(["--store", "sqlite:own.db", "list", "record"]) })
    return [save, list]
  }

  private static func table(_ results: [Contest.Result]) -> String {
    func cell(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    func seconds(_ value: Double) -> String {
      value < 0.1 ? String(format: "%.2f ms", value * 1000) : String(format: "%.2f s", value)
    }
    let header = "work".padding(toLength: 20, withPad: " ", startingAt: 0)
    let titles = ["datactl", "sqlite3", "ratio", "peak memory"].map { cell($0, 12) }.joined()
    let rows = results.map { result in
      result.work.padding(toLength: 20, withPad: " ", startingAt: 0)
        + cell(seconds(result.datactl), 12) + cell(seconds(result.peer), 12)
        + cell(String(format: "%.2f", result.datactl / result.peer), 12)
        + cell(String(format: "%.1f MB", Double(result.memory) / 1_048_576), 12)
    }
    return ([header + titles] + rows).joined(separator: "\n")
  }
}

import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("Killing a save", .serialized)
struct KillTests {
  @Test("keeps either all records of a save or none when kill -9 ends the save")
  func randomMoments() throws {
    let given = ProcessInfo.processInfo.environment["DATACTL_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 1...999_999)
    print("the seed of the moments is \(seed); DATACTL_SEED=\(seed) repeats them")
    var generator = SeededRandom(seed: seed)

    let folder = try TestFolder()
    try folder.createTodoSchema()
    let records = 20_000
    var input: [UInt8] = []
    for number in 0..<records { input += "{\"title\":\"t\(number)\",\"priority\":1}\n".utf8 }
    let whole = try folder.datactl.run(["save", "todo", "-o", "none"], input: .bytes(input)).exits(
      0)
    // The duration of a save changes with the load of the other tests.
    var duration = whole.seconds
    var kept = records
    var reported = 0
    var unreported = 0

    for round in Seeds.count(test: 60, all: 200) {
      let moment = Double.random(in: 0...1.15, using: &generator) * duration
      let save = try folder.program.start(["save", "todo", "-o", "none"], input: .bytes(input))
      try save.run(for: .seconds(moment))
      save.signal(9)
      let run = try save.finish()
      let count = try folder.todoCount
      let wasReported = run.errors.contains("20,000 saved")
      #expect(count == kept || count == kept + records, "round \(round), seed \(seed)")
      if wasReported || run.status == 0 {
        #expect(count == kept + records, "reported and lost: round \(round), seed \(seed)")
        duration = run.seconds
      }
      reported += wasReported ? 1 : 0
      unreported += wasReported ? 0 : 1
      kept = count
      if kept >= 10 * records {
        try folder.prepare("delete", "todo", "--all", "--yes")
        kept = 0
      }
      if round % 20 == 0 {
        try folder.checkIntegrity()
      }
    }
    #expect(unreported > 20, "the moments were all too late")
    print("\(reported) saves had been reported when they were killed")
  }

  @Test("keeps all records of all trees or none when kill -9 ends a save --deep")
  func trees() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "line", "n:integer")
    try folder.prepare("schema", "create", "order", "n:integer", "lines:line+")
    let trees = 2_000
    var input: [UInt8] = []
    for number in 1...trees {
      let line = "{\"line_id\":\"l\(number)\",\"n\":{\"$add\":1}}"
      input += "{\"order_id\":\"o\(number)\",\"n\":{\"$add\":1},\"lines\":[\(line)]}\n".utf8
    }
    try kill(["save", "order", "--deep", "-o", "none"], input, in: folder) { round in
      let sums = try ["order", "line"].map { schema in
        try folder.shell("datactl list \(schema) -o ndjson | jq -s 'map(.n) | add'").exits(0).output
      }
      let sum = try #require(Int(sums[0].filter(\.isNumber)))
      #expect(sums[0] == sums[1] && sum % trees == 0, "round \(round)")
    }
  }

  /// Runs a command once to its end, and then kills it at random moments. Calls a closure after each
  /// time.
  private func kill(
    _ arguments: [String], _ input: [UInt8], in folder: TestFolder, check: (Int) throws -> Void
  ) throws {
    var generator = SeededRandom(seed: UInt64.random(in: 1...999_999))
    let whole = try folder.datactl.run(arguments, input: .bytes(input)).exits(0)
    for round in Seeds.count(test: 10, all: 100) {
      let save = try folder.program.start(arguments, input: .bytes(input))
      try save.run(for: .seconds(Double.random(in: 0...1.1, using: &generator) * whole.seconds))
      save.signal(9)
      _ = try save.finish()
      try check(round)
    }
  }

  @Test("keeps all owned lists of a save, with their deletions, or none when kill -9 ends it")
  func ownedLists() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "ord", "n:integer")
    try folder.prepare("schema", "create", "line", "ord:ord:lines:owned", "n:integer")
    let orders = 1_000
    var input: [UInt8] = []
    for number in 1...orders {
      let lines = "{\"line_id\":\"l\(number)\",\"n\":{\"$add\":1}},{\"n\":1}"
      input += "{\"ord_id\":\"o\(number)\",\"lines\":[\(lines)]}\n".utf8
    }
    try kill(["save", "ord", "--deep", "-o", "none"], input, in: folder) { round in
      let script = """
        datactl list ord --expand lines -o ndjson |
          jq -c '[.revision, (.lines | length), (.lines | max_by(.n).n)]' | sort | uniq -c
        """
      let state = try folder.shell(script).exits(0).output
      let words = state.split(whereSeparator: { " [],\n".contains($0) }).compactMap { Int($0) }
      #expect(words.count == 4 && words[0] == orders && words[2] == 2, "round \(round): \(state)")
      // Each save has given each order one revision, and counted once in one of its lines.
      #expect(words.count == 4 && words[1] == words[3], "round \(round): \(state)")
    }
  }

  @Test("leaves a complete store or none when kill -9 ends a schema create")
  func firstSchema() throws {
    var generator = SeededRandom(seed: 7)
    for _ in 1...20 {
      let folder = try TestFolder()
      let create = try folder.program.start(["schema", "create", "todo", "title:text"])
      try create.run(for: .seconds(Double.random(in: 0...0.02, using: &generator)))
      create.signal(9)
      _ = try create.finish()
      try folder.shell(
        "datactl schema show todo >/dev/null || datactl schema create todo title:text"
      )
      .exits(0)
      try folder.prepare("save", "todo", "a", "title=x")
    }
  }
}

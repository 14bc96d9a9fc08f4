import Foundation
import ProgramHarness
import Testing

@Suite("Schema changes")
struct SchemaLifeTests {
  private func place(_ fields: String) throws -> Place {
    let place = try Place()
    try declare(fields, in: place)
    try place.prepare("schema", "apply")
    return place
  }

  private func declare(_ fields: String, in place: Place, name: String = "todo") throws {
    let folder = place.folder + "/schemas"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    let text = #"{"schema": "\#(name)", "fields": {"\#(name)_id": {"type": "id"}\#(fields)}}"#
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name).json"))
  }

  @Test("diff exits with 0, 1, or more than 1 when it fails", .onEveryStore)
  func diff() throws {
    let place = try place(#", "title": {"type": "text"}"#)
    try place.datactl.run(["schema", "diff"]).exits(0)
    try declare(#", "title": {"type": "text", "max": 9}, "due": {"type": "datetime"}"#, in: place)
    let run = try place.datactl.run(["schema", "diff"]).exits(1)
    #expect(
      run.output == """
        + todo.due
        ~ todo.title: max is missing in the store, 9 in the files

        """)
    let json = try place.shell("datactl schema diff -o json | jq -c '[.same, .differences[].in]'")
    #expect(json.output == "[false,\"files\",\"both\"]\n")
    try declare(#", "title": {"type": "geopoint"}"#, in: place)
    try place.datactl.run(["schema", "diff"]).exits(1)
      .prints("~ todo.title: type is text in the store, geopoint in the files\n")
    try place.datactl.run(["schema", "plan"]).exits(5).printsNothing()
      .says("cannot convert text to geopoint")
    let users =
      #"{"schema": "todo", "kind": "user", "fields": {"name": {"type": "id"}, "secret": {"type": "password"}}}"#
    try place.datactl.run(["schema", "diff", "-"], input: .text(users)).exits(1)
      .prints("- schema todo\n+ schema todo\n")
    try place.datactl.run(["schema", "diff", "nowhere"]).exits(3)
    try place.datactl.run(["schema", "diff", "--store", "none.db"]).exits(1)
    try place.shell("echo '{' | datactl schema diff -").exits(6)
    try place.shell("datactl schema diff > /dev/full").exits(7)
  }

  @Test("applies a plan exactly, and only to the store it was made for", .onEveryStore)
  func plan() throws {
    let place = try place(#", "title": {"type": "text"}"#)
    try place.prepare("save", "todo", "a", "title=x")
    try declare(#", "heading": {"type": "text", "was": "title"}"#, in: place)
    #expect(
      try place.prepare("schema", "plan").output == """
        rename field todo.title to todo.heading
          get, list and save of todo print heading instead of title, and save reads it
          --where, --order, --fields and --expand take heading instead of title

        """)
    try place.shell("datactl schema plan -o json > plan.json").exits(0)
    for edit in [
      #".steps[0].to = "other""#, #".steps = []"#, ".more = 1", ".version = 2", "del(.from)",
      ".schemas[0].fields.more = {}", #".from = "0""#, ".reading = 1", "[.]",
    ] {
      let run = try place.shell("jq '\(edit)' plan.json | datactl schema apply --plan -")
      #expect([5, 6].contains(run.status), "\(edit): \(run.report)")
    }
    try place.shell("head -c 300 plan.json | datactl schema apply --plan -").exits(6)
    try place.shell("jq -c . plan.json | datactl schema apply --plan - --dry-run").exits(0)
    try place.datactl.run(["schema", "apply", "--plan", "plan.json"]).exits(0)
    #expect(
      try place.shell("datactl get todo a -o json | jq -c '[.heading, .revision]'").output
        == "[\"x\",1]\n")
    try place.datactl.run(["schema", "apply", "--plan", "plan.json"]).exits(5)
    try place.datactl.run(["schema", "apply"]).exits(0)
    #expect(try place.prepare("schema", "plan").output == "")
    let log = try place.shell("datactl schema log -o json | jq -c '[.[].steps[].step]'")
    #expect(log.output == "[\"create_schema\",\"rename_field\"]\n")
  }

  @Test("loses data only with --allow-loss, not with --yes", .onEveryStore)
  func loss() throws {
    let place = try place(#", "title": {"type": "text"}, "note": {"type": "text"}"#)
    try place.prepare("save", "todo", "a", "title=x", "note=n")
    try declare(#", "title": {"type": "text"}"#, in: place)
    for more in [[], ["--dry-run"], ["--allow-loss", "todo"], ["--allow-loss", "todo.title"]] {
      try place.datactl.run(["schema", "apply"] + more).exits(5)
    }
    try place.datactl.run(["schema", "apply", "--yes"]).exits(2)
    #expect(try place.prepare("get", "todo", "a").output.contains("\"note\":\"n\""))
    try place.prepare("schema", "apply", "--allow-loss", "todo.note")
    try place.prepare("schema", "apply", "--allow-loss", "todo.note")
    #expect(!(try place.prepare("get", "todo", "a").output.contains("note")))
  }

  @Test("rejects a rename that would break a stored function", .onEveryStore)
  func functions() throws {
    let place = try place(#", "title": {"type": "text"}, "due": {"type": "datetime"}"#)
    let function =
      #"{"function_id": "named", "item_type": "todo", "function": {"selectCore": "from todo t where t.title = :x"}}"#
    try place.shell("echo '\(function)' | datactl save function -o none").exits(0)
    let run = try place.datactl.run(["schema", "rename", "todo.title", "heading"]).exits(5)
    #expect(run.errors.contains("function named"))
    try place.datactl.run(["schema", "rename", "todo", "task"]).exits(5)
    try place.datactl.run(["schema", "rename", "todo.due", "deadline"]).exits(0)
    try place.prepare("delete", "function", "named")
    try place.datactl.run(["schema", "rename", "todo.title", "heading"]).exits(0)
    try place.datactl.run(["schema", "rename", "todo.title", "heading"]).exits(2)
    try place.datactl.run(["schema", "rename", "todo", "task"]).exits(0)
    #expect(try place.prepare("schema", "show", "task").output.contains("\"task_id\""))
  }

  @Test("one of several concurrent applies executes the steps", .onEveryStore)
  func atOnce() throws {
    let place = try place(#", "title": {"type": "text"}"#)
    try declare(#", "title": {"type": "text"}, "n": {"type": "integer", "default": 1}"#, in: place)
    let runs = try (0..<8).map { _ in try place.program.start(["schema", "apply"]) }
    let ends = try runs.map { try $0.finish() }
    #expect(ends.allSatisfy { $0.status == 0 })
    #expect(ends.count { $0.errors.contains("add field todo.n") } == 1)
    #expect(try place.shell("datactl schema log -o json | jq length").output == "2\n")
  }

  @Test("kill -9 during an apply leaves the old or the new schema")
  func kill() throws {
    let given = ProcessInfo.processInfo.environment["DATACTL_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 1...999_999)
    print("the seed of the moments is \(seed); DATACTL_SEED=\(seed) repeats them")
    var generator = SeededGenerator(seed: seed)
    let old = #", "title": {"type": "text"}, "stock": {"type": "text"}, "tag": {"type": "text"}"#
    let new =
      #", "heading": {"type": "text", "unique": true, "was": "title"}, "stock": {"type": "integer"}, "tag": {"type": "[text]"}"#
    let place = try place(old)
    var input: [UInt8] = []
    for number in 0..<20_000 {
      input +=
        "{\"todo_id\":\"\(number)\",\"title\":\"t\(number)\",\"stock\":\"1\",\"tag\":\"a\"}\n".utf8
    }
    try place.datactl.run(["save", "todo", "-o", "none"], input: .bytes(input)).exits(0)
    try place.shell("cp shop.db old.db; rm -f shop.db-*").exits(0)
    try declare(new, in: place)
    let whole = try place.datactl.run(["schema", "apply"]).exits(0)
    var states: [String: Int] = [:]
    for round in 1...40 {
      try place.shell("cp old.db shop.db; rm -f shop.db-*").exits(0)
      let moment = Double.random(in: 0...1.1, using: &generator) * whole.seconds
      let apply = try place.program.start(["schema", "apply"])
      try apply.run(for: .seconds(moment))
      apply.signal(9)
      _ = try apply.finish()
      let state = try place.shell(
        """
        datactl list todo -o ndjson | jq -c 'del(.todo_id, .created_at, .modified_at, .title, .heading)' \
        | sort | uniq -c; datactl schema show todo | grep -c heading
        """
      ).output
      states[state, default: 0] += 1
      let isOld = state.contains(#""stock":"1","tag":"a""#) && state.hasSuffix("\n0\n")
      let isNew = state.contains(#""stock":1,"tag":["a"]"#) && state.hasSuffix("\n1\n")
      #expect(
        (isOld || isNew) && state.contains("20000 {"), "round \(round), seed \(seed): \(state)")
      try place.datactl.run(["schema", "apply"]).exits(0)
      try place.checkStore()
    }
    #expect(states.count == 2, "the moments were all alike: \(states)")
  }
}

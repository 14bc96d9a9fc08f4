import ProgramHarness
import Testing

@Suite("Many at once on one store", .serialized, .onEveryStore)
struct ManyWritersTests {
  @Test("40 saves at once are 40 successes and 40 records")
  func fortySaves() throws {
    let place = try Place()
    try place.declareTodos()
    var children: [Child] = []
    for number in 1...40 {
      children.append(try place.program.start(["save", "todo", "title=t\(number)"]))
    }
    var ids: Set<String> = []
    for child in children {
      let run = try child.finish().exits(0)
      ids.formUnion(try run.records.compactMap { $0["todo_id"]?.text })
    }
    #expect(ids.count == 40)
    #expect(try place.todoCount == 40)
    try place.checkStore()
  }

  @Test("changes of all that meet a condition, made at once, are all made")
  func changesByCondition() throws {
    let place = try Place()
    try place.declareTodos()
    let todos = (1...300).map { "{\"todo_id\":\"\($0)\",\"title\":\"t\",\"priority\":0}" }
    try place.prepare("save", "todo", "-o", "none", input: .text(todos.joined(separator: "\n")))
    let children = try (1...6).map { _ in
      try place.program.start([
        "save", "todo", "--where", "priority < 100", "priority+=1", "--yes", "-o", "none",
      ])
    }
    for child in children { try child.finish().exits(0) }
    try place.run("list", "todo", "--group-by", "priority").exits(0)
      .prints("{\"priority\":6,\"count\":300}\n")
  }

  @Test("40 schemas at once are 40 successes and 40 schemas, even if the first makes the store")
  func fortySchemas() throws {
    let place = try Place()
    var children: [Child] = []
    for number in 1...40 {
      children.append(try place.program.start(["schema", "create", "s\(number)", "title:text"]))
    }
    for child in children { try child.finish().exits(0) }
    let names = try place.prepare("schema", "list", "-o", "ids").lines
    #expect(Set(names).count == 40)
    try place.checkStore()
  }

  @Test("four writers and a reader work for ten seconds; nothing is lost and nobody starves")
  func writersAndReader() throws {
    let place = try Place()
    try place.declareTodos()
    try place.prepare("save", "todo", "sum", "title=sum", "priority=0")
    let end = ContinuousClock.now + .seconds(10)
    var writers: [Child?] = [nil, nil, nil, nil]
    var reader: Child?
    var saves = [0, 0, 0, 0]
    var longest = [0.0, 0.0, 0.0, 0.0, 0.0]
    var seen = 0

    while ContinuousClock.now < end {
      for index in writers.indices where writers[index] == nil {
        writers[index] = try place.program.start(
          ["save", "todo", "-o", "none", "sum", "priority+=1"])
      }
      if reader == nil { reader = try place.program.start(["list", "todo", "--count"]) }
      // The one that began first is waited for; the others go on meanwhile.
      for index in writers.indices {
        guard let run = try writers[index]?.finish().exits(0) else { continue }
        longest[index] = max(longest[index], run.seconds)
        saves[index] += 1
        writers[index] = try place.program.start(
          ["save", "todo", "-o", "none", "sum", "priority+=1"])
      }
      if let run = try reader?.finish().exits(0).prints("1\n") {
        longest[4] = max(longest[4], run.seconds)
        seen += 1
      }
      reader = nil
    }
    for index in writers.indices {
      _ = try writers[index]?.finish().exits(0)
      saves[index] += 1
    }

    let sum = try place.prepare("get", "todo", "sum", "--fields", "priority")
    #expect(sum.output == "{\"todo_id\":\"sum\",\"priority\":\(saves.reduce(0, +))}\n")
    #expect(seen > 0)
    #expect(saves.allSatisfy { $0 > 10 }, "saves a writer: \(saves)")
    #expect(longest.allSatisfy { $0 < 5 }, "longest waits: \(longest)")
    try place.checkStore()
  }

  @Test("a list piped into a save of the same store comes to its end and changes nothing")
  func listIntoSave() throws {
    let place = try Place()
    try place.keepManyTodos(20_000)
    let before = try place.todos
    try place.shell("set -o pipefail; datactl list todo | datactl save todo -o none").exits(0)
      .says("20,000 saved: 20,000 the same")
    #expect(try place.todos == before)
  }
}

import ProgramHarness
import Testing

@Suite("Concurrent commands on one store", .serialized, .onEveryStore)
struct ManyWritersTests {
  @Test("40 concurrent saves all succeed")
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

  @Test("concurrent changes by condition are all applied")
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

  @Test("40 concurrent schema creates succeed, including the one that creates the store")
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

  @Test("four writers and a reader all make progress and lose nothing")
  func writersAndReader() throws {
    let place = try Place()
    try place.declareTodos()
    try place.prepare("save", "todo", "sum", "title=sum", "priority=0")
    func save() throws -> Child {
      try place.program.start(["save", "todo", "-o", "none", "sum", "priority+=1"])
    }
    var writers = [try save(), try save(), try save(), try save()]
    for _ in 0..<25 {
      let reader = try place.program.start(["list", "todo", "--count"])
      // Waits for the oldest writer while the others continue.
      for index in writers.indices {
        try writers[index].finish().exits(0)
        writers[index] = try save()
      }
      try reader.finish().exits(0).prints("1\n")
    }
    for writer in writers { try writer.finish().exits(0) }
    try place.run("get", "todo", "sum", "--fields", "priority").exits(0)
      .prints("{\"todo_id\":\"sum\",\"priority\":104}\n")
    try place.checkStore()
  }

  @Test("a list piped into a save of the same store terminates and changes nothing")
  func listIntoSave() throws {
    let place = try Place()
    try place.keepManyTodos(20_000)
    let before = try place.todos
    try place.shell("set -o pipefail; datactl list todo | datactl save todo -o none").exits(0)
      .says("20,000 saved: 20,000 the same")
    #expect(try place.todos == before)
  }
}

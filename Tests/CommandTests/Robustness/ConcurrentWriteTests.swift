import ProgramHarness
import Testing

@Suite("Concurrent commands on one store", .serialized, .onEveryStore)
struct ConcurrentWriteTests {
  @Test("saves every record when 40 processes save concurrently")
  func fortySaves() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    var children: [Child] = []
    for number in 1...40 {
      children.append(try folder.program.start(["save", "todo", "title=t\(number)"]))
    }
    var ids: Set<String> = []
    for child in children {
      let run = try child.finish().exits(0)
      ids.formUnion(try run.records.compactMap { $0["todo_id"]?.text })
    }
    #expect(ids.count == 40)
    #expect(try folder.todoCount == 40)
    try folder.checkIntegrity()
  }

  @Test("saves and deletes records, also with ids from a pipe, while schemas change")
  func changedSchemas() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "note", "title:text")
    // The schema changes while the save waits for the rest of its input.
    let save = try folder.shell(
      """
      { echo '{"note_id":"a"}'; datactl schema rename note.title name >&2; \
      echo '{"note_id":"b"}'; } | datactl save note -o ids
      """)
    try save.exits(0).prints("a\nb\n")
    let storm = try folder.shell(
      """
      (for n in {1..12}; do datactl schema create other$n x:text > /dev/null 2>&1; done) & \
      for n in {1..20}; do datactl save note c$n name=x -o none && datactl delete note c$n \
      || exit; done; wait
      """)
    try storm.exits(0)
  }

  @Test("loses no update when several save --where commands run concurrently")
  func changesByCondition() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    let todos = (1...300).map { "{\"todo_id\":\"\($0)\",\"title\":\"t\",\"priority\":0}" }
    try folder.prepare("save", "todo", "-o", "none", input: .text(todos.joined(separator: "\n")))
    let children = try (1...6).map { _ in
      try folder.program.start([
        "save", "todo", "--where", "priority < 100", "priority+=1", "--yes", "-o", "none",
      ])
    }
    for child in children { try child.finish().exits(0) }
    try folder.run("list", "todo", "--group-by", "priority").exits(0)
      .prints("{\"priority\":6,\"count\":300}\n")
  }

  @Test("creates one store with all schemas when 40 processes create schemas concurrently")
  func fortySchemas() throws {
    let folder = try TestFolder()
    var children: [Child] = []
    for number in 1...40 {
      children.append(try folder.program.start(["schema", "create", "s\(number)", "title:text"]))
    }
    for child in children { try child.finish().exits(0) }
    let names = try folder.prepare("schema", "list", "-o", "ids").lines
    #expect(Set(names).count == 40)
    try folder.checkIntegrity()
  }

  @Test(
    "commits all concurrent batches even if they change the same records in different orders",
    arguments: [8])
  func batches(count: Int) throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "product", "stock:integer")
    try folder.prepare("schema", "create", "line", "product:product")
    let products = (1...3).map { #"{"product_id":"p\#($0)","stock":1000}"# + "\n" }.joined()
    try folder.prepare("save", "product", "-o", "none", input: .text(products))
    var children: [Child] = []
    for number in 1...count {
      let order = number.isMultiple(of: 2) ? [1, 2, 3] : [3, 2, 1]
      let operations = order.map { product in
        """
        {"save":"line","record":{"product":"p\(product)"}}
        {"save":"product","id":"p\(product)","record":{"stock":{"$add":-1}}}
        {"check":"product","id":"p\(product)","where":"stock >= 0"}

        """
      }
      children.append(
        try folder.program.start(["batch", "--wait", "60"], input: .text(operations.joined())))
    }
    for child in children { try child.finish().exits(0) }
    try folder.run("list", "product", "--group-by", "stock").exits(0)
      .prints("{\"stock\":\(1_000 - count),\"count\":3}\n")
    try folder.run("list", "line", "--count").exits(0).prints("\(3 * count)\n")
    try folder.checkIntegrity()
  }

  @Test("loses no edit when four writers change the lines of an order and two save it as a whole")
  func ownersAndParts() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "ord", "title:text")
    try folder.prepare("schema", "create", "line", "ord:ord:lines:owned")
    try folder.prepare(
      "save", "ord", "-o", "none", input: .text(#"[{"ord_id":"o"},{"ord_id":"p"}]"#))
    let writing = """
      for n in {1..6}; do
        datactl save line $0-$n ord=o -o none || exit
        case $n in
        3|6) datactl delete line $0-$n || exit;;
        2|4) datactl save line $0-$n ord=p -o none || exit;;
        esac
      done
      """
    // A conflict has the exit status 5: the order must then be read again.
    let saving = #"""
      for n in {1..6}; do
        until datactl get ord o --expand lines -o json |
          jq -c ".lines += [{\"line_id\": \"$0-$n\"}]" | datactl save ord --deep -o none
        do [ "${PIPESTATUS[*]}" = "0 0 5" ] || exit 1; done
      done
      """#
    let children =
      try (1...4).map { try folder.startShell(writing, "w\($0)") }
      + (1...2).map { try folder.startShell(saving, "s\($0)") }
    for child in children { try child.finish().exits(0) }
    func lines(of order: String) throws -> [String] {
      try folder.prepare("list", "line", "ord=\(order)", "-o", "ids").lines
    }
    let saved = (1...2).flatMap { saver in (1...6).map { "s\(saver)-\($0)" } }
    #expect(try lines(of: "o") == saved + (1...4).flatMap { ["w\($0)-1", "w\($0)-5"] })
    #expect(try lines(of: "p") == (1...4).flatMap { ["w\($0)-2", "w\($0)-4"] })
    // Each of the commands gave the order exactly one revision.
    try folder.run("list", "ord", "--fields", "revision", "-o", "csv").exits(0)
      .prints("ord_id,revision\r\no,53\r\np,9\r\n")
    try folder.checkIntegrity()
  }

  @Test("completes every command while four writers and a reader run concurrently")
  func writersAndReader() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    try folder.prepare("save", "todo", "sum", "title=sum", "priority=0")
    func save() throws -> Child {
      try folder.program.start(["save", "todo", "-o", "none", "sum", "priority+=1"])
    }
    var writers = [try save(), try save(), try save(), try save()]
    for _ in 0..<25 {
      let reader = try folder.program.start(["list", "todo", "--count"])
      // Wait for one writer after the other, while the others continue.
      for index in writers.indices {
        try writers[index].finish().exits(0)
        writers[index] = try save()
      }
      try reader.finish().exits(0).prints("1\n")
    }
    for writer in writers { try writer.finish().exits(0) }
    try folder.run("get", "todo", "sum", "--fields", "priority").exits(0)
      .prints("{\"todo_id\":\"sum\",\"priority\":104}\n")
    try folder.checkIntegrity()
  }

  @Test("changes nothing when list is piped into a save of the same store")
  func listIntoSave() throws {
    let folder = try TestFolder()
    try folder.saveManyTodos(20_000)
    let before = try folder.todos
    try folder.shell("set -o pipefail; datactl list todo | datactl save todo -o none").exits(0)
      .reports("20,000 saved: 20,000 the same")
    #expect(try folder.todos == before)
  }

  @Test("saves all records when 40 processes make the first save with --infer concurrently")
  func inference() throws {
    let folder = try TestFolder()
    var children: [Child] = []
    for number in 1...40 {
      try folder.write("\(number).json", "{\"a\":1,\"b\(number % 4)\":true}")
      children.append(
        try folder.program.start(
          ["save", "todo", "--infer", "-o", "none", "--file", "\(number).json"]))
    }
    for child in children { try child.finish().exits(0).reports("1 saved: 1 new\n") }
    try folder.run("list", "todo", "--count").exits(0).prints("40\n")
    try folder.run("list", "todo", "b3=true", "--count").exits(0).prints("10\n")
  }
}

import ProgramHarness
import Testing

@Suite("Required fields of invalid records", .onEveryStore)
struct MissingFieldTests {
  @Test("reports missing fields together with the other problems of a new record with an id")
  func newRecord() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "todo", "title:text!", "priority:integer")
    try folder.prepare("save", "todo", "old", "title=Old")
    let required = "title: required\n"
    try folder.run("save", "todo", "k1", "priority=high").exits(6).printsNothing()
      .reports("priority: expected integer", required)
    let lines = try folder.run(
      "save", "todo",
      input: .text(
        #"{"todo_id":"k1","priority":"high"}"# + "\n" + #"{"todo_id":"old","priority":"high"}"#)
    ).exits(6).printsNothing().reports("standard input:1: ", required)
    #expect(lines.errors.split(separator: "\n").filter { $0.hasSuffix("required") }.count == 1)
    #expect(
      lines.errors.split(separator: "\n").filter { $0.contains("expected integer") }.count == 2)
    let table = try folder.run(
      "save", "todo", "--skip-invalid", input: .text("todo_id,priority\nk1,high\nold,5\n")
    ).reports("priority: expected integer", required)
    #expect(table.output.contains(#""todo_id":"old""#))
    try folder.run("list", "todo", "--count").exits(0).prints("1\n")
  }
}

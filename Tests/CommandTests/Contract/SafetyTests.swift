import Foundation
import ProgramHarness
import Testing

@Suite("Conventions: safety")
struct SafetyTests {
  @Test(
    "contract 41: prompts only when stdin and stderr are terminals", arguments: Subject.allCases)
  func prompts(_ subject: Subject) throws {
    try subject.keeps(41) { place in
      try place.keepTodos()
      let program = place.program
      let delete = ["delete", "todo", "--all"]
      try program.run(delete).fails().printsNothing().says("--yes")
      try program.run(delete, input: .typed("y\n")).fails().says("--yes")
      try program.run(delete, input: .text("y\n"), errors: .terminal).fails().says("--yes")
      try program.with(["CI": "true"]).run(delete, input: .typed("y\n"), errors: .terminal).fails()
        .says("--yes")
      try program.run(["schema", "drop", "todo"]).fails().says("--allow-loss")
      try program.run(["login"], input: .open).fails().says("--password-stdin")
      guard try place.todoCount == 3 else { throw Violation("something was deleted") }
    }
  }

  @Test(
    "contract 42: confirms irreversible commands with the name of the store",
    arguments: Subject.allCases)
  func confirmation(_ subject: Subject) throws {
    try subject.keeps(42) { place in
      try place.keepTodos()
      try place.run("delete", "todo", "a", input: .typed(""), errors: .terminal).exits(0)
      let all = ["delete", "todo", "--all"]
      let dry = try place.program.run(all + ["--dry-run"]).exits(0)
      try dry.holds(dry.errors.contains("2"), "the count was expected")
      let no = try place.program.run(all, input: .typed("n\n"), errors: .terminal).exits(1)
      try no.says(place.storeName, "2")
      guard try place.todoCount == 2 else { throw Violation("no was taken for yes") }
      try place.run("schema", "drop", "todo", "--yes").fails().printsNothing()
      try place.run("schema", "drop", "todo").exits(5).printsNothing()
      guard try place.todoCount == 2 else { throw Violation("--yes dropped a schema") }
      try place.program.run(all, input: .typed("y\n"), errors: .terminal).exits(0)
      try place.prepare("save", "todo", "z", "title=z")
      try place.program.run(all + ["--yes"]).exits(0).says("1")
      try place.prepare("save", "todo", "z", "title=z")
      try place.run("schema", "drop", "todo", "--allow-loss", "todo").exits(0).printsNothing()
      try place.run("list", "todo").exits(3)
    }
  }

  @Test(
    "contract 43: an interrupted save is rolled back and reported", arguments: Subject.allCases)
  func interruption(_ subject: Subject) throws {
    try subject.keeps(43) { place in
      try place.keepTodos()
      for after in [0, 400_000] {
        let save = try place.program.start(["save", "todo"], input: .open)
        save.send(String(decoding: Place.todos(after), as: UTF8.self))
        try save.run(for: .milliseconds(600))
        save.signal(2)
        try save.run(for: .milliseconds(300))
        save.closeInput()
        let run = try save.finish().exits(130).printsNothing()
        try run.holds(run.errors.contains("interrupted"), "a word of it was expected")
        guard try place.todoCount == 3 else { throw Violation("not rolled back") }
      }
      let save = try place.program.start(["save", "todo"], input: .open)
      try save.run(for: .milliseconds(300))
      save.signal(15)
      try save.finish().exits(143).printsNothing()
    }
  }

  @Test(
    "contract 44: reading creates no files and needs no write permission",
    arguments: Subject.withoutServer)
  func reading(_ subject: Subject) throws {
    try subject.keeps(44) { place in
      let reads = [["list", "todo"], ["get", "todo", "a"], ["schema", "list"]]
      for words in reads {
        try place.program.run(words).exits(7)
      }
      guard try place.files.isEmpty else { throw Violation("reading made \(try place.files)") }
      try place.keepTodos()
      let before = try place.files
      let reader = try place.unprivileged()
      for words in reads {
        try place.program.run(words).exits(0)
        guard try place.files == before else {
          throw Violation("reading made \(try place.files) of \(before)")
        }
      }
      try place.protect()
      for words in reads {
        try reader.run(words).exits(0)
      }
      try reader.run(["save", "todo", "n", "title=x"]).exits(7).printsNothing()
      guard try place.files == before else { throw Violation("reading made \(try place.files)") }
    }
  }
}

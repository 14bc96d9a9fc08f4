import Foundation
import ProgramHarness
import Testing

@Suite("Conventions: safety")
struct SafetyTests {
  @Test(
    "prompts only when stdin and stderr are terminals", .contract(41), arguments: Subject.inTier)
  func prompts(_ subject: Subject) throws {
    try subject.checkContract(41) { folder in
      try folder.saveTodos()
      let program = folder.program
      let delete = ["delete", "todo", "--all"]
      try program.run(delete).fails().printsNothing().reports("--yes")
      try program.run(delete, input: .typed("y\n")).fails().reports("--yes")
      try program.run(delete, input: .text("y\n"), errors: .terminal).fails().reports("--yes")
      try program.with(["CI": "true"]).run(delete, input: .typed("y\n"), errors: .terminal).fails()
        .reports("--yes")
      try program.run(["schema", "drop", "todo"]).fails().reports("--allow-loss")
      try program.run(["login"], input: .open).fails().reports("--password-stdin")
      guard try folder.todoCount == 3 else { throw Violation("something was deleted") }
    }
  }

  @Test(
    "names the store when asking for confirmation of an irreversible command",
    .contract(42), arguments: Subject.inTier)
  func confirmation(_ subject: Subject) throws {
    try subject.checkContract(42) { folder in
      try folder.saveTodos()
      try folder.run("delete", "todo", "a", input: .typed(""), errors: .terminal).exits(0)
      let all = ["delete", "todo", "--all"]
      let dry = try folder.program.run(all + ["--dry-run"]).exits(0)
      try dry.requires(dry.errors.contains("2"), "the count was expected")
      let no = try folder.program.run(all, input: .typed("n\n"), errors: .terminal).exits(1)
      try no.reports(folder.storeName, "2")
      guard try folder.todoCount == 2 else { throw Violation("no was taken for yes") }
      try folder.run("schema", "drop", "todo", "--yes").fails().printsNothing()
      try folder.run("schema", "drop", "todo").exits(5).printsNothing()
      guard try folder.todoCount == 2 else { throw Violation("--yes dropped a schema") }
      try folder.program.run(all, input: .typed("y\n"), errors: .terminal).exits(0)
      try folder.prepare("save", "todo", "z", "title=z")
      try folder.program.run(all + ["--yes"]).exits(0).reports("1")
      try folder.prepare("save", "todo", "z", "title=z")
      try folder.run("schema", "drop", "todo", "--allow-loss", "todo").exits(0).printsNothing()
      try folder.run("list", "todo").exits(3)
    }
  }

  @Test(
    "reports that a save was rolled back when a signal interrupts it", .contract(43),
    arguments: Subject.inTier)
  func interruption(_ subject: Subject) throws {
    try subject.checkContract(43) { folder in
      try folder.saveTodos()
      for after in [0, 400_000] {
        let save = try folder.program.start(["save", "todo"], input: .open)
        save.send(String(decoding: TestFolder.todos(after), as: UTF8.self))
        try save.run(for: .milliseconds(600))
        save.signal(2)
        try save.run(for: .milliseconds(300))
        save.closeInput()
        let run = try save.finish().exits(130).printsNothing()
        try run.requires(run.errors.contains("interrupted"), "a word of it was expected")
        guard try folder.todoCount == 3 else { throw Violation("not rolled back") }
      }
      let save = try folder.program.start(["save", "todo"], input: .open)
      try save.run(for: .milliseconds(300))
      save.signal(15)
      try save.finish().exits(143).printsNothing()
    }
  }

  @Test(
    "needs no write permission and creates no files when a command only reads", .contract(44),
    arguments: Subject.withoutServer)
  func reading(_ subject: Subject) throws {
    try subject.checkContract(44) { folder in
      let reads = [["list", "todo"], ["get", "todo", "a"], ["schema", "list"]]
      for arguments in reads {
        try folder.program.run(arguments).exits(7)
      }
      guard try folder.files.isEmpty else { throw Violation("reading made \(try folder.files)") }
      try folder.saveTodos()
      let before = try folder.files
      let reader = try folder.unprivileged()
      for arguments in reads {
        try folder.program.run(arguments).exits(0)
        guard try folder.files == before else {
          throw Violation("reading made \(try folder.files) of \(before)")
        }
      }
      try folder.makeReadOnly()
      for arguments in reads {
        try reader.run(arguments).exits(0)
      }
      try reader.run(["save", "todo", "n", "title=x"]).exits(7).printsNothing()
      guard try folder.files == before else { throw Violation("reading made \(try folder.files)") }
    }
  }
}

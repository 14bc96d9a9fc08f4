import Foundation
import ProgramHarness
import Testing

@Suite("Conventions: exit status and errors")
struct ExitStatusTests {
  @Test(
    "exits with a nonzero status and changes nothing if any part of a command fails", .contract(27),
    arguments: Subject.withoutServer)
  func success(_ subject: Subject) throws {
    try subject.checkContract(27) { folder in
      try folder.saveTodos()
      let before = try folder.todos
      try folder.run("save", "todo", "--file", "none.ndjson").exits(3).reports("none.ndjson")
      try folder.write("bad.ndjson", "{\"todo_id\":\"p\",\"title\":\"p\"}\n{\"todo_id\":\"q\"}\n")
      try folder.run("save", "todo", "--file", "bad.ndjson").exits(6).printsNothing()
        .reports("bad.ndjson:2", "title")
      try folder.run("save", "todo", "a", "title=x", "--create").exits(5).reports("a")
      try folder.run("get", "todo", "a", "none").exits(3).reports("none")
      try folder.run("delete", "todo", "a", "none").exits(3).reports("none")

      let lock = try StoreLock(folder.path("shop.db"))
      try folder.run("save", "todo", "a", "title=x", "--wait", "0").exits(7)
      lock.release()

      let limited = folder.program.prefixed([
        "/bin/sh", "-c", "trap '' XFSZ; ulimit -f 8; exec \"$@\"", "sh",
      ])
      let full = try limited.run(["save", "todo"], input: .bytes(TestFolder.todos(5_000)))
      try full.exits(7).printsNothing()
      guard try folder.todos == before else { throw Violation("a failed command left traces") }
    }
  }

  @Test(
    "exits with a different status for each kind of failure", .contract(28),
    arguments: Subject.inTier)
  func numbers(_ subject: Subject) throws {
    try subject.checkContract(28) { folder in
      try folder.saveTodos()
      try folder.write("broken.json", "{\"schema\":\"x\"}")
      try folder.write("text.db", String(repeating: "this is no database ", count: 100))
      try folder.write("number.json", "[1]")
      let table: [(status: Int32, arguments: [String])] = [
        (0, ["list", "todo"]), (0, ["delete", "todo", "none", "--if-exists"]),
        (2, ["list"]), (2, ["nothing"]), (2, ["list", "todo", "none=1"]),
        (2, ["save", "todo", "a", "created_at=x"]), (2, ["delete", "todo"]),
        (2, ["schema", "create", "x", "a:nothing"]),
        (3, ["get", "todo", "none"]), (3, ["get", "none", "a"]), (3, ["list", "none"]),
        (3, ["save", "todo", "none", "title=x", "--update"]),
        (3, ["save", "todo", "--file", "none.json"]), (3, ["schema", "apply", "none.json"]),
        (4, ["whoami"]), (4, ["logout"]),
        (5, ["save", "todo", "a", "title=x", "--create"]),
        (5, ["save", "todo", "a", "title=x", "revision=9"]),
        (5, ["schema", "create", "todo", "title:text"]),
        (5, ["delete", "todo", "a", "--revision", "9"]),
        (6, ["save", "todo", "a", "priority=much"]), (6, ["save", "todo", "n", "done=true"]),
        (6, ["save", "todo", "--file", "number.json"]), (6, ["schema", "apply", "broken.json"]),
        (6, ["schema", "create", "Todo", "title:text"]),
        (6, ["schema", "create", "person", "yearBorn:integer"]),
        (7, ["list", "todo", "--store", "sqlite:none.db"]),
        (7, ["list", "todo", "--store", "sqlite:text.db"]),
        (7, ["list", "todo", "--store", "sqlite:."]),
      ]
      for row in table {
        try folder.program.run(row.arguments).exits(row.status)
      }
    }
  }

  @Test(
    "exits with a status above 1 when schema diff, schema lint or schema plan cannot run",
    .contract(29),
    arguments: Subject.inTier)
  func cannotRun(_ subject: Subject) throws {
    try subject.checkContract(29) { folder in
      for command in ["diff", "lint", "plan"] {
        for arguments in [["--store", "sqlite:none.db"], ["none.json"]] {
          let run = try folder.program.run(["schema", command] + arguments).fails().printsNothing()
          try run.requires(
            run.status > 1 && !run.errorBytes.isEmpty, "an error above 1 with a word was expected")
        }
      }
    }
  }

  @Test(
    "reports an error with its location, its cause and a hint", .contract(30),
    arguments: Subject.inTier)
  func wording(_ subject: Subject) throws {
    try subject.checkContract(30) { folder in
      try folder.saveTodos()
      try folder.write("bad.ndjson", "{\"todo_id\":\"p\",\"title\":\"p\"}\n{\"todo_id\":\"q\"}\n")
      let lines: [(arguments: [String], parts: [String])] = [
        (["save", "todo", "--file", "bad.ndjson"], ["bad.ndjson:2", "title", "required"]),
        (["save", "todo", "a", "priority=much"], ["priority", "integer", "much"]),
        (["get", "todo", "none"], ["todo", "none"]),
        (["list", "tood"], ["tood", "todo"]),
        (["schema", "create", "person", "yearBorn:integer"], ["yearBorn", "year_born"]),
        (["list", "todo", "--store", "sqlite:none.db"], ["none.db"]),
      ]
      for line in lines {
        let run = try folder.program.run(line.arguments).fails()
        try run.requires(run.errors.hasPrefix("datactl: "), "the name was expected first")
        for part in line.parts {
          try run.requires(run.errors.contains(part), "\(part) was expected")
        }
        // The random name of a temporary folder can contain one of the words.
        let errors = run.errors.replacingOccurrences(of: folder.path(""), with: "")
        let banned = ["ERROR", "WARN", "Fatal", "fatal", ".swift", "Stack", "0x", "Error("]
        for word in banned {
          try run.requires(!errors.contains(word), "\(word) was not expected")
        }
      }
    }
  }

  @Test(
    "prints one JSON object for each error when given --errors json", .contract(31),
    arguments: Subject.inTier)
  func errorsAsJSON(_ subject: Subject) throws {
    try subject.checkContract(31) { folder in
      try folder.saveTodos()
      let input = "{\"todo_id\":\"p\"}\n{\"todo_id\":\"q\",\"title\":7}\n"
      let save = try folder.run("save", "todo", "--errors", "json", input: .text(input)).exits(6)
        .printsNothing()
      try save.requires(save.errorLines.count == 2, "two errors were expected")
      let second = try JSON(save.errorLines[1])
      try save.requires(
        second["code"]?.text == "invalid" && second["field"]?.text == "title"
          && second["line"]?.number == 2 && second["message"]?.text?.isEmpty == false,
        "code, message, field and line were expected")
      let lines = [
        ["get", "todo", "none"], ["list", "none"], ["list", "todo", "--ordr", "x"], ["nothing"],
        ["list", "todo", "--store", "sqlite:none.db"],
      ]
      for arguments in lines {
        for program in [
          (folder.program, arguments + ["--errors", "json"]),
          (folder.program.with(["DATACTL_ERRORS": "json"]), arguments),
        ] {
          let run = try program.0.run(program.1).fails().printsNothing()
          for line in run.errorLines {
            let keys = Set(try JSON(line).keys)
            let known: Set = [
              "code", "message", "hint", "schema", "id", "field", "file", "line", "column",
            ]
            try run.requires(
              keys.isSuperset(of: ["code", "message"]) && keys.isSubset(of: known),
              "the keys of an error were expected")
          }
          try run.requires(!run.errorLines.isEmpty, "an error was expected")
        }
      }
    }
  }

  @Test(
    "quotes an invalid value in an error, shortened, but no other values and no passwords",
    .contract(32),
    arguments: Subject.inTier)
  func values(_ subject: Subject) throws {
    try subject.checkContract(32) { folder in
      try folder.prepare("schema", "create", "user", "--user", "age:integer", "note:text")
      let long = String(repeating: "x", count: 300)
      let record =
        #"{"username":"ann","password":"canary-pass","note":"secret note","age":"\#(long)"}"#
      let run = try folder.run("save", "user", input: .text(record)).exits(6).reports("age")
      let longest = run.errors.split { $0 != "x" }.map(\.count).max() ?? 0
      try run.requires((1...60).contains(longest), "at most 60 characters of the value, and some")
      for word in ["secret note", "canary-pass"] {
        try run.requires(!run.errors.contains(word), "\(word) was not expected")
      }
      let bad = try folder.run(
        "save", "user", input: .text(#"{"username":"ann","password":["canary-pass"]}"#)
      ).exits(6).reports("password")
      try bad.requires(!bad.errors.contains("canary"), "no password was expected")
    }
  }
}

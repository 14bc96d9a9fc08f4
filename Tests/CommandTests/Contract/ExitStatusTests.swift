import Foundation
import ProgramHarness
import Testing

@Suite("Conventions: exit status and errors")
struct ExitStatusTests {
  @Test("contract 27: exits with 0 only on complete success", arguments: Subject.withoutServer)
  func success(_ subject: Subject) throws {
    try subject.keeps(27) { place in
      try place.keepTodos()
      let before = try place.todos
      try place.run("save", "todo", "--file", "none.ndjson").exits(3).says("none.ndjson")
      try place.write("bad.ndjson", "{\"todo_id\":\"p\",\"title\":\"p\"}\n{\"todo_id\":\"q\"}\n")
      try place.run("save", "todo", "--file", "bad.ndjson").exits(6).printsNothing()
        .says("bad.ndjson:2", "title")
      try place.run("save", "todo", "a", "title=x", "--create").exits(5).says("a")
      try place.run("get", "todo", "a", "none").exits(3).says("none")
      try place.run("delete", "todo", "a", "none").exits(3).says("none")

      let lock = try StoreLock(place.path("shop.db"))
      try place.run("save", "todo", "a", "title=x", "--wait", "0").exits(7)
      lock.release()

      let limited = place.program.behind([
        "/bin/sh", "-c", "trap '' XFSZ; ulimit -f 8; exec \"$@\"", "sh",
      ])
      let full = try limited.run(["save", "todo"], input: .bytes(Place.todos(5_000)))
      try full.exits(7).printsNothing()
      guard try place.todos == before else { throw Violation("a failed command left traces") }
    }
  }

  @Test("contract 28: each kind of failure has its own exit status", arguments: Subject.allCases)
  func numbers(_ subject: Subject) throws {
    try subject.keeps(28) { place in
      try place.keepTodos()
      try place.write("broken.json", "{\"schema\":\"x\"}")
      try place.write("text.db", String(repeating: "this is no database ", count: 100))
      try place.write("number.json", "[1]")
      let table: [(status: Int32, words: [String])] = [
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
        try place.program.run(row.words).exits(row.status)
      }
    }
  }

  @Test(
    "contract 29: schema diff, lint and plan report an error when they cannot run",
    arguments: Subject.allCases)
  func couldNotLook(_ subject: Subject) throws {
    try subject.keeps(29) { place in
      for command in ["diff", "lint", "plan"] {
        for words in [["--store", "sqlite:none.db"], ["none.json"]] {
          let run = try place.program.run(["schema", command] + words).fails().printsNothing()
          try run.holds(
            run.status > 1 && !run.errorBytes.isEmpty, "an error above 1 with a word was expected")
        }
      }
    }
  }

  @Test(
    "contract 30: an error has a location, a cause and a hint",
    arguments: Subject.allCases)
  func wording(_ subject: Subject) throws {
    try subject.keeps(30) { place in
      try place.keepTodos()
      try place.write("bad.ndjson", "{\"todo_id\":\"p\",\"title\":\"p\"}\n{\"todo_id\":\"q\"}\n")
      let lines: [(words: [String], parts: [String])] = [
        (["save", "todo", "--file", "bad.ndjson"], ["bad.ndjson:2", "title", "required"]),
        (["save", "todo", "a", "priority=much"], ["priority", "integer", "much"]),
        (["get", "todo", "none"], ["todo", "none"]),
        (["list", "tood"], ["tood", "todo"]),
        (["schema", "create", "person", "yearBorn:integer"], ["yearBorn", "year_born"]),
        (["list", "todo", "--store", "sqlite:none.db"], ["none.db"]),
      ]
      for line in lines {
        let run = try place.program.run(line.words).fails()
        try run.holds(run.errors.hasPrefix("datactl: "), "the name was expected first")
        for part in line.parts {
          try run.holds(run.errors.contains(part), "\(part) was expected")
        }
        let banned = ["ERROR", "WARN", "Fatal", "fatal", ".swift", "Stack", "0x", "Error("]
        for word in banned {
          try run.holds(!run.errors.contains(word), "\(word) was not expected")
        }
      }
    }
  }

  @Test("contract 31: --errors json prints one object for each error", arguments: Subject.allCases)
  func errorsAsJSON(_ subject: Subject) throws {
    try subject.keeps(31) { place in
      try place.keepTodos()
      let input = "{\"todo_id\":\"p\"}\n{\"todo_id\":\"q\",\"title\":7}\n"
      let save = try place.run("save", "todo", "--errors", "json", input: .text(input)).exits(6)
        .printsNothing()
      try save.holds(save.errorLines.count == 2, "two errors were expected")
      let second = try JSON(save.errorLines[1])
      try save.holds(
        second["code"]?.text == "invalid" && second["field"]?.text == "title"
          && second["line"]?.number == 2 && second["message"]?.text?.isEmpty == false,
        "code, message, field and line were expected")
      let lines = [
        ["get", "todo", "none"], ["list", "none"], ["list", "todo", "--ordr", "x"], ["nothing"],
        ["list", "todo", "--store", "sqlite:none.db"],
      ]
      for words in lines {
        for program in [
          (place.program, words + ["--errors", "json"]),
          (place.program.with(["DATACTL_ERRORS": "json"]), words),
        ] {
          let run = try program.0.run(program.1).fails().printsNothing()
          for line in run.errorLines {
            let keys = Set(try JSON(line).keys)
            let known: Set = [
              "code", "message", "hint", "schema", "id", "field", "file", "line", "column",
            ]
            try run.holds(
              keys.isSuperset(of: ["code", "message"]) && keys.isSubset(of: known),
              "the keys of an error were expected")
          }
          try run.holds(!run.errorLines.isEmpty, "an error was expected")
        }
      }
    }
  }

  @Test(
    "contract 32: errors show only invalid values, truncated, and never passwords",
    arguments: Subject.allCases)
  func values(_ subject: Subject) throws {
    try subject.keeps(32) { place in
      try place.prepare("schema", "create", "user", "--user", "age:integer", "note:text")
      let long = String(repeating: "x", count: 300)
      let record =
        #"{"username":"ann","password":"canary-pass","note":"secret note","age":"\#(long)"}"#
      let run = try place.run("save", "user", input: .text(record)).exits(6).says("age")
      let longest = run.errors.split { $0 != "x" }.map(\.count).max() ?? 0
      try run.holds((1...60).contains(longest), "at most 60 characters of the value, and some")
      for word in ["secret note", "canary-pass"] {
        try run.holds(!run.errors.contains(word), "\(word) was not expected")
      }
      let bad = try place.run(
        "save", "user", input: .text(#"{"username":"ann","password":["canary-pass"]}"#)
      ).exits(6).says("password")
      try bad.holds(!bad.errors.contains("canary"), "no password was expected")
    }
  }
}

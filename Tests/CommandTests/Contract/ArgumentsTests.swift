import ProgramHarness
import Testing

@Suite("Conventions: arguments")
struct ArgumentsTests {
  @Test(
    "contract 16: accepts options in every common form and at any position",
    arguments: Subject.allCases)
  func ways(_ subject: Subject) throws {
    try subject.keeps(16) { place in
      try place.keepTodos()
      try place.prepare("save", "todo", "--", "-x", "title=dashed")
      let ids = "-x\na\nb\nc\n"
      let lines: [[String]] = [
        ["list", "todo", "--output", "ids"], ["list", "todo", "--output=ids"],
        ["list", "todo", "-o", "ids"], ["list", "todo", "-oids"], ["list", "todo", "-qoids"],
        ["-o", "ids", "list", "todo"], ["list", "--output=ids", "todo"],
        ["--quiet", "list", "-o", "ids", "--store", place.address, "--", "todo"],
      ]
      for line in lines {
        try place.program.run(line).exits(0).prints(ids)
      }
      try place.run("list", "todo", "-o", "ids", "--order", "-todo_id").exits(0)
        .prints("c\nb\na\n-x\n")
      try place.run("get", "todo", "--fields=title", "--", "-x").exits(0)
        .prints("{\"todo_id\":\"-x\",\"title\":\"dashed\"}\n")
    }
  }

  @Test(
    "contract 17: options have long forms and cannot be abbreviated",
    arguments: Subject.allCases)
  func noAbbreviations(_ subject: Subject) throws {
    try subject.keeps(17) { place in
      try place.keepTodos()
      let tree = try place.run("help", "--json").exits(0).json
      for command in try CommandTree(tree).commands {
        for option in command.options {
          guard option.name.hasPrefix("--"), option.name.count > 3 else {
            throw Violation("\(command.name): \(option.name) has no long form")
          }
        }
      }
      let lines: [[String]] = [
        ["lis", "todo"], ["list", "todo", "--outp", "ids"], ["list", "todo", "--lim=1"],
        ["sch", "list"], ["schema", "cre", "x"], ["todo"],
      ]
      for line in lines {
        try place.program.run(line).exits(2).printsNothing()
      }
    }
  }

  @Test(
    "contract 18: rejects unknown names and suggests the nearest",
    arguments: Subject.allCases)
  func unknownWords(_ subject: Subject) throws {
    try subject.keeps(18) { place in
      try place.keepTodos()
      let before = try place.todos
      try place.run("lst", "todo").exits(2).printsNothing().says("lst", "list")
      try place.run("schema", "creat", "x").exits(2).printsNothing().says("creat", "create")
      try place.run("list", "todo", "--ordr", "title").exits(2).printsNothing()
        .says("--ordr", "--order")
      try place.run("list", "tood").exits(3).printsNothing().says("tood", "todo")
      try place.run("save", "tood", "x", "title=x").exits(3).printsNothing().says("tood", "todo")
      try place.run("save", "todo", "a", "titel=x").exits(2).printsNothing()
        .says("titel", "title")
      try place.run("list", "todo", "--order", "titel").exits(2).printsNothing()
        .says("titel", "title")
      try place.run("list", "todo", "titel=x").exits(2).printsNothing().says("titel", "title")
      try place.run("list", "todo", "--fields", "titel").exits(2).printsNothing()
        .says("titel", "title")
      try place.run("list", "todo", "-o", "jsno").exits(2).printsNothing().says("jsno", "json")
      try place.run("save", "todo", input: .text(#"{"todo_id":"z","title":"z","titel":1}"#))
        .exits(6).printsNothing().says("titel", "title")
      guard try place.todos == before else { throw Violation("something was done all the same") }
    }
  }

  @Test(
    "contract 19: prints help even when other arguments are wrong", arguments: Subject.allCases)
  func help(_ subject: Subject) throws {
    try subject.keeps(19) { place in
      try place.write("datactl.json", "{ this is no JSON")
      let lost = place.program.with([
        "DATACTL_STORE": "nonsense://nowhere", "HOME": nil, "XDG_DATA_HOME": nil,
      ])
      let lines: [[String]] = [
        ["-h"], ["--help"], ["help"], ["help", "list"], ["list", "--help"], ["list", "-h"],
        ["schema", "--help"], ["help", "schema", "create"], ["schema", "create", "--help"],
        ["list", "--no-such-option", "--help"], ["--limit", "x", "list", "todo", "-h"],
        ["--store", "nowhere:", "save", "--create", "--update", "--help"],
      ]
      for line in lines {
        try lost.run(line).exits(0).printsSomething().saysNothing()
      }
      guard try place.files == ["datactl.json"] else { throw Violation("help left files behind") }
    }
  }

  @Test(
    "contract 20: --version prints the name and the version first", arguments: Subject.allCases)
  func version(_ subject: Subject) throws {
    try subject.keeps(20) { place in
      let run = try place.run("--version").exits(0).saysNothing()
      let words = (run.lines.first ?? "").split(separator: " ")
      let numbers = words.dropFirst().first?.split(separator: ".") ?? []
      try run.holds(
        words.first == "datactl" && numbers.count == 3 && numbers.allSatisfy { Int($0) != nil },
        "datactl X.Y.Z was expected")
    }
  }

  @Test(
    "contract 21: reports all conflicting options and all missing arguments",
    arguments: Subject.allCases)
  func conflicts(_ subject: Subject) throws {
    try subject.keeps(21) { place in
      try place.keepTodos()
      try place.run("save", "todo", "a", "title=x", "--create", "--update").exits(2)
        .says("--create", "--update")
      try place.run("get").exits(2).printsNothing().says("SCHEMA", "ID")
      try place.run("list", "todo", "--limit", "-1").exits(2).printsNothing().says("--limit")
      try place.run("list", "todo", "--limit", "many").exits(2).printsNothing().says("--limit")
      try place.run("list", "todo", "--limit", "99999999999999999999").exits(2).says("--limit")
      try place.run("save", "todo", "a", "title=x", "--wait", "-1").exits(2).says("--wait")
      try place.run("list", "todo", "--limit").exits(2).printsNothing().says("--limit")
      try place.run("delete", "todo").exits(2).printsNothing()
      guard try place.todoCount == 3 else { throw Violation("something was deleted") }
    }
  }
}

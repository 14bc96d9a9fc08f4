import Glibc
import ProgramHarness
import TestSupport
import Testing

@Suite("Conventions: arguments")
struct ArgumentsTests {
  @Test(
    "accepts options in every common form, such as --output=ids and -oids, at any position",
    .contract(16),
    arguments: Subject.inTier)
  func ways(_ subject: Subject) throws {
    try subject.checkContract(16) { folder in
      try folder.saveTodos()
      try folder.prepare("save", "todo", "--", "-x", "title=dashed")
      let ids = "-x\na\nb\nc\n"
      let lines: [[String]] = [
        ["list", "todo", "--output", "ids"], ["list", "todo", "--output=ids"],
        ["list", "todo", "-o", "ids"], ["list", "todo", "-oids"], ["list", "todo", "-qoids"],
        ["-o", "ids", "list", "todo"], ["list", "--output=ids", "todo"],
        ["--quiet", "list", "-o", "ids", "--store", folder.address, "--", "todo"],
      ]
      for line in lines {
        try folder.program.run(line).exits(0).prints(ids)
      }
      try folder.run("list", "todo", "-o", "ids", "--order", "-todo_id").exits(0)
        .prints("c\nb\na\n-x\n")
      try folder.run("get", "todo", "--fields=title", "--", "-x").exits(0)
        .prints("{\"todo_id\":\"-x\",\"title\":\"dashed\"}\n")
    }
  }

  @Test(
    "names the operand that a command does not accept, and the operands that it expects",
    arguments: [
      ("help stores schema", "schema for help", "the topic stores has no parts"),
      ("help list todo", "todo for help", "help expects no operand after the command list"),
      ("help maps map x", "x for help", "help expects no operand after the part of a topic"),
      ("whoami a", "a for whoami", "whoami expects no operands"),
      ("schema types a b", "a for schema types", "schema types expects no operands"),
      ("login a b", "b for login", "login expects only [STORE]"),
      (
        "schema rename todo.a b c", "c for schema rename",
        "schema rename expects only SCHEMA[.FIELD] NEW"
      ),
      ("access ann read todo a b", "b for access", "access expects only USER VERB [SCHEMA] [ID]"),
      (
        "access --anonymous read todo a b", "b for access --anonymous",
        "access --anonymous expects only VERB SCHEMA [ID]"
      ),
    ])
  func unexpectedOperands(line: String, operand: String, expected: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let folder = try TestFolder()
    try folder.program.run(words).exits(2).printsNothing()
      .reports("datactl: unexpected operand \(operand)\n  \(expected); see datactl help ")
  }

  @Test(
    "reads the command-line arguments even when /proc is not mounted",
    .needs(getuid() == 0, "only root can unmount /proc"))
  func withoutProc() throws {
    let folder = try TestFolder()
    let program = folder.program.prefixed([
      "/usr/bin/unshare", "-m", "/bin/sh", "-c", "umount -l /proc && exec \"$@\"", "sh",
    ])
    try program.run(["schema", "create", "todo", "title:text"]).exits(0)
    try program.run(["save", "todo", "a", "title=tea", "-o", "none"]).exits(0)
    try program.run(["list", "todo", "-o", "ids"]).exits(0).prints("a\n")
    try program.run(["list", "tod"]).exits(3)
  }

  @Test("exits with 1 when the argument vector is empty")
  func withoutArguments() throws {
    let folder = try TestFolder()
    let script = """
      import ctypes, sys
      ctypes.CDLL(None).execv(sys.argv[1].encode(), (ctypes.c_char_p * 1)(None))
      """
    try folder.program.prefixed(["/usr/bin/env", "python3", "-c", script]).run([]).exits(1)
      .printsNothing().reports("datactl: the argument vector is empty")
  }

  @Test(
    "declares a long name for every option, and rejects abbreviated names",
    .contract(17), arguments: Subject.inTier)
  func noAbbreviations(_ subject: Subject) throws {
    try subject.checkContract(17) { folder in
      try folder.saveTodos()
      let tree = try folder.run("help", "--json").exits(0).json
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
        try folder.program.run(line).exits(2).printsNothing()
      }
    }
  }

  @Test(
    "suggests the most similar name when a name is unknown", .contract(18),
    arguments: Subject.inTier)
  func unknownWords(_ subject: Subject) throws {
    try subject.checkContract(18) { folder in
      try folder.saveTodos()
      let before = try folder.todos
      try folder.run("lst", "todo").exits(2).printsNothing().reports("lst", "list")
      try folder.run("schema", "creat", "x").exits(2).printsNothing().reports("creat", "create")
      try folder.run("list", "todo", "--ordr", "title").exits(2).printsNothing()
        .reports("--ordr", "--order")
      try folder.run("list", "tood").exits(3).printsNothing().reports("tood", "todo")
      try folder.run("save", "tood", "x", "title=x").exits(3).printsNothing().reports(
        "tood", "todo")
      try folder.run("save", "todo", "a", "titel=x").exits(2).printsNothing()
        .reports("titel", "title")
      try folder.run("list", "todo", "--order", "titel").exits(2).printsNothing()
        .reports("titel", "title")
      try folder.run("list", "todo", "titel=x").exits(2).printsNothing().reports("titel", "title")
      try folder.run("list", "todo", "--fields", "titel").exits(2).printsNothing()
        .reports("titel", "title")
      try folder.run("list", "todo", "-o", "jsno").exits(2).printsNothing().reports("jsno", "json")
      try folder.run("save", "todo", input: .text(#"{"todo_id":"z","title":"z","titel":1}"#))
        .exits(6).printsNothing().reports("titel", "title")
      guard try folder.todos == before else { throw Violation("something was done all the same") }
    }
  }

  @Test(
    "prints help even when other arguments are wrong", .contract(19), arguments: Subject.inTier)
  func help(_ subject: Subject) throws {
    try subject.checkContract(19) { folder in
      try folder.write("datactl.json", "{ this is no JSON")
      let lost = folder.program.with([
        "DATACTL_STORE": "nonsense://nowhere", "HOME": nil, "XDG_DATA_HOME": nil,
      ])
      let lines: [[String]] = [
        ["-h"], ["--help"], ["help"], ["help", "list"], ["list", "--help"], ["list", "-h"],
        ["schema", "--help"], ["help", "schema", "create"], ["schema", "create", "--help"],
        ["list", "--no-such-option", "--help"], ["--limit", "x", "list", "todo", "-h"],
        ["--store", "nowhere:", "save", "--create", "--update", "--help"],
      ]
      for line in lines {
        try lost.run(line).exits(0).printsSomething().reportsNothing()
      }
      guard try folder.files == ["datactl.json"] else { throw Violation("help left files behind") }
    }
  }

  @Test(
    "prints the program's name and version first when given --version",
    .contract(20), arguments: Subject.inTier)
  func version(_ subject: Subject) throws {
    try subject.checkContract(20) { folder in
      let run = try folder.run("--version").exits(0).reportsNothing()
      let parts = (run.lines.first ?? "").split(separator: " ")
      let numbers = parts.dropFirst().first?.split(separator: ".") ?? []
      try run.requires(
        parts.first == "datactl" && numbers.count == 3 && numbers.allSatisfy { Int($0) != nil },
        "datactl X.Y.Z was expected")
    }
  }

  @Test(
    "reports all conflicting options and all missing arguments", .contract(21),
    arguments: Subject.inTier)
  func conflicts(_ subject: Subject) throws {
    try subject.checkContract(21) { folder in
      try folder.saveTodos()
      try folder.run("save", "todo", "a", "title=x", "--create", "--update").exits(2)
        .reports("--create", "--update")
      try folder.run("get").exits(2).printsNothing().reports("SCHEMA", "ID")
      try folder.run("list", "todo", "--limit", "-1").exits(2).printsNothing().reports("--limit")
      try folder.run("list", "todo", "--limit", "many").exits(2).printsNothing().reports("--limit")
      try folder.run("list", "todo", "--limit", "99999999999999999999").exits(2).reports("--limit")
      try folder.run("save", "todo", "a", "title=x", "--wait", "-1").exits(2).reports("--wait")
      try folder.run("list", "todo", "--limit").exits(2).printsNothing().reports("--limit")
      try folder.run("delete", "todo").exits(2).printsNothing()
      guard try folder.todoCount == 3 else { throw Violation("something was deleted") }
    }
  }
}

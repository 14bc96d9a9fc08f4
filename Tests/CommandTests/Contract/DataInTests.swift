import Foundation
import ProgramHarness
import Testing

@Suite("Conventions: input data")
struct DataInTests {
  @Test("reads JSON and CSV in every common layout", .contract(33), arguments: Subject.inTier)
  func shapes(_ subject: Subject) throws {
    try subject.checkContract(33) { folder in
      try folder.createTodoSchema()
      let one = #"{"todo_id":"a","title":"tea"}"#
      let two = #"{"todo_id":"b","title":"bread"}"#
      let shapes = [
        "an array": "[\(one),\(two)]", "an array over lines": "[\n  \(one),\n  \(two)\n]\n",
        "lines": "\(one)\n\(two)\n", "no last newline": "\(one)\n\(two)",
        "concatenated": one + two, "a mark at the start": "\u{FEFF}\(one)\n\(two)\n",
        "CRLF": "\(one)\r\n\(two)\r\n", "blank lines": "\n\n\(one)\n \n\n\(two)\n\n",
        "CSV": "todo_id,title\na,tea\nb,bread\n",
        "CSV with CRLF": "todo_id,title\r\na,tea\r\nb,bread",
      ]
      for (shape, text) in shapes.sorted(by: { $0.key < $1.key }) {
        let run = try folder.run("save", "todo", "-o", "ids", input: .text(text))
        try run.requires(
          run.status == 0 && run.output == "a\nb\n", "\(shape): a and b were expected")
        try folder.prepare("delete", "todo", "a", "b")
      }
      try folder.run("save", "todo", input: .text("")).exits(0).printsNothing().reports("othing")
      for rest in ["\(one) x", "[\(one)] \(two)", "\(one),", "[\(one)"] {
        try folder.run("save", "todo", input: .text(rest)).exits(6).printsNothing()
      }
    }
  }

  @Test(
    "rejects malformed JSON and a line of one gigabyte with an error, and saves nothing",
    .contract(34), arguments: Subject.inTier)
  func hostileInput(_ subject: Subject) throws {
    try subject.checkContract(34) { folder in
      try folder.prepare(
        "schema", "create", "note", "text:text", "whole:integer", "real:number", "any:json")
      let before = try folder.prepare("list", "note").output
      for text in HostileJSON.rejected {
        let run = try folder.run("save", "note", input: .bytes(text)).exits(6).printsNothing()
        try run.requires(run.errors.hasPrefix("datactl: "), "an error was expected")
      }
      guard try folder.prepare("list", "note").output == before else {
        throw Violation("refused input left traces")
      }
      for text in HostileJSON.accepted {
        try folder.run("save", "note", "-o", "none", input: .bytes(text)).exits(0)
      }
      let line = "printf '{\"text\":\"'; head -c 1000000000 /dev/zero | tr '\\0' x"
      let huge = try folder.shell(
        "(\(line)) 2>/dev/null | { ulimit -v 2000000; datactl save note; }")
      try huge.requires(
        [6, 7].contains(huge.status) && huge.errors.contains("datactl: "),
        "a clear refusal of a gigabyte on one line was expected")
    }
  }

  @Test("stores numbers exactly or rejects them", .contract(35), arguments: Subject.inTier)
  func numbers(_ subject: Subject) throws {
    try subject.checkContract(35) { folder in
      try folder.prepare("schema", "create", "note", "whole:integer", "real:number", "any:json")
      let kept = [
        ("whole", "9223372036854775807", "9223372036854775807"),
        ("whole", "-9223372036854775808", "-9223372036854775808"),
        ("whole", "9007199254740993", "9007199254740993"), ("whole", "5.0", "5"),
        ("whole", "1e3", "1000"), ("whole", "\"42\"", "42"), ("real", "0.1", "0.1"),
        ("real", "5e-324", "5e-324"), ("real", "1.7976931348623157e308", "1.7976931348623157e308"),
        ("real", "0.30000000000000004", "0.30000000000000004"), ("real", "-0.0", "0"),
        ("real", "123456789012345680000", "1.2345678901234568e20"),
      ]
      for (field, given, printed) in kept {
        try folder.run("save", "note", "n", "\(field):=\(given)", "-o", "none").exits(0)
        try folder.run("get", "note", "n", "--fields", field).exits(0)
          .prints("{\"note_id\":\"n\",\"\(field)\":\(printed)}\n")
      }
      for (field, given) in [
        ("whole", "9223372036854775808"), ("whole", "-9223372036854775809"), ("whole", "1.5"),
        ("whole", "1e19"), ("real", "1e400"), ("real", "-1e400"), ("real", "1e-400"),
      ] {
        try folder.run("save", "note", "n", "\(field):=\(given)").exits(6).printsNothing().reports(
          field)
      }
      try folder.run("save", "note", "n", "any:=1234567890123456789012345.10", "-o", "none").exits(
        0)
      try folder.run("get", "note", "n", "--fields", "any").exits(0)
        .prints("{\"note_id\":\"n\",\"any\":1234567890123456789012345.10}\n")
    }
  }

  @Test(
    "changes no record when save reads the output of list", .contract(36),
    arguments: Subject.inTier)
  func roundTrip(_ subject: Subject) throws {
    try subject.checkContract(36) { folder in
      try folder.saveTodos()
      try folder.prepare("save", "todo", "d", "title=", "done:=null")
      let before = try folder.todos
      for format in ["json", "ndjson", "csv"] {
        let listed = try folder.run("list", "todo", "-o", format).exits(0)
        let again = Input.bytes(listed.outputBytes)
        try folder.run("save", "todo", "--input", format, "-o", "none", input: again).exits(0)
          .reports("4 the same")
        guard try folder.todos == before else { throw Violation("\(format) moved something") }

        let copy = folder.program.with(["DATACTL_STORE": "sqlite:\(format).db"])
        try copy.run(["schema", "create", "todo"] + SampleCommands.todoFields).exits(0)
        try copy.run(
          ["save", "todo", "--input", format, "--keep-system-fields", "-o", "none"], input: again
        ).exits(0)
        try copy.run(["list", "todo", "-o", "ndjson"]).exits(0).prints(before)
      }
    }
  }

  @Test("saves and deletes either all records or none", .contract(37), arguments: Subject.inTier)
  func allOrNothing(_ subject: Subject) throws {
    try subject.checkContract(37) { folder in
      try folder.saveTodos()
      let before = try folder.todos
      var input = TestFolder.todos(20_000)
      input += Array("{\"todo_id\":\"last\",\"title\":null}\n".utf8)
      try folder.run("save", "todo", input: .bytes(input)).exits(6).printsNothing().reports(
        ":20001")
      guard try folder.todos == before else { throw Violation("some were saved all the same") }
      try folder.run("delete", "todo", "a", "b", "none").exits(3)
      guard try folder.todos == before else { throw Violation("some were deleted all the same") }
    }
  }
}

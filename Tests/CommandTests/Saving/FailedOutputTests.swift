import ProgramHarness
import Testing

@Suite("Saves that are committed but whose output fails", .onEveryStore)
struct FailedOutputTests {
  private static let good = #"{"todo_id":"a","title":"tea"}"# + "\n"
  private static let bad = #"{"todo_id":"x"}"# + "\n"

  private func folder() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    return folder
  }

  @Test("reports how many records are saved when the disk for the output is full")
  func fullDisk() throws {
    let folder = try folder()
    let arguments = ["save", "todo", "-o", "ndjson"]
    let run = try folder.program.run(
      arguments, input: .text(Self.good), output: .file("/dev/full")
    ).exits(1)
    #expect(
      run.errors == """
        datactl: standard output: No space left on device
        datactl: 1 record is saved, but the output is incomplete

        """)
    let json = try folder.program.run(
      arguments + ["--quiet", "--errors", "json"],
      input: .text(Self.good.replacing("\"a\"", with: "\"b\"")), output: .file("/dev/full")
    ).exits(1)
    #expect(
      json.errorLines == [
        #"{"code":"output_failed","message":"standard output: No space left on device","#
          + #""hint":null,"schema":null,"id":null,"field":null,"file":null,"line":null,"column":null}"#,
        #"{"code":"stopped","message":"1 record is saved, but the output is incomplete","#
          + #""hint":null,"schema":"todo","id":null,"field":null,"file":null,"line":1,"column":null}"#,
      ])
    #expect(try folder.todoCount == 2)
    let line = try folder.program.run(
      ["save", "todo", "c", "title=x", "-o", "ndjson", "--errors", "json"],
      output: .file("/dev/full")
    ).exits(1)
    #expect(line.errors.hasSuffix(#""file":null,"line":null,"column":null}"# + "\n"))
    let dry = try folder.program.run(
      arguments + ["--dry-run"], input: .text(Self.good), output: .file("/dev/full")
    ).exits(1)
    #expect(dry.errors == "datactl: standard output: No space left on device\n")
  }

  @Test("reports the fields that --infer has added to the schema even if writing the output fails")
  func inference() throws {
    let folder = try folder()
    let run = try folder.program.run(
      ["save", "todo", "--infer", "-o", "ids"],
      input: .text(#"{"todo_id":"a","title":"tea","colour":"green"}"#), output: .file("/dev/full")
    ).exits(1)
    #expect(
      run.errors == """
        Added to todo: colour text
        datactl: standard output: No space left on device
        datactl: 1 record is saved, but the output is incomplete

        """)
  }

  @Test("reports the skipped records when the rejects file cannot be written")
  func rejects() throws {
    let folder = try folder()
    let arguments = ["save", "todo", "--skip-invalid", "-o", "none", "--rejects"]
    let text = Self.good + Self.bad
    for (rejects, name) in [("/dev/full", "/dev/full"), ("-", "standard output")] {
      let run = try folder.program.run(
        arguments + [rejects], input: .text(text), output: .file("/dev/full")
      ).exits(1)
      #expect(
        run.errors == """
          datactl: \(name): No space left on device
          datactl: standard input:2: title: required
          datactl: 1 record is saved, but the output is incomplete

          """)
    }
    #expect(try folder.todoCount == 1)
  }

  @Test("exits when the reader closes the pipe, and reports the saved records on stderr")
  func closedPipe() throws {
    let folder = try folder()
    let save = try folder.program.start(["save", "todo", "-o", "ndjson"], input: .open)
    save.closeOutput()
    save.send(Self.good)
    try save.run(for: .milliseconds(50))
    save.closeInput()
    let run = try save.finish().exits(141)
    #expect(run.errors == "1 saved: 1 new\n")
    #expect(try folder.todoCount == 1)
  }
}

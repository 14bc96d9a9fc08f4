import Foundation
import ProgramHarness
import Testing

@Suite("Long input that is parsed while earlier records are saved")
struct LongInputTests {
  private static let count = 60_000
  private static let wrong = [3, 20_011, 20_012, 59_998]

  /// Lines of input. The lines with the numbers in `wrong` contain invalid records.
  private static let lines = (0..<count).map { number in
    let priority = wrong.contains(number) ? "\"high\"" : String(number)
    return "{\"todo_id\":\"\(10_000_000 + number)\",\"title\":\"tea\",\"priority\":\(priority)}\n"
  }

  private func folder() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    return folder
  }

  @Test("reports errors in the order of their lines and saves nothing")
  func problems() throws {
    let folder = try folder()
    let run = try folder.run("save", "todo", input: .text(Self.lines.joined()))
    try run.exits(6).printsNothing()
    let reportedLines = run.errors.split(separator: "\n").compactMap { line in
      line.wholeMatch(of: /datactl: standard input:(\d+): .*/)?.output.1
    }
    #expect(reportedLines == Self.wrong.map { "\($0 + 1)" })
    #expect(try folder.todoCount == 0)
  }

  @Test("writes skipped records to the rejects file in order, and saves the valid records")
  func rejects() throws {
    let folder = try folder()
    try folder.run(
      "save", "todo", "-o", "none", "--skip-invalid", "--rejects", "bad.ndjson",
      input: .text(Self.lines.joined())
    ).exits(6)
    let rejects = String(decoding: try folder.bytes("bad.ndjson"), as: UTF8.self)
      .split(separator: "\n")
    #expect(rejects.count == Self.wrong.count)
    for (reject, number) in zip(rejects, Self.wrong) {
      #expect(reject.contains("\(10_000_000 + number)"))
    }
    let saved = try folder.run("list", "todo", "--fields", "priority", "-o", "csv").exits(0)
    let right = (0..<Self.count).filter { !Self.wrong.contains($0) }
    #expect(
      saved.output == "todo_id,priority\r\n"
        + right.map { "\(10_000_000 + $0),\($0)\r\n" }.joined())
  }

  @Test("reads all input even when no thread can be created")
  func withoutThread() throws {
    let folder = try folder()
    let right = Self.lines.enumerated().filter { !Self.wrong.contains($0.offset) }.map(\.element)
    try folder.program.prefixed([
      "/usr/bin/strace", "-f", "-o", "calls.txt", "-e", "inject=clone,clone3:error=EAGAIN",
      "-e", "trace=clone,clone3",
    ]).run(["save", "todo", "-o", "none"], input: .text(right.joined())).exits(0)
    let calls = String(decoding: try folder.bytes("calls.txt"), as: UTF8.self)
    #expect(calls.contains("EAGAIN"))
    #expect(try folder.todoCount == right.count)
  }

  @Test(
    "copies the WAL into the store file and deletes the WAL before the program ends",
    arguments: [["-"], ["first.ndjson", "second.ndjson"]])
  func closing(paths: [String]) throws {
    let folder = try folder()
    let right = Self.lines.enumerated().filter { !Self.wrong.contains($0.offset) }.map(\.element)
    try folder.write("first.ndjson", right.prefix(30_000).joined())
    try folder.write("second.ndjson", right.dropFirst(30_000).joined())
    try folder.program.run(
      ["save", "todo", "-o", "none"] + paths.flatMap { ["--file", $0] },
      input: .text(right.joined())
    ).exits(0)
    #expect(try folder.files.filter { $0.hasPrefix("shop.db-") } == ["shop.db-lock"])
    #expect(try folder.todoCount == right.count)
  }
}

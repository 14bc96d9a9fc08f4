import Foundation
import ProgramHarness
import Testing

@Suite("Saving with --commit-every", .onEveryStore)
struct SaveInPartsTests {
  private static func lines(_ numbers: ClosedRange<Int>) -> String {
    numbers.map { #"{"note_id":"\#($0)","code":\#($0)}"# + "\n" }.joined()
  }

  private func folder() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "note", "code:integer!", "next:note")
    // Use a schema file, because the shorthand of `schema create` cannot declare unique fields.
    try folder.write(
      "note.json",
      """
      {"schema": "memo", "fields": {"memo_id": {"type": "id"},
        "code": {"type": "integer", "required": true, "unique": true},
        "next": {"type": "relation", "to": "memo"}}}
      """)
    try folder.prepare("schema", "apply", "note.json")
    return folder
  }

  @Test(
    "stops the save and rolls back to the last commit when a record is invalid",
    arguments: [
      (#"{"memo_id":"x","code":500,"colour":1}"#, 6), (#"{"memo_id":"x","code":"many"}"#, 6),
      (#"{"memo_id":"x","code":}"#, 6), (#"{"memo_id":"x"}"#, 6),
      (#"{"memo_id":"x","code":3}"#, 5), (#"{"memo_id":"x","code":500,"next":"99"}"#, 6),
    ])
  func errors(line: String, status: Int32) throws {
    let folder = try folder()
    let text = (Self.lines(1...24) + line + "\n" + Self.lines(26...99))
      .replacing("note_id", with: "memo_id")
    let arguments = ["save", "memo", "--commit-every", "10", "-o", "none"]
    let run = try folder.program.run(arguments, input: .text(text)).exits(status)
    #expect(run.errorLines.prefix(2) == ["saved up to line 10", "saved up to line 20"])
    #expect(
      run.errorLines.last == "datactl: everything up to line 20 is saved, and nothing after it")
    #expect(try folder.prepare("list", "memo", "--count").output == "20\n")

    let again = try folder.program.run(
      arguments + ["--errors", "json", "--quiet"], input: .text(text)
    ).exits(status)
    #expect(
      again.errorLines.last
        == #"{"code":"stopped","message":"everything up to line 20 is saved, "#
        + #"and nothing after it","#
        + #""hint":null,"schema":"memo","id":null,"field":null,"file":null,"line":20,"column":null}"#
    )
    #expect(again.errorLines.count == 2)

    try folder.program.run(arguments + ["--skip-invalid"], input: .text(text)).exits(6)
      .reports("saved up to line 99\n", "datactl: 1 record not saved")
    #expect(try folder.prepare("list", "memo", "--count").output == "98\n")
  }

  @Test("reports each commit immediately, and commits when no input arrives for a second")
  func pauses() throws {
    let folder = try folder()
    let save = try folder.program.start(
      ["save", "note", "--commit-every", "3", "-o", "ids"], input: .open)
    save.send(Self.lines(1...7))
    try save.wait(for: "two commits") {
      String(decoding: $0.errorBytes, as: UTF8.self).hasPrefix(
        "saved up to line 3\nsaved up to line 6\n")
    }
    try save.wait(for: "the third") {
      String(decoding: $0.errorBytes, as: UTF8.self).hasSuffix("saved up to line 7\n")
    }
    // While the save waits for input, it holds no lock, so other commands can save.
    try folder.run("save", "note", "other", "code=1", "--wait", "5", "-o", "none").exits(0)
    save.send(Self.lines(8...8) + "{")
    try save.wait(for: "the fourth") {
      String(decoding: $0.errorBytes, as: UTF8.self).hasSuffix("saved up to line 8\n")
    }
    try save.wait(for: "the last record") { $0.outputBytes.suffix(3) == [0x0A, 0x38, 0x0A] }
    save.signal(9)
    let run = try save.finish().exits(137)
    #expect(run.output == (1...8).map { "\($0)\n" }.joined())
    #expect(try folder.prepare("list", "note", "--count").output == "9\n")
  }
}

import Foundation
import ProgramHarness
import Testing

@Suite("Rejects of a save")
struct RejectsTests {
  private static let good = #"{"todo_id":"a","title":"tea"}"# + "\n"
  private static let bad = #"{"todo_id":"x"}"# + "\n"

  @Test(
    "rejects a path that is the input, the output or a file of the store",
    arguments: [
      "in.ndjson", "link", "hard", "shop.db", "shop.db-wal", "shop.db-lock", "out.ndjson",
    ]
  )
  func ownFiles(name: String) throws {
    let place = try Place()
    try place.keepTodos()
    try place.write("in.ndjson", Self.good + Self.bad)
    try place.write("out.ndjson", "")
    try place.tool("ln", "-s", "./shop.db-wal", "link")
    try place.tool("ln", "in.ndjson", "hard")
    let before = try place.files
    let run = try place.run(
      "save", "todo", "--skip-invalid", "--rejects", name,
      input: .file(place.path("in.ndjson")), output: .file(place.path("out.ndjson"))
    ).exits(2).says("--rejects \(name): this is ")
    try run.printsNothing()
    #expect(try place.files == before)
    #expect(try place.bytes("in.ndjson") == Array((Self.good + Self.bad).utf8))
    #expect(try place.todoCount == 3)
  }

  @Test(
    "keeps an existing rejects file until the save has succeeded", .onEveryStore)
  func replacement() throws {
    let place = try Place()
    try place.keepTodos()
    try place.write("target.ndjson", "old\n")
    try place.tool("ln", "-s", "target.ndjson", "rejects.ndjson")
    let words = ["save", "todo", "--skip-invalid", "--rejects", "rejects.ndjson", "-o", "none"]

    let stopped = try place.program.start(words, input: .open)
    stopped.send(Self.bad)
    try stopped.run(for: .milliseconds(300))
    #expect(try place.bytes("target.ndjson") == Array("old\n".utf8))
    stopped.signal(2)
    try stopped.finish().exits(130)
    #expect(try place.bytes("target.ndjson") == Array("old\n".utf8))

    try place.program.run(words + ["--dry-run"], input: .text(Self.good + Self.bad)).exits(6)
      .says("1 would be saved", "1 record would not be saved", "title: required")
    #expect(try place.bytes("target.ndjson") == Array("old\n".utf8))

    try place.program.run(words, input: .text(Self.good + Self.bad)).exits(6)
    let kept = String(decoding: try place.bytes("target.ndjson"), as: UTF8.self)
    #expect(kept.hasPrefix(#"{"text":"{\"todo_id\":\"x\"}","problems":"#))
    let links = try place.tool("readlink", "rejects.ndjson")
    #expect(links.output == "target.ndjson\n")
    #expect(try place.files.filter { $0.contains("target") } == ["target.ndjson"])
  }

  @Test("- writes rejects to stdout, but only without other output", .onEveryStore)
  func hyphen() throws {
    let place = try Place()
    try place.keepTodos()
    let words = ["save", "todo", "--skip-invalid", "--rejects", "-"]
    try place.program.run(words, input: .text(Self.bad)).exits(2).printsNothing()
      .says("--output none")
    try place.program.run(words + ["-o", "none"], input: .text(Self.bad)).exits(6)
      .printsSomething().says("it is on standard output")
  }

  @Test(
    "saves corrected rejects with the command in the manual",
    arguments: [
      (
        "in.csv", "todo_id,title,done\r\nx,\"two\r\nlines\",true\r\ny,,false\r\nz,tea,maybe",
        "(head -n 1 in.csv; jq -rj .text rejects.ndjson)"
      ),
      (
        "in.csv", "todo_id,title,done\nx,tea,true\n\ny,a \"quote\",true\nz,,false\n",
        "(head -n 1 in.csv; jq -rj .text rejects.ndjson | sed s/a..quote./quote/)"
      ),
      (
        "in.ndjson",
        #"{"todo_id":"x","title":"tea"}"# + "\n" + #"{"todo_id":"y"}"# + "\n" + #"{"todo_id":"z""#,
        #"jq -r .text rejects.ndjson | sed 's/"z"$/"z"}/'"#
      ),
    ])
  func mending(file: String, text: String, mended: String) throws {
    let place = try Place()
    try place.declareTodos()
    try place.write(file, text)
    try place.run(
      "save", "todo", "-f", file, "--skip-invalid", "--rejects", "rejects.ndjson", "-o", "ids"
    ).exits(6).prints("x\n").says("2 records not saved")
    try place.shell(
      "\(mended) | sed 's/maybe/true/; s/^\\(.\\),,/\\1,some,/; s/\"}$/\",\"title\":\"some\"}/' | "
        + "datactl save todo -o ids"
    ).exits(0).prints("y\nz\n")
  }
}

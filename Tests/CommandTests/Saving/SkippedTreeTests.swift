import Foundation
import ProgramHarness
import Testing

@Suite("Trees of records with --skip-invalid and --commit-every", .onEveryStore)
struct SkippedTreeTests {
  private func folder() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.write(
      "schemas.json",
      """
      {"schema": "person", "fields": {"person_id": {"type": "id"},
        "name": {"type": "text", "required": true}, "mail": {"type": "text", "unique": true}}}
      {"schema": "todo", "fields": {"todo_id": {"type": "id"},
        "title": {"type": "text", "required": true}, "owner": {"type": "relation", "to": "person"},
        "steps": {"type": "relation", "to": "todo", "many": true},
        "code": {"type": "integer", "unique": true}}}
      """)
    try folder.prepare("schema", "apply", "schemas.json")
    return folder
  }

  private func save(_ folder: TestFolder, _ text: String, _ options: String...) throws -> Run {
    try folder.program.run(["save", "todo", "--deep"] + options, input: .text(text))
  }

  private func ids(_ folder: TestFolder, _ schema: String) throws -> [String] {
    try folder.datactl.run(["list", schema, "-o", "ids"]).exits(0).output
      .split(separator: "\n").map(String.init)
  }

  @Test("skips a whole tree if one of its records is invalid, and saves the other trees")
  func skip() throws {
    let folder = try folder()
    let trees = [
      #"{"todo_id":"a","title":"A","owner":{"person_id":"ann","name":"Ann","mail":"a@x"},"code":1}"#,
      // An inner record with a wrong value.
      #"{"todo_id":"b","title":"B","owner":{"person_id":"bob","name":7},"steps":[{"todo_id":"b1","title":"B"}]}"#,
      // An outer record without a required field.
      #"{"todo_id":"c","steps":[{"todo_id":"c1","title":"C"}]}"#,
      // An inner record with a unique value of another record.
      #"{"todo_id":"d","title":"D","owner":{"person_id":"dan","name":"Dan","mail":"a@x"},"steps":[{"todo_id":"d1","title":"D"}]}"#,
      // A reference to a record that only a skipped tree contains.
      #"{"todo_id":"e","title":"E","owner":"dan","steps":[{"todo_id":"e1","title":"E"}]}"#,
      // A cycle, and a reference to a record of an earlier tree.
      #"{"todo_id":"f","title":"F","owner":"ann","steps":[{"todo_id":"f1","title":"F","steps":[{"todo_id":"f"}]}]}"#,
      // A reference to a record of a later tree.
      #"{"todo_id":"g","title":"G","steps":["h"]}"#,
      // The skipped records are saved by a later tree.
      #"{"todo_id":"h","title":"H","owner":{"person_id":"dan","name":"Dan"},"code":1,"steps":[]}"#,
      #"{"todo_id":"i","title":"I","owner":{"person_id":"dan","name":"Dan"},"steps":["c1"]}"#,
      #"{"todo_id":"j","title":"J","owner":{"person_id":"dan","name":"Dan"},"steps":["f1",{"todo_id":"c1","title":"C"}]}"#,
    ]
    let run = try save(
      folder, trees.joined(separator: "\n"), "--skip-invalid", "--rejects", "rejects", "-o", "ids"
    ).exits(6)
    #expect(run.output == "a\nf\nj\n")
    #expect(
      run.errors.hasPrefix("3 saved: 3 new (and 4 nested: 4 new)\n"), "\(run.errors)")
    #expect(try ids(folder, "todo") == ["a", "c1", "f", "f1", "j"])
    #expect(try ids(folder, "person") == ["ann", "dan"])

    let texts = try folder.shell("jq -r .text rejects").exits(0).output
    #expect(
      texts.split(separator: "\n").map(String.init) == [1, 2, 3, 4, 6, 7, 8].map { trees[$0] })
    let problems = try folder.shell(
      "jq -r '.problems[] | \"\\(.line) \\(.path) \\(.field) \\(.message)\"' rejects"
    ).exits(0).output
    #expect(
      problems == """
        2 $.owner name expected text, found number 7
        3 $ title required
        4 $.owner mail "a@x" is already used by "ann"
        5 $ owner there is no person "dan"
        7 $ steps there is no todo "h"
        8 $ code 1 is already used by "a"
        9 $ steps there is no todo "c1"

        """, "\(problems)")

    // After their errors are fixed, the rejected trees can be saved.
    let fixed = try folder.shell(
      """
      jq -r .text rejects | sed 's/"name":7/"name":"Bob"/; 2s/{/{"title":"C",/; 3s/a@x/d@x/
        s/"code":1,//' | datactl save todo --deep -o none
      """
    ).exits(0)
    #expect(fixed.errors.hasPrefix("7 saved: 7 new"), "\(fixed.errors)")
  }

  @Test("names a nested record with a generated id by its path when it has the same unique value")
  func generatedHolder() throws {
    let folder = try TestFolder()
    try folder.write(
      "line.json",
      """
      {"schema": "line", "fields": {"line_id": {"type": "id"},
        "sku": {"type": "text", "unique": true}}}
      """)
    try folder.prepare("schema", "apply", "line.json")
    try folder.prepare("schema", "create", "box", "lines:line+")
    let document = #"{"lines":[{"sku":"x"},{"sku":"y"},{"sku":"x"}]}"#
    for (options, status) in [([], 5), (["--skip-invalid"], 6)] as [([String], Int32)] {
      let run = try folder.program.run(
        ["save", "box", "--deep"] + options, input: .text(document)
      ).exits(status)
      #expect(
        run.errors.contains(#"1: $.lines[2].sku: "x" is already used by $.lines[0]"# + "\n"),
        "\(run.errors)")
    }
    try folder.prepare("save", "line", "l", "sku=x")
    try folder.run("save", "box", "--deep", input: .text(document)).exits(5)
      .reports(#"$.lines[0].sku: "x" is already used by "l""#)
  }

  @Test(
    "skips trees with syntax errors, too many levels of nesting, or contradictory values of a record"
  )
  func malformed() throws {
    let folder = try folder()
    let deep =
      String(repeating: #"{"title":"x","steps":["#, count: 33)
      + String(repeating: "]}", count: 33)
    let trees = [
      #"{"todo_id":"a","title":"A","steps":[{"todo_id":"a1","title":"A"}]}"#,
      #"{"todo_id":"b","title":"B","steps":[{"todo_id":"b1","title":"B"}"#,
      #"{"todo_id":"c","title":"C","steps":[{"todo_id":"c1","title":tea}]}"#,
      #"{"todo_id":"d","title":"D"}"#,
      deep,
      #"{"title":"E","owner":{"person_id":"e","name":"E"},"steps":[{"title":"E","owner":{"person_id":"e","name":"F"}}]}"#,
      "7",
      #"{"todo_id":"f","title":"F","owner":{"person_id":"e","name":"F"}}"#,
    ]
    let run = try save(
      folder, trees.joined(separator: "\n"), "--input", "ndjson", "--skip-invalid", "--rejects",
      "rejects", "-o", "ids"
    ).exits(6)
    #expect(run.output == "a\nd\nf\n")
    let rejects = try folder.shell("jq -r '.problems[0].line' rejects; jq -r .text rejects").exits(
      0)
    #expect(
      rejects.output.split(separator: "\n").map(String.init)
        == ["2", "3", "5", "6", "7"] + [1, 2, 4, 5, 6].map { trees[$0] })

    let array = try save(
      folder, "[{\"title\":\"x\"},\n{\"title\":\"y\"},\n{\"title\"},{\"title\":\"z\"}]",
      "--skip-invalid", "-o", "none"
    ).exits(6)
    #expect(
      array.errors == """
        2 saved: 2 new
        datactl: standard input:3:9: todo: expected a colon after the key
        datactl: 1 record not saved, and reading stopped at line 3

        """, "\(array.errors)")
  }

  @Test("never writes a tree with a password to the file given by --rejects")
  func passwords() throws {
    let folder = try folder()
    try folder.prepare("schema", "create", "user", "--user")
    try folder.prepare("schema", "create", "note", "text:text!", "owner:user")
    let run = try folder.program.run(
      ["save", "note", "--deep", "--skip-invalid", "--rejects", "-", "-o", "none"],
      input: .text(
        """
        {"text":1,"owner":"ann"}
        {"text":1,"owner":{"username":"ann","password":"correct horse"}}
        {"text":"x","owner":{"username":"ann","password":"correct horse"}

        """)
    ).exits(6)
    let texts = run.output.split(separator: "\n").map { $0.prefix(30) }
    #expect(texts.count == 3)
    #expect(texts[0].hasPrefix(#"{"text":"{\"text\":1,"#))
    #expect(texts[1...].allSatisfy { $0.hasPrefix(#"{"text":null,"#) }, "\(texts)")
    #expect(!run.output.contains("horse"))
  }

  @Test("commits after every N trees, and never splits a tree between two commits")
  func parts() throws {
    let folder = try folder()
    let trees = (1...10).map { number in
      let name = number == 8 ? "7" : #""n""#
      let owner = #"{"person_id":"p\#(number)","name":\#(name)}"#
      return #"{"todo_id":"t\#(number)","title":"x","owner":\#(owner),"steps":["#
        + #"{"todo_id":"s\#(number)","title":"y"}]}"# + "\n"
    }.joined()
    let run = try save(folder, trees, "--commit-every", "3", "-o", "none").exits(6)
    #expect(
      run.errors == """
        saved up to line 3
        saved up to line 6
        datactl: standard input:8: $.owner.name: expected text, found number 7
        datactl: everything up to line 6 is saved, and nothing after it

        """, "\(run.errors)")
    #expect(try ids(folder, "person").count == 6)
    #expect(try ids(folder, "todo").count == 12)

    let other = try self.folder()
    let skipping = try save(other, trees, "--commit-every", "3", "--skip-invalid", "-o", "none")
      .exits(6)
    #expect(
      skipping.errors.hasPrefix(
        """
        saved up to line 3
        saved up to line 6
        saved up to line 10
        9 saved: 9 new (and 18 nested: 18 new)

        """), "\(skipping.errors)")
    #expect(try ids(other, "person").count == 9)
    #expect(try ids(other, "todo").count == 18)
  }

  @Test("commits the complete trees of records when no further input arrives")
  func waiting() throws {
    let folder = try folder()
    let save = try folder.program.start(
      ["save", "todo", "--deep", "--commit-every", "100", "-o", "ids"], input: .open)
    save.send(#"{"todo_id":"a","title":"A","owner":{"person_id":"ann","name":"Ann"}}"# + "\n")
    try save.wait(for: "the first tree") { $0.outputBytes == Array("a\n".utf8) }
    #expect(try ids(folder, "person") == ["ann"])
    save.send(#"{"todo_id":"b","title":"B","owner":"ann"}"# + "\n" + #"{"title":"C""#)
    try save.wait(for: "the second tree") { $0.outputBytes == Array("a\nb\n".utf8) }
    save.send(#","todo_id":"c","owner":{"name":"Cid"}}"#)
    try save.wait(for: "the third tree") { $0.outputBytes == Array("a\nb\nc\n".utf8) }
    save.closeInput()
    #expect(try save.finish().exits(0).output == "a\nb\nc\n")
  }

  @Test("saves all nested records of a tree that is larger than 4 MB")
  func longTree() throws {
    let folder = try folder()
    let title = String(repeating: "x", count: 1_000)
    let steps = (1...6_000).map { #"{"todo_id":"s\#($0)","title":"\#(title)"}"# }
    let tree = #"{"todo_id":"t","title":"T","steps":[\#(steps.joined(separator: ","))]}"#
    for options in [[], ["--skip-invalid"], ["--commit-every", "1"]] {
      let run = try folder.program.run(
        ["save", "todo", "--deep", "-o", "none"] + options, input: .text(tree)
      ).exits(0)
      #expect(run.errors.contains("1 saved: 1 "), "\(run.errors)")
      #expect(try ids(folder, "todo").count == 6_001)
    }
  }
}

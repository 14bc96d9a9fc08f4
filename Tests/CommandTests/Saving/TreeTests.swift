import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("Trees of records", .onEveryStore)
struct TreeTests {
  private func folder() throws -> TestFolder {
    let folder = try TestFolder()
    for schema in [
      ["person", "name:text!", "boss:person"],
      ["todo", "title:text!", "owner:person", "steps:todo+", "extra:json"],
    ] {
      try folder.datactl.run(["schema", "create"] + schema).exits(0)
    }
    return folder
  }

  private func save(_ folder: TestFolder, _ text: String, _ options: String...) throws -> Run {
    try folder.program.run(["save", "todo", "--deep"] + options, input: .text(text))
  }

  /// Returns all records with their system fields.
  private func records(_ folder: TestFolder) throws -> String {
    try list(folder, "todo", "-o", "ndjson") + list(folder, "person", "-o", "ndjson")
  }

  private func list(_ folder: TestFolder, _ arguments: String...) throws -> String {
    try folder.datactl.run(["list"] + arguments).exits(0).output
  }

  @Test("suggests --deep when a to-many relation contains objects")
  func objectsWithoutDeep() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "line", "n:text")
    try folder.prepare("schema", "create", "box", "lines:line+")
    try folder.run("save", "box", input: .text(#"{"lines":[{"n":"x"}]}"#)).exits(6).reports(
      "lines: expected an array of ids of line, found an object as an element\n"
        + "  save both records with --deep")
  }

  @Test("saves the records of an inverse with the outer record, and names the option")
  func inverses() throws {
    let folder = try folder()
    try folder.write(
      "line.json",
      """
      {"schema": "line", "fields": {"line_id": {"type": "id"}, "todo":
        {"type": "relation", "to": "todo", "inverse": "lines"}}}
      """)
    try folder.prepare("schema", "apply", "line.json")
    try save(folder, #"{"todo_id":"a","title":"A"}"#, "-o", "none").exits(0)
    try folder.prepare("save", "line", "l", "todo=a")
    let tree = try list(folder, "todo", "--expand", "lines", "-o", "json")
    try save(folder, tree, "-o", "none").exits(0).reports(
      "1 saved: 1 the same (and 1 nested: 1 the same)")
    try folder.run("save", "todo", input: .text(tree)).exits(6).reports(
      """
      todo has no field lines
        lines is the inverse of line.todo: to save its records, pass --deep, or save them in line
      """)
  }

  @Test("reports that a to-many relation requires an array if the input contains an object")
  func objectInsteadOfArray() throws {
    let folder = try folder()
    try save(folder, #"{"todo_id":"a","title":"A","steps":{"todo_id":"b","title":"B"}}"#).exits(6)
      .reports(
        """
        datactl: standard input:1: $.steps: expected an array of ids of todo, found an object
          write it in an array: [{…}]
        """)
  }

  @Test("saves the values of the last occurrence when several trees contain the same record")
  func repeatedInTrees() throws {
    let folder = try folder()
    let names = ["Ann", "Anna", "Ann", "Ann"]
    let trees = names.map { name in
      #"{"title":"x","owner":{"person_id":"ann","name":"\#(name)"}}"# + "\n"
    }
    let run = try save(folder, trees.joined(), "-o", "none").exits(0)
    #expect(run.errors.hasPrefix("4 saved: 4 new (and 1 nested: "))
    #expect(try list(folder, "person", "--fields", "name", "-o", "csv").hasSuffix("ann,Ann\r\n"))
  }

  @Test(
    "accepts the old revision of a record that an earlier tree of the same save has changed",
    arguments: [[], ["--commit-every", "1"], ["--skip-invalid"]])
  func repeatedRevisions(options: [String]) throws {
    let folder = try folder()
    try folder.prepare("save", "person", "ann", "name=Ann")
    try folder.prepare("save", "todo", "go", "title=Go")
    // The record `go` occurs in another record, and is itself the last record.
    let trees = """
      {"todo_id":"a","title":"A","owner":{"person_id":"ann","name":"Anna","revision":1}}
      {"todo_id":"b","title":"B","owner":{"person_id":"ann","name":"Anna","revision":1},"steps":[
       {"todo_id":"go","title":"Walk","revision":1,"owner":{"person_id":"bob","name":"Bob",
       "revision":7}}]}
      {"todo_id":"c","title":"C","owner":{"person_id":"ann","revision":1}}
      {"todo_id":"d","title":"D","owner":{"person_id":"bob","name":"Bob","revision":7}}
      {"todo_id":"go","title":"Walk","revision":1}
      """
    let arguments = ["save", "todo", "--deep", "-o", "none"] + options
    let run = try folder.program.run(arguments, input: .text(trees)).exits(0)
    #expect(run.errors.contains("5 saved: 4 new, 1 the same (and 3 nested: "), "\(run.errors)")
    #expect(
      try list(folder, "person", "--fields", "name,revision", "-o", "csv")
        == "person_id,name,revision\r\nann,Anna,2\r\nbob,Bob,1\r\n")
    #expect(try list(folder, "todo", "--where", "title = 'Walk'", "--count") == "1\n")
    let conflict = #"{"todo_id":"e","title":"E","owner":{"person_id":"ann","revision":1}}"#
    try folder.program.run(arguments, input: .text(conflict))
      .exits(options == ["--skip-invalid"] ? 6 : 5)
      .reports("changed concurrently: expected revision 1, found 2")
  }

  @Test(
    "rejects a copy of a record that would undo the change in an earlier tree",
    arguments: [[], ["--commit-every", "1"], ["--skip-invalid"]])
  func changedCopies(options: [String]) throws {
    for (names, saved) in [
      (["Anna", "Ann"], nil), (["Anna", "Anne"], nil), (["Anna", "Anna", "Ann"], nil),
      (["Ann", "Anna"], "Anna"), (["Ann", "Anna", "Anna"], "Anna"), (["Ann", "Ann"], "Ann"),
    ] {
      let folder = try folder()
      try folder.prepare("save", "person", "ann", "name=Ann")
      let trees = names.map { name in
        #"{"title":"T","owner":{"person_id":"ann","name":"\#(name)","revision":1}}"# + "\n"
      }
      let run = try folder.program.run(
        ["save", "todo", "--deep", "-o", "none"] + options, input: .text(trees.joined()))
      let found = try list(folder, "person", "--fields", "name", "-o", "csv")
      if let saved {
        try run.exits(0)
        #expect(found.hasSuffix("ann,\(saved)\r\n"))
      } else {
        try run.exits(options == ["--skip-invalid"] ? 6 : 5).reports(
          "\(names.count): $.owner: the record occurs several times with different values\n"
            + "  make the same change in each copy, or write only the id in the others\n")
        #expect(found.hasSuffix(options.isEmpty ? "ann,Ann\r\n" : "ann,Anna\r\n"))
      }
    }
  }

  @Test("rejects a copy that undoes a change, even if it also applies an operation")
  func operationsInCopies() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "person", "name:text", "age:integer", "boss:person")
    try folder.prepare("save", "person", "ann", "name=Ann", "age=1")
    let copies = #"""
      {"person_id":"ann","name":"Anna","revision":1}
      {"person_id":"ann","name":"Ann","age":{"$add":2},"revision":1}
      """#
    let command = ["save", "person", "--deep", "-o", "none"]
    try folder.program.run(command, input: .text(copies)).exits(5).reports("different values")
    let equal = copies.replacing(#""Ann","#, with: #""Anna","#)
    try folder.program.run(command, input: .text(equal + "\n" + equal)).exits(0)
    try folder.run("get", "person", "ann", "--fields", "name,age").prints(
      #"{"person_id":"ann","name":"Anna","age":5}"# + "\n")
  }

  @Test(
    "reports an invalid outer record at the end of the input",
    arguments: [[], ["--commit-every", "1"], ["--commit-every", "100"], ["--skip-invalid"]])
  func lastTree(options: [String]) throws {
    let folder = try folder()
    let trees = #"""
      {"todo_id":"a","title":"A","owner":{"person_id":"ann","name":"Ann"}}
      {"todo_id":"b","title":7,"owner":{"person_id":"bob","name":"Bob"}}
      """#
    let arguments = ["save", "todo", "--deep", "-o", "none"] + options
    try folder.program.run(arguments, input: .text(trees)).exits(6)
      .reports("title: expected text, found number 7")
    let saved = options.isEmpty || options.last == "100" ? "" : "ann\n"
    #expect(try list(folder, "person", "-o", "ids") == saved)
  }

  @Test("checks the revisions of two nested records whose ids have the same FNV hash")
  func revisionsOfCollidingIDs() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "step", "title:text")
    try folder.prepare("schema", "create", "plan", "steps:step+")
    // With the name of the schema, the 64-bit FNV-1a hashes of these ids are equal.
    let ids = ["ztchgxg2wptro", "d3bg7ldxvkmgc"]
    for id in ids { try folder.prepare("save", "step", id, "title=old") }
    try folder.prepare("save", "step", ids[1], "title=changed")
    let steps = ids.map { #"{"step_id":"\#($0)","title":"new","revision":1}"# }
    try folder.run(
      "save", "plan", "--deep", "-o", "none",
      input: .text(#"{"plan_id":"p","steps":[\#(steps.joined(separator: ","))]}"#)
    ).exits(5).reports("changed concurrently: expected revision 1, found 2")
    try folder.run("list", "step", "--where", "title = 'new'", "--count").exits(0).prints("0\n")
  }

  @Test("saves nested records, and stores their ids in the outer records")
  func nested() throws {
    let folder = try folder()
    let run = try save(
      folder,
      """
      {"todo_id":"trip","title":"Trip","owner":{"person_id":"ann","name":"Ann",
       "boss":{"person_id":"bob","name":"Bob"}},"steps":[{"title":"Pack"},"old",{"todo_id":"go",
       "title":"Go","owner":{"person_id":"ann"}}],"extra":{"steps":[{"title":"no"}]}}
      {"todo_id":"old","title":"Old"}
      """, "-o", "ndjson"
    ).exits(0)
    #expect(run.errors == "2 saved: 2 new (and 4 nested: 4 new)\n")
    let steps = try folder.shell("datactl get todo trip | jq -c .steps,.owner,.extra").exits(0)
    let lines = steps.output.split(separator: "\n")
    #expect(lines[0].wholeMatch(of: /\["[0-9a-f-]{36}","old","go"\]/) != nil, "\(lines[0])")
    #expect(lines.dropFirst() == [#""ann""#, #"{"steps":[{"title":"no"}]}"#])
    #expect(
      try list(folder, "person", "--fields", "boss", "-o", "csv")
        == "person_id,boss\r\nann,bob\r\nbob,\r\n")
    #expect(try list(folder, "todo", "owner=ann", "-o", "ids") == "go\ntrip\n")
  }

  @Test("prints the schema of each changed nested record when -o diff is given")
  func diff() throws {
    let folder = try folder()
    try folder.prepare("save", "person", "ann", "name=Ann")
    let tree = """
      {"todo_id":"a","title":"A","owner":{"person_id":"ann","name":"Anna"},
       "steps":[{"todo_id":"b","title":"B","owner":{"person_id":"bob","name":"Bob"}}]}
      """
    let lines = [
      #"{"schema":"person","person_id":"ann","did":"change","changes":{"name":["Ann","Anna"]}}"#,
      #"{"schema":"person","person_id":"bob","did":"create","changes":{"name":[null,"Bob"]}}"#,
      #"{"schema":"todo","todo_id":"b","did":"create","changes":"#
        + #"{"title":[null,"B"],"owner":[null,"bob"],"steps":[null,[]]}}"#,
      #"{"todo_id":"a","did":"create","changes":"#
        + #"{"title":[null,"A"],"owner":[null,"ann"],"steps":[null,["b"]]}}"#,
    ]
    for options in [["--dry-run"], ["--dry-run", "--skip-invalid"], []] {
      let run = try folder.program.run(
        ["save", "todo", "--deep", "-o", "diff"] + options, input: .text(tree)
      ).exits(0)
      // The order of the nested schemas is not specified.
      let found = run.output.split(separator: "\n").map(String.init)
      #expect(found.last == lines.last)
      #expect(found.sorted() == lines.sorted(), "\(run.output)")
    }
    try save(folder, tree, "-o", "diff").exits(0).prints("")
  }

  @Test("changes nothing when the output of list --expand is saved again")
  func readBack() throws {
    let folder = try folder()
    try save(
      folder,
      """
      [{"todo_id":"a","title":"A","owner":{"person_id":"ann","name":"Ann"},
        "steps":[{"todo_id":"b","title":"B","steps":[{"todo_id":"c","title":"C"}]}]}]
      """
    ).exits(0)
    let before = try records(folder)
    let tree = try list(folder, "todo", "--expand", "owner,steps.steps", "-o", "json")
    let run = try save(folder, tree, "-o", "none").exits(0)
    #expect(run.errors == "3 saved: 3 the same (and 3 nested: 3 the same)\n")
    #expect(try records(folder) == before)
  }

  @Test("reports the path of each invalid nested record, and saves nothing")
  func problems() throws {
    let folder = try folder()
    let text = """
      {"todo_id":"a","title":"A"}

      {"todo_id":"b","titel":"B","steps":[{"todo_id":"c","title":"C","owner":{"person_id":"ann"}},
      {"todo_id":"d","title":"D","steps":[{"todo_id":"e","title":7}]}],"owner":{"person_id":"x"}}
      """
    let run = try save(folder, text).exits(6)
    #expect(
      run.errors == """
        datactl: standard input:3: todo has no field titel
          did you mean title?
        datactl: standard input:3: $.title: required
        datactl: standard input:4: $.steps[1].steps[0].title: expected text, found number 7
        datactl: standard input:3: $.steps[0].owner: there is no person "ann"

        """, "\(run.errors)")
    let json = try save(
      folder, #"{"title":"x","owner":{"person_id":"z","name":"Z","boss":{"person_id":"y"}}}"#,
      "--errors", "json"
    ).exits(6)
    #expect(json.errors.contains(#""line":1,"column":null"#), "\(json.errors)")
    let missing = try save(
      folder, #"{"title":"x","steps":[{"todo_id":"z","extra":1}]}"#, "--errors", "json"
    ).exits(6)
    #expect(missing.errors.contains(#""field":"title""#), "\(missing.errors)")
    #expect(missing.errors.contains(#""path":"$.steps[0]""#), "\(missing.errors)")
    #expect(try list(folder, "todo", "--count") == "0\n")
    #expect(try list(folder, "person", "--count") == "0\n")
  }

  @Test("applies $add to a nested record once for each tree that contains the record")
  func operations() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "product", "stock:integer")
    try folder.prepare("schema", "create", "sale", "product:product")
    try folder.prepare("save", "product", "tea", "stock=100")
    let sales = (1...10).map {
      #"{"sale_id":"s\#($0)","product":{"product_id":"tea","stock":{"$add":-1}}}"#
    }
    try folder.run(
      "save", "sale", "--deep", "-o", "none", input: .text(sales.joined(separator: "\n") + "\n")
    ).exits(0)
    try folder.run("get", "product", "tea", "--fields", "stock").prints(
      "{\"product_id\":\"tea\",\"stock\":90}\n")
  }

  @Test("applies $add to a nested record twice when the record occurs twice in one tree")
  func repeatedOperations() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "product", "stock:integer", "name:text")
    try folder.prepare("schema", "create", "sale", "sold:product", "given:product")
    try folder.prepare("save", "product", "tea", "stock=100")
    let tea = #"{"product_id":"tea","stock":{"$add":-1}}"#
    try folder.run(
      "save", "sale", "--deep", "-o", "none", input: .text(#"{"sold":\#(tea),"given":\#(tea)}"#)
    ).exits(0)
    try folder.run("get", "product", "tea", "--fields", "stock").prints(
      "{\"product_id\":\"tea\",\"stock\":98}\n")
  }

  @Test(
    "saves the last values of each record that occurs in several random trees", arguments: 1...4)
  func orderAcrossTrees(seed: UInt64) throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "node", "n:integer", "child:node")
    var random = SeededRandom(seed: seed)
    var expected: [String: Int] = [:]
    var text = ""
    for n in 0..<60 {
      let ids = ["a", "b", "\\u0062", "c", "d"].shuffled(using: &random)
        .prefix(Int.random(in: 1...3, using: &random))
      var tree = ""
      for (depth, id) in ids.reversed().enumerated() {
        let name = id.count > 1 ? "b" : id
        let value = n * 10 + depth
        let known = ids.reversed().prefix(depth).contains { ($0.count > 1 ? "b" : $0) == name }
        // The same record with other values in one tree is an error.
        if known { continue }
        expected[name] = value
        tree =
          #"{"node_id":"\#(id)","n":\#(value)"# + (tree.isEmpty ? "}" : #","child":\#(tree)}"#)
      }
      text += tree + "\n"
    }
    try folder.run("save", "node", "--deep", "-o", "none", input: .text(text)).exits(0)
    let lines = expected.sorted { $0.key < $1.key }.map {
      "{\"node_id\":\"\($0.key)\",\"n\":\($0.value)}\n"
    }
    try folder.run("list", "node", "--fields", "n").prints(lines.joined())
  }

  @Test("rejects XML when --deep and --infer are used together without a map")
  func inference() throws {
    let folder = try folder()
    let xml = try save(folder, "<records><todo><title>a</title></todo></records>", "--infer").exits(
      2)
    #expect(xml.errors.contains("--infer with --deep requires JSON"), "\(xml.errors)")
    try save(folder, #"{"title":"a"}"#, "--infer", "--map", "camel").exits(0)
  }

  @Test("reports the path of a nested record with an unknown key")
  func unknownKeys() throws {
    let run = try save(
      try folder(), #"{"title":"x","owner":{"name":"a","boss":{"name":"b","nme":1}}}"#
    ).exits(6)
    #expect(
      run.errors == """
        datactl: standard input:1: $.owner.boss: person has no field nme
          did you mean name?

        """, "\(run.errors)")
  }

  @Test("applies --update, but neither --create nor --replace, to nested records")
  func modes() throws {
    let folder = try folder()
    try folder.prepare("save", "person", "ann", "name=Ann")
    let tree = #"{"todo_id":"a","title":"A","owner":{"person_id":"ann","name":"Anna"}}"#
    try save(folder, tree, "--create").exits(0)
    #expect(try list(folder, "person", "--fields", "name", "-o", "csv").hasSuffix("ann,Anna\r\n"))
    try save(folder, tree, "--create").exits(5)
    let update = #"{"todo_id":"a","owner":{"person_id":"zoe","name":"Zoe"}}"#
    let run = try save(folder, update, "--update").exits(3)
    #expect(
      run.errors == """
        datactl: standard input:1: $.owner: there is no such record

        """)
    try save(folder, update).exits(0)
    try save(
      folder, #"{"todo_id":"a","title":"B","owner":{"person_id":"zoe","boss":"ann"}}"#, "--replace"
    ).exits(0)
    #expect(
      try list(folder, "person", "person_id=zoe", "--fields", "name,boss", "-o", "csv")
        .hasSuffix("zoe,Zoe,ann\r\n"))
  }

  @Test("accepts a record twice in one tree only with the same values")
  func repeated() throws {
    let folder = try folder()
    let run = try save(
      folder,
      """
      {"title":"A","owner":{"person_id":"ann","name":"Ann"},"steps":[
       {"title":"B","owner":{"name":"Ann", "person_id":"ann"}},
       {"title":"C","owner":{"person_id":"ann"}}]}
      """
    ).exits(0)
    #expect(run.errors == "1 saved: 1 new (and 3 nested: 3 new)\n")
    let conflict = try save(
      folder,
      """
      {"title":"A","owner":{"person_id":"ann","name":"Ann"},"steps":[
       {"title":"B","owner":{"name":"Anna","person_id":"ann"}}]}
      """
    ).exits(6)
    #expect(
      conflict.errors.hasPrefix(
        "datactl: standard input:2: $.steps[0].owner: the record occurs twice with different values, first in line 1, at $.owner"
      ),
      "\(conflict.errors)")
  }

  @Test("accepts trees with reference cycles, operations such as $append, and up to 32 levels")
  func shapes() throws {
    let folder = try folder()
    try save(
      folder,
      #"{"todo_id":"a","title":"A","steps":[{"todo_id":"b","title":"B","steps":[{"todo_id":"a"}]}]}"#
    ).exits(0)
    try save(folder, #"{"todo_id":"a","steps":{"$append":["a",{"title":"new"}]}}"#).exits(0)
    #expect(
      try folder.shell("datactl get todo a | jq '.steps | length'").exits(0).output == "3\n")
    func chain(_ depth: Int) -> String {
      String(repeating: #"{"title":"x","steps":["#, count: depth - 1) + #"{"title":"x"}"#
        + String(repeating: "]}", count: depth - 1)
    }
    try save(folder, chain(32)).exits(0)
    let run = try save(folder, chain(33)).exits(6)
    #expect(run.errors.contains("the tree is deeper than 32 records"))
  }

  @Test(
    "rejects input that is not a valid tree of records",
    arguments: [
      (#"{"title":"A","owner":[{"name":"x"}]}"#, "owner: expected"),
      (#"{"title":"A","owner":{"nme":"x"}}"#, "person has no field nme"),
      (#"{"title":"A","steps":{"title":"x"}}"#, "steps:"),
      (#"{"title":"A","steps":[{"title":"x"}"#, "unexpected end of input in a value"),
      (#"title,owner"#, "--deep requires JSON or XML, because CSV cannot contain nested records"),
      (#"[7]"#, "expected a record"),
    ])
  func invalid(text: String, message: String) throws {
    let folder = try folder()
    let run = try save(folder, text).exits(6)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(try list(folder, "todo", "--count") == "0\n")
  }

  @Test("saves 9,000 trees of records when the input is read in several parts")
  func many() throws {
    let folder = try folder()
    var text = ""
    for number in 1...9_000 {
      text += #"{"todo_id":"t\#(number)","title":"\#(String(repeating: "x", count: 400))","#
      text += #""owner":{"person_id":"p\#(number % 100)","name":"n\#(number % 100)"},"#
      text += #""steps":[{"title":"s"},{"title":"\#(number)"}]}"# + "\n"
    }
    let run = try save(folder, text, "-o", "none").exits(0)
    #expect(
      run.errors.hasPrefix("9,000 saved: 9,000 new (and 18,100 nested: 18,100 new)")
    )
    #expect(try list(folder, "todo", "--where", "steps.title = '8999'", "-o", "ids") == "t8999\n")
    #expect(try list(folder, "person", "--count") == "100\n")
  }

  @Test("reports the paths of dangling references when the input is read in several parts")
  func manyPaths() throws {
    let folder = try folder()
    var text = ""
    for number in 1...9_000 {
      let owner = [1, 8_000, 9_000].contains(number) ? "\"ghost\(number)\"" : "null"
      text += #"{"title":"\#(String(repeating: "x", count: 500))","#
      text += #""steps":[{"title":"s"},{"title":"s","owner":\#(owner)}]}"# + "\n"
    }
    let run = try save(folder, text).exits(6)
    for number in [1, 8_000, 9_000] {
      try run.reports(
        "standard input:\(number): $.steps[1].owner: there is no person \"ghost\(number)\"")
    }
  }

  @Test("saves trees of records from several files in several commits")
  func severalFiles() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "step", "text:text!")
    try folder.prepare("schema", "create", "trip", "steps:step+")
    try folder.write("a.json", #"{"trip_id":"a","steps":[{"step_id":"1","text":"x"}]}"#)
    try folder.write(
      "b.json",
      #"[{"trip_id":"b","steps":[{"step_id":"2","text":"x"}]},"# + "\n"
        + #"{"trip_id":"c","steps":[{"step_id":"3","text":5}]}]"#)
    try folder.run("save", "trip", "--deep", "--file", "?.json").exits(6).printsNothing()
      .reports("datactl: b.json:2: $.steps[0].text: expected text, found number 5\n")
    try folder.run("save", "trip", "--deep", "--file", "?.json", "--commit-every", "1").exits(6)
      .reports(
        "saved up to line 1 of a.json\n", "saved up to line 1 of b.json\n",
        "datactl: b.json:2: $.steps[0].text: expected text, found number 5\n",
        "everything up to line 1 of b.json is saved, and nothing after it")
    try folder.run("list", "trip", "-o", "ids").exits(0).prints("a\nb\n")
    try folder.run(
      "save", "trip", "--deep", "--file", "?.json", "--skip-invalid", "-o", "none"
    ).exits(6).reports("2 saved: 2 the same (and 2 nested: 2 the same)\n", "1 record not saved")
  }
}

import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("Saves with --prune", .onEveryStore)
struct PruneTests {
  private func library() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.saveLibrary()
    try folder.write(
      "books.ndjson",
      """
      {"book_id":"a","title":"Tea","price":5}
      {"book_id":"b","title":"Bread"}
      {"book_id":"e","title":"Eggs","pages":50}

      """)
    return folder
  }

  private let save = ["save", "book", "--file", "books.ndjson", "-o", "none"]

  @Test("deletes the records that match the condition of --prune and are missing from the input")
  func deleted() throws {
    let folder = try library()
    let run = try folder.program.run(save + ["--prune", "pages = 50", "--yes"]).exits(0)
    #expect(run.errors == "3 saved: 1 new, 1 changed, 1 the same\n1 deleted\n")
    #expect(try folder.ids("book") == "a b d e")
    try folder.program.run(save + ["--prune", "true", "--yes"]).exits(0).reports("1 deleted")
    #expect(try folder.ids("book") == "a b e")
  }

  @Test("applies the condition of --prune to the values that records have after the save")
  func afterSave() throws {
    let folder = try library()
    try folder.write("one.ndjson", #"{"book_id":"c","pages":51}"#)
    try folder.run(
      "save", "book", "--file", "one.ndjson", "--prune", "pages = :p", "--param",
      "p=50", "--yes", "-o", "ids"
    ).exits(0).prints("c\n").reports("1 deleted")
    #expect(try folder.ids("book") == "a c d")
  }

  @Test("asks for confirmation with the number of records to delete, unless there are none")
  func confirmed() throws {
    let folder = try library()
    let arguments = save + ["--prune", "true"]
    try folder.program.run(arguments).exits(2).printsNothing().reports("2 records of book", "--yes")
    try folder.program.run(arguments, input: .typed("n\n"), errors: .terminal).exits(1).reports(
      "Really delete 2 records of book in ", "nothing was saved or deleted")
    #expect(try folder.ids("book") == "a b c d")
    try folder.program.run(arguments, input: .typed("y\n"), errors: .terminal).exits(0)
    #expect(try folder.ids("book") == "a b e")
    // Nothing is left to confirm.
    try folder.program.run(arguments).exits(0).reports("0 deleted")
    try folder.program.run(
      ["save", "book", "--prune", "true"], input: .text(#"{"book_id":"a"}"#)
    ).exits(2).reports("--prune needs --yes if the records are read from standard input")
    try folder.program.run(
      ["save", "book", "--prune", "true", "--yes"], input: .text(#"{"book_id":"a"}"#)
    ).exits(0).reports("2 deleted")
  }

  @Test("shows with --dry-run which records would be deleted")
  func dryRun() throws {
    let folder = try library()
    try folder.program.run(save + ["--prune", "true", "--dry-run"]).exits(0).reports(
      "3 would be saved: 1 new, 1 changed, 1 the same", "2 would be deleted")
    #expect(try folder.ids("book") == "a b c d")
  }

  @Test(
    "deletes nothing if the input is empty or invalid, or if a record to delete is still referenced"
  )
  func refused() throws {
    let folder = try library()
    try folder.write("empty.ndjson", "\n")
    try folder.run("save", "book", "--file", "empty.ndjson", "--prune", "true", "--yes").exits(6)
      .reports("the input contains no records")
    try folder.write(
      "invalid.ndjson", "{\"book_id\":\"a\"}\n{\"book_id\":\"x\",\"pages\":\"many\"}")
    try folder.run("save", "book", "--file", "invalid.ndjson", "--prune", "true", "--yes").exits(6)
    try folder.write("dangling.ndjson", #"{"book_id":"a","author":"eve"}"#)
    try folder.run("save", "book", "--file", "dangling.ndjson", "--prune", "true", "--yes")
      .exits(6)
    try folder.run("save", "book", "--file", "books.ndjson", "--prune", "pges = 1", "--yes")
      .exits(2).reports("pages")
    for option in [
      ["--commit-every", "5"], ["--infer"], ["title=x"],
    ] {
      try folder.program.run(["save", "book", "--prune", "true", "--yes"] + option).exits(2)
        .reports(option[0].hasPrefix("--") ? option[0] : "FIELD=VALUE")
    }
    #expect(try folder.ids("book") == "a b c d")
    try folder.prepare("schema", "create", "loan", "book:book!")
    try folder.prepare("save", "loan", "l", "book=d")
    try folder.program.run(save + ["--prune", "true", "--yes"]).exits(5).reports("loan")
    #expect(try folder.ids("book") == "a b c d")
  }

  /// An input with invalid records, and what `--prune true --skip-invalid` does with it.
  struct InvalidInput: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var schema = "book"
    let text: String
    var options: [String] = []
    /// The ids of the schema after the save.
    let ids: String
    var notPruned: String?
  }

  static let invalidInputs = [
    InvalidInput(
      testDescription: "rejected by the reader",
      text: #"{"book_id":"a","pages":"many"}"# + "\n" + #"{"book_id":"b","title":"Bread"}"#,
      ids: "a b"),
    InvalidInput(
      testDescription: "rejected by the store",
      text: #"{"book_id":"a","author":"eve"}"# + "\n" + #"{"book_id":"d","title":"Dill"}"#,
      ids: "a d"),
    InvalidInput(
      testDescription: "all of them rejected", text: #"{"book_id":"c","pages":"many"}"#, ids: "c"),
    InvalidInput(
      testDescription: "a CSV row with a syntax error",
      text: "book_id,title\na,Tea\nb,Bread,x\nc\n", ids: "a b c d",
      notPruned: "2 records without a readable id (first: line 3)"),
    InvalidInput(
      testDescription: "a line that is no record",
      text: #"{"book_id":"a"}"# + "\n[]\n", options: ["--input", "ndjson"], ids: "a b c d",
      notPruned: "1 record without a readable id (first: line 2)"),
    InvalidInput(
      testDescription: "a rest that cannot be read",
      text: "book_id,title\na,Tea\nb,\"Bread\nc,x\n", ids: "a b c d",
      notPruned: "1 record without a readable id (first: line 3)"),
    InvalidInput(
      testDescription: "a record without an id that the reader rejects",
      text: #"{"pages":"many"}"# + "\n" + #"{"book_id":"a"}"#, ids: "a b c d",
      notPruned: "1 record without a readable id (first: line 1)"),
    InvalidInput(
      testDescription: "a record without an id that the store rejects",
      text: #"{"book_id":"a"}"# + "\n" + #"{"title":"x","author":"eve"}"#, ids: "a b c d",
      notPruned: "1 record without a readable id (first: line 2)"),
    InvalidInput(
      testDescription: "a tree with an invalid nested record", schema: "person",
      text: #"{"person_id":"bob","boss":{"person_id":"ann","name":5}}"#, options: ["--deep"],
      ids: "ann bob"),
    InvalidInput(
      testDescription: "a tree that the store rejects", schema: "person",
      text: #"{"person_id":"bob","boss":{"person_id":"eve","boss":"zoe"}}"#,
      options: ["--deep"], ids: "bob"),
    InvalidInput(
      testDescription: "a tree whose root has no id", schema: "person",
      text: #"{"boss":{"person_id":"ann","name":5}}"#, options: ["--deep"], ids: "ann bob",
      notPruned: "1 record without a readable id (first: line 1)"),
  ]

  @Test(
    "keeps rejected records with --skip-invalid, and deletes nothing if an id cannot be read",
    arguments: invalidInputs)
  func skipped(input: InvalidInput) throws {
    let folder = try library()
    try folder.write("input", input.text)
    let arguments =
      ["save", input.schema, "--file", "input", "--skip-invalid", "--prune", "true", "-o", "none"]
      + input.options
    let run = try folder.program.run(arguments + ["--yes"])
      .exits(input.notPruned == nil ? 6 : 5)
    if let message = input.notPruned {
      try run.reports("not pruned: \(message)")
    } else {
      try run.reports("not saved")
      #expect(!run.errors.contains("not pruned"))
    }
    #expect(try folder.ids(input.schema) == input.ids)
  }

  @Test(
    "deletes records that refer to a deleted record, or clears the references, as on_delete says")
  func references() throws {
    let folder = try library()
    try folder.write(
      "loan.json",
      #"{"schema":"loan","fields":{"loan_id":{"type":"id"},"book":{"type":"relation","to":"book","on_delete":"cascade"}}}"#
    )
    try folder.prepare("schema", "apply", "loan.json")
    try folder.prepare("save", "loan", "l", "book=d")
    try folder.program.run(save + ["--prune", "true", "--dry-run"]).exits(0).reports(
      "2 would be deleted\n1 record of loan would be deleted with them\n")
    try folder.program.run(save + ["--prune", "true", "--yes"]).exits(0).reports(
      "2 deleted\n1 record of loan deleted with them\n")
    try folder.write("people.ndjson", #"{"person_id":"bob","name":"Bob"}"#)
    try folder.run(
      "save", "person", "--file", "people.ndjson", "--prune", "true", "--yes", "-o", "none"
    ).exits(0).reports("1 deleted\n2 records that referred to them changed\n")
  }

  @Test("keeps every record of the input, also nested records and the records of several files")
  func otherInputs() throws {
    let folder = try library()
    try folder.write(
      "tree.ndjson",
      #"{"person_id":"eve","name":"Eve","boss":{"person_id":"ann","name":"Anna"}}"#)
    try folder.run(
      "save", "person", "--deep", "--file", "tree.ndjson", "--prune", "true", "--yes"
    ).exits(0).reports("1 deleted")
    #expect(try folder.ids("person") == "ann eve")
    try folder.write("1.ndjson", #"{"book_id":"a"}"#)
    try folder.write("2.csv", "book_id,title\nd,x\n")
    try folder.run(
      "save", "book", "--file", "1.ndjson", "--file", "2.csv", "--prune", "true", "--yes"
    ).exits(0).reports("2 deleted")
    #expect(try folder.ids("book") == "a d")
  }

  @Test(
    "deletes no record that is in the input even if the ids in the input exceed the memory limit")
  func many() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "item", "n:integer")
    func lines(_ numbers: some Sequence<Int>) -> String {
      numbers.map { "{\"item_id\":\"item-\($0)-\(String(repeating: "x", count: 100))\"}\n" }
        .joined()
    }
    try folder.prepare("save", "item", "-o", "none", input: .text(lines(0..<12_000)))
    try folder.write("items.ndjson", lines((0..<12_000).filter { $0 % 1_000 != 7 }))
    try folder.run(
      "save", "item", "--file", "items.ndjson", "--prune", "true", "--yes", "-o", "none"
    ).exits(0).reports("12 deleted")
    try folder.run("list", "item", "--count").exits(0).prints("11988\n")
  }
}

@Suite("Changes that save prints", .onEveryStore)
struct DiffTests {
  private func library() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.saveLibrary()
    return folder
  }

  private let input = """
    {"book_id":"a","title":"Tea","price":5,"tags":["hot","old"],"author":null}
    {"book_id":"b","title":"Bread"}
    {"book_id":"e","title":"Eg\\"gs","lent":false}
    """

  private let changes = """
    {"book_id":"a","did":"change","changes":{"price":[4.5,5],"tags":[["hot"],["hot","old"]],\
    "author":["ann",null]}}
    {"book_id":"e","did":"create","changes":{"title":[null,"Eg\\"gs"],"lent":[null,false]}}

    """

  @Test("prints only created and changed records when --changed is given")
  func changed() throws {
    let folder = try library()
    try folder.run("save", "book", "--changed", "-o", "ids", input: .text(input)).exits(0)
      .prints("a\ne\n").reports("3 saved: 1 new, 1 changed, 1 the same")
    try folder.run("save", "book", "--changed", "-o", "csv", input: .text(#"{"book_id":"a"}"#))
      .exits(0).prints(
        "book_id,title,price,pages,lent,tags,author,created_at,created_by,modified_at,"
          + "modified_by,revision\r\n")
  }

  @Test("prints the old and the new values of each changed field when -o diff is given")
  func values() throws {
    let folder = try library()
    for _ in 1...2 {
      try folder.run("save", "book", "-o", "diff", "--dry-run", input: .text(input)).exits(0)
        .prints(changes)
    }
    try folder.run("save", "book", "-o", "diff", input: .text(input)).exits(0).prints(changes)
    try folder.run("save", "book", "-o", "diff", input: .text(input)).exits(0).prints("")
    try folder.run("save", "book", "b", "price=3", "-o", "diff").exits(0).prints(
      "{\"book_id\":\"b\",\"did\":\"change\",\"changes\":{\"price\":[2,3]}}\n")
    try folder.run("list", "book", "-o", "diff").exits(2).reports("diff")
    try folder.run("get", "book", "a", "-o", "diff").exits(2).reports("diff")
  }

  @Test("prints the deleted records when -o diff and --prune are given")
  func pruned() throws {
    let folder = try library()
    try folder.run(
      "save", "book", "--prune", "title != 'Élan'", "--yes", "-o", "diff",
      input: .text(#"{"book_id":"a","pages":7}{"book_id":"b"}"#)
    ).exits(0).prints(
      """
      {"book_id":"a","did":"change","changes":{"pages":[100,7]}}
      {"book_id":"d","did":"delete","changes":{"title":["1984",null],"price":[9,null],\
      "lent":[false,null]}}

      """)
  }

  @Test("prints changes as indented text on a terminal when -o diff is given")
  func terminal() throws {
    let folder = try library()
    let run = try folder.program.run(
      ["save", "book", "--prune", "book_id = 'd'", "--yes", "-o", "diff"], input: .text(input),
      output: .terminal
    ).exits(0)
    #expect(
      run.output.replacing("\r\n", with: "\n") == """
        \u{1B}[33mchange a\u{1B}[39m
          price: 4.5 -> 5
          tags: hot -> hot, old
          author: ann -> null
        \u{1B}[32mcreate e\u{1B}[39m
          title: Eg"gs
          lent: false
        \u{1B}[31mdelete d\u{1B}[39m

        """)
    let texts = try folder.program.run(
      ["save", "book", "-o", "diff"],
      input: .text(#"{"book_id":"x","title":"null"}{"book_id":"y","title":"","price":null}"#),
      output: .terminal
    ).exits(0)
    #expect(texts.output.contains("title: \"null\""), "\(texts.output)")
    #expect(texts.output.contains("title: \"\""), "\(texts.output)")
  }

  @Test("prints a changed system field with -o diff only if the input contains the field")
  func systemFields() throws {
    let folder = try library()
    try folder.run(
      "save", "book", "-o", "diff", "--keep-system-fields",
      input: .text(#"{"book_id":"a","revision":7}"#)
    ).exits(0).prints("{\"book_id\":\"a\",\"did\":\"change\",\"changes\":{\"revision\":[1,7]}}\n")
  }

  @Test("omits passwords from the printed changes")
  func passwords() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "user", "--user")
    try folder.prepare("save", "user", "ann", "password@=-", input: .text("correct horse 1"))
    let run = try folder.run(
      "save", "user", "ann", "password@=-", "-o", "diff", input: .text("correct horse 2")
    ).exits(0)
    #expect(run.output == "{\"username\":\"ann\",\"did\":\"change\",\"changes\":{}}\n")
  }
}

@Suite("Failures of saves with --prune", .serialized)
struct PruneFailureTests {
  @Test("neither saves nor deletes anything if save --prune is killed before the commit")
  func nothing() throws {
    var generator = SeededRandom(seed: 5)
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "item", "n:integer")
    func lines(_ range: Range<Int>) -> String {
      range.map { "{\"item_id\":\"i\($0)\",\"n\":1}\n" }.joined()
    }
    try folder.prepare("save", "item", "-o", "none", input: .text(lines(0..<5_000)))
    try folder.write("items.ndjson", lines(2_000..<8_000))
    let arguments = [
      "save", "item", "--file", "items.ndjson", "--prune", "true", "--yes", "-o", "none",
    ]
    let whole = try folder.program.run(arguments + ["--dry-run"]).exits(0)
    for _ in 1...20 {
      let save = try folder.program.start(arguments)
      try save.run(for: .seconds(Double.random(in: 0...1.1, using: &generator) * whole.seconds))
      save.signal(9)
      _ = try save.finish()
      let old = try folder.run("list", "item", "n=1", "--count").exits(0).output
      let first = try folder.run("get", "item", "i0")
      #expect(old == (first.status == 0 ? "5000\n" : "6000\n"))
      if first.status != 0 {
        try folder.prepare("delete", "item", "--all", "--yes")
        try folder.prepare("save", "item", "-o", "none", input: .text(lines(0..<5_000)))
      }
    }
  }
}

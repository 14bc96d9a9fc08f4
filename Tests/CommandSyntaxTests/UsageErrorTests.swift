import CommandSyntax
import Testing

@Suite("Usage errors")
struct UsageErrorTests {
  @Test(
    "reports all problems of a command line, with hints",
    arguments: [
      (
        "list tea --lmit 5",
        ["list has no option --lmit | did you mean --limit? see shop help list"]
      ),
      (
        "list tea --lim=5",
        ["list has no option --lim | did you mean --limit? see shop help list"]
      ),
      ("--lmit 5 list tea", ["shop has no option --lmit | see shop help"]),
      ("save tea --limit 5", ["save has no option --limit | see shop help save"]),
      (
        "list tea -x",
        [
          "list has no option -x | put -- before an operand that begins with a dash; "
            + "see shop help list"
        ]
      ),
      ("lst tea", ["unknown command lst | did you mean list? see shop help"]),
      ("create tea", ["unknown command create | did you mean schema create? see shop help"]),
      (
        "schema crate",
        ["unknown command schema crate | did you mean schema create? see shop help schema"]
      ),
      ("qqqqqq", ["unknown command qqqqqq | see shop help"]),
      ("schema --count", ["schema has no option --count | see shop help schema"]),
      ("--count", ["shop has no option --count | see shop help"]),
      (
        "help formts", ["unknown command or topic formts | did you mean formats? see shop help"]
      ),
      (
        "help list tea",
        [
          "unexpected operand tea for help | help expects no operand after the command list; "
            + "see shop help help"
        ]
      ),
      (
        "help formats more",
        [
          "unexpected operand more for help | the topic formats has no parts; see shop help help"
        ]
      ),
      (
        "help schema create tea",
        [
          "unexpected operand tea for help | help expects no operand after the command "
            + "schema create; see shop help help"
        ]
      ),
      (
        "list tea --limit 101",
        ["--limit: expected a whole number from 0 to 100, found 101 | see shop help list"]
      ),
      (
        "list tea --limit -1",
        ["--limit: expected a whole number from 0 to 100, found -1 | see shop help list"]
      ),
      (
        "list tea -l many",
        ["--limit: expected a whole number from 0 to 100, found many | see shop help list"]
      ),
      (
        "delete tea 7 --revision 9223372036854775808",
        [
          "--revision: expected a whole number from 1 to 9223372036854775807, found 9223372036854775808 | "
            + "see shop help delete"
        ]
      ),
      (
        "list tea -o jsn",
        ["--output: expected json or table, found jsn | did you mean json? see shop help list"]
      ),
      (
        "list tea -o=json",
        ["--output: expected json or table, found =json | did you mean json? see shop help list"]
      ),
      (
        "list tea -ojson --count",
        ["--count and --output cannot be used together | see shop help list"]
      ),
      (
        "save tea --create --update",
        ["--create and --update cannot be used together | see shop help save"]
      ),
      (
        "list tea --count --order id",
        ["--order and --count cannot be used together | see shop help list"]
      ),
      (
        "list tea --count --order id --limit many",
        ["--limit: expected a whole number from 0 to 100, found many | see shop help list"]
      ),
      ("save tea --rejects r", ["--rejects needs --skip-invalid | see shop help save"]),
      ("delete tea 7 --all", ["ID and --all cannot be used together | see shop help delete"]),
      ("delete tea", ["delete needs one of ID or --all | see shop help delete"]),
      ("delete", ["delete needs a SCHEMA and one of ID or --all | see shop help delete"]),
      ("move", ["move needs an ID, a SHELF and --reason | see shop help move"]),
      ("move 1", ["move needs a SHELF and --reason | see shop help move"]),
      ("list", ["list needs a SCHEMA | see shop help list"]),
      (
        "list tea --limit 1 -l 2 --limit=3", ["--limit is given twice | see shop help list"]
      ),
      ("list tea --quiet=x", ["--quiet takes no value | see shop help list"]),
      ("list tea -q=x", ["-q takes no value | see shop help list"]),
      ("list tea --count=", ["--count takes no value | see shop help list"]),
      ("list tea --limit", ["--limit needs a value | see shop help list"]),
      (
        "save tea --skip-invalid --rejects=", ["empty value for --rejects | see shop help save"]
      ),
      ("list tea -cl", ["-l needs a value | see shop help list"]),
      (
        "schema create tea more",
        [
          "unexpected operand more for schema create | schema create expects only NAME; "
            + "see shop help schema create"
        ]
      ),
      ("schema create user", ["NAME: user is taken | see shop help schema create"]),
      (
        "delete tea 7 9 --revision 1",
        ["--revision needs a single ID | delete one record at a time; see shop help delete"]
      ),
      ("-qv list tea", ["--quiet and --verbose cannot be used together | see shop help list"]),
      (
        "list --errors xml --limit many --nonsense -o jsn",
        [
          "--errors: expected json or table, found xml",
          "list has no option --nonsense",
          "list needs a SCHEMA",
          "--limit: expected a whole number from 0 to 100, found many",
          "--output: expected json or table, found jsn | did you mean json? see shop help list",
        ]
      ),
    ])
  func refused(line: String, problems: [String]) {
    let words = line.split(separator: " ").map(String.init)
    #expect(UsageErrorTests.problems(words) == problems)
  }

  @Test("escapes control characters when an error quotes an argument")
  func hostileWords() {
    #expect(
      UsageErrorTests.problems(["\u{1B}]0;x\u{7}"]) == [
        #"unknown command \u{1b}]0;x\u{7} | see shop help"#
      ])
    #expect(
      UsageErrorTests.problems(["list", "tea", "--\u{202E}x\n"]) == [
        #"list has no option --\u{202e}x\u{a} | see shop help list"#
      ])
    #expect(UsageErrorTests.problems([""]) == [#"unknown command "" | see shop help"#])
    #expect(UsageErrorTests.problems(["a b"]) == [#"unknown command "a b" | see shop help"#])
    let long = String(repeating: "x", count: 1_000_000)
    #expect(
      UsageErrorTests.problems(["list", "tea", "--limit", long]) == [
        "--limit: expected a whole number from 0 to 100, found "
          + String(repeating: "x", count: 60) + "… | see shop help list"
      ])
    #expect(UsageErrorTests.problems(["🫖"]) == ["unknown command 🫖 | see shop help"])
  }

  @Test("reports all problems of inputs that are given by name")
  func namedInputs() throws {
    let command = try #require(Shop.program.command(["list"]))
    var inputs = CommandInputs()
    for (name, word) in [("SCHEMA", "tea"), ("--limit", "many"), ("--output", "jsn")] {
      inputs.add(name, word)
    }
    let error = #expect(throws: UsageError.self) {
      try command.action(for: inputs, nearest: Shop.nearest)
    }
    #expect(
      error?.problems.map(\.message) == [
        "--limit: expected a whole number from 0 to 100, found many",
        "--output: expected json or table, found jsn",
      ])
  }

  @Test("applies global options even when the command line has errors")
  func settings() {
    let parsed = Shop.parse("lst", "--errors", "json", "-q", "--store", "x", "--nonsense")
    #expect(parsed.settings == Shop.Settings(store: "x", errors: .json, isQuiet: true))
    #expect(throws: UsageError.self) { try parsed.request.get() }
    #expect(
      Shop.parse("list", "tea", "--errors", "xml", "-v").settings
        == Shop.Settings(isVerbose: true))
  }

  static func problems(_ words: [String]) -> [String] {
    switch Shop.program.parse(words, nearest: Shop.nearest).request {
    case .success(let request): ["no error: \(request)"]
    case .failure(let error):
      error.problems.map { [$0.message, $0.hint].compactMap(\.self).joined(separator: " | ") }
    }
  }
}

import CommandSyntax
import Testing

@Suite("Completions")
struct CompletionTests {
  /// Returns the completion at the `|` in the line.
  private func completion(_ line: String) -> Completion {
    var words = line.split(separator: " ").map(String.init)
    let index = words.firstIndex { $0.hasSuffix("|") } ?? words.count
    words[index] = String(words[index].dropLast())
    return Shop.program.description.completion(of: CompletionLine(words: words, index: index))
  }

  /// Returns the output for a completion script, with `;` between kind and word and without
  /// descriptions.
  private func offered(_ line: String, answers: [Candidate] = []) -> [String] {
    completion(line).text(answers: answers).split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).prefix(2)
        .joined(separator: ";")
    }
  }

  @Test(
    "completes commands, options and values from the declarations",
    arguments: [
      (
        "|",
        [
          "word;list", "word;save", "word;delete", "word;move", "word;schema", "word;help",
          "word;completion",
        ]
      ),
      ("s|", ["word;save", "word;schema"]),
      ("S|", []),
      (
        "| tea",
        [
          "word;list", "word;save", "word;delete", "word;move", "word;schema", "word;help",
          "word;completion",
        ]
      ),
      ("schema |", ["word;create", "word;load"]),
      ("schema c|", ["word;create"]),
      ("--store x schema c|", ["word;create"]),
      ("nonsense |", []),
      (
        "list --|",
        [
          "word;--order", "word;--limit", "word;--field", "word;--output", "word;--count",
          "word;--store", "word;--errors", "word;--quiet", "word;--verbose", "word;--help",
          "word;--version",
        ]
      ),
      ("list --o|", ["word;--order", "word;--output"]),
      ("list --output json --o|", ["word;--order"]),
      ("list --o| --output json", ["word;--order"]),
      ("list -ojson --o|", ["word;--order"]),
      ("list --field a --f|", ["word;--field"]),
      ("--c| list", ["word;--count"]),
      ("--ver|", ["word;--verbose", "word;--version"]),
      ("list -- --o|", []),
      ("list --output |", ["word;json", "word;table"]),
      ("list --output t|", ["word;table"]),
      ("list --output=t|", ["word;--output=table"]),
      ("list -o t|", ["word;table"]),
      ("list -ot|", ["word;-otable"]),
      ("list -cot|", ["word;-cotable"]),
      ("list -co t|", ["word;table"]),
      ("--errors j|", ["word;json"]),
      ("list tea --limit |", []),
      ("list --count=|", []),
      ("help f|", ["word;formats"]),
      ("help schema |", ["word;create", "word;load"]),
      ("help list |", []),
      ("completion |", ["word;bash", "word;zsh", "word;fish"]),
      ("completion bash |", []),
      ("schema create |", []),
    ])
  func literal(line: String, expected: [String]) {
    #expect(offered(line) == expected)
  }

  @Test(
    "asks the program for candidates that depend on the store, such as names of schemas",
    arguments: [
      ("list |", .schemas),
      ("list t|", .schemas),
      ("list -- |", .schemas),
      ("save tea |", .fields(ofSchema: "tea", for: .writing)),
      ("save tea 7 |", .fields(ofSchema: "tea", for: .writing)),
      ("save tea a=1 |", .fields(ofSchema: "tea", for: .writing)),
      ("save tea a=|", .values(ofSchema: "tea", field: ["a"], from: "", in: .word)),
      ("save tea a@=|", .files),
      ("list --order | tea", .fields(ofSchema: "tea")),
      ("--order | list tea", .fields(ofSchema: "tea")),
      ("list --order |", nil),
      ("list tea --field=|", .fields(ofSchema: "tea")),
      ("save tea --rejects |", .files),
      ("schema load |", .folders),
      ("schema load x |", nil),
      ("delete tea |", .ids(ofSchema: "tea", from: "")),
      ("--store |", .stores),
      ("list tea --store=|", .stores),
    ] as [(String, Completion.CandidateSource?)])
  func questions(line: String, source: Completion.CandidateSource?) {
    #expect(completion(line).candidateSource == source)
  }

  @Test(
    "completes a field name, also after = or a comma, as in --order=title,p",
    arguments: [
      ("save tea p|", ["part;price=", "part;place="]),
      ("save tea pr|", ["part;price="]),
      ("list tea --order p|", ["word;price", "word;place"]),
      ("list tea --order=p|", ["word;--order=price", "word;--order=place"]),
      ("list tea --order title,p|", ["word;title,price", "word;title,place"]),
      ("list tea --order=title,-pr|", ["word;--order=title,-price"]),
      ("list tea --field x|", []),
      ("save tea photo@=x|", ["files;photo@="]),
      ("save tea --rejects=x|", ["files;--rejects="]),
      ("schema load x|", ["folders;"]),
      ("--store p|", ["word;price", "word;place", "files;"]),
    ])
  func answers(line: String, expected: [String]) {
    let fields = ["title", "price", "place"].map { Candidate($0, "a field") }
    let asked = completion(line).candidateSource.map { $0 != .files && $0 != .folders } ?? false
    #expect(offered(line, answers: asked ? fields : []) == expected)
  }

  @Test("prints one candidate per line, and omits text that contains control characters")
  func text() {
    #expect(
      completion("schema |").text() == """
        word\tcreate\tCreate a schema.
        word\tload\tLoad schemas from a folder.

        """)
    let answers = [Candidate("good", "two\nlines"), Candidate("bad\tname", ""), Candidate("x")]
    #expect(completion("list |").text(answers: answers) == "word\tgood\t\nword\tx\t\n")
  }

  @Test("offers the option values and field types that the typed command accepts")
  func ownValues() {
    enum Form: String, CaseIterable, Sendable { case text, csv }
    struct Print: BoundCommand {
      var fields: [String] = []
      var form: Form?
      var isQuiet = false
      var action: Int { 0 }
    }
    @Sendable func command(_ name: String, _ forms: [Form]) -> CommandDeclaration<Int> {
      CommandDeclaration(
        Print.self, name, "Print \(name).",
        inputs: [
          .operands(
            "FIELD:TYPE", \.fields, kind: .declaration(types: ["text", "time"]), "The fields."),
          .choice("--output", letter: "o", \.form, value: "FORM", of: forms, "How to print."),
        ],
        examples: [Example("p \(name)", "One."), Example("p \(name) -o text", "Two.")],
        exitStatuses: [Shop.done, Shop.usage])
    }
    let program = ProgramDeclaration<Print, Int>(
      "p", version: "1", "Print.", settings: [.flag("--quiet", \.isQuiet, "Say nothing.")],
      commands: [
        .command("one", command("one", [.text])), .command("two", command("two", [.csv])),
      ], environment: [], exitStatuses: [Shop.done, Shop.usage], topics: [])
    func offered(_ words: [String], at index: Int) -> String {
      program.description.completion(of: CompletionLine(words: words, index: index))
        .text(answers: [])
    }
    #expect(offered(["two", "-o", ""], at: 2) == "word\tcsv\t\n")
    #expect(offered(["one", "--output="], at: 1) == "word\t--output=text\t\n")
    #expect(offered(["-o", "", "two"], at: 1) == "word\tcsv\t\n")
    #expect(offered(["one", "title:t"], at: 1) == "word\ttitle:text\t\nword\ttitle:time\t\n")
    #expect(offered(["one", "title"], at: 1) == "")
    let asked = program.description.completion(of: CompletionLine(words: ["one", "o:t"], index: 1))
    #expect(asked.candidateSource == .schemas)
    #expect(
      asked.text(answers: [Candidate("tea"), Candidate("user")])
        == "word\to:text\t\nword\to:time\t\nword\to:tea\t\n")
  }

  @Test("completes an empty word when the cursor is after the last word of the line")
  func indexPastEnd() {
    let line = CompletionLine(words: ["schema"], index: 9)
    #expect(
      Shop.program.description.completion(of: line).candidates.map(\.word) == ["create", "load"])
  }
}

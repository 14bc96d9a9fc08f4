import ProgramHarness
import Testing

@Suite("Completion of fields in queries", .onEveryStore)
struct FieldCompletionTests {
  private func candidates(_ folder: TestFolder, _ arguments: [String]) throws -> [String] {
    let candidateArguments = ["completion", "candidates", "\(arguments.count - 1)", "--"]
    return try folder.program.run(candidateArguments + arguments).exits(0).lines.compactMap {
      line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      return parts.count > 1 ? String(parts[1]) : nil
    }
  }

  @Test("offers the possible values of a field, the ids of records and the writable fields")
  func values() throws {
    let folder = try TestFolder()
    try folder.write(
      "task.json",
      """
      {"schema": "task", "fields": {"task_id": {"type": "id"}, "done": {"type": "boolean"},
        "kind": {"type": "text", "one_of": ["at home", "away"]}, "revised": {"type": "text"}}}
      """)
    try folder.prepare("schema", "apply", "task.json")
    for id in ["k1", "k2", "m1"] { try folder.prepare("save", "task", id, "done=true") }
    #expect(try candidates(folder, ["save", "task", "done="]) == ["done=true", "done=false"])
    #expect(try candidates(folder, ["list", "task", "kind=a"]) == ["kind=at home", "kind=away"])
    #expect(try candidates(folder, ["save", "task", "rev"]) == ["revised="])
    #expect(try candidates(folder, ["list", "task", "rev"]) == ["revised=", "revision="])
    #expect(try candidates(folder, ["get", "task", "k"]) == ["k1", "k2"])
    #expect(try candidates(folder, ["delete", "task", ""]) == ["k1", "k2", "m1"])
    #expect(try candidates(folder, ["get", "task", "it's"]) == [])
    #expect(try candidates(folder, ["schema", "rename", "task.ki"]) == ["task.kind"])
    for (condition, expected) in [
      ("done = ", ["true", "false"]), ("not done=t", ["true"]),
      ("kind = ", ["'at home'", "'away'"]),
      ("done and kind != 'at", ["'at home'"]), ("kind in ('away', 'a", ["'at home'", "'away'"]),
      ("task_id = 'k", ["'k1'", "'k2'"]), ("task_id='k1' or task_id = ", ["'k1'", "'k2'", "'m1'"]),
      ("revised = done and kind > 'b", []), ("revised = 'it''s' and rev", ["revised", "revision"]),
    ] {
      let start = condition.lastIndex { !$0.isLetter && $0 != "'" }
      let kept = start.map { condition[...$0] } ?? ""
      #expect(
        try candidates(folder, ["list", "task", "--where", condition])
          == expected.map { kept + $0 },
        "\(condition)")
    }
    #expect(try candidates(folder, ["schema", "rename", "ta"]) == ["task"])
    try folder.prepare("schema", "create", "step", "task:task", "pace:integer")
    #expect(try candidates(folder, ["save", "step", "task=k"]) == ["task=k1", "task=k2"])
    for (condition, expected) in [
      ("task = 'm", "task = 'm1'"), ("task.done = f", "task.done = false"),
      ("pace = task.do", "pace = task.done"),
    ] {
      #expect(try candidates(folder, ["list", "step", "--where", condition]) == [expected])
    }
  }

  @Test("offers inverse relations, functions, and fields of related records in conditions")
  func relatedRecords() throws {
    let folder = try TestFolder()
    try folder.write(
      "country.json",
      #"{"schema":"country","fields":{"country_id":{"type":"id"},"name":{"type":"text"}}}"#)
    try folder.write(
      "town.json",
      """
      {"schema":"town","fields":{"town_id":{"type":"id"},"size":{"type":"text","one_of":["s","l"]},
       "country":{"type":"relation","to":"country","inverse":"towns"},
       "twins":{"type":"relation","to":"town","many":true}}}
      """)
    try folder.write(
      "visit.json",
      """
      {"schema":"visit","fields":{"visit_id":{"type":"id"},"at":{"type":"datetime"},
       "town":{"type":"relation","to":"town"}}}
      """)
    try folder.prepare("schema", "apply", "country.json", "town.json", "visit.json")
    for (condition, expected) in [
      ("any ", ["towns"]), ("any to", ["towns"]), ("name = 'x' and count(t", ["towns"]),
      ("to", ["towns"]), ("any towns (si", ["size"]), ("any towns (size = 's", ["'s'"]),
      ("any towns (no vis", ["visit.town"]), ("any towns (no visit.t", ["visit.town"]),
      ("any towns (any visit.town (a", ["at"]), ("any towns (size = 's') and na", ["name"]),
      ("any towns (any twins (si", ["size"]), ("any towns (any tw", ["twins"]),
      ("len", ["length("]), ("any towns (count(tw", ["twins"]),
    ] {
      let start = condition.lastIndex { " ('.".contains($0) && $0 != "'" }
      let kept = start.map { String(condition[...$0]) } ?? ""
      let word = expected.map { word in
        let whole = condition.hasSuffix("visit.t") ? String(word.dropFirst("visit.".count)) : word
        return kept + whole
      }
      #expect(
        try candidates(folder, ["list", "country", "--where", condition]) == word, "\(condition)")
    }
    #expect(try candidates(folder, ["list", "country", "--expand", "to"]) == ["towns"])
    #expect(try candidates(folder, ["list", "country", "--expand", "towns.tw"]) == ["towns.twins"])
    #expect(
      try candidates(folder, ["list", "visit", "--fields", "visit_id,ye"]) == ["visit_id,year("])
    #expect(try candidates(folder, ["list", "visit", "--order", "-we"]) == ["-weekday("])
    #expect(
      try candidates(folder, ["list", "visit", "--group-by", "m = month(at)", "--order", "-"])
        == ["-m", "-count"])
    #expect(
      try candidates(folder, ["list", "visit", "--max", "at", "--order", "m"]) == ["max_at"])
  }

  @Test("offers the columns of groups after --having, and time zone names after --zone")
  func groupColumns() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "task", "kind:text", "due:datetime", "size:integer")
    let list = ["list", "task", "--group-by", "kind, y = year(due)", "--sum", "size", "--max=due"]
    let columns = ["kind", "y", "count", "sum_size", "max_due"]
    #expect(try candidates(folder, list + ["--having", ""]) == columns)
    #expect(
      try candidates(folder, list + ["--having", "count > 5 and s"]) == ["count > 5 and sum_size"])
    #expect(try candidates(folder, ["list", "task", "--having", "c"]) == [])
    #expect(try candidates(folder, ["list", "task", "--zone", "Europe/Zu"]) == ["Europe/Zurich"])
    #expect(
      try candidates(folder, ["save", "task", "--assume-zone=Europe/Zu"])
        == ["--assume-zone=Europe/Zurich"])
  }

  /// A shell, and the command that loads its completion script.
  private static let shells = [
    (["bash", "--norc", "--noprofile", "-i"], "source <(datactl completion bash)"),
    (
      ["zsh", "-f", "-i"],
      "autoload -Uz compinit; compinit -u -D; source <(datactl completion zsh)"
    ),
    (["fish", "--no-config", "-i"], "datactl completion fish | source"),
  ]

  @Test("completes fields and values in each shell, also within open quotation marks")
  func quotes() throws {
    let folder = try TestFolder()
    try folder.write(
      "note.json",
      """
      {"schema": "note", "fields": {"note_id": {"type": "id"}, "name": {"type": "text"},
        "alpha": {"type": "integer"}, "type": {"type": "text"}, "open": {"type": "boolean"},
        "kind": {"type": "text", "one_of": ["at home", "travel"]}}}
      """)
    try folder.prepare("schema", "apply", "note.json")
    try folder.prepare("save", "note", "n1", "name=Tea")
    // The typed lines, and the text to type after the completion.
    let lines: [(typed: String, rest: String, words: [String])] = [
      (
        "list note --where \"name like 'S%' and alp", " > 3\"",
        ["list", "note", "--where", "name like 'S%' and alpha > 3"]
      ),
      (
        "list note --where='name = 5 and ty", " = 3'",
        ["list", "note", "--where=name = 5 and type = 3"]
      ),
      ("list note --where 'alp", " = 3'", ["list", "note", "--where", "alpha = 3"]),
      (
        "list note --where=\"name = 'x' and alp", " > 3\"",
        ["list", "note", "--where=name = 'x' and alpha > 3"]
      ),
      (
        "list note --where \"alpha = 1 and kind = 'at", "\"",
        ["list", "note", "--where", "alpha = 1 and kind = 'at home'"]
      ),
      ("delete note --where='not open = t", "'", ["delete", "note", "--where=not open = true"]),
      (
        "list note --where \"note_id in ('x', 'n", ")\"",
        ["list", "note", "--where", "note_id in ('x', 'n1')"]
      ),
      ("schema rename note.al", "", ["schema", "rename", "note.alpha"]),
      ("save note open=t", "", ["save", "note", "open=true"]),
      ("save note rev", "", ["save", "note", "rev"]),
    ]
    for (shell, setUp) in Self.shells {
      // Control-A and Control-E move the cursor to the start and the end of the line.
      let keys = lines.map { line in
        "datactl \(line.typed)\t\(line.rest)\u{1}printf '<%s>' \u{5}\n"
      }
      try folder.write("keys", "\(setUp)\n\(keys.joined())exit\n\n")
      let command = "script -qec '\(shell.joined(separator: " "))' /dev/null < keys"
      let run = try folder.withDatactlInPath("/bin/sh")
        .run(["-c", "HOME=$PWD TERM=xterm timeout 60 \(command)"])
      for line in lines {
        let expected = "<datactl>" + line.words.map { "<\($0)>" }.joined()
        try run.requires(run.output.contains(expected), "\(expected) was expected in \(shell[0])")
      }
    }
  }

  @Test("offers the fields of the related schema after a dot")
  func fields() throws {
    let folder = try TestFolder()
    try folder.saveLibrary()
    for option in [
      "--order", "--fields", "--group-by", "--min", "--max", "--distinct", "--section-by",
    ] {
      #expect(try candidates(folder, ["list", "book", option, "ti"]) == ["title"], "\(option)")
      #expect(
        try candidates(folder, ["list", "book", option, "author.n"]) == ["author.name"], "\(option)"
      )
      #expect(
        try candidates(folder, ["list", "book", option, "author.boss.n"]) == ["author.boss.name"])
      #expect(try candidates(folder, ["list", "book", option, "title.n"]) == [])
      #expect(try candidates(folder, ["list", "book", option, "none.n"]) == [])
    }
    #expect(
      try candidates(folder, ["list", "book", "--order", "title,-author.n"])
        == ["title,-author.name"])
    #expect(try candidates(folder, ["get", "book", "a", "--by", "book"]) == ["book_id"])
    #expect(try candidates(folder, ["list", "book", "--expand", ""]) == ["author"])
    #expect(try candidates(folder, ["list", "shelf", "--expand", ""]) == ["books", "keeper"])
    #expect(
      try candidates(folder, ["list", "shelf", "--expand", "keeper,books."])
        == ["keeper,books.author"])
    #expect(try candidates(folder, ["get", "book", "a", "--expand", "au"]) == ["author"])
  }

  @Test("offers created_by as a relation when a user schema exists")
  func users() throws {
    let folder = try TestFolder()
    try folder.saveLibrary()
    let arguments = ["list", "book", "--expand", "created"]
    #expect(try candidates(folder, arguments) == [])
    try folder.prepare("schema", "create", "user", "--user", "full_name:text")
    #expect(try candidates(folder, arguments) == ["created_by"])
    #expect(
      try candidates(folder, ["list", "book", "--order", "created_by.f"])
        == ["created_by.full_name"])
  }

  @Test("offers only fields whose type suits the option, such as numbers after --sum")
  func fitting() throws {
    let folder = try TestFolder()
    try folder.saveLibrary()
    try folder.prepare(
      "schema", "create", "spot", "code:text", "size:integer", "price:number", "home:geopoint",
      "details:json", "photo:file", "tags:text+", "keeper:person", "guests:person+")
    func offered(_ option: String) throws -> Set<String> {
      let fields = [
        "spot_id", "code", "size", "price", "home", "details", "photo", "tags", "keeper",
      ]
      let all = try candidates(folder, ["list", "spot", option, ""])
      return Set(all).intersection(fields + ["guests"])
    }
    #expect(
      try offered("--fields") == [
        "spot_id", "code", "size", "price", "home", "details", "photo", "tags", "keeper", "guests",
      ])
    for option in ["--order", "--group-by", "--distinct", "--min", "--max"] {
      #expect(try offered(option) == ["spot_id", "code", "size", "price", "keeper"], "\(option)")
    }
    for option in ["--sum", "--avg"] { #expect(try offered(option) == ["size", "price"]) }
    #expect(try offered("--section-by") == ["spot_id", "code", "keeper"])
    try folder.prepare("schema", "create", "coin", "coin_id:id", "mark:text!", "note:text")
    #expect(try candidates(folder, ["get", "coin", "a", "--by", ""]) == ["coin_id"])
  }

  @Test(
    "offers fields wherever a field name is allowed in a condition",
    arguments: ["", "lent and ", "lent or (", "not ", "not (pages = 5 and "])
  func conditions(start: String) throws {
    let folder = try TestFolder()
    try folder.saveLibrary()
    for command in ["list", "delete", "save"] {
      #expect(
        try candidates(folder, [command, "book", "--where", start + "ti"]) == [start + "title"])
      #expect(
        try candidates(folder, [command, "book", "--where", start + "author.na"])
          == [start + "author.name"])
    }
  }
}

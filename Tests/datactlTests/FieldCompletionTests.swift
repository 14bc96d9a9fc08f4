import ProgramHarness
import Testing

@Suite("Completion of fields in queries")
struct FieldCompletionTests {
  private func candidates(_ folder: CommandFolder, _ arguments: [String]) async throws -> [String] {
    let candidateArguments = ["completion", "candidates", "\(arguments.count - 1)", "--"]
    return try await folder.run(candidateArguments + arguments).exits(0).lines.compactMap {
      line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      return parts.count > 1 ? String(parts[1]) : nil
    }
  }

  @Test("offers the possible values of a field, the ids of records and the writable fields")
  func values() async throws {
    let folder = try CommandFolder()
    try folder.write(
      "task.json",
      """
      {"schema": "task", "fields": {"task_id": {"type": "id"}, "done": {"type": "boolean"},
        "kind": {"type": "text", "one_of": ["at home", "away"]}, "revised": {"type": "text"}}}
      """)
    try await folder.prepare("schema", "apply", "task.json")
    for id in ["k1", "k2", "m1"] { try await folder.prepare("save", "task", id, "done=true") }
    #expect(
      try await candidates(folder, ["save", "task", "done="]) == ["done=true", "done=false"])
    #expect(
      try await candidates(folder, ["list", "task", "kind=a"]) == ["kind=at home", "kind=away"])
    #expect(try await candidates(folder, ["save", "task", "rev"]) == ["revised="])
    #expect(try await candidates(folder, ["list", "task", "rev"]) == ["revised=", "revision="])
    #expect(try await candidates(folder, ["get", "task", "k"]) == ["k1", "k2"])
    #expect(try await candidates(folder, ["delete", "task", ""]) == ["k1", "k2", "m1"])
    #expect(try await candidates(folder, ["get", "task", "it's"]) == [])
    #expect(try await candidates(folder, ["schema", "rename", "task.ki"]) == ["task.kind"])
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
        try await candidates(folder, ["list", "task", "--where", condition])
          == expected.map { kept + $0 },
        "\(condition)")
    }
    #expect(try await candidates(folder, ["schema", "rename", "ta"]) == ["task"])
    try await folder.prepare("schema", "create", "step", "task:task", "pace:integer")
    #expect(try await candidates(folder, ["save", "step", "task=k"]) == ["task=k1", "task=k2"])
    for (condition, expected) in [
      ("task = 'm", "task = 'm1'"), ("task.done = f", "task.done = false"),
      ("pace = task.do", "pace = task.done"),
    ] {
      #expect(try await candidates(folder, ["list", "step", "--where", condition]) == [expected])
    }
  }

  @Test("offers inverse relations, functions, and fields of related records in conditions")
  func relatedRecords() async throws {
    let folder = try CommandFolder()
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
    try await folder.prepare("schema", "apply", "country.json", "town.json", "visit.json")
    for (condition, expected) in [
      ("any ", ["towns"]), ("any to", ["towns"]), ("name = 'x' and count(t", ["towns"]),
      ("to", ["towns"]), ("any towns (si", ["size"]), ("any towns (size = 's", ["'s'"]),
      ("any towns (no vis", ["visit.town"]), ("any towns (no visit.t", ["visit.town"]),
      ("any towns (any visit.town (at", ["at"]), ("any towns (size = 's') and na", ["name"]),
      ("any towns (any twins (si", ["size"]), ("any towns (any tw", ["twins"]),
      ("len", ["length("]), ("any towns (count(tw", ["twins"]),
      ("sum(to", ["towns"]), ("sum(length(towns.si", ["size"]),
    ] {
      let start = condition.lastIndex { " ('.".contains($0) && $0 != "'" }
      let kept = start.map { String(condition[...$0]) } ?? ""
      let word = expected.map { word in
        let whole = condition.hasSuffix("visit.t") ? String(word.dropFirst("visit.".count)) : word
        return kept + whole
      }
      #expect(
        try await candidates(folder, ["list", "country", "--where", condition]) == word,
        "\(condition)")
    }
    #expect(try await candidates(folder, ["list", "country", "--expand", "to"]) == ["towns"])
    #expect(
      try await candidates(folder, ["list", "country", "--expand", "towns.tw"]) == ["towns.twins"])
    #expect(
      try await candidates(folder, ["list", "visit", "--fields", "visit_id,ye"]) == [
        "visit_id,year("
      ])
    #expect(try await candidates(folder, ["list", "visit", "--order", "-we"]) == ["-weekday("])
    #expect(try await candidates(folder, ["list", "visit", "--order", "-ro"]) == ["-round("])
    #expect(try await candidates(folder, ["list", "visit", "--fields", "coa"]) == ["coalesce("])
    #expect(
      try await candidates(
        folder, ["list", "visit", "--group-by", "m = month(at)", "--order", "-"])
        == ["-m", "-count"])
    #expect(
      try await candidates(folder, ["list", "visit", "--max", "at", "--order", "m"]) == ["max_at"])
  }

  @Test("offers the columns of groups after --having, and time zone names after --zone")
  func groupColumns() async throws {
    let folder = try CommandFolder()
    try await folder.prepare(
      "schema", "create", "task", "kind:text", "due:datetime", "size:integer")
    let list = ["list", "task", "--group-by", "kind, y = year(due)", "--sum", "size", "--max=due"]
    let columns = ["kind", "y", "count", "sum_size", "max_due"]
    #expect(try await candidates(folder, list + ["--having", ""]) == columns)
    #expect(
      try await candidates(folder, list + ["--having", "count > 5 and s"]) == [
        "count > 5 and sum_size"
      ])
    #expect(try await candidates(folder, ["list", "task", "--having", "c"]) == [])
    #expect(
      try await candidates(folder, ["list", "task", "--zone", "Europe/Zu"]) == ["Europe/Zurich"])
    #expect(
      try await candidates(folder, ["save", "task", "--assume-zone=Europe/Zu"])
        == ["--assume-zone=Europe/Zurich"])
  }

  @Test("offers the fields of the related schema after a dot")
  func fields() async throws {
    let folder = try CommandFolder()
    try await folder.save(.library)
    for option in [
      "--order", "--fields", "--group-by", "--min", "--max", "--distinct", "--section-by",
    ] {
      #expect(
        try await candidates(folder, ["list", "book", option, "ti"]) == ["title"], "\(option)")
      #expect(
        try await candidates(folder, ["list", "book", option, "author.n"]) == ["author.name"],
        "\(option)"
      )
      #expect(
        try await candidates(folder, ["list", "book", option, "author.boss.n"]) == [
          "author.boss.name"
        ])
      #expect(try await candidates(folder, ["list", "book", option, "title.n"]) == [])
      #expect(try await candidates(folder, ["list", "book", option, "none.n"]) == [])
    }
    #expect(
      try await candidates(folder, ["list", "book", "--order", "title,-author.n"])
        == ["title,-author.name"])
    #expect(try await candidates(folder, ["get", "book", "a", "--by", "book"]) == ["book_id"])
    #expect(try await candidates(folder, ["list", "book", "--expand", ""]) == ["author"])
    #expect(
      try await candidates(folder, ["list", "shelf", "--expand", ""]) == ["books", "keeper"])
    #expect(
      try await candidates(folder, ["list", "shelf", "--expand", "keeper,books."])
        == ["keeper,books.author"])
    #expect(try await candidates(folder, ["get", "book", "a", "--expand", "au"]) == ["author"])
  }

  @Test("offers created_by as a relation when a user schema exists")
  func users() async throws {
    let folder = try CommandFolder()
    try await folder.save(.library)
    let arguments = ["list", "book", "--expand", "created"]
    #expect(try await candidates(folder, arguments) == [])
    try await folder.prepare("schema", "create", "user", "--user", "full_name:text")
    #expect(try await candidates(folder, arguments) == ["created_by"])
    #expect(
      try await candidates(folder, ["list", "book", "--order", "created_by.f"])
        == ["created_by.full_name"])
  }

  @Test("offers only fields whose type suits the option, such as numbers after --sum")
  func fitting() async throws {
    let folder = try CommandFolder()
    try await folder.save(.library)
    try await folder.prepare(
      "schema", "create", "spot", "code:text", "size:integer", "price:number", "home:geopoint",
      "details:json", "photo:file", "tags:text+", "keeper:person", "guests:person+")
    func offered(_ option: String) async throws -> Set<String> {
      let fields = [
        "spot_id", "code", "size", "price", "home", "details", "photo", "tags", "keeper",
      ]
      let all = try await candidates(folder, ["list", "spot", option, ""])
      return Set(all).intersection(fields + ["guests"])
    }
    #expect(
      try await offered("--fields") == [
        "spot_id", "code", "size", "price", "home", "details", "photo", "tags", "keeper", "guests",
      ])
    for option in ["--order", "--group-by", "--distinct", "--min", "--max"] {
      #expect(
        try await offered(option) == ["spot_id", "code", "size", "price", "keeper"], "\(option)")
    }
    for option in ["--sum", "--avg"] { #expect(try await offered(option) == ["size", "price"]) }
    #expect(try await offered("--section-by") == ["spot_id", "code", "keeper"])
    try await folder.prepare("schema", "create", "coin", "coin_id:id", "mark:text!", "note:text")
    #expect(try await candidates(folder, ["get", "coin", "a", "--by", ""]) == ["coin_id"])
  }

  @Test(
    "offers fields wherever a field name is allowed in a condition",
    arguments: ["", "lent and ", "lent or (", "not ", "not (pages = 5 and "])
  func conditions(start: String) async throws {
    let folder = try CommandFolder()
    try await folder.save(.library)
    for command in ["list", "delete", "save"] {
      #expect(
        try await candidates(folder, [command, "book", "--where", start + "ti"]) == [
          start + "title"
        ])
      #expect(
        try await candidates(folder, [command, "book", "--where", start + "author.na"])
          == [start + "author.name"])
    }
  }
}

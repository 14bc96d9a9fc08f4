import Foundation
import PostgresHarness
import ProgramHarness
import TestSupport
import Testing

@Suite("Stores on PostgreSQL", .serialized)
struct PostgresStoreTests {
  @Test("prints identical output for an SQLite store and for PostgreSQL")
  func sameBytes() throws {
    let folders = [try TestFolder(), try TestFolder.onPostgres().folder]
    for line in Self.session {
      var runs: [Run] = []
      for folder in folders { runs.append(try folder.shell(line)) }
      #expect(runs[0].status == runs[1].status, "\(line): \(runs[0].report) \(runs[1].report)")
      #expect(runs[0].output == runs[1].output, "\(line)")
      let messages = zip(runs, folders).map { run, folder in
        run.errors.replacing(folder.address, with: "STORE")
          .replacing("sqlite:\(folder.path("shop.db"))", with: "STORE")
          .replacing("shop.db", with: "STORE")
      }
      #expect(messages[0] == messages[1], "\(line)")
    }
  }

  static let session = [
    """
    datactl schema create user_group title:text! && datactl schema create todo title:text! \
    done:boolean due:datetime n:integer x:number tags:text+ place:geopoint j:json numbers:number+ \
    owner:user_group helpers:user_group+ paper:file
    """,
    "datactl schema create todo title:text", "datactl schema list", "datactl schema show todo",
    """
    printf '%s\\n' '{"user_group_id":"g1","title":"Gärtner","revision":1,\
    "created_at":"2026-01-01T00:00:00Z","modified_at":"2026-01-01T00:00:00Z"}' \
    '{"user_group_id":"g2","title":"Zürcher"}' | datactl save user_group --keep-system-fields -o none
    """,
    """
    printf '%s\\n' '{"todo_id":"a","title":"tea","done":false,"due":"2026-11-20","n":9007199254740993,\
    "x":0.1,"tags":["b","a\\u0001\\"",""],"place":{"lat":47.37,"lon":8.54},"j":{"k":[1,{"l":"é"}],\
    "m":1e400},"numbers":[1e16,5e-324,0.1],"owner":"g1","helpers":["g2","g1"]}' \
    '{"todo_id":"b","title":"bread","x":1e300,"tags":[],"j":"text"}' \
    '{"todo_id":"c","title":"Cheese","n":-1,"x":2.5,"j":[]}' | datactl save todo -o none
    """,
    "datactl list todo --fields title,done,due,n,x,tags,place,j,numbers,owner,helpers,revision",
    "datactl list todo --fields title,n,x,tags,j -o csv",
    "datactl list todo --fields title,n -o json --order -n,title",
    "datactl get todo b a nothing --fields title", "datactl get todo b a --fields title,j -o json",
    "datactl save todo a n+=5 tags+=z tags-=b --fields n >/dev/null; datactl get todo a --fields n,tags",
    "datactl save todo a title=tea -o none", "datactl save todo nothing --update title=x",
    "datactl save todo a --create title=x", "datactl save todo x owner=g9 title=t",
    "datactl save todo a revision=9 title=other",
    "datactl save todo a revision=2 title=other -o none",
    "printf 'hello' | datactl save todo c paper@=- -o none; datactl get todo c --content paper",
    "datactl list todo --where \"tags contains 'z' or j.k = 1\" --fields title",
    "datactl list todo --where \"place within 5 km of (47.4, 8.5)\" --fields title",
    "datactl list todo --where \"owner.title like 'G%' and helpers.title = 'Zürcher'\" --fields title",
    "datactl list todo --where 'not (n > 0)' --count", "datactl list todo --distinct done",
    "datactl list todo --group-by done --sum n --min x --max title --avg n",
    "datactl list todo --limit 1 -o page --order title --fields title",
    "datactl list todo --expand owner,helpers --fields title,owner.title,helpers.title",
    "datactl list todo --where 'titel = 1'", "datactl list todo --where 'n = true'",
    "datactl delete user_group g1", "datactl get todo a --fields owner,helpers,revision",
    "datactl delete todo nothing", "datactl delete todo a b", "datactl list todo --count",
    "datactl delete todo --all --yes", "datactl list todo -o csv --fields title",
  ]

  @Test("keeps the total balance constant when eight processes transfer amounts between accounts")
  func bank() throws {
    let folder = try TestFolder.onPostgres().folder
    try folder.prepare("schema", "create", "account", "balance:integer")
    let accounts = (0..<100).map { "{\"account_id\":\"a\($0)\",\"balance\":100}\n" }.joined()
    try folder.prepare("save", "account", "-o", "none", input: .text(accounts))
    var generator = SeededRandom(seed: 11)
    var children: [Child] = []
    var started = 0
    var expected = [Int](repeating: 100, count: 100)
    while started < 160 || !children.isEmpty {
      while started < 160, children.count < 8 {
        let from = Int.random(in: 0..<100, using: &generator)
        let to = (from + Int.random(in: 1..<100, using: &generator)) % 100
        let amount = Int.random(in: 1...50, using: &generator)
        expected[from] -= amount
        expected[to] += amount
        let transfer = """
          {"account_id":"a\(from)","balance":{"$add":-\(amount)}}
          {"account_id":"a\(to)","balance":{"$add":\(amount)}}

          """
        children.append(
          try folder.program.start(["save", "account", "-o", "none"], input: .text(transfer)))
        started += 1
      }
      try children.removeFirst().finish().exits(0)
      if started % 8 == 0 {
        try folder.run("list", "account", "--sum", "balance").prints(
          "{\"count\":100,\"sum_balance\":10000}\n")
      }
    }
    let balances = expected.enumerated().map { "a\($0.offset),\($0.element)" }
    let listed = try folder.prepare("list", "account", "--fields", "balance", "-o", "csv").lines
    #expect(listed.dropFirst().map { $0.filter { $0 != "\r" } } == balances.sorted())
  }

  @Test("connects only to the server in the store's address")
  func connections() throws {
    let folder = try TestFolder.onPostgres().folder
    try folder.saveTodos()
    let socket = try PostgresServer.shared.get().socket
    for arguments in [["get", "todo", "a"], ["save", "todo", "a", "title=x"], ["list", "todo"]] {
      let lines = try SystemCall.trace("connect", folder, arguments).map(\.line)
        // Ignore the socket of nscd, in which the C library looks up the user's name.
        .filter { !$0.contains("/nscd/") }
      #expect(lines.allSatisfy { $0.contains(socket) })
      #expect(lines.count == 1, "\(arguments)")
    }
  }

  @Test("exports SQL that creates the same tables as the store")
  func definitions() throws {
    let (folder, database) = try TestFolder.onPostgres()
    let server = try PostgresServer.shared.get()
    try folder.prepare(
      "schema", "create", "person", "name:text!", "friends:person+", "born:datetime")
    try folder.prepare(
      "schema", "create", "todo", "title:text!", "place:geopoint", "tags:text+", "owner:person")
    let text = try folder.run("schema", "export", "--format", "sql").exits(0).output
    let other = try server.newDatabase()
    _ = try server.run(text, in: other)
    let tables = """
      select table_name, column_name, data_type, collation_name, is_nullable
      from information_schema.columns
      where table_schema = 'datactl' and table_name ~ '^(person|todo)' order by 1, 2;
      select indexdef from pg_indexes
      where schemaname = 'datactl' and tablename ~ '^(person|todo)' order by 1
      """
    let made = try server.run(tables, in: database)
    #expect(made.contains("todo"))
    #expect(try server.run(tables, in: other) == made)
  }

  @Test("executes concurrent commands through pgbouncer in transaction mode")
  func pgbouncer() throws {
    let server = try PostgresServer.shared.get()
    let bouncer = try PgBouncer(to: server)
    defer { bouncer.stop() }
    let folder = try TestFolder(store: bouncer.address(try server.newDatabase()))
    try folder.saveTodos()
    let children = try (0..<20).map { number in
      try folder.program.start(
        number % 2 == 0
          ? ["save", "todo", "a", "priority+=1", "-o", "none"] : ["list", "todo", "-o", "none"])
    }
    for child in children { try child.finish().exits(0) }
    try folder.run("get", "todo", "a", "--fields", "priority")
      .prints("{\"todo_id\":\"a\",\"priority\":11}\n")
    try folder.run("save", "todo", "-o", "none", input: .bytes(TestFolder.todos(5_000))).exits(0)
    try folder.run("delete", "todo", "--all", "--yes").exits(0)
    try folder.run("list", "todo", "--count").prints("0\n")
  }

  @Test("copies a store to PostgreSQL and back without loss")
  func copying() throws {
    let folder = try TestFolder()
    let server = try PostgresServer.shared.get()
    let other = server.address(try server.newDatabase())
    try folder.prepare("schema", "create", "person", "name:text!", "friends:person+", "photo:file")
    try folder.prepare(
      "save", "person",
      input: .text(
        """
        {"person_id":"a","name":"Ann","friends":["b","c"]}
        {"person_id":"b","name":"Bob"}
        {"person_id":"c","name":"Cäcilie","friends":["a"]}

        """))
    try folder.prepare(
      "save", "person", "b", "photo@=-", input: .bytes(Array(repeating: 7, count: 600_000)))
    try folder.shell(
      """
      set -e -o pipefail
      datactl schema export schemas
      datactl schema apply schemas --store '\(other)'
      datactl list person --with-files | datactl save person --keep-system-fields -o none --store '\(other)'
      datactl schema apply schemas --store sqlite:back.db
      datactl list person --with-files --store '\(other)' | datactl save person --keep-system-fields -o none --store sqlite:back.db
      """
    ).exits(0)
    let before = try folder.prepare("list", "person", "--with-files").output
    #expect(try folder.prepare("list", "person", "--with-files", "--store", other).output == before)
    #expect(
      try folder.prepare("list", "person", "--with-files", "--store", "sqlite:back.db").output
        == before)
  }

  @Test("suggests no index in the output of --explain when a list is sorted by primary key")
  func sortedByKey() throws {
    let folder = try TestFolder.onPostgres().folder
    try folder.saveTodos()
    let explanation = try folder.run("list", "todo", "--explain").exits(0).output
    #expect(
      !explanation.contains("sorting")
        || explanation.contains("the query planner prefers this to the primary key index\n"))
    #expect(!explanation.contains("no index begins with"))
  }

  @Test("copies users without their passwords, which must be set again in the other store")
  func copyingUsers() throws {
    let folder = try TestFolder()
    let server = try PostgresServer.shared.get()
    let other = server.address(try server.newDatabase())
    try folder.write(
      "user.json",
      """
      {"schema": "user", "kind": "user", "fields": {"username": {"type": "id"}, \
      "password": {"type": "password", "required": true}}}
      """)
    let input = "{\"username\":\"ann\",\"password\":\"a secret\"}"
    try folder.shell(
      """
      set -e
      datactl schema apply user.json
      datactl save user -o none <<< '\(input)'
      datactl copy \(folder.address) '\(other)' --without-passwords -o none
      """
    ).exits(0).reports("1 user needs a new password")
    let users = try folder.prepare("list", "user").output
    try folder.run("list", "user", "--store", other).prints(users)
    let logIn =
      "printf 'a secret' | datactl login --username ann --password-stdin --store '\(other)'"
    try folder.shell(logIn).exits(4).reports("wrong user name or password")
    try folder.run("save", "user", "--store", other, input: .text("{\"username\":\"bob\"}")).exits(
      6
    )
    .reports("password: required")
    try folder.run("save", "user", "-o", "none", "--store", other, input: .text(input)).exits(0)
    try folder.shell(logIn).exits(0)
  }
}

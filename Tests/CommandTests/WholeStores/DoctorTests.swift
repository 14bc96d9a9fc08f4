import Foundation
import PostgresHarness
import ProgramHarness
import TestSupport
import Testing

/// Returns the codes of the findings in JSON output.
private func codes(_ run: Run) throws -> [String] {
  try run.json.elements.map { try #require($0["code"]?.text) }
}

@Suite("doctor", .onEveryStore)
struct DoctorTests {
  /// The state of a store that a program must not change.
  private func state(_ folder: TestFolder) throws -> [String] {
    guard StoreKind.current == .file else {
      // `pg_dump` makes these lines different each time.
      return try folder.dump().split(separator: "\n").filter { !$0.contains("restrict ") }
        .map(String.init)
    }
    return try folder.files.filter { $0.hasPrefix("shop.db") }
      .map { try "\($0) \(folder.tool("sha256sum", $0).output)" }
  }

  @Test("finds nothing in a store of datactl, and changes nothing")
  func healthy() throws {
    let folder = try DumpTests.sample()
    let before = try state(folder)
    for options in [[], ["--full"], ["todo", "user"], ["todo", "--full"]] {
      let run = try folder.program.run(["doctor"] + options).exits(0).prints("")
      #expect(run.errors.hasPrefix("Nothing is wrong with "))
    }
    try folder.run("doctor", "-o", "json").exits(0).prints("[]\n")
    #expect(try state(folder) == before)
    try folder.run("doctor", "tod").exits(3)
    try folder.run("doctor", "--store", "missing.db").exits(7)
    try folder.run("doctor", "--store", "https://127.0.0.1:1").exits(2)
      .reports("cannot inspect a store on a server")
  }

  @Test("prints the digests that copy prints")
  func digests() throws {
    let folder = try DumpTests.sample()
    let copied = try folder.run("copy", folder.address, "other.db").exits(0)
    try folder.run("doctor", "--digest").exits(0).prints(copied.output)
    let lines = copied.output.split(separator: "\n").filter { $0.contains(#""schema":"todo""#) }
    try folder.run("doctor", "todo", "--digest").exits(0).prints(lines[0] + "\n")
    try folder.run("doctor", "--digest", "--fix").exits(2)
  }

  fileprivate struct Fault: CustomTestStringConvertible {
    let sql: String
    let findings: [String]
    /// The findings that remain after `--fix`.
    var remaining: [String]
    var options: [String] = []

    var testDescription: String { sql }

    init(_ sql: String, _ findings: [String], remaining: [String]? = nil, _ options: String...) {
      self.sql = sql
      self.findings = findings
      self.remaining = remaining ?? findings
      self.options = options
    }
  }

  fileprivate static let faults = [
    Fault(#"drop table @"note""#, ["note: the table note is missing [missing-table]"]),
    Fault(
      #"drop table @"todo.steps""#, ["todo: the table todo.steps is missing [missing-table]"]),
    Fault(#"drop table @"_session""#, ["the table _session is missing [missing-table]"]),
    Fault(
      #"delete from @"_schema" where name = 'note'"#,
      ["note: the store has a table, but no schema of this name [missing-schema]"]),
    Fault(
      #"delete from @"_schema" where name in ('step', 'todo')"#,
      ["step", "todo"].map {
        "\($0): the store has a table, but no schema of this name [missing-schema]"
      }),
    Fault(
      #"drop index @"todo.price"; alter table @"todo" drop column price"#,
      ["todo: price: the table todo has no column price [missing-column]"]),
    Fault(
      #"drop index @"todo.price""#, ["todo: the index todo.price is missing [missing-index]"],
      remaining: []),
    Fault(
      #"drop index @"todo.price"; create index "todo.price" on @"todo" (price)"#,
      ["todo: the index todo.price has another definition [wrong-index]"], remaining: []),
    Fault(
      #"""
      drop index @"todo.title:unique"; \#
      create index "todo.title:unique" on @"todo" (title) where title > 'a'
      """#, ["todo: title: the index todo.title:unique has another definition [wrong-index]"],
      remaining: []),
    Fault(
      #"drop index @"todo.title:unique"; update @"todo" set title = 'x' where title <> 'c'"#,
      [
        "todo: title: the index todo.title:unique is missing [missing-index]",
        #"todo b "1": title: "tea" has the same value [not-unique]"#,
      ]),
    Fault(
      #"create table @"other" (a integer)"#,
      [#"the table "other" was not created by datactl [foreign-table]"#]),
    Fault(#"create table @"other" (a integer)"#, [], "--allow", "other"),
    Fault(
      #"update @"todo" set title = null where todo_id = 'c'"#,
      ["todo c: title: expected a value, found null [invalid-value]"]),
    Fault(
      #"update @"todo" set photo = 'x' where todo_id = 'c'"#,
      ["todo c: photo: the stored value is invalid [invalid-value]"]),
    Fault(
      #"update @"todo" set owner = 'bob' where todo_id = 'tea'"#,
      [#"todo tea: owner: there is no user "bob" [dangling-reference]"#]),
    Fault(
      #"insert into @"todo.steps" values ('c', 0, 'none')"#,
      [#"todo c: steps: there is no step "none" [dangling-reference]"#]),
    Fault(
      #"delete from @"_file" where record = 'tea'"#,
      ["todo tea: photo: expected 6 bytes of content, found 0 [lost-content]"]),
    Fault(
      #"update @"_file" set bytes = @"content" where record = 'tea'"#, []),
    Fault(
      #"""
      insert into @"_file" (schema, record, field, piece, bytes) \#
      select schema, record, field, piece + 1, bytes from @"_file" where record = 'tea'
      """#,
      ["todo tea: photo: expected 6 bytes of content, found 12 [lost-content]"], "--full"),
    Fault(
      #"update @"_file" set bytes = @"content" where record = 'tea'"#,
      [
        "todo tea: photo: the content of the file is not what the record names [lost-content]"
      ], "--full"),
    Fault(
      #"delete from @"todo" where todo_id = 'tea'"#,
      [
        #"step s2: todo: there is no todo "tea" [dangling-reference]"#,
        #"todo tea: steps: there is no todo "tea" [orphaned-link]"#,
        "todo tea: photo: the record has no file in this field [orphaned-content]",
      ], remaining: [#"step s2: todo: there is no todo "tea" [dangling-reference]"#]),
    Fault(
      #"update @"_file" set field = 'x' where record = 'tea'"#,
      [
        "todo tea: photo: expected 6 bytes of content, found 0 [lost-content]",
        #"there is no field todo.x for the content of "tea" [orphaned-content]"#,
      ], remaining: ["todo tea: photo: expected 6 bytes of content, found 0 [lost-content]"]),
    Fault(
      #"update @"todo" set revision = 0 where todo_id = 'c'"#,
      ["todo c: expected a revision of at least 1 [revision]"]),
  ]

  @Test("finds what another program has changed, and repairs it once", arguments: faults)
  fileprivate func repairs(_ fault: Fault) throws {
    let folder = try DumpTests.sample()
    let content = StoreKind.current == .file ? "x'48414c4c4f0a'" : "'\\x48414c4c4f0a'"
    try folder.sql(fault.sql.replacing("@\"content\"", with: content))
    let before = try state(folder)
    let run = try folder.program.run(["doctor"] + fault.options)
      .exits(fault.findings.isEmpty ? 0 : 1)
    let lines = run.output.split(separator: "\n").filter { !$0.hasPrefix("  ") }.map(String.init)
    #expect(lines == fault.findings, "\(run.report)")
    #expect(try state(folder) == before)
    if !fault.options.contains("--full") {
      let schema = try folder.program.run(["doctor", "note"]).output
      #expect(schema.isEmpty || schema.hasPrefix("note: "), "\(schema)")
    }
    for round in 1...2 {
      let fixed = try folder.program.run(["doctor", "--fix"] + fault.options)
        .exits(fault.remaining.isEmpty ? 0 : 1)
      let left = fixed.output.split(separator: "\n").filter { !$0.hasPrefix("  ") }
        .map(String.init)
      #expect(left == fault.remaining, "\(fixed.report)")
      let isRepaired = round == 1 && fault.remaining != fault.findings
      #expect(fixed.errors.contains("Repaired: ") == isRepaired, "\(fixed.report)")
    }
  }

  @Test("lists twenty records of a code, and counts the others")
  func many() throws {
    let folder = try DumpTests.sample()
    let todos = (1...50).map { #"{"step_id":"n\#($0)"}"# }.joined(separator: "\n")
    try folder.prepare("save", "step", "-o", "none", input: .text(todos))
    try folder.sql(#"update @"step" set todo = 'none', revision = 0 where step_id like 'n%'"#)
    let run = try folder.run("doctor").exits(1).reports("42 findings")
    #expect(
      run.output.contains(
        """
        step n27: todo: there is no todo "none" [dangling-reference]
        step: todo: and 30 more records [dangling-reference]
          Save the missing record, or clear the relation.
        """))
    #expect(run.output.contains("\nstep: and 30 more records [revision]\n"))
    let codes = try codes(folder.run("doctor", "-o", "json").exits(1))
    #expect(Set(codes) == ["dangling-reference", "revision"])
    #expect(codes.count == 42)
  }

  @Test("finds an older format, and upgrades it")
  func oldFormat() throws {
    let folder = try CompatibilityTests.copiedStore()
    let run = try folder.run("doctor", "-o", "json").exits(1)
    #expect(try codes(run) == ["old-format"])
    try folder.run("doctor", "--fix").exits(0).reports("Repaired: the store has the format 2")
    try folder.run("doctor", "--full").exits(0)
  }
}

@Suite("doctor of a file")
struct FileDoctorTests {
  @Test("finds damaged pages, and does not change them")
  func damagedPages() throws {
    let folder = try DumpTests.sample()
    let notes = (1...20_000).map { #"{"note_id":"note \#($0)"}"# }.joined(separator: "\n")
    try folder.prepare("save", "note", "-o", "none", input: .text(notes))
    var bytes = try folder.bytes("shop.db")
    for page in 4..<bytes.count / 8_192 {
      bytes.replaceSubrange(
        page * 8_192..<page * 8_192 + 100, with: repeatElement(0xFF, count: 100))
    }
    try Data(bytes).write(to: URL(filePath: folder.path("shop.db")))
    try folder.run("doctor").exits(1).reports("finding")
    let run = try folder.run("doctor", "--fix").exits(1)
    #expect(run.output.contains("[damaged-page]"))
    #expect(!run.errors.contains("Repaired"))
    #expect(try folder.bytes("shop.db") == bytes)
  }

  @Test("finds damage if the schemas cannot be read, and fails if the file is no database")
  func unreadable() throws {
    let folder = try DumpTests.sample()
    try folder.tool("sqlite3", "shop.db", "update _schema set definition = '{' where name = 'note'")
    let run = try folder.run("doctor").exits(1)
    #expect(run.output.contains("the stored definition of schema note is invalid"))
    #expect(run.output.contains("[damaged-page]"))
    try folder.tool(
      "sqlite3", "shop.db", "delete from _schema where name in ('note', 'todo')")
    #expect(try folder.run("doctor").exits(1).output.contains("refers to schema todo"))
    try folder.tool("sqlite3", "shop.db", "delete from _meta")
    for options in [["doctor"], ["doctor", "--fix"]] {
      let run = try folder.program.run(options).exits(1)
      #expect(run.output.contains("the table _meta is empty [damaged-page]"))
      #expect(!run.errors.contains("Repaired"))
    }
    for command in [["schema", "list"], ["save", "note", "note_id=x"], ["dump", "-"]] {
      try folder.program.run(command).exits(7).reports("the table _meta is empty")
    }
    try folder.tool("sqlite3", "shop.db", "drop table _schema")
    #expect(
      try folder.run("doctor").exits(1).output.contains(
        "the table _schema is missing [missing-table]"))
    try folder.write("shop.db", "SQLite format 3\0")
    try folder.run("doctor").exits(7).printsNothing()
  }

  @Test("finds indexes whose entries differ from the records, with --full")
  func indexEntries() throws {
    let folder = try DumpTests.sample()
    try folder.tool(
      "sqlite3", "shop.db", ".dbconfig defensive off",
      """
      create temp table saved as select * from sqlite_schema where name = 'todo.price'; \
      pragma writable_schema = on; delete from sqlite_schema where name = 'todo.price'; \
      pragma writable_schema = reset; update todo set price = 9; \
      pragma writable_schema = on; insert into sqlite_schema select * from saved; \
      pragma writable_schema = reset
      """)
    try folder.run("doctor").exits(0)
    let run = try folder.run("doctor", "--full").exits(1).reports("run datactl doctor --fix --full")
    #expect(
      run.output.contains("the entries of the index todo.price differ from its table [wrong-index]")
    )
    try folder.run("doctor", "--full", "--fix").exits(0)
    try folder.checkIntegrity()
  }

  @Test("does not copy the WAL of a killed program to the file")
  func keepsWAL() throws {
    let folder = try DumpTests.sample()
    try folder.tool(
      "bash", "-c",
      """
      (echo 'update todo set price = 7;'; echo '.shell kill -9 $PPID') | sqlite3 shop.db || true
      """)
    let files = ["shop.db", "shop.db-wal"]
    let before = try files.map { try folder.bytes($0) }
    try folder.run("doctor").exits(0)
    #expect(try files.map { try folder.bytes($0) } == before)
  }

  @Test("finds permissions, rules and sessions that give too much, with --security")
  func security() throws {
    let folder = try TestFolder(store: "sqlite:shop.db")
    try folder.prepare(
      "schema", "create", "user", "name:text", "--user")
    try folder.write(
      "note.json",
      #"{"schema":"note","fields":{"note_id":{"type":"id"}},"access":{"update":["anyone"]}}"#)
    try folder.write(
      "user.json",
      """
      {"schema":"user","kind":"user","roles":"roles","disabled":"off","fields":{
       "username":{"type":"id"},"password":{"type":"password"},"name":{"type":"text"},
       "roles":{"type":"[text]"},"off":{"type":"boolean"}},"access":{"create":["anyone"]}}
      """)
    try folder.prepare("schema", "apply", "note.json", "user.json")
    try folder.prepare(
      "save", "user", "-o", "none",
      input: .text(
        """
        {"username":"ann","password":"correct horse","roles":["admin"]}
        {"username":"bob","roles":["admin"],"off":true}
        {"username":"eve","roles":["editor"]}
        """))
    try folder.prepare(
      "login", "--username", "ann", "--name", "ci", "--password-stdin",
      input: .text("correct horse\n"))
    let credentials = folder.root + "/config/datactl/credentials.json"
    try folder.tool("chmod", "755", folder.root)
    try folder.tool("chmod", "777", folder.directory)
    try folder.tool("chmod", "646", "shop.db")
    try folder.tool("chmod", "666", "shop.db-lock")
    try folder.tool("chmod", "644", credentials)
    try folder.run("doctor").exits(0)
    let run = try folder.run("doctor", "--security", "-o", "json").exits(1)
    #expect(
      try codes(run) == ["file-mode", "lock-mode", "folder-mode", "credentials", "open-rule"])
    #expect(run.errors.contains("administrator ann: 1 session\n"))
    #expect(run.errors.contains("  ci\n"))
    #expect(run.errors.contains("administrator bob, disabled: no session\n"))
    #expect(!run.errors.contains("eve"))
    #expect(
      try folder.run("doctor", "--security").exits(1).output.contains(
        "note: access.update: everyone may update records, even without logging in [open-rule]\n"))
    try folder.tool("chmod", "600", "shop.db", "shop.db-lock", credentials)
    try folder.tool("chmod", "755", folder.directory)
    try folder.write("note.json", #"{"schema":"note","fields":{"note_id":{"type":"id"}}}"#)
    try folder.prepare("schema", "apply", "note.json")
    try folder.run("doctor", "--security").exits(0)
    try folder.tool("sqlite3", "shop.db", "create table _litestream_seq (id integer)")
    let litestream = try folder.run(
      "doctor", "--security", "--allow", "_litestream_seq", "-o", "json")
    let version = try folder.run("--version", "--verbose").output
    let isFixed = version.contains(/SQLite 3\.(51\.([3-9]|\d\d)|5[2-9]|50\.[7-9]|44\.[6-9])/)
    #expect(try codes(litestream) == (isFixed ? [] : ["unsafe-sqlite"]))
  }

  @Test("inspects a store while other programs write to it")
  func concurrentWriters() throws {
    let folder = try DumpTests.sample()
    let writer = try folder.program.prefixed([
      "/bin/bash", "-c",
      """
      until [ -e stop ]; do
        "$@" save step new todo=tea -o none && "$@" delete step new || exit 1
      done
      """, "bash",
    ]).start([])
    for _ in 1...10 { try folder.run("doctor", "--full").exits(0) }
    try folder.write("stop", "")
    try writer.finish().exits(0)
  }
}

@Suite("doctor of a database", .serialized)
struct DatabaseDoctorTests {
  private let server: PostgresServer
  private let folder: TestFolder
  private let database: String

  init() throws {
    server = try PostgresServer.shared.get()
    (folder, database) = try TestFolder.onPostgres()
    try folder.prepare("schema", "create", "item", "n:integer", "owner:item")
  }

  @Test("finds an invalid index, and creates it again")
  func invalidIndex() throws {
    try server.run(
      """
      update pg_index set indisvalid = false \
      where indexrelid = 'datactl."item.owner:reference"'::regclass
      """, in: database)
    try folder.run("doctor").exits(1).prints(
      """
      item: the index item.owner:reference is not valid [invalid-index]
        Run datactl doctor --fix.

      """)
    try folder.run("doctor", "--fix").exits(0)
  }

  @Test("finds missing privileges")
  func privileges() throws {
    let user = "doctor_\(database)"
    try server.run(
      """
      create role \(user) login; grant usage on schema datactl to \(user); \
      grant select on all tables in schema datactl to \(user); \
      grant insert, update, delete on datactl.item, datactl._file to \(user); \
      revoke select on datactl.item from \(user)
      """, in: database)
    defer {
      _ = try? server.run("drop owned by \(user); drop role \(user)", in: database)
    }
    let run = try folder.run("doctor", "--store", server.address(database, user: user)).exits(1)
    #expect(
      run.output.contains(
        "the table item does not grant the user: select [missing-privilege]\n"))
    #expect(
      run.output.contains(
        "the table _session does not grant the user: insert, update, delete [missing-privilege]\n"))
    #expect(!run.output.contains("_file"))
  }

  @Test("finds a setting that can lose changes")
  func synchronousCommit() throws {
    try server.run("alter database \(database) set synchronous_commit = off")
    let run = try folder.run("doctor").exits(1)
    #expect(run.output.hasPrefix("synchronous_commit is off [synchronous-commit]\n"))
  }

  @Test("names a column whose type another program has changed")
  func columnType() throws {
    try server.run("alter table datactl.item alter n type text", in: database)
    let run = try folder.run("doctor").exits(1)
    #expect(
      run.output.hasPrefix(
        "item: n: the column of this field has an unexpected type [invalid-value]\n"))
  }
}

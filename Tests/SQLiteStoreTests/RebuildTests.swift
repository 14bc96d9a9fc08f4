import DataModel
import DataStore
import SQLiteStore
import Testing

@Suite("SQLite: table rebuilds")
struct RebuildTests {
  private let foreignStatements = [
    "create view titles as select title, \"stock\" from todo where title <> '('",
    "create view short as select * from titles",
    """
    create trigger noticed after update of title on todo begin \
    insert into note values (new.todo_id, 'it''s, (new)'); end
    """,
    "create index partly on todo (title, stock) where title is not null -- a comment, (with) more",
    "create table note (todo text references todo (todo_id) on delete cascade, said text)",
    "create trigger noted after insert on note begin select 1; end",
    "alter table todo add column extra text default 'a,b)' check (length(extra) < 9)",
    "alter table todo add column twice text generated always as (extra || extra) virtual",
    "create unique index extras on todo (extra, todo_id)",
    "insert into note values ('t1', 'kept')",
    "update todo set extra = 'mine' where todo_id = 't2'",
  ]

  private func fields(_ stock: FieldType, _ owner: FieldType) throws -> Schema {
    try .test(
      "todo", Field("title", .text, isUnique: true), Field("stock", stock), Field("owner", owner),
      Field("after", .relation(Relation(to: "todo"))), indexes: [["stock", "-title"]])
  }

  private func schemaSQL(_ folder: TestFolder) throws -> [String] {
    try folder.query(
      """
      select type || ' ' || name || ' on ' || tbl_name || ': ' || coalesce(sql, '') \
      from sqlite_schema where name not like '\\_%' escape '\\' order by type, name
      """)
  }

  @Test("rejects dropping a field that a view of another tool names in double quotes")
  func quotedColumn() async throws {
    let folder = try TestFolder()
    let store = try folder.open()
    let title = Field("title", .text)
    try await store.createSchemas([try .test("todo", title, Field("stock", .text))])
    _ = try folder.query("create view stocks as select \"stock\" from todo")
    let plan = try SchemaPlan(
      from: try await store.catalog(), to: [try Schema.test("todo", title)], reading: .partial)
    let request = PlanRequest(plan, stamp: Stamp(time: .noon), program: "test 1")
    let error = await #expect(throws: DataError.self) { try await store.apply(request) }
    #expect(error?.code == .referenced)
    #expect(
      try folder.query("select name from pragma_table_info('todo') where name = 'stock'") == [
        "stock"
      ])
  }

  @Test("keeps rows, constraints, and the views and indexes of other tools when a table is rebuilt")
  func foreignObjects() async throws {
    let folder = try TestFolder()
    let person = try Schema.test("person")
    let relation = FieldType.relation(Relation(to: "person"))
    let old = try fields(.text, .text)
    let store = try folder.open()
    try await store.createSchemas([person, old])
    await store.close()
    _ = try folder.query("insert into person (person_id, revision) values ('p', 1)")
    for (id, stock) in [("t1", "5"), ("t2", "-7")] {
      _ = try folder.query(
        """
        insert into todo (todo_id, title, stock, owner, after, revision) \
        values ('\(id)', 'title \(id)', '\(stock)', 'p', 't1', 3)
        """)
    }
    for statement in foreignStatements { _ = try folder.query(statement) }
    let before = try schemaSQL(folder)
    let rows = try folder.query(
      "select todo_id || title || owner || after || revision || extra || twice from todo")
    let new = try fields(.integer, relation)
    let again = try folder.open()
    let stored = try await again.catalog()
    try await again.apply(
      PlanRequest(
        try SchemaPlan(from: stored, to: [new], reading: .partial),
        stamp: Stamp(time: .noon), program: "test 1"))
    await again.close()
    let after = try schemaSQL(folder)
    let changed = zip(before, after).filter { $0 != $1 }.map(\.1)
    #expect(before.count + 1 == after.count)
    #expect(
      after.filter { !before.contains($0) }.map { $0.prefix(30) } == [
        "index todo.owner:reference on ", "table todo on todo: CREATE TAB",
      ])
    let table = try #require(after.first { $0.hasPrefix("table todo ") })
    let original = try #require(before.first { $0.hasPrefix("table todo ") })
    #expect(
      table
        == original.replacing("\"stock\" text", with: "\"stock\" integer")
        .replacing(
          "\"owner\" text",
          with: "\"owner\" text references \"person\" deferrable initially deferred"))
    #expect(changed.count > 0)
    #expect(
      try folder.query(
        "select todo_id || title || owner || after || revision || extra || twice from todo") == rows
    )
    #expect(
      try folder.query("select typeof(stock) || stock from todo order by stock desc") == [
        "integer5", "integer-7",
      ])
    #expect(try folder.query("select count(*) from short") == ["2"])
    #expect(try folder.query("select said from note") == ["kept"])
    #expect(try folder.query("pragma foreign_key_check") == [])
    #expect(try folder.query("pragma integrity_check") == ["ok"])
    _ = try folder.query("update todo set title = 'other' where todo_id = 't2'")
    #expect(try folder.query("select said from note order by said") == ["it's, (new)", "kept"])
  }

  @Test(
    "adapts views and tables of other tools to a rename, and refuses to drop a field that they use")
  func renaming() async throws {
    let folder = try TestFolder()
    let store = try folder.open()
    try await store.createSchemas([
      try .test("todo", Field("title", .text), Field("stock", .integer))
    ])
    _ = try folder.query("create view titles as select title from todo")
    _ = try folder.query("create view short as select * from titles")
    _ = try folder.query("create table note (todo text references todo (todo_id))")
    var stored = try await store.catalog()
    try await store.apply(
      .test(
        try SchemaPlan(renaming: "todo", to: "task", from: stored).stages, version: stored.version))
    stored = try await store.catalog()
    try await store.apply(
      .test(
        try SchemaPlan(renaming: "title", of: "task", to: "heading", from: stored).stages,
        version: stored.version))
    #expect(
      try folder.query("select sql from sqlite_schema where name in ('titles', 'note') order by 1")
        == [
          "CREATE TABLE note (todo text references \"task\" (\"task_id\"))",
          "CREATE VIEW titles as select \"heading\" from \"task\"",
        ])
    stored = try await store.catalog()
    let bare = try Schema.test("task", Field("stock", .integer))
    let error = await #expect(throws: DataError.self) {
      try await store.apply(
        .test(
          try SchemaPlan(from: stored, to: [bare], reading: .partial).stages,
          version: stored.version))
    }
    #expect(error?.code == .referenced)
    #expect(error?.problems[0].message.contains("view titles") == true)
    #expect(try await store.catalog().catalog == stored.catalog)
  }

  @Test("refuses to drop a schema or a unique field to which a table of another tool refers")
  func references() async throws {
    let folder = try TestFolder()
    let store = try folder.open()
    let title = Field("title", .text, isUnique: true)
    try await store.createSchemas([try .test("todo", title), try .test("other")])
    _ = try folder.query("create table note (todo text references todo (todo_id))")
    _ = try folder.query("create table tag (title text references todo (title))")
    _ = try folder.query("insert into todo (todo_id, title, revision) values ('t1', 'a', 1)")
    _ = try folder.query("insert into note values ('t1'), ('nowhere')")
    _ = try folder.query("insert into tag values ('a')")
    let stored = try await store.catalog()
    func rejection(_ plan: SchemaPlan, consents: Set<String> = []) async throws -> String? {
      var request = PlanRequest.test(plan.stages, version: stored.version)
      request.consents = consents
      let error = await #expect(throws: DataError.self) { try await store.apply(request) }
      #expect(error?.code == .referenced)
      return error?.problems[0].message
    }
    let dropping = try SchemaPlan(dropping: ["todo"], from: stored)
    #expect(
      try await rejection(dropping, consents: ["todo"])?.hasSuffix(
        "the change would break the references of table note") == true)
    let loose = try SchemaPlan(
      from: stored, to: [try .test("todo", Field("title", .text))], reading: .partial)
    #expect(
      try await rejection(loose)?.hasSuffix(
        "the change would break the references of table tag") == true)
    #expect(try folder.query("select todo_id || title from todo") == ["t1a"])
    try await store.apply(
      .test(try SchemaPlan(dropping: ["other"], from: stored).stages, version: stored.version))
  }

  @Test("recreates a missing log table of schema changes at the next schema change")
  func oldStore() async throws {
    let folder = try TestFolder()
    let store = try folder.open()
    try await store.createSchemas([try .test("todo")])
    _ = try folder.query("drop table _changes")
    #expect(try await store.log() == [])
    try await store.createSchemas([try .test("other")])
    #expect(try await store.log().count == 1)
  }

  @Test(
    "rejects dropping an empty schema if a view, trigger or table of another tool uses its table",
    arguments: [
      ("create view titles as select title from todo", "view titles"),
      ("create index partly on todo (title) where title is not null", "index partly"),
      (
        "create trigger noticed after delete on todo begin delete from note; end",
        "trigger noticed"
      ),
      (
        "create trigger noted after insert on note begin delete from todo; end", "trigger noted"
      ),
      (
        "create table tag (todo text references todo (todo_id))", "the references of table tag"
      ),
    ])
  func dropping(statement: String, cause: String) async throws {
    let folder = try TestFolder()
    let store = try folder.open()
    try await store.createSchemas([try .test("todo", Field("title", .text)), try .test("other")])
    _ = try folder.query("create table note (said text)")
    _ = try folder.query("create view broken as select missing from nowhere")
    _ = try folder.query(statement)
    let before = try schemaSQL(folder)
    let stored = try await store.catalog()
    let plan = try SchemaPlan(dropping: ["todo"], from: stored)
    let error = await #expect(throws: DataError.self) {
      try await store.apply(.test(plan.stages, version: stored.version))
    }
    #expect(error?.code == .referenced)
    #expect(error?.problems[0].message.contains(cause) == true)
    #expect(try schemaSQL(folder) == before)
    try await store.apply(
      .test(try SchemaPlan(dropping: ["other"], from: stored).stages, version: stored.version))
  }

  @Test("rejects dropping a field that a trigger on a table of another tool uses")
  func neededField() async throws {
    let folder = try TestFolder()
    let store = try folder.open()
    try await store.createSchemas([try .test("todo", Field("title", .text))])
    _ = try folder.query("create table note (said text)")
    _ = try folder.query(
      "create trigger noted after insert on note begin update todo set title = new.said; end")
    let stored = try await store.catalog()
    let plan = try SchemaPlan(from: stored, to: [try .test("todo")], reading: .partial)
    let error = await #expect(throws: DataError.self) {
      try await store.apply(.test(plan.stages, version: stored.version))
    }
    #expect(error?.code == .referenced)
    #expect(error?.problems[0].message.contains("noted") == true)
  }
}

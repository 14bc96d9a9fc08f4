import PostgresHarness
import ProgramHarness
import Testing

@Suite("Objects and values created by other tools in a PostgreSQL store", .serialized)
struct PostgresForeignObjectTests {
  private let server: PostgresServer
  private let folder: TestFolder
  private let database: String

  init() throws {
    server = try PostgresServer.shared.get()
    (folder, database) = try TestFolder.onPostgres()
    try folder.prepare("schema", "create", "item", "t:datetime", "f:number", "n:integer")
    try folder.prepare("save", "item", "a", "t=2026-11-20", "f=1.5", "n=1")
  }

  private func run(_ statements: String) throws { try server.run(statements, in: database) }

  @Test(
    "names the field when another program wrote an invalid value",
    arguments: [
      ("t = 'infinity'", "t"), ("t = '-infinity'", "t"), ("t = '20000-01-01'", "t"),
      ("f = 'NaN'", "f"), ("f = 'Infinity'", "f"), ("created_at = 'infinity'", "created_at"),
    ])
  func values(assignment: String, field: String) throws {
    try run("update datactl.item set \(assignment)")
    let message = "item.\(field): the stored value is invalid, in \"a\""
    try folder.run("list", "item").exits(7).printsNothing().reports(
      message, "correct the value with psql")
    try folder.run("get", "item", "a").exits(7).reports(message)
    try folder.run("save", "item", "a", "n=2").exits(7).printsNothing().reports(message)
    try folder.run("list", "item", "--count").prints("1\n")
  }

  @Test("rejects a change of a record whose stored revision is the greatest 64-bit integer")
  func lastRevision() throws {
    try run("update datactl.item set revision = 9223372036854775807")
    try folder.run("save", "item", "a", "n=2").exits(7).printsNothing()
      .reports("item a: the revision cannot be increased any further")
    try folder.run(
      "save", "item", "--keep-system-fields", "-o", "none",
      input: .text("{\"item_id\":\"a\",\"n\":2,\"revision\":7}")
    ).exits(0)
    try folder.run("save", "item", "a", "n=3", "-o", "none").exits(0)
  }

  @Test(
    "names the column when another program changed its type",
    arguments: [
      ("n type text", "n"), ("n type smallint", "n"), ("f type real", "f"), ("f type numeric", "f"),
      ("t type date", "t"), ("item_id type bytea using item_id::bytea", "item_id"),
      ("item_id type uuid using gen_random_uuid()", "item_id"),
    ])
  func types(change: String, field: String) throws {
    try run("alter table datactl.item alter \(change)")
    for arguments in [["list", "item"], ["get", "item", "a"], ["save", "item", "a", "n=2"]] {
      try folder.program.run(arguments).exits(7).printsNothing()
        .reports("item.\(field): the column of this field has an unexpected type")
    }
  }

  @Test("a save fails when a trigger or a rule discards the saved record")
  func discarded() throws {
    try run(
      """
      create function swallow() returns trigger language plpgsql as 'begin return null; end';
      create trigger swallow before insert or update on datactl.item for each row \
      execute function swallow()
      """)
    let message = "item: the server discarded 1 record"
    try folder.run("save", "item", "b", "n=1").exits(7).printsNothing()
      .reports(message, "rule or trigger")
    try folder.run("save", "item", "a", "n=5").exits(7).printsNothing().reports(message)
    let many = (0..<200).map { "{\"n\":\($0)}\n" }.joined()
    try folder.run("save", "item", "-o", "none", input: .text(many)).exits(7)
      .reports("item: the server discarded 200 records")
    try run("drop trigger swallow on datactl.item")
    try run(
      """
      create trigger swallow before insert on datactl.item for each row when (new.n < 0) \
      execute function swallow()
      """)
    try folder.run("save", "item", input: .text("{\"n\":2}\n{\"n\":-2}\n")).exits(7).printsNothing()
      .reports(message)
    try run(
      """
      drop trigger swallow on datactl.item;
      create rule swallow as on insert to datactl.item do instead nothing
      """)
    try folder.run("save", "item", "b", "n=1").exits(7).printsNothing().reports(message)
    try folder.run("list", "item", "--fields", "n").prints("{\"item_id\":\"a\",\"n\":1}\n")
  }

  @Test("a deletion fails when a trigger silently prevents the deletion")
  func prevented() throws {
    try folder.prepare("save", "item", "b", "n=2")
    try run(
      """
      create function keep() returns trigger language plpgsql as 'begin return null; end';
      create trigger keep before delete on datactl.item for each row when (old.n = 1) \
      execute function keep()
      """)
    let message = "item: 1 record was not deleted"
    let selections = [["a", "b"], ["--where", "f > 0 or n = 2", "--yes"], ["--all", "--yes"]]
    for arguments in selections {
      try folder.program.run(["delete", "item"] + arguments).exits(7).reports(
        message, "a rule or trigger")
    }
    try folder.prepare("schema", "create", "box", "content:item")
    try folder.prepare("save", "box", "x", "content=a")
    for arguments in selections {
      try folder.program.run(["delete", "item"] + arguments).exits(7).reports(message)
    }
    try folder.run("list", "item", "-o", "ids").prints("a\nb\n")
    try folder.run("list", "box", "--fields", "content")
      .prints("{\"box_id\":\"x\",\"content\":\"a\"}\n")
  }

  @Test(
    "does not suggest a retry when a constraint or trigger of another tool rejects a change",
    arguments: [
      (
        "create unique index mine on datactl.item (n)", ["save", "item", "b", "n=1"],
        "duplicate key value violates unique constraint \"mine\""
      ),
      (
        "alter table datactl.item add constraint positive check (n > 0)",
        ["save", "item", "b", "n=0"], "violates check constraint \"positive\""
      ),
      (
        "alter table datactl.item alter n set not null", ["save", "item", "b", "f=1"],
        "null value in column \"n\""
      ),
      (
        "create table note (x text references datactl.item); insert into note values ('a')",
        ["delete", "item", "a"], "violates foreign key constraint \"note_x_fkey\""
      ),
      (trigger("raise exception 'not today'"), ["save", "item", "b", "n=2"], "not today"),
      (
        trigger("raise exception 'not today' using errcode = '45000'"),
        ["save", "item", "a", "n=2"],
        "not today"
      ),
      (
        trigger("insert into audit values (new.item_id)"), ["save", "item", "b", "n=2"],
        "relation \"audit\" does not exist"
      ),
    ])
  func rejectedByForeignObject(statements: String, arguments: [String], message: String) throws {
    try run(statements)
    let run = try folder.program.run(arguments).exits(7).printsNothing()
      .reports(
        "the database rejects the change: ", message, "not created by datactl")
    #expect(!run.errors.contains("run the command again"), "\(run.report)")
    try folder.run("list", "item", "-o", "ids").prints("a\n")
  }

  /// Returns SQL that creates a trigger. It executes the statement before each record is written.
  private static func trigger(_ statement: String) -> String {
    """
    create function act() returns trigger language plpgsql as $$ begin \(statement); return new; end $$;
    create trigger act before insert or update on datactl.item for each row execute function act()
    """
  }

  @Test("names the table when row-level security hides a conflicting record")
  func hidden() throws {
    let user = "user_" + database
    try run(
      """
      create role \(user) login;
      grant usage on schema datactl to \(user);
      grant select, insert, update on all tables in schema datactl to \(user);
      alter table datactl.item enable row level security;
      create policy others on datactl.item using (item_id <> 'a') with check (true)
      """)
    let address = server.address(database, user: user)
    try folder.run("list", "item", "--count", "--store", address).prints("0\n")
    let message = "row-level security of the table item hides conflicting records"
    try folder.run("save", "item", "a", "n=2", "--wait", "1", "--store", address).exits(7)
      .printsNothing().reports(message, "make all records visible to the user")
    try folder.run("save", "item", "b", "n=2", "--store", address).exits(0)
  }
}

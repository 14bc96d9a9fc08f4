import Foundation
import PostgresHarness
import ProgramHarness
import TestSupport
import Testing

@Suite("Stores on Citus", .serialized, .tags(.postgres, .process), .from(.all))
final class CitusTests {
  private let citus: CitusServer
  private let server: PostgresServer
  private let folder: TestFolder
  private let database: String

  init() throws {
    citus = try CitusServer.shared.get()
    server = try citus.server
    database = try citus.newDatabase()
    folder = try TestFolder(store: citus.address(database))
  }

  deinit { try? citus.drop(database) }

  /// Whether the tests use the fake, whose database they can change as no user can change Citus.
  private static let isFake = (try? CitusServer.shared.get().isFake) ?? true

  @Test("prints identical output for an SQLite store and for Citus")
  func sameBytes() throws {
    let file = try TestFolder()
    for line in PostgresStoreTests.session {
      let runs = [try file.shell(line), try folder.shell(line)]
      #expect(runs[0].status == runs[1].status, "\(line): \(runs[0].report) \(runs[1].report)")
      #expect(runs[0].output == runs[1].output, "\(line): \(runs[1].report)")
    }
  }

  @Test("restores a dump of a file, and dumps the same contents")
  func restore() throws {
    let file = try StoreKind.$current.withValue(.file) { try DumpTests.sample() }
    let dump = try file.run("dump").exits(0).outputBytes
    try folder.run("restore", "-", input: .bytes(dump)).exits(0)
    let restored = try folder.run("dump").exits(0).outputBytes
    #expect(
      try DumpTests.contents(of: restored, in: file).text
        == DumpTests.contents(of: dump, in: file).text)
  }

  @Test("finds nothing in a store of its own, repairs an index, and finds lost parts of tables")
  func doctor() throws {
    let file = try StoreKind.$current.withValue(.file) { try DumpTests.sample() }
    try folder.run("restore", "-", input: .bytes(file.run("dump").exits(0).outputBytes)).exits(0)
    for options in [[], ["--full"], ["todo"]] {
      try folder.program.run(["doctor"] + options).exits(0).prints("")
    }
    try server.run("drop index datactl.\"todo.price\"", in: database)
    try folder.run("doctor", "--fix").exits(0).reports("Repaired: index todo.price created")
    guard Self.isFake else { return }
    try server.run(
      """
      delete from pg_dist_placement using pg_dist_shard as s \
      where s.shardid = pg_dist_placement.shardid and logicalrelid = 'datactl.note'::regclass
      """, in: database)
    try folder.run("doctor").exits(1).prints(
      """
      no active node has 4 of the shards of the table note [missing-placement]
        Activate the node, or restore the part from a backup of the node.

      """)
  }

  @Test(
    "distributes records by key, to-many references by source record, and unique values by value")
  func distribution() throws {
    try folder.prepare("schema", "create", "person", "name:text!", "friends:person+")
    try folder.write(
      "person.json",
      """
      {"schema": "person", "fields": {"person_id": {"type": "id"}, \
      "email": {"type": "text", "unique": true}, "number": {"type": "integer", "unique": true}, \
      "name": {"type": "text", "required": true}, \
      "friends": {"type": "relation", "to": "person", "many": true}}}
      """)
    try folder.prepare("schema", "apply", "person.json")
    #expect(
      try citus.distributedTables(of: database) == [
        "_doomed id", "_file record", "_staging id", "_touched id", "function function_id",
        "person person_id", "person.email:unique value", "person.friends source",
        "person.number:unique value",
      ])
    try folder.prepare("schema", "rename", "person.email", "mail")
    try folder.prepare("schema", "rename", "person", "human")
    try folder.prepare("save", "human", "a", "mail=x", "name=Ann", "friends+=a")
    try folder.run("save", "human", "b", "mail=x", "name=Bob").exits(5)
    #expect(
      try server.run("select * from datactl.\"human.mail:unique\"", in: database) == "x|a")
    try folder.prepare("delete", "human", "a")
    #expect(
      try server.run("select count(*) from datactl.\"human.mail:unique\"", in: database) == "0")
    try folder.prepare("schema", "drop", "human")
    #expect(try citus.distributedTables(of: database).count == 5)
  }

  @Test(
    "reads and writes a store created before the Citus extension was installed",
    .enabled(if: isFake))
  func older() throws {
    let (folder, database) = try TestFolder.onPostgres()
    try folder.createTodoSchema()
    try FakeCitus.addExtension(to: database)
    try folder.prepare("save", "todo", "a", "title=tea")
    try folder.prepare("save", "todo", "a", "title=milk")
    try folder.prepare("schema", "create", "shop", "name:text")
    try folder.prepare("delete", "todo", "a")
    #expect(try server.run("select count(*) from fake_citus.spread", in: database) == "0")
  }

  @Test("applies all increments that several processes make in one record at the same time")
  func counters() throws {
    try folder.prepare("schema", "create", "account", "balance:integer")
    try folder.prepare("save", "account", "a", "balance=0")
    let children = try (0..<24).map { _ in
      try folder.program.start(["save", "account", "a", "balance+=1", "-o", "none"])
    }
    for child in children { try child.finish().exits(0) }
    try folder.run("get", "account", "a", "--fields", "balance,revision")
      .prints("{\"account_id\":\"a\",\"balance\":24,\"revision\":25}\n")
  }

  @Test("accepts exactly one of many concurrent saves of the same unique value")
  func uniqueValue() throws {
    try folder.write(
      "person.json",
      """
      {"schema": "person", "fields": {"person_id": {"type": "id"}, \
      "email": {"type": "text", "unique": true}}}
      """)
    try folder.prepare("schema", "apply", "person.json")
    let children = try (0..<12).map { number in
      try folder.program.start(["save", "person", "p\(number)", "email=x", "-o", "none"])
    }
    let statuses = try children.map { try $0.finish().status }
    #expect(statuses.sorted() == [0] + Array(repeating: 5, count: 11))
    try folder.run("list", "person", "--count").prints("1\n")
  }

  @Test("updates 500 records with values of every type in one save")
  func updates() throws {
    try folder.prepare(
      "schema", "create", "item", "n:integer", "x:number", "t:text", "at:datetime",
      "b:boolean", "j:json", "l:text+", "g:geopoint")
    func items(_ value: Int) -> String {
      (0..<500).map { number in
        """
        {"item_id":"i\(number)","n":\(number + value),"x":\(value).5,"t":"t\(value)",\
        "at":"2026-11-20T00:00:0\(value)Z","b":\(value == 1),"j":{"k":\(value)},\
        "l":["a","\(value)"],"g":{"lat":\(value),"lon":2}}

        """
      }.joined()
    }
    try folder.prepare("save", "item", "-o", "none", input: .text(items(1)))
    try folder.run("save", "item", "-o", "none", input: .text(items(2))).exits(0)
      .reports("500 saved: 500 changed")
    try folder.run("get", "item", "i7", "--fields", "n,x,t,at,b,j,l,g,revision").prints(
      """
      {"item_id":"i7","n":9,"x":2.5,"t":"t2","at":"2026-11-20T00:00:02.000Z","b":false,\
      "j":{"k":2},"l":["a","2"],"g":{"lat":2,"lon":2},"revision":2}

      """)
  }

  @Test("finds dangling references with the query from the manual")
  func dangling() throws {
    try folder.prepare("schema", "create", "person", "name:text")
    try folder.prepare("schema", "create", "todo", "title:text", "owner:person")
    try folder.prepare("save", "person", "ann", "name=Ann")
    try folder.prepare("save", "todo", "a", "owner=ann")
    try folder.prepare("save", "todo", "b", "owner=ann")
    try folder.prepare("save", "todo", "c", "title=tea")
    try server.run("update datactl.todo set owner = 'gone' where todo_id = 'b'", in: database)
    try folder.run(
      "list", "todo", "--where", "owner is not null and owner.created_at is null", "-o", "ids"
    ).prints("b\n")
  }

  @Test("reports an unknown outcome when the connection is lost during the commit")
  func lostCommit() throws {
    try folder.createTodoSchema()
    let proxy = try CuttingProxy(to: server, cutting: .before("\0commit\0"))
    defer { proxy.close() }
    try folder.run("save", "todo", "title=tea", "--store", proxy.address(database)).exits(7)
      .printsNothing().reports("connection lost during the commit")
  }

  /// SQL that makes the server send a warning during each commit that inserts a todo.
  private static let commitWarning = """
    create function public.warn() returns trigger language plpgsql as $$
    begin
      raise warning 'failed to commit transaction on w1:5432';
      return null;
    end $$;
    create constraint trigger warned after insert on datactl.todo \
    deferrable initially deferred for each row execute function public.warn();
    """

  @Test(
    "reports an unknown outcome when Citus warns that a worker failed during the commit",
    .enabled(if: isFake))
  func warnedCommit() throws {
    try folder.createTodoSchema()
    try server.run(
      "alter event trigger look disable; \(Self.commitWarning); alter event trigger look enable",
      in: database)
    try folder.run("save", "todo", "title=tea").exits(7).printsNothing()
      .reports(
        "a node of the cluster failed during the commit; the outcome of the commit is unknown"
      )
      .reports("check whether the changes were committed before you run the command again")
  }

  @Test(
    "runs the tests on a real Citus cluster, not on the simulation", .from(.all),
    .needs(!isFake, "needs a cluster: see CONTRIBUTING.md"))
  func cluster() { #expect(!Self.isFake) }

  @Test(
    "reports that the server is a worker when the address is not that of the coordinator",
    .enabled(if: isFake))
  func worker() throws {
    try server.run("update pg_catalog.pg_dist_local_group set groupid = 1", in: database)
    for arguments in [["list", "todo"], ["schema", "create", "todo", "title:text"]] {
      try folder.program.run(arguments).exits(7).printsNothing()
        .reports("this server is a worker of a Citus cluster", "use the address of the coordinator")
    }
  }

  @Test("ignores warnings during the commit when the server is not part of a Citus cluster")
  func warningOfSingleServer() throws {
    let (folder, database) = try TestFolder.onPostgres()
    try folder.createTodoSchema()
    try PostgresServer.shared.get().run(Self.commitWarning, in: database)
    try folder.run("save", "todo", "title=tea", "-o", "none").exits(0)
  }
}

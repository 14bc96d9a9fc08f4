import Foundation
import PostgresHarness
import ProgramHarness
import Testing

@Suite("Limits of PostgreSQL", .serialized)
struct PostgresLimitTests {
  private let server: PostgresServer
  private let folder: TestFolder
  private let database: String

  init() throws {
    server = try PostgresServer.shared.get()
    (folder, database) = try TestFolder.onPostgres()
  }

  /// Creates a database user with the privileges to read and write records. Returns the address of
  /// the store for this user.
  private func address(of user: String, _ options: String = "") throws -> String {
    try server.run("create role \(user) login \(options)")
    try server.run(
      """
      grant usage on schema datactl to \(user);
      grant select, insert, update, delete on all tables in schema datactl to \(user)
      """, in: database)
    return server.address(database, user: user)
  }

  private func name() -> String {
    "user_" + UUID().uuidString.lowercased().replacing("-", with: "_")
  }

  @Test("reads the files of any number of records over a single connection")
  func filesOfOneConnection() throws {
    try folder.prepare("schema", "create", "item", "paper:file")
    let records = (0..<30).map {
      "{\"item_id\":\"\($0)\",\"paper\":{\"name\":\"p\",\"data\":\"AAEC\"}}\n"
    }
    try folder.prepare("save", "item", "-o", "none", input: .text(records.joined()))
    let limited = try address(of: name(), "connection limit 1")
    let listed = try folder.run("list", "item", "--with-files", "--store", limited).exits(0)
    #expect(listed.lines.filter { $0.contains("\"data\":\"AAEC\"") }.count == 30)
    try folder.run("get", "item", "7", "--content", "paper", "--store", limited).exits(0)
  }

  @Test("reports a record that exceeds the row size limit, or skips it with --skip-invalid")
  func wideRecords() throws {
    let fields = (0..<450).map { "f\($0):text" }
    #expect(try folder.program.run(["schema", "create", "wide"] + fields).status == 0)
    func record(_ id: String, _ value: String) -> String {
      let values = (0..<450).map { ",\"f\($0)\":\"\(value)\"" }.joined()
      return "{\"wide_id\":\"\(id)\"\(values)}\n"
    }
    let input =
      record("a", "short") + record("b", "17 bytes or more, of any kind") + record("c", "x")
    try folder.run("save", "wide", "-o", "none", input: .text(input)).exits(6).reports(
      "standard input:2: wide b: the 451 values of the record exceed the 8 KB that PostgreSQL")
    try folder.run("list", "wide", "--count").prints("0\n")
    try folder.run("save", "wide", "-o", "ids", "--skip-invalid", input: .text(input)).exits(6)
      .prints("a\nc\n").reports("standard input:2: wide b: the 451 values")
    let change = record("a", "17 bytes or more, of any kind")
    try folder.run("save", "wide", "-o", "none", input: .text(change)).exits(6)
      .reports("standard input:1: wide a: the 451 values")
    // PostgreSQL compresses repeated letters, so this record does not exceed the limit.
    let compressed = record("a", String(repeating: "a", count: 300))
    try folder.run("save", "wide", "-o", "none", input: .text(compressed)).exits(0)
      .reports("1 saved: 1 changed")
  }

  @Test("rejects a schema change that would make a record exceed the row size limit")
  func widenedRecords() throws {
    let value = "17 bytes or more, of any kind"
    func schema(_ count: Int) -> String {
      let fields = (0..<count).map { number in
        ",\"f\(number)\":{\"type\":\"text\"\(number < 400 ? "" : ",\"default\":\"\(value)\"")}"
      }
      return "{\"schema\":\"wide\",\"fields\":{\"wide_id\":{\"type\":\"id\"}\(fields.joined())}}"
    }
    try folder.write("wide.json", schema(400))
    #expect(try folder.program.run(["schema", "apply", "wide.json"]).status == 0)
    let values = (0..<400).map { ",\"f\($0)\":\"\(value)\"" }.joined()
    let input =
      "{\"wide_id\":\"a\"}\n{\"wide_id\":\"b\"\(values)}\n{\"wide_id\":\"c\",\"f1\":\"\(value)\"}\n"
    try folder.run("save", "wide", "-o", "none", input: .text(input)).exits(0)
    try folder.write("wide.json", schema(460))
    try folder.run("schema", "apply", "wide.json").exits(5).reports(
      "wide: the values of a record exceed the 8 KB that PostgreSQL allows for a row: "
        + "the widest is \"b\"", "help databases")
  }

  @Test("rejects a schema change when the table has used up the maximum number of columns")
  func usedUpColumns() throws {
    try folder.prepare("schema", "create", "item", "n:integer")
    let columns = (0..<1_593).map { "add column x\($0) int" }.joined(separator: ",")
    let drops = (0..<1_593).map { "drop column x\($0)" }.joined(separator: ",")
    try server.run(
      "alter table datactl.item \(columns); alter table datactl.item \(drops)", in: database)
    try folder.write(
      "item.json",
      #"{"schema": "item", "fields": {"item_id": {"type": "id"}, "n": {"type": "text"}}}"#)
    try folder.run("schema", "apply", "item.json").exits(5)
      .reports(
        "item: the table has used 1600 of the 1,600 columns", "the change needs 1 more",
        "help stores")
  }

  @Test("executes reads while a schema change waits for a slow reader")
  func pausedReader() throws {
    try folder.saveManyTodos(30_000, title: String(repeating: "a long title ", count: 12))
    let line = """
      datactl list todo | { read line
      datactl schema rename todo.priority rank --wait 6 2>said & renaming=$!
      gets=0
      while datactl get todo 1000000000 -o none || exit 9; kill -0 $renaming 2>&-; do
        gets=$(( gets + 1 ))
      done
      wait $renaming; echo $?; (( gets > 1 )) && echo several || echo $gets
      cat >rest; }
      """
    try folder.shell(line).exits(0).prints("7\nseveral\n")
    #expect(
      try String(decoding: folder.bytes("said"), as: UTF8.self).contains(
        "other commands were using the tables that must be changed; nothing was changed"))
    try folder.run("schema", "rename", "todo.priority", "rank").exits(0)
  }

  @Test("names the missing privilege, and the help topic that lists all required privileges")
  func missingRights() throws {
    try folder.createTodoSchema()
    let reader = name()
    try server.run("create role \(reader) login")
    let address = server.address(database, user: reader)
    try folder.run("list", "todo", "--store", address).exits(7).printsNothing()
      .reports("insufficient privileges: permission denied for schema datactl", "help databases")
    let run = try folder.run("list", "todo", "--store", address, "--errors", "json").exits(7)
    #expect(run.errors.contains("\"code\":\"store_unreachable\""))
    try server.run(
      """
      grant usage on schema datactl to \(reader); grant select on all tables in schema datactl \
      to \(reader)
      """, in: database)
    try folder.run("list", "todo", "--store", address).exits(0)
    try folder.run("save", "todo", "title=x", "--store", address).exits(7)
      .reports("insufficient privileges: permission denied for table todo")
  }
}

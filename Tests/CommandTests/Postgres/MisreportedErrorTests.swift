import Foundation
import PostgresHarness
import ProgramHarness
import TestSupport
import Testing

@Suite(
  "Errors that Citus reports with a misleading SQLSTATE", .serialized, .tags(.postgres, .process),
  .from(.all))
struct MisreportedErrorTests {
  private let server: PostgresServer
  private let folder: TestFolder
  private let database: String

  init() throws {
    server = try PostgresServer.shared.get()
    (folder, database) = try TestFolder.onPostgres()
    try folder.createTodoSchema()
  }

  @Test("names the unreachable worker and does not retry when a worker does not respond")
  func lostWorker() throws {
    try fail("08006", "connection to the remote node worker-1:5432 failed", until: 1_000)
    try folder.run("save", "todo", "a", "title=tea").exits(7).printsNothing()
      .reports("a node of the cluster does not respond", "worker-1:5432", "nothing was changed")
    #expect(try tries() == "1")
    #expect(try folder.todoCount == 0)
  }

  @Test("retries the save when no worker was able to commit")
  func uncommitted() throws {
    try fail(
      "XX000", "could not commit transaction on any active node", until: 3,
      trigger: "constraint", when: "deferrable initially deferred")
    try folder.run("save", "todo", "a", "title=tea", "priority+=1").exits(0).reports(
      "1 saved: 1 new")
    #expect(try tries() == "3")
    #expect(try folder.prepare("get", "todo", "a").output.contains("\"priority\":1,"))
  }

  @Test("retries the save when COPY reports a duplicate key as an internal error")
  func duplicate() throws {
    try fail(
      "XX000", "duplicate key value violates unique constraint \"todo:key_102008\"", until: 2)
    try folder.run("save", "todo", "-o", "none", input: .bytes(TestFolder.todos(500))).exits(0)
      .reports("500 saved: 500 new")
    #expect(try folder.todoCount == 500)
  }

  @Test("does not retry when Citus reports an unknown internal error")
  func other() throws {
    try fail("XX000", "cache lookup failed for relation 1", until: 1_000)
    try folder.run("save", "todo", "a", "title=tea").exits(1).printsNothing()
      .reports("cache lookup failed for relation 1 (SQLSTATE XX000)")
    #expect(try tries() == "1")
  }

  /// Creates a trigger that makes inserts and updates fail with the given error, up to the given
  /// attempt.
  private func fail(
    _ state: String, _ message: String, until number: Int, trigger: String = "", when: String = ""
  ) throws {
    try server.run(
      """
      create sequence tries; create function fail() returns trigger language plpgsql as $$ begin \
      if nextval('tries') < \(number) then raise exception '\(message)' using errcode = '\(state)'; \
      end if; return null; end $$; create \(trigger) trigger fail after insert or update \
      on datactl.todo \(when) for each row execute function fail()
      """, in: database)
  }

  private func tries() throws -> String {
    try server.run("select last_value from tries", in: database)
  }
}

import PostgresHarness
import Testing

@Suite("FakeCitus")
struct FakeCitusTests {
  private static let tables = [
    "n.todo": "todo_id", "n.user": "username", "n.todo.steps": "source", "n._doomed": "id",
  ]

  @Test(
    "accepts statements that Citus supports",
    arguments: [
      "select todo_id from \"n\".\"todo\" where \"todo_id\" = any($1)",
      "select 1 from \"n\".\"todo\" where \"todo_id\" = $1 for update",
      """
      select 1 from "n"."todo" left join (select "username" from "n"."user" offset 0) as "_0_0" \
      on "_0_0"."username" = "todo"."owner"
      """,
      """
      select (select jsonb_agg(target) from "n"."todo.steps" where source = "todo"."todo_id") \
      from "n"."todo"
      """,
      """
      select 1 from "n"."todo" where "todo"."owner" in (select "username" from "n"."user")
      """,
      "insert into \"n\".\"todo\" (\"todo_id\") select * from unnest($1)",
      """
      insert into "n"."_doomed" (id) select "todo"."todo_id" from "n"."todo" on conflict do nothing
      """,
      "delete from \"n\".\"todo\" where \"todo_id\" in (select id from \"n\".\"_doomed\")",
      """
      update "n"."todo" as _old set "title" = _new.title from "n"."_doomed" as _new \
      where _old."todo_id" = _new.id
      """,
      """
      update "n"."todo" as _old set "title" = _new.t from unnest($1, $2) as _new (id, t) \
      where _old."todo_id" = _new.id and _old."todo_id" = any($3)
      """,
      """
      select 1 from "n"."todo" where "todo"."todo_id" in (select source from "n"."todo.steps" \
      where target in (select "_1"."username" from "n"."user" as "_1" where "_1"."age" > $1))
      """,
      "select 1 from \"n\".\"_meta\" for update",
    ])
  func accepts(_ statement: String) {
    #expect(FakeCitus.rejectionReason(of: statement, Self.tables) == nil)
  }

  @Test(
    "rejects statements that Citus does not support",
    arguments: [
      (
        "select 1 from \"n\".\"todo\" where \"todo_id\" = any($1) for update",
        "FOR UPDATE and FOR SHARE take rows of one shard only"
      ),
      (
        """
        select 1 from "n"."todo" left join "n"."user" as "_0_0" \
        on "_0_0"."username" = "todo"."owner"
        """, "_0_0 is not joined by the distribution column"
      ),
      (
        """
        select 1 from "n"."todo" where exists (select 1 from "n"."user" as u \
        where u."username" = "todo"."owner")
        """, "a correlated subquery must be joined by the distribution column"
      ),
      (
        "select 1 from \"n\".\"todo\" join pg_temp._doomed as d on d.id = \"todo\".\"todo_id\"",
        "a local table is joined with a distributed one"
      ),
      (
        "update \"n\".\"todo\" set \"todo_id\" = $1 where \"todo_id\" = $2",
        "the distribution column is changed"
      ),
      (
        """
        select 1 from "n"."todo" where exists (select 1 from (select "todo"."j" as _json \
        union all select e from json_array_elements("todo"."j") as x (e)) as v)
        """, "a union in a correlated subquery"
      ),
      (
        """
        update "n"."todo" as _old set "title" = _new."texts"[1] from "n"."_doomed" as _new \
        where _old."todo_id" = _new.id
        """, "an element of an array is assigned"
      ),
      (
        """
        select 1 from "n"."todo" where exists (select 1 from json_array_elements("todo"."j") \
        as _values (_json), lateral (select json_typeof(_json) as _kind) as _plain)
        """, "invalid attnum 4 for relation \"_values\""
      ),
      (
        """
        select 1 from "n"."todo" where exists (select 1 from "n"."todo.steps" as l \
        cross join (select id from "n"."user" offset 0) as a where l."source" = "todo"."todo_id" \
        and exists (select 1 from (select id from "n"."user" offset 0) as b where b.id = a.id \
        and exists (select 1 from (select id from "n"."user" offset 0) as c where c.id = b.id)))
        """,
        "correlated subqueries are not supported when the FROM clause contains a CTE or subquery"
      ),
      (
        """
        select 1 from "n"."todo" where exists (select 1 from (select id, tags from "n"."user" \
        offset 0) as a where a.id = "todo"."owner" and exists (select 1 from \
        jsonb_array_elements_text(a.tags) as t (tag) where tag = "todo"."title"))
        """,
        "correlated subqueries are not supported when the FROM clause contains a CTE or subquery"
      ),
    ])
  func rejects(_ statement: String, reason: String) {
    #expect(FakeCitus.rejectionReason(of: statement, Self.tables) == reason)
  }

  @Test(
    "rejects inserted or copied rows after a read, unless the transaction wrote before the read")
  func order() {
    let tables: Set = ["n.todo", "n._staging"]
    let read = "select todo_id from \"n\".\"todo\" where todo_id = any($1)"
    let copy = "copy \"n\".\"todo\" (\"todo_id\") from stdin"
    let insert = "insert into \"n\".\"todo\" (\"todo_id\") select * from unnest($1)"
    let reason = "rows are copied over a connection that has only been read from"
    func reasonOf(_ statements: String...) -> String? {
      FakeCitus.rejectionReason(ofTransaction: statements, tables)
    }
    #expect(reasonOf("begin", read, copy) == reason)
    #expect(reasonOf("begin", read, insert) == reason)
    #expect(
      reasonOf("begin", read, "delete from \"n\".\"todo\" where todo_id = $1", copy) == reason)
    #expect(reasonOf("begin", "delete from \"n\".\"_staging\"", read, copy) == nil)
    #expect(reasonOf("begin", "select 1 from \"n\".\"_schema\"", copy) == nil)
    #expect(reasonOf("begin", read, "commit", "begin", insert) == nil)
  }
}

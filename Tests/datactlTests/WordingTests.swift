import Testing

/// Messages that name what the user has to change.
@Suite("Wording of messages")
struct WordingTests {
  private static func session() async throws -> TestSession {
    let session = try TestSession()
    for line in [
      "schema create user --user", "schema create todo title:text! full_name:text priority:integer",
      "schema create photo image:file name:text", "save photo p1 name=a",
    ] { _ = await session.run(line) }
    return session
  }

  @Test("reports in schema diff that the files lack the user schema to which another schema refers")
  func droppedUsers() async throws {
    let session = try TestSession()
    _ = await session.run("schema create user --user")
    _ = await session.run("schema create todo owner:user")
    try session.write(
      "schemas/todo.json",
      TestSession.schema("todo", #", "owner": {"type": "relation", "to": "user"}"#))
    #expect(
      await session.run("schema diff schemas")
        == Outcome(
          status: 1, output: "- schema user\n",
          errors: """
            datactl: the files and sqlite:\(session.folder)/shop.db differ in 1 place
              see the steps: datactl schema plan

            """))
  }

  @Test("names the file that declares a second user schema")
  func secondUsers() async throws {
    let session = try await Self.session()
    try session.write(
      "member.json",
      #"{"schema": "member", "kind": "user", "fields": {"name": {"type": "id"}, "secret": {"type": "password"}}}"#
    )
    #expect(
      await session.run("schema apply member.json")
        == Outcome(
          status: 6, output: "",
          errors: """
            datactl: member.json:1: member: a store can have at most one user schema, and this store \
            already has user
              add the fields to user, or declare the schema without "kind"

            """))
  }

  @Test(
    "suggests the right command line, such as `datactl list SCHEMA` for `ls`",
    arguments: [
      ("save todo title=a fullName=b full_name=c", "assigned twice, as fullName and as full_name"),
      ("list todo --distinct title -o ids", "the formats of distinct values are json"),
      ("get photo p1 --content image", "photo p1: the record has no file in image"),
      ("get photo p2 --content image", "photo p2: there is no such record"),
      ("list todo --store :memory:", "write memory: for an in-memory store"),
      ("insert todo", "write datactl save SCHEMA FIELD=VALUE"),
      ("ls", "write datactl list SCHEMA"), ("schema new todo", "write datactl schema create"),
      ("version", "write datactl --version"), ("list todo --json", "write --output json"),
      ("help exit-status", "datactl help exit-codes"),
      ("list todo --offset 5", "write --after TOKEN"), ("list todo id=5", "did you mean todo_id?"),
      ("schema create a x:string", "did you mean text?"), ("schema create a x:enum", "one_of"),
      ("schema create a x:float+", "did you mean number?"), ("list todo title~x", "title like"),
      ("list todo priority>1", "--where \"priority > 1\""),
      ("list todo --order title desc", "write --order=-FIELD"),
      ("list user created_at=1", "datetime"), ("list todo k3", "datactl get todo k3"),
      ("list todo --order sum_priority", "pass --sum priority"),
      ("list todo --group-by title --order sum_priority", "pass --sum priority"),
    ])
  func words(line: String, words: String) async throws {
    let run = await (try await Self.session()).run(line)
    #expect(run.status != 0)
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test("suggests true and false when a boolean is given as 1 or 0")
  func booleans() async throws {
    let session = try TestSession()
    _ = await session.run("schema create todo done:boolean")
    let condition = await session.run(["list", "todo", "--where", "done = 1"])
    #expect(condition.errors.hasSuffix("  write done = true\n"), "\(condition.errors)")
    let operand = await session.run("list todo done=0")
    #expect(operand.errors.hasSuffix("  write done=false\n"), "\(operand.errors)")
  }

  @Test("reports a field that is given twice, as the property fullName and as full_name")
  func properties() async throws {
    let session = try await Self.session()
    let both = #"{"title":"a","fullName":"b","full_name":"c"}"#
    let save = await session.run("save todo", input: both)
    #expect(save.errors.contains("fullName and full_name are the same field in a record"))
    let same = await session.run("save todo", input: #"{"title":"a","title":"b"}"#)
    #expect(same.errors.contains("title: duplicate field in a record"), "\(same.errors)")
  }

  @Test("names the store in the message after records are deleted with --where or --all")
  func deletions() async throws {
    let session = try await Self.session()
    let matching = await session.run("delete photo --where photo_id='none' --yes")
    #expect(matching.errors == "0 deleted from sqlite:\(session.folder)/shop.db\n")
    let all = await session.run("delete photo --all --yes")
    #expect(all.errors == "1 deleted from sqlite:\(session.folder)/shop.db\n")
  }

  @Test("repeats the --from option in the suggested command when an exported file is out of date")
  func checks() async throws {
    let session = try await Self.session()
    try session.write("schemas/a.json", TestSession.schema("a"))
    try session.write("old.json", "{}")
    let check = await session.run("schema export --from schemas --check old.json")
    #expect(check.errors.contains("datactl schema export --from schemas --format json > FILE"))
  }

  @Test("prints the path of a schema file relative to the working folder in a lint warning")
  func paths() async throws {
    let session = try TestSession()
    try session.write("datactl.json", #"{"schemas": "schemas"}"#)
    try session.write("schemas/a.json", TestSession.schema("a"))
    let lint = await session.run("schema lint")
    #expect(lint.output.hasPrefix("schemas/a.json:1: warning: "), "\(lint.output)")
  }

  @Test("warns about a pattern with an anchor, in schema lint and schema apply")
  func patterns() async throws {
    let session = try TestSession()
    try session.write(
      "schemas/a.json",
      TestSession.schema("a", #", "code": {"type": "text", "pattern": "^[A-Z]+$"}"#))
    let warning = """
      in the pattern ^[A-Z]+$, ^ and $ match only these characters, not the start and end of the \
      text
      """
    let lint = await session.run("schema lint schemas")
    #expect(lint.status == 1)
    #expect(lint.output.contains("\(warning) [anchored-pattern]"), "\(lint.output)")
    let apply = await session.run("schema apply schemas")
    #expect(apply.status == 0)
    #expect(apply.errors.hasPrefix("a.code: \(warning)\n"), "\(apply.errors)")
  }

  @Test("explains how to correct a misused option, function or inverse relation")
  func otherForms() async throws {
    let session = try TestSession()
    _ = await session.run("schema create item title:text stock:integer")
    let drop = await session.run("schema drop item --yes").errors
    #expect(drop.contains("to lose records, schema commands need --allow-loss NAME"), "\(drop)")
    let groups = await session.run("list item --group-by stock -o xml").errors
    #expect(groups.contains("the formats of groups are json, "), "\(groups)")
    let function = await session.run(["list", "item", "--where", "lower(title) like lower(title)"])
    #expect(function.errors.contains("a function can be used only on the left side"))
    let relation = #", "item": {"type": "relation", "to": "item", "inverse": "parts"}"#
    let part = TestSession.schema("part", relation)
    #expect(await session.run("schema apply -", input: part).status == 0)
    for path in ["parts", "parts.revision"] {
      let inverse = await session.run("list item --fields \(path)").errors
      #expect(
        inverse.contains("parts is the inverse of part.item: ")
          && inverse.contains("pass --expand parts\n"), "\(inverse)")
    }
    let wrapped = await session.run("schema infer c", input: #"{"3166-1":[{"a":1}]}"#).errors
    #expect(wrapped.contains(#"a map that contains "records": "3166-1[]""#), "\(wrapped)")
  }

  @Test("reports one error when an object only encloses the records in an array")
  func wrappedRecords() async throws {
    let session = try TestSession()
    _ = await session.run("schema create land name:text! alpha_3:text")
    let input = #"{"3166-1":[{"alpha_2":"AW","alpha_3":"ABW","name":"Aruba"}]}"#
    let hint = """
        extract the records: jq -c '.["3166-1"][]', or pass --map with a map that contains \
      "records": "3166-1[]"

      """
    for options in ["", " --key alpha_2 --skip flag"] {
      let saved = await session.run("save land" + options, input: input)
      #expect(
        saved.errors
          == "datactl: standard input:1: land has no field 3166-1\n\(hint)")
    }
    for line in ["save land --infer", "schema infer land --key alpha_2 --skip flag"] {
      let errors = await session.run(line, input: input).errors
      #expect(errors.contains("the only record is an object") && errors.contains(hint), "\(errors)")
    }
    let other = await session.run("save land", input: #"{"name":"x","items":[{}],"b":1}"#)
    #expect(other.errors.contains("no field items") && other.errors.contains("no field b"))
  }

  @Test("orders the errors of a document that is read with a map as in the document")
  func mapOrder() async throws {
    let session = try TestSession()
    _ = await session.run("schema create item name:text! price:integer at:datetime amount:integer")
    try session.write(
      "map.json",
      #"""
      {"map": "m", "schema": "item", "names": "same", "system": {},
       "fields": {"item_id": "id", "amount": "a.amount"}}
      """#)
    let members = [
      #""id":"x""#, #""u":1"#, #""price":"x""#, #""v":1"#, #""at":"never""#,
      #""a":{"w":2,"amount":"q","y":3}"#, #""name":7"#, #""z":1"#,
    ]
    let order = ["u", "price", "v", "at", "a.w", "a.amount", "a.y", "name", "z"]
    for separator in [",", ",\n"] {
      let errors = await session.run(
        "save item --map map.json", input: "[{\(members.joined(separator: separator))}]"
      ).errors
      let paths = errors.split(separator: "\n").compactMap { line in
        line.split(separator: "$[0].").dropFirst().first?.prefix { $0 != ":" }.description
      }
      #expect(paths == order, "\(errors)")
    }
  }

  @Test("says in help that desc sorts in descending order, and writes relations without an article")
  func words() async throws {
    let session = try TestSession()
    let help = await session.run("help list").output
    #expect(help.contains("--order 'n desc'"), "\(help)")
    let split = await session.run(
      "schema infer order --split", input: #"[{"id":"a","customer":{"name":"x"}}]"#)
    #expect(
      split.errors.contains(
        "order.customer: a relation to order_customer; save takes an id, or an object with --deep"),
      "\(split.errors)")
  }

  @Test("accepts no --yes in schema drop, which needs the name of the schema")
  func dropConsent() async throws {
    let session = try TestSession()
    _ = await session.run("schema create todo title:text")
    for line in ["schema drop --yes", "schema drop todo --yes"] {
      let drop = await session.run(line)
      #expect(drop.status == 2)
      #expect(drop.errors.contains("schema drop has no option --yes"), "\(drop.errors)")
    }
    #expect(await session.run("schema list -o ids").output == "todo\n")
  }

  @Test("suggests a rename when one field is dropped and another is added")
  func renames() async throws {
    let session = try TestSession()
    _ = await session.run("schema create todo title:text")
    try session.write(
      "schemas/todo.json", TestSession.schema("todo", #", "heading": {"type": "text"}"#))
    let plan = await session.run("schema plan schemas")
    #expect(
      plan.errors == """
        If heading is the new name of todo.title, rename it first: \
        datactl schema rename todo.title heading

        """)
    try session.write(
      "schemas/todo.json", TestSession.schema("todo", #", "at": {"type": "geopoint"}"#))
    #expect(await session.run("schema plan schemas").errors == "")
  }
}

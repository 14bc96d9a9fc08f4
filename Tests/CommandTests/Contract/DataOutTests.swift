import Foundation
import PostgresHarness
import ProgramHarness
import Testing

@Suite("Conventions: output data")
struct DataOutTests {
  @Test(
    "prints identical output for a store in a file and for a store in PostgreSQL", .contract(38),
    arguments: Subject.withoutServer)
  func sameBytes(_ subject: Subject) throws {
    try subject.checkContract(38) { folder in
      let records = Input.text(
        """
        {"todo_id":"a","title":"tea","done":false,"priority":1,"price":4.5,"due":"2026-11-20"}
        {"todo_id":"b","title":"é\\n\\"","tags":["x",""]}

        """)
      let stamps =
        #","created_at":"2026-01-01T00:00:00Z","modified_at":"2026-01-02T00:00:00Z","revision":3}"#
      var outputs: Set<String> = []
      let server = try PostgresServer.shared.get()
      let database = try server.newDatabase()
      defer { try? server.drop(database) }
      for address in [
        "sqlite:one.db", "two.db", "sqlite:\(folder.path("three.db"))", server.address(database),
      ] {
        let program = folder.program.with(["DATACTL_STORE": address])
        try program.run(["schema", "create", "todo"] + SampleCommands.todoFields).exits(0)
        try program.run(["save", "todo", "-o", "none"], input: records).exits(0)
        try program.run(
          ["save", "todo", "--keep-system-fields", "-o", "none"],
          input: .text(#"{"todo_id":"c","title":"kept""# + stamps)
        ).exits(0)
        var output = try program.run(["get", "todo", "c"]).exits(0).output
        for format in ["json", "ndjson", "csv", "ids", "table"] {
          output += try program.run(
            ["list", "todo", "-o", format, "--fields", "title,done,priority,price,due,tags"]
          ).exits(0).output
        }
        outputs.insert(output)
      }
      guard outputs.count == 1 else { throw Violation("the outputs differ: \(outputs)") }
    }
  }

  @Test(
    "prints times in UTC and keys in a fixed order, whatever the locale", .contract(39),
    arguments: Subject.inTier)
  func noLocale(_ subject: Subject) throws {
    try subject.checkContract(39) { folder in
      try folder.createTodoSchema()
      try folder.run(
        "save", "todo", "a", "title=tea", "price=1234.5", "due=2026-11-20T05:05:00+02:00", "-o",
        "none"
      ).exits(0)
      let expected = """
        {"todo_id":"a","title":"tea","done":null,"priority":null,"price":1234.5,\
        "due":"2026-11-20T03:05:00.000Z","tags":null,"created_at":
        """
      for variables in [["TZ": "Asia/Tokyo"], ["LC_ALL": "de_DE.UTF-8"], ["LANG": "tr_TR"], [:]] {
        let run = try folder.program.with(variables.mapValues { $0 }).run(["get", "todo", "a"])
        try run.exits(0).requires(run.output.hasPrefix(expected), "\(expected)… was expected")
      }
      let record = try folder.run("get", "todo", "a").exits(0)
      let order = ["created_at", "created_by", "modified_at", "modified_by", "revision"]
      let positions = order.map { key in record.output.range(of: "\"\(key)\":")?.lowerBound }
      try record.requires(
        zip(positions, positions.dropFirst()).allSatisfy {
          ($0 ?? record.output.endIndex) < ($1 ?? record.output.startIndex)
        },
        "the system fields were expected in their order")
    }
  }

  @Test("prints CSV that conforms to RFC 4180", .contract(40), arguments: Subject.inTier)
  func csv(_ subject: Subject) throws {
    try subject.checkContract(40) { folder in
      try folder.createTodoSchema()
      try folder.prepare(
        "save", "todo",
        input: .text(#"{"todo_id":"a","title":"one, \"two\"\nthree","tags":["x","y"]}"#))
      try folder.prepare("save", "todo", "b", "title=")
      let run = try folder.run("list", "todo", "-o", "csv", "--fields", "title,price,tags").exits(0)
      let rows = [
        "todo_id,title,price,tags", "a,\"one, \"\"two\"\"\nthree\",,\"[\"\"x\"\",\"\"y\"\"]\"",
        "b,\"\",,",
      ]
      try run.requires(
        [rows.joined(separator: "\r\n") + "\r\n", rows.joined(separator: "\n") + "\n"]
          .contains(run.output), "RFC 4180 was expected")
      try folder.write("list.csv", run.output)
      let read = try folder.tool(
        "sqlite3", ":memory:", ".import --csv list.csv t", "select count(*), max(title) from t")
      try read.requires(read.output.hasPrefix("2|one, \"two\"\nthree"), "two rows were expected")
    }
  }
}

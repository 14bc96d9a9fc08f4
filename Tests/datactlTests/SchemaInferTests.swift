import Testing
import datactl

@Suite("Output of schema infer")
struct SchemaInferTests {
  @Test("prints the schema to stdout and the explanations to stderr")
  func report() async {
    let records = """
      {"id":1,"title":"Buy tea","dueDate":"2026-12-24","price":4,"zip":"007","note":null}
      {"id":2,"title":"Sleep","price":4.5,"zip":"8001","place":{"lat":47.37,"lon":8.54}}
      {"id":3,"URLPath":"/x","mixed":1,"price":null}
      {"id":4,"mixed":"n/a"}

      """
    let testConsole = TestConsole(input: MemoryChannel([records]))
    #expect(await testConsole.run("schema", "infer", "todo") == 0)
    #expect(
      testConsole.output.text == """
        {
          "schema": "todo",
          "fields": {
            "todo_id": {"type": "id"},
            "title": {"type": "text"},
            "due_date": {"type": "date"},
            "price": {"type": "number"},
            "zip": {"type": "text"},
            "place": {"type": "geopoint"},
            "url_path": {"type": "text"},
            "mixed": {"type": "json"}
          },
          "properties": {"id": "todo_id", "URLPath": "url_path"}
        }

        """)
    #expect(
      testConsole.errors.text == """
        todo: 4 records
        field               type      nulls  missing  example                   other types
        todo_id (id)        id            0        0  1                         4 integer (line 1: 1)
        title               text          0        2  "Buy tea"
        due_date (dueDate)  date          0        3  "2026-12-24"
        price               number        1        1  4.5                       1 integer (line 1: 4)
        zip                 text          0        2  "007"
        note                -             1        3
        place               geopoint      0        3  {"lat":47.37,"lon":8.54}
        url_path (URLPath)  text          0        3  "/x"
        mixed               json          0        2  1                         \
        1 integer (line 3: 1), 1 text (line 4: "n/a")
        todo_id: the primary key, from id, which is unique
        todo_id: integers become text, like all ids
        mixed: json, which keeps integer and text unchanged
        note: only null values, so no field is declared; save rejects keys without a field
          remove the keys with: jq -c 'del(.["note"])'

        """)
  }

  @Test("prints only the schema with --quiet")
  func quiet() async {
    let testConsole = TestConsole(input: MemoryChannel(["a\n1\n"]))
    #expect(await testConsole.run("schema", "infer", "todo", "-q") == 0)
    #expect(testConsole.errors.text == "")
    #expect(testConsole.output.text.hasPrefix("{\n  \"schema\": \"todo\",\n"))
  }

  @Test(
    "exits with 2 if the schema's name is missing, and with 6 if the name is invalid",
    arguments: [
      (["schema", "infer"], 2, "datactl: expected the name of the schema\n"),
      (["schema", "infer", "-"], 2, "datactl: expected the name of the schema\n"),
      (["schema", "infer", "/x/123.json"], 2, "datactl: not usable as a schema name: \"123\"\n"),
      (
        ["schema", "infer", "Todo"], 6,
        "datactl: Todo: not a valid name: use lowercase letters, digits and underscores"
      ),
      (["schema", "infer", "todo", "/nowhere/a.csv"], 3, "datactl: /nowhere/a.csv: "),
      (["schema", "infer", "todo", "a.csv", "--file", "b.csv"], 2, "datactl: FILE and --file"),
    ])
  func names(words: [String], status: Int32, message: String) async {
    let testConsole = TestConsole(input: MemoryChannel(["{\"a\":1}"]))
    let console = testConsole.console(words)
    #expect(await Program.run(on: console) == status)
    #expect(testConsole.errors.text.hasPrefix(message), "\(testConsole.errors.text)")
    #expect(testConsole.output.text == "")
  }
}

import Foundation
import Synchronization
import TestSupport
import Testing
import datactl

@Suite("Commands for records and stores")
struct StoreCommandTests {
  /// A temporary folder with a store, in which each command line runs with a new console.
  private final class Shop {
    private let files: TemporaryFolder

    init() throws {
      files = try TemporaryFolder()
    }

    var folder: String { files.path }

    /// Runs a command line, with the given stdin and with or without terminals.
    func run(
      _ line: String, input: MemoryChannel = MemoryChannel(),
      output: MemoryChannel = MemoryChannel(),
      errors: MemoryChannel = MemoryChannel(), signal: Signal? = nil,
      stopwatch: @escaping @Sendable () -> Double = { 0 }
    ) async -> Outcome {
      let testConsole = TestConsole(
        input: input, output: output, errors: errors,
        environment: ["DATACTL_STORE": "shop.db", "XDG_CONFIG_HOME": folder + "/config"],
        folder: folder, signal: signal, stopwatch: stopwatch)
      let words = line.split(separator: " ").map(String.init)
      let status = await Program.run(on: testConsole.console(words))
      return Outcome(status: status, output: output.text, errors: errors.text)
    }
  }

  private struct Outcome: Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  private func shopWithTea() async throws -> Shop {
    let shop = try Shop()
    let made = await shop.run(
      "schema create item title:text! price:number stock:integer tags:text+ due:datetime")
    #expect(made == Outcome(status: 0, output: "", errors: "Schema item created.\n"))
    let saved = await shop.run(
      "save item -o none",
      input: MemoryChannel([
        #"{"item_id":"tea","title":"Tea","price":4.5,"stock":9007199254740993,"tags":["hot"]}"#,
        "\n", #"{"item_id":"mug","title":"","due":"2026-11-20"}"#,
      ]))
    #expect(saved == Outcome(status: 0, output: "", errors: "2 saved: 2 new\n"))
    return shop
  }

  private static let stamp =
    #""created_at":"2026-11-20T03:05:00.000Z","created_by":null,"#
    + #""modified_at":"2026-11-20T03:05:00.000Z","modified_by":null,"revision":1}"#
  private static let tea =
    #"{"item_id":"tea","title":"Tea","price":4.5,"stock":9007199254740993,"tags":["hot"],"#
    + #""due":null,"# + stamp + "\n"
  private static let mug =
    #"{"item_id":"mug","title":"","price":null,"stock":null,"tags":null,"#
    + #""due":"2026-11-20T00:00:00.000Z","# + stamp + "\n"

  @Test("gets records in the given order and reports missing ids")
  func get() async throws {
    let shop = try await shopWithTea()
    let two = await shop.run("get item tea none mug")
    #expect(
      two
        == Outcome(
          status: 3, output: Self.tea + Self.mug,
          errors: "datactl: item none: there is no such record\n"))
    let piped = await shop.run("get item - -o ids", input: MemoryChannel(["mug\r\n\ntea"]))
    #expect(piped == Outcome(status: 0, output: "mug\ntea\n", errors: ""))
  }

  @Test("prints one object for one id, and an array for several ids, with get -o json")
  func getJSON() async throws {
    let shop = try await shopWithTea()
    #expect(await shop.run("get item mug -o json").output == Self.mug)
    #expect(
      await shop.run("get item mug tea -o json").output
        == "[\n" + Self.mug.dropLast() + ",\n" + Self.tea.dropLast() + "\n]\n")
  }

  @Test("lists records in every output format")
  func list() async throws {
    let shop = try await shopWithTea()
    #expect(await shop.run("list item").output == Self.mug + Self.tea)
    #expect(await shop.run("list item --count").output == "2\n")
    #expect(await shop.run("list item --count -o json").output == "{\"count\":2}\n")
    #expect(await shop.run("list item --order -title -o ids").output == "tea\nmug\n")
    #expect(
      await shop.run("list item --fields stock,title -o csv").output
        == "item_id,stock,title\r\nmug,,\"\"\r\ntea,9007199254740993,Tea\r\n")
    #expect(
      await shop.run("list item --fields stock,title -o table").output == """
        item_id             stock  title
        mug
        tea      9007199254740993  Tea

        """)
    #expect(await shop.run("list item -o none").output == "")
  }

  @Test(
    "filters records by FIELD=VALUE, also by array elements, and by null or empty text with FIELD=")
  func equalities() async throws {
    let shop = try await shopWithTea()
    #expect(await shop.run("list item title=Tea price=4.5 -o ids").output == "tea\n")
    #expect(await shop.run("list item tags=hot -o ids").output == "tea\n")
    #expect(await shop.run("list item due=2026-11-20 -o ids").output == "mug\n")
    #expect(await shop.run("list item price= -o ids").output == "mug\n")
    #expect(await shop.run("list item title= -o ids").output == "mug\n")
    #expect(await shop.run("list item revision=1 --count").output == "2\n")
    #expect(await shop.run("list item stock=much").status == 6)
    let unknown = await shop.run("list item titel=x")
    #expect(
      unknown
        == Outcome(
          status: 2, output: "", errors: "datactl: item has no field titel\n  did you mean title?\n"
        ))
  }

  @Test("prints a list as a table, and a single record as indented JSON, on a terminal")
  func terminal() async throws {
    let shop = try await shopWithTea()
    let table = MemoryChannel(isTerminal: true, columns: 20)
    #expect(await shop.run("list item", output: table).status == 0)
    #expect(
      table.text == """
        \u{1B}[1mitem_id  title  pri…\u{1B}[22m
        \u{1B}[36mmug\u{1B}[39m                …
        \u{1B}[36mtea\u{1B}[39m      Tea      4…

        """)
    let record = MemoryChannel(isTerminal: true)
    #expect(await shop.run("get item mug --fields title,tags", output: record).status == 0)
    #expect(
      record.text == """
        {
          "item_id": "mug",
          "title": "",
          "tags": null
        }

        """)
  }

  @Test("prints the first five saved records and the number of all saved records to a terminal")
  func saveOnTerminal() async throws {
    let shop = try await shopWithTea()
    let table = MemoryChannel(isTerminal: true, columns: 8)
    let text = (1...5_000).map { #"{"item_id":"\#($0)","title":"t"}"# + "\n" }.joined()
    let run = await shop.run("save item", input: MemoryChannel([text]), output: table)
    #expect(
      run.errors.hasSuffix("Only the first 5 records are shown.\n5,000 saved: 5,000 new\n"))
    #expect(
      table.text.split(separator: "\n").dropFirst().map { $0.dropFirst(5).prefix(1) } == [
        "1", "2", "3", "4", "5",
      ])
  }

  @Test("prints the saved records, and how many were created, changed or unchanged")
  func save() async throws {
    let shop = try await shopWithTea()
    let saved = await shop.run("save item tea stock-=3 tags+=green -o json")
    #expect(saved.errors == "1 saved: 1 changed\n")
    #expect(saved.output.contains(#""stock":9007199254740990,"tags":["hot","green"]"#))
    let again = await shop.run("save item", input: MemoryChannel([Self.mug]))
    #expect(again == Outcome(status: 0, output: Self.mug, errors: "1 saved: 1 the same\n"))
    let nothing = await shop.run("save item")
    #expect(
      nothing == Outcome(status: 0, output: "", errors: "Nothing to save: no records.\n"))
  }

  @Test("shows the progress of a slow save on a terminal while the input arrives")
  func progress() async throws {
    let shop = try await shopWithTea()
    let errors = MemoryChannel(isTerminal: true)
    let time = Mutex(0.0)
    let saved = await shop.run(
      "save item -o none",
      input: MemoryChannel((1...4).map { #"{"item_id":"\#($0)","title":"x"}"# + "\n" }),
      errors: errors,
      stopwatch: {
        time.withLock { time in
          time += 0.5
          return time
        }
      })
    let lines = errors.text.split(separator: "\r\u{1B}[K").map(String.init)
    #expect(lines.first?.hasPrefix("1 record, ") == true)
    #expect(lines.contains { $0.hasPrefix("3 records, ") })
    #expect(errors.text.hasSuffix("\r\u{1B}[K4 saved: 4 new\n"))
    #expect(saved.status == 0)
  }

  @Test("reports the changes of a dry run without making them")
  func dryRun() async throws {
    let shop = try await shopWithTea()
    let dry = await shop.run("save item jug title=Jug --dry-run -o ids")
    #expect(dry == Outcome(status: 0, output: "jug\n", errors: "1 would be saved: 1 new\n"))
    #expect(await shop.run("list item --count").output == "2\n")
  }

  @Test("reports all problems of a save at once and saves nothing")
  func invalid() async throws {
    let shop = try await shopWithTea()
    let wrong = await shop.run(
      "save item",
      input: MemoryChannel([
        #"{"item_id":"a","title":"A"}"#, "\n", #"{"item_id":"b","price":"4 euro"}"#, "\n",
        #"{"item_id":"c"}"#,
      ]))
    #expect(
      wrong
        == Outcome(
          status: 6, output: "",
          errors: """
            datactl: standard input:2: price: expected number, found text "4 euro"
            datactl: standard input:2: title: required
            datactl: standard input:3: title: required

            """))
    #expect(await shop.run("list item --count").output == "2\n")
  }

  @Test("saves valid records with --skip-invalid and writes invalid ones to --rejects")
  func rejects() async throws {
    let shop = try await shopWithTea()
    let outcome = await shop.run(
      "save item --skip-invalid --rejects rejects.ndjson -o ids",
      input: MemoryChannel([
        #"{"item_id":"a","title":"A"}"#, "\n", #"{"item_id":"b"}"#, "\n",
      ]))
    #expect(
      outcome
        == Outcome(
          status: 6, output: "a\n",
          errors: """
            1 saved: 1 new
            1 × title: required (first: line 2)
            datactl: 1 record not saved
              the record was written to rejects.ndjson, with its errors

            """))
    let kept = try String(contentsOfFile: shop.folder + "/rejects.ndjson", encoding: .utf8)
    #expect(kept.hasPrefix(#"{"text":"{\"item_id\":\"b\"}","problems":"#))
    #expect(kept.hasSuffix("]}\n"))
  }

  @Test("saves nothing and exits with 130 when interrupted")
  func interruption() async throws {
    let shop = try await shopWithTea()
    let stopped = await shop.run(
      "save item", input: MemoryChannel([#"{"item_id":"x","title":"X"}"#]), signal: .interrupt)
    #expect(
      stopped
        == Outcome(status: 130, output: "", errors: "datactl: interrupted: nothing was saved\n"))
    #expect(await shop.run("get item tea", signal: .terminate).status == 143)
    #expect(await shop.run("list item --count").output == "2\n")
  }

  @Test("reports the outcome and exits with 0 when a signal arrives after the commit")
  func lateInterruption() async throws {
    let shop = try await shopWithTea()
    #expect(
      await shop.run("delete item tea", signal: .interrupt)
        == Outcome(status: 0, output: "", errors: "1 deleted\n"))
    #expect(
      await shop.run("schema create note text:text", signal: .terminate)
        == Outcome(status: 0, output: "", errors: "Schema note created.\n"))
    #expect(
      await shop.run("delete item --all --dry-run", signal: .interrupt)
        == Outcome(
          status: 0, output: "", errors: "1 would be deleted from sqlite:\(shop.folder)/shop.db\n"))
    #expect(await shop.run("schema list -o ids").output == "item\nnote\n")
  }

  @Test("names the store and the number of records when delete --all asks for confirmation")
  func delete() async throws {
    let shop = try await shopWithTea()
    #expect(await shop.run("delete item").status == 2)
    #expect(await shop.run("delete item tea none").status == 3)
    let silent = await shop.run("delete item --all")
    #expect(silent.status == 2)
    #expect(silent.errors.contains("--yes"))
    let asked = MemoryChannel(isTerminal: true)
    let refused = await shop.run(
      "delete item --all", input: MemoryChannel(["n\n"], isTerminal: true), errors: asked)
    #expect(refused.status == 1)
    #expect(asked.text.contains("Really delete all 2 records of item in "))
    #expect(asked.text.contains("shop.db? [y/N] "))
    #expect(await shop.run("list item --count").output == "2\n")
    let dry = await shop.run("delete item --all --dry-run")
    #expect(
      dry
        == Outcome(
          status: 0, output: "", errors: "2 would be deleted from sqlite:\(shop.folder)/shop.db\n"))
    let gone = await shop.run("delete item tea none --if-exists")
    #expect(gone == Outcome(status: 0, output: "", errors: "1 deleted\n"))
    #expect(
      await shop.run("delete item --all --yes").errors
        == "1 deleted from sqlite:\(shop.folder)/shop.db\n")
    #expect(await shop.run("list item").output == "")
  }

  @Test("requires --allow-loss with the schema name when schema drop would delete records")
  func drop() async throws {
    let shop = try await shopWithTea()
    let refused = await shop.run("schema drop item")
    #expect(refused.status == 5)
    #expect(refused.errors.hasPrefix("datactl: item: 2 records would be lost in sqlite:"))
    #expect(refused.errors.contains("pass --allow-loss item"))
    let dry = await shop.run("schema drop item --dry-run")
    #expect(dry == refused)
    let confirmed = await shop.run("schema drop item --dry-run --allow-loss item")
    #expect(confirmed == Outcome(status: 0, output: "drop schema item\n", errors: ""))
    let dropped = await shop.run("schema drop item --allow-loss item")
    #expect(dropped == Outcome(status: 0, output: "", errors: "Schema item dropped.\n"))
    #expect(await shop.run("schema list").output == "")
  }

  @Test("changes nothing when schema files exported from a store are applied to the same store")
  func export() async throws {
    let shop = try await shopWithTea()
    let out = await shop.run("schema export schemas")
    #expect(out == Outcome(status: 0, output: "", errors: "1 file written to schemas\n"))
    let shown = await shop.run("schema show item")
    #expect(
      try String(contentsOfFile: shop.folder + "/schemas/item.json", encoding: .utf8)
        == shown.output)
    #expect(await shop.run("schema export").output == shown.output)
    let again = await shop.run("schema apply schemas")
    #expect(
      again
        == Outcome(
          status: 0, output: "", errors: "Nothing to change: the store already has these schemas.\n"
        ))
    #expect(
      await shop.run("schema list").output
        == "{\"schema\":\"item\",\"kind\":\"records\",\"fields\":6,\"doc\":null}\n")
  }

  @Test("reports a missing store when reading, and creates nothing")
  func missing() async throws {
    let shop = try Shop()
    for line in ["list item", "get item a", "schema list", "whoami"] {
      #expect(await shop.run(line).status == 7)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: shop.folder) == [])
  }

  @Test("completes names of schemas and fields, and prints nothing when completion fails")
  func completion() async throws {
    let shop = try await shopWithTea()
    #expect(
      await shop.run("completion candidates 1 -- list it").output == "word\titem\t\n")
    #expect(
      await shop.run("completion candidates 3 -- list item --order pr").output
        == "word\tprice\tnumber\n")
    #expect(
      await shop.run("completion candidates 3 -- list item --where (stock>1)or(pr").output
        == "part\t(stock>1)or(price\tnumber\n")
    #expect(
      await shop.run("completion candidates 3 -- list item --group-by title,st").output
        == "word\ttitle,stock\tinteger\n")
    let empty = try Shop()
    #expect(
      await empty.run("completion candidates 1 -- list it")
        == Outcome(status: 0, output: "", errors: ""))
  }
}

import Foundation
import Glibc
import PostgresHarness
import ProgramHarness
import TestSupport
import Testing

@Suite("A store on a server", .tags(.process), .from(.test))
struct RemoteStoreTests {
  /// A command line, and what is connected to its standard streams.
  private struct Line {
    var arguments: [String]
    var input = Input.nothing
    var output = Output.captured
    var errors = Output.captured
    var variables: [String: String] = [:]
    var status: Int32 = 0

    init(_ status: Int32, _ words: String..., input: Input = .nothing) {
      self.status = status
      arguments = words
      self.input = input
    }

    func on(
      output: Output = .captured, errors: Output = .captured, with variables: [String: String] = [:]
    ) -> Line {
      var line = self
      (line.output, line.errors, line.variables) = (output, errors, variables)
      return line
    }
  }

  @Test("rejects a record of more than 96 MiB, which a local command accepts", .tags(.slow))
  func longRecord() throws {
    let pair = try RemotePair()
    let content = String(repeating: "AAAA", count: 26_000_000)
    let record = #"{"title":"x","photo":{"name":"a","data":"\#(content)"}}"#
    let save = ["save", "todo", "-o", "none"]
    try pair.local.program.run(save, input: .text(record)).exits(0)
    try pair.remote.program.run(save, input: .text(record)).exits(6).reports(
      "a record exceeds 96 MiB of text")
  }

  @Test(
    "reports saved and invalid records even if the output or the rejects file cannot be written")
  func failedOutput() throws {
    let pair = try RemotePair()
    try pair.write(
      "new.ndjson",
      """
      {"todo_id":"n1","title":"x"}
      {"todo_id":"n2","title":5}
      {"todo_id":"n3","title":"y"}

      """)
    let save = ["save", "todo", "-f", "new.ndjson", "--skip-invalid"]
    for options in [["--rejects", "/dev/full", "-o", "none"], ["--rejects", "/dev/full"]] {
      try pair.compare(save + options).exits(1).reports(
        "/dev/full: No space left on device", "new.ndjson:2: title: expected text, found number 5",
        "2 records are saved, but the output is incomplete")
    }
    for options in [[], ["--rejects", "bad"]] {
      try pair.compare(save + options, output: .file("/dev/full")).exits(1).reports(
        "standard output: No space left on device", "title: expected text, found number 5",
        "2 records are saved, but the output is incomplete")
    }
    for options in [[], ["--rejects", "bad"], ["--dry-run"]] {
      try pair.compare(save + options + ["--errors", "json"], output: .file("/dev/full")).exits(1)
    }
    try pair.compare(save + ["-o", "none"], errors: .file("/dev/full"))
  }

  private func compare(_ lines: [Line], on pair: RemotePair) {
    for line in lines {
      do {
        try pair.compare(
          line.arguments, input: line.input, output: line.output, errors: line.errors,
          with: line.variables
        ).exits(line.status)
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test("prints the same output when ten typical commands use a server as when they use a file")
  func smoke() throws {
    let pair = try RemotePair()
    try pair.write("in.csv", "todo_id,title,stock\np,Pen,1\nq,,2\n")
    compare(
      [
        Line(0, "whoami"),
        Line(0, "list", "todo", "-o", "csv"),
        Line(0, "get", "todo", "tea", "--expand", "owner"),
        Line(0, "save", "todo", "tea", "stock-=2", "tags+=x"),
        Line(
          6, "save", "todo", "--file", "in.csv", "--skip-invalid", "--rejects", "bad.ndjson", "-o",
          "none"),
        Line(0, "save", "todo", input: .text(#"{"todo_id":"r","title":"Rice"}"#)),
        Line(0, "delete", "todo", "p"),
        Line(2, "list", "todo", "titel=x"),
        Line(3, "get", "todo", "none"),
        Line(0, "schema", "create", "note", "text:text!"),
      ], on: pair)
  }

  @Test(
    "prints the same output when list and get use a server as when they use a file", .from(.all))
  func queries() throws {
    let pair = try RemotePair()
    try pair.write(
      "map.json",
      #"{"map":"m","schema":"todo","format":"xml","record":"item","fields":{"todo_id":"@id","title":"name"}}"#
    )
    compare(
      [
        Line(0, "list", "todo"), Line(0, "list", "todo", "-o", "json"),
        Line(6, "list", "todo", "-o", "xml"), Line(0, "list", "todo", "-o", "md"),
        Line(0, "list", "todo", "-o", "ids"), Line(0, "list", "todo").on(output: .terminal),
        Line(0, "list", "todo", "--system").on(output: .terminal(columns: 50)),
        Line(0, "list", "todo").on(output: .terminal, with: ["NO_COLOR": "1"]),
        Line(0, "list", "todo").on(output: .terminal, with: ["COLUMNS": "33"]),
        Line(0, "list", "todo").on(output: .terminal, with: ["TERM": "dumb"]),
        Line(0, "list", "todo", "--limit", "2", "--order", "-title", "-o", "page"),
        Line(0, "list", "todo", "--where", "price > 1 or stock = 0", "--count"),
        Line(0, "list", "todo", "--where", "stock >= :n", "--param", "n=3"),
        Line(0, "list", "todo", "--group-by", "done", "--sum", "price", "-o", "table"),
        Line(0, "list", "todo", "--distinct", "done"),
        Line(0, "list", "todo", "--section-by", "title"),
        Line(0, "list", "todo", "--expand", "owner.boss", "--flatten", "-o", "csv"),
        Line(0, "list", "todo", "--fields", "title,n = length(tags)"),
        Line(0, "list", "todo", "--map", "camel", "-o", "json"),
        Line(
          0, "list", "todo", "--map",
          #"{"map":"m","format":"xml","namespaces":{"p":"urn:p"},"records":"/p:r/p:e","#
            + #""system":{},"fields":{"$key":"@id","title":"p:t[@k='x']/@v"}}"#),
        Line(6, "list", "todo", "--map", "map.json"), Line(3, "list", "todo", "--map", "maps"),
        Line(0, "list", "todo", "--explain"), Line(0, "list", "--function", "open"),
        Line(3, "list", "--function", "opne"), Line(3, "list", "tood"),
        Line(2, "list", "todo", "--where", "pric > 1"),
        Line(2, "list", "todo", "--where", "price >"),
        Line(2, "list", "todo", "--limit", "x"), Line(2, "list", "todo", "--where", "due on 1"),
        Line(2, "list", "todo", "--zone", "Mars/Olympus", "--where", "due on 2026-12-24"),
        Line(0, "get", "todo", "tea").on(output: .terminal), Line(0, "get", "todo", "a b/c"),
        Line(3, "get", "todo", "tea", "none", "milk"), Line(0, "get", "todo", "t1", "--by", "code"),
        Line(0, "get", "todo", "-", input: .text("milk\ntea\n")),
        Line(2, "get", "todo", "-", input: .typed("")),
        Line(6, "get", "todo", "-", input: .text("a\u{1}\n")),
        Line(0, "whoami", "-o", "json"), Line(0, "whoami", "--sessions"),
        Line(0, "access", "root", "read", "person", "ann"),
        Line(1, "access", "--anonymous", "read", "person"),
        Line(2, "access", "ann", "raed", "person"),
        Line(0, "list", "todo", "--quiet"), Line(0, "list", "todo", "--verbose"),
        Line(2, "list", "todo").on(with: ["DATACTL_ERRORS": "x"]),
        Line(3, "get", "todo", "none", "--errors", "json"),
        Line(3, "get", "todo", "none").on(with: ["DATACTL_ERRORS": "json"]),
        Line(2, "list", "todo", "--store", "mysql://y"), Line(2, "lst"), Line(0, "help", "list"),
      ], on: pair)
  }

  @Test(
    "prints the same output when save, batch and delete use a server as when they use a file",
    .from(.all))
  func changes() throws {
    let pair = try RemotePair()
    try pair.write("in.csv", "todo_id,title,stock\np,Pen,1\nq,Quill,2\n")
    try pair.write(
      "bad.ndjson", "{\"todo_id\":\"u\",\"title\":\"u\"}\n{\"todo_id\":\"v\"}\n{\"x\":1}\n")
    try pair.write("cut.json", "[{\"todo_id\":\"u\",\"title\":\"u\"},\n{\"todo_id\":")
    try pair.write(
      "in.xml", "<records schema=\"todo\"><todo todo_id=\"x1\"><title>X</title></todo></records>")
    try pair.write("note.txt", "some text\n")
    try pair.write("ops.ndjson", "{\"save\":\"todo\",\"id\":\"tea\",\"record\":{\"stock\":7}}\n")
    try pair.makeFolder("folder")
    let record = #"{"todo_id":"n1","title":"New"}"#
    compare(
      [
        Line(0, "save", "todo", input: .text(record)),
        Line(0, "save", "todo", "--create", "-o", "none", input: .text(#"{"title":"generated"}"#)),
        Line(5, "save", "todo", "--create", input: .text(record)),
        Line(3, "save", "todo", "none", "--update", "title=x"),
        Line(2, "save", "todo", input: .typed("")), Line(0, "save", "todo"),
        Line(0, "save", "todo", "--file", "in.csv"),
        Line(0, "save", "todo", "-f", "in.csv", "-f", "in.xml", "-o", "ids"),
        Line(0, "save", "todo", "--file", "in.*", "-o", "none"),
        Line(3, "save", "todo", "--file", "zz*"), Line(3, "save", "todo", "--file", "none"),
        Line(7, "save", "todo", "--file", "folder"),
        Line(6, "save", "todo", "--file", "bad.ndjson"),
        Line(6, "save", "todo", "--file", "bad.ndjson", "--skip-invalid"),
        Line(6, "save", "todo", "--file", "bad.ndjson", "--skip-invalid", "--errors", "json"),
        Line(6, "save", "todo", "--file", "bad.ndjson", "--skip-invalid", "--rejects", "r.ndjson"),
        Line(
          6, "save", "todo", "--file", "bad.ndjson", "--skip-invalid", "--rejects", "-", "-o",
          "none"),
        Line(
          1, "save", "todo", "--file", "bad.ndjson", "--skip-invalid", "--rejects", "no/r.ndjson"),
        Line(
          2, "save", "todo", "--file", "bad.ndjson", "--skip-invalid", "--rejects", "bad.ndjson"),
        Line(6, "save", "todo", "--file", "cut.json"),
        Line(0, "save", "todo", "tea", "title=Tea", "price:=4.75", "tags-=hot"),
        Line(0, "save", "todo", "tea", "-o", "diff", "stock=9"),
        Line(0, "save", "todo", "tea", "-o", "diff", "stock=8").on(output: .terminal),
        Line(0, "save", "todo", "tea", "title@=note.txt", "--dry-run"),
        Line(0, "save", "todo", "tea", "title@=-", input: .text("from stdin")),
        Line(3, "save", "todo", "tea", "title@=none"), Line(2, "save", "todo", "tea", "title@="),
        Line(5, "save", "todo", "tea", "revision=1", "stock=1"),
        Line(5, "save", "todo", "milk", "code=t1"), Line(6, "save", "todo", "tea", "price=-1"),
        Line(6, "save", "todo", "tea", "owner=zoe"), Line(2, "save", "todo", "tea", "stok=1"),
        Line(0, "save", "todo", "tea", "photo@=note.txt", "-o", "none"),
        Line(0, "get", "todo", "tea", "--content", "photo"),
        Line(2, "get", "todo", "tea", "--content", "photo").on(output: .terminal),
        Line(3, "get", "todo", "tea", "milk", "--content", "photo", "--into", "out"),
        Line(7, "get", "todo", "tea", "--content", "photo", "--into", "note.txt"),
        Line(0, "list", "todo", "--with-files", "--fields", "photo"),
        Line(
          0, "save", "todo", "--deep",
          input: .text(#"{"todo_id":"d","title":"deep","owner":{"person_id":"eve","name":"Eve"}}"#)),
        Line(
          6, "save", "todo", "--deep",
          input: .text(#"{"todo_id":"d","title":"deep","owner":{"person_id":"zed"}}"#)),
        Line(2, "save", "todo", "--where", "stock = 0", "stock=1"),
        Line(0, "save", "todo", "--where", "stock = 0", "stock=1", "--yes"),
        Line(0, "save", "todo", "--where", "stock = 1", "stock=2", input: .typed("y\n"))
          .on(errors: .terminal),
        Line(1, "save", "todo", "--where", "stock = 2", "stock=3", input: .typed("n\n"))
          .on(errors: .terminal),
        Line(0, "save", "todo", "--file", "in.csv", "--prune", "stock = 2", "--yes"),
        Line(
          0, "save", "todo", "--file", "in.csv", "--prune", "title = 'New'", input: .typed("y\n")
        )
        .on(errors: .terminal),
        Line(0, "save", "todo", "--file", "in.csv", "--commit-every", "1", "-o", "none"),
        Line(0, "save", "thing", "--infer", "--file", "in.csv"),
        Line(0, "batch", "ops.ndjson"), Line(3, "batch", "none"),
        Line(5, "batch", input: .text(#"{"check":"todo","id":"tea","where":"stock = 1"}"#)),
        Line(6, "batch", input: .text("{")), Line(0, "batch", "-n", "ops.ndjson"),
        Line(0, "delete", "todo", "q"), Line(3, "delete", "todo", "q"),
        Line(0, "delete", "todo", "q", "--if-exists"), Line(2, "delete", "todo", "--all"),
        Line(0, "delete", "todo", "-", input: .text("p\n")),
        Line(0, "delete", "todo", "--where", "title = 'X'", input: .typed("y\n")).on(
          errors: .terminal),
        Line(1, "delete", "todo", "--all", input: .typed("\n")).on(errors: .terminal),
        Line(2, "delete", "todo", "--all", input: .typed("")).on(
          errors: .terminal, with: ["CI": "1"]),
        Line(0, "delete", "person", "ann", "--dry-run"),
        Line(0, "delete", "todo", "--all", "--yes"),
        Line(1, "list", "person").on(output: .file("/dev/full")),
        Line(0, "list", "todo", "--count"),
      ], on: pair)
  }

  @Test("says how many records were saved when the output cannot be written")
  func fullDisk() throws {
    let pair = try RemotePair()
    try pair.remote.run("save", "todo", "w", "title=W", output: .file("/dev/full")).exits(1)
      .reports("standard output: No space left", "1 record is saved, but the output is incomplete")
    try pair.remote.run("get", "todo", "w", "--fields", "title").exits(0).printsSomething()
    compare(
      [Line(1, "save", "todo", "v", "title=V", "-o", "json").on(output: .file("/dev/full"))],
      on: pair)
  }

  @Test("reports an error when a command must read stdin but stdin is closed")
  func closedInput() throws {
    let pair = try RemotePair()
    for folder in [pair.local, pair.remote] {
      let program = folder.program.prefixed(["/bin/sh", "-c", #"exec "$@" <&-"#, "sh"])
      try program.run(["save", "todo"]).exits(7).reports("standard input: Bad file descriptor")
    }
  }

  @Test("offers as completions only the schemas, fields and ids that the caller may read")
  func completion() throws {
    let pair = try RemotePair()
    func line(_ words: String...) -> Line {
      var line = Line(0)
      line.arguments = ["completion", "candidates", "\(words.count - 1)", "--"] + words
      return line
    }
    compare(
      [
        line("list", ""), line("get", "todo", ""), line("save", "todo", "st"),
        line("list", "todo", "--where", "owner.n"), line("list", "todo", "--group-by", ""),
        line("list", "--function", ""), line("list", "todo", "--zone", "Europe/Zu"),
        line("lis"), line("list", "todo", "--expand", ""), line("get", "none", ""),
      ], on: pair)
    let fields = line("list", "").arguments
    #expect(try pair.remote.program.run(fields).exits(0).output.contains("todo"))
    let anonymous = try TestFolder(store: pair.server.address)
    #expect(!(try anonymous.program.run(fields).exits(0).output.contains("todo")))
    let silent = try SilentSocket()
    defer { silent.close() }
    for store in ["unix:\(silent.path)", "http://127.0.0.1:1"] {
      let folder = try TestFolder(store: store)
      let run = try folder.program.run(fields).exits(0)
      #expect(run.output.isEmpty && run.errors.isEmpty, "\(run.report)")
    }
  }

  @Test(
    "prints the same output through a server with a PostgreSQL store as directly from PostgreSQL",
    .tags(.postgres), .from(.all))
  func postgres() throws {
    try StoreKind.$current.withValue(.postgres) {
      let pair = try RemotePair()
      compare(
        [
          Line(0, "list", "todo"), Line(0, "save", "todo", "tea", "stock-=2", "tags+=x"),
          Line(5, "save", "todo", "milk", "code=t1"), Line(0, "delete", "todo", "milk"),
          Line(0, "schema", "export", "--format", "sql"),
          Line(0, "schema", "create", "x", "a:text"),
        ], on: pair)
    }
  }

  @Test(
    "prints the same output when schema commands use a server as when they use a file", .from(.all))
  func schemas() throws {
    let pair = try RemotePair()
    try pair.makeFolder("schemas/old")
    try pair.write("schemas/x.json", "{\"schema\":\"x\",\"fields\":{\"a\":{\"type\":\"txet\"}}}")
    try pair.write("schemas/old/y.json", "{}")
    try pair.write("note.json", "{\"schema\":\"note\",\"fields\":{\"note_id\":{\"type\":\"id\"}}}")
    try pair.makeFolder("good")
    compare(
      [
        Line(0, "schema", "list"), Line(0, "schema", "list").on(output: .terminal),
        Line(0, "schema", "show", "todo"), Line(3, "schema", "show", "tood"),
        Line(0, "schema", "export"), Line(0, "schema", "export", "--format", "sql"),
        Line(0, "schema", "export", "--format", "typescript"),
        Line(0, "schema", "export", "good"), Line(0, "schema", "export", "new"),
        Line(0, "schema", "export", "--check", "good"),
        Line(1, "schema", "export", "--check", "note.json"),
        Line(0, "schema", "diff", "good"), Line(0, "schema", "plan", "good"),
        Line(6, "schema", "apply"), Line(6, "schema", "plan", "schemas"),
        Line(0, "schema", "apply", "note.json", "-n"), Line(0, "schema", "apply", "note.json"),
        Line(1, "schema", "diff", "good"), Line(0, "schema", "apply", "good"),
        Line(1, "schema", "lint", "good", "--against", "STORE"),
        Line(0, "schema", "create", "memo", "text:text!"),
        Line(5, "schema", "create", "memo", "a:text"),
        Line(0, "save", "memo", "m", "text=x"), Line(0, "schema", "rename", "memo.text", "body"),
        Line(0, "schema", "rename", "memo", "letter"), Line(5, "schema", "drop", "letter"),
        Line(0, "schema", "drop", "letter", input: .typed("letter\n")).on(errors: .terminal),
        Line(0, "schema", "plan", "good", "-o", "json"), Line(3, "schema", "apply", "none.json"),
        Line(
          0, "schema", "apply", "-",
          input: .text(#"{"schema":"z","fields":{"z_id":{"type":"id"}}}"#)),
        Line(0, "schema", "types", "-o", "json"),
        Line(0, "schema", "infer", "a", input: .text(#"{"a":1}"#)),
        Line(0, "login", "-u", "root", "--password-stdin", input: .text("canary99\n")),
        Line(4, "login", "-u", "root", "--password-stdin", input: .text("wrong\n")),
        Line(4, "login", "-u", "none", "--password-stdin", input: .text("wrong\n")),
        Line(0, "passwd", "--password-stdin", input: .text("canary99\ncanary98\n")),
        Line(4, "passwd", "--password-stdin", input: .text("canary99\ncanary97\n")),
        Line(6, "passwd", "root", "--password-stdin", input: .text("x\n")),
        Line(3, "passwd", "none", "--password-stdin", input: .text("canary99\n")),
        Line(0, "passwd", "root", "--password-stdin", input: .text("canary99\n")),
        Line(2, "passwd"), Line(0, "logout"), Line(4, "logout"), Line(4, "whoami"),
      ], on: pair)
  }
}

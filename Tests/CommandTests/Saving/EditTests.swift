import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

@Suite("Edit", .onEveryStore)
struct EditTests {
  @Test("shows fields, types and rules, and the records with their revisions")
  func text() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.edit("cp \"$1\" shown", "todo", "b", "--fields", "title,tags").exits(0)
      .printsNothing().reports("Nothing was changed.\n")
    #expect(
      String(decoding: try folder.bytes("shown"), as: UTF8.self) == """
        // Edit, save and close this file. Lines that begin with // are ignored.
        // null clears a field. A field or a record that is removed is not changed.
        //
        // todo
        //   todo_id: id
        //   title: text, required
        //   tags: [text]

        {
          "todo_id": "b",
          "title": "bread",
          "tags": [
            "x",
            "y"
          ],
          "revision": 1
        }

        """)
    #expect(try folder.keptTexts == [])
  }

  @Test("saves the changed records in one transaction, and prints the changes")
  func save() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let run = try folder.edit(
      #"sed -i 's/"bread"/"buns"/; s/"cheese"/"brie"/' "$1""#, "todo", "a b c".words
    )
    .exits(0).printsNothing()
    #expect(
      run.errorLines == [
        #"{"todo_id":"b","did":"change","changes":{"title":["bread","buns"]}}"#,
        #"{"todo_id":"c","did":"change","changes":{"title":["cheese","brie"]}}"#,
        "2 saved: 2 changed",
      ])
    #expect(
      try folder.prepare("list", "todo", "--fields", "title,revision").lines == [
        #"{"todo_id":"a","title":"tea","revision":1}"#,
        #"{"todo_id":"b","title":"buns","revision":2}"#,
        #"{"todo_id":"c","title":"brie","revision":2}"#,
      ])
    #expect(try folder.keptTexts == [])
    try folder.edit(#"sed -i 's/"tea"/"chai"/' "$1""#, "todo", "a", "--quiet").exits(0)
      .printsNothing().reportsNothing()
    let terminal = try folder.edit(
      #"sed -i 's/"chai"/"mate"/' "$1""#, "todo", "a", errors: .terminal(columns: 40)
    ).exits(0)
    #expect(terminal.errors.contains("title: chai -> mate"))
  }

  @Test("shows the parts of a record, and saves them with it")
  func parts() throws {
    let folder = try TestFolder()
    try folder.saveOrder()
    let run = try folder.edit(
      #"""
      grep -v '^ *//' "$1" | jq '.lines[0].text = "mug" | del(.lines[1])' > edited
      cp edited "$1"
      """#, "ord", "o", "--expand", "lines"
    ).exits(0)
    #expect(
      run.errorLines == [
        #"{"ord_id":"o","did":"change","changes":{}}"#,
        #"{"schema":"line","line_id":"a","did":"change","changes":{"text":["tea","mug"]}}"#,
        #"{"schema":"line","line_id":"b","did":"delete","changes":{"ord":["o",null],"text":["cup",null]}}"#,
        "1 saved: 1 changed (and 2 nested: 1 changed, 1 deleted)",
      ])
    // Another program changes a line, which gives the order a new revision.
    try folder.edit(
      "\(Binary.path) save line a text=cup -o none; sed -i 's/\"mug\"/\"pot\"/' \"$1\"", "ord",
      "o", "--expand", "lines"
    ).exits(5)
  }

  @Test(
    "saves only the changed fields of parts, and deletes no part that another program has added")
  func otherParts() throws {
    let folder = try TestFolder()
    try folder.saveOrder()
    let other = "\(Binary.path) save -o none --quiet line"
    try folder.edit(
      "\(other) b note=theirs; \(other) c ord=o; sed -i 's/\"cup\"/\"mine\"/' \"$1\"", "ord", "o",
      "--expand", "lines"
    ).exits(5).reports(
      "$: changed concurrently: expected revision 1, found 3",
      "$.lines[1]: changed concurrently: expected revision 1, found 2")
    let path = try #require(try folder.keptTexts.first)
    try folder.edit("exit 9", "ord", "--resume", path, "--expand", "nothing").exits(2)
      .reports("the records of this text were read with --expand lines", "leave out --expand")
    // The expansion is known without the option.
    let revisions =
      #"sed -i '/"mine"/,/"revision"/s/n": 1/n": 2/; s/^  "revision": 1/  "revision": 3/' "$1""#
    let run = try folder.edit(revisions, "ord", "--resume", path).exits(5)
      .reports(#"lines: another program has added "c""#, "make the same change in the text")
    try run.reports("--resume \(path) --expand lines")
    try folder.edit(#"sed -i 's/"lines": \[/"lines": ["c",/' "$1""#, "ord", "--resume", path)
      .exits(0).reports("1 saved: 1 changed (and 3 nested: 1 changed, 2 the same)")
    #expect(
      try folder.prepare("list", "line", "--fields", "text,note,ord").lines == [
        #"{"line_id":"a","text":"tea","note":null,"ord":"o"}"#,
        #"{"line_id":"b","text":"mine","note":"theirs","ord":"o"}"#,
        #"{"line_id":"c","text":null,"note":null,"ord":"o"}"#,
      ])
    // A part that another program has deleted.
    try folder.edit(
      """
      \(Binary.path) delete line a --quiet; sed -i 's/"mine"/"pot"/; s/^  "revision": 4/  "revision": 5/' "$1"
      """, "ord", "o", "--expand", "lines"
    ).exits(5).reports(
      #"lines: another program has removed "a""#, "to create it again, add --create")
    let text = try #require(try folder.keptTexts.first)
    try folder.edit(":", "ord", "--resume", text, "--create").exits(0)
      .reports("1 saved: 1 changed (and 3 nested: 1 new, 1 changed, 1 the same)")
    #expect(try folder.ids("line", "text=tea") == "a")
    try folder.edit(
      #"sed -i 's/"title"/"lines": [], "title"/' "$1""#, "line", "a", "--expand", "ord"
    ).exits(6).reports("lines: this list is not being edited")
    #expect(try folder.ids("line", "ord=o") == "a b c")
  }

  @Test("detects other versions of a part without its revision, and changes of its system fields")
  func versionsOfParts() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "person", "name:text", "note:text")
    try folder.prepare("schema", "create", "trip", "owner:person", "guide:person")
    let trip = #"{"trip_id":"t","owner":{"person_id":"ann","name":"Ann"},"guide":"ann"}"#
    try folder.prepare("save", "trip", "--deep", input: .text(trip))
    let withoutRevision =
      #"sed -i '/"Ann"/,/}/{/"revision"/d;s/"modified_by": null,/"modified_by": null/};s/"Ann"/"Eve"/' "$1""#
    try folder.edit(
      "\(Binary.path) save person ann note=x -o none --quiet; \(withoutRevision)", "trip", "t",
      "--expand", "owner"
    ).exits(5).reports("$.owner: changed concurrently: expected revision 1, found 2")
    try folder.edit(withoutRevision, "trip", "t", "--expand", "owner").exits(0)
    #expect(
      try folder.prepare("get", "person", "ann", "--fields", "name,note,revision").output
        == #"{"person_id":"ann","name":"Eve","note":"x","revision":3}"# + "\n")
    // One of two copies is changed.
    try folder.edit(#"sed -i '0,/"Eve"/s//"Ann"/' "$1""#, "trip", "t", "--expand", "owner,guide")
      .exits(0).reports("1 changed)")
    for (edit, message) in [
      (
        #"/"Ann"/,/}/s/"modified_by": null/"modified_by": "ann"/"#, "modified_by: this field cannot"
      ),
      (#"/"Ann"/,/}/s/"created_at": "20/&20/"#, "created_at: this field cannot be changed"),
      (#"s/"person_id": "ann"/"person_id": "eve"/"#, "person eve: this record is not being edited"),
      (#"s/"person_id": "ann",//"#, "this record is not being edited"),
    ] {
      try folder.edit("sed -i '\(edit)' \"$1\"", "trip", "t", "--expand", "owner").exits(6)
        .reports(message)
    }
    // The relation has another value now, and the text changes the record that it had.
    try folder.edit(
      """
      \(Binary.path) save trip t owner= -o none --quiet
      sed -i 's/"Ann"/"Eve"/; s/^  "revision": 1/  "revision": 2/' "$1"
      """, "trip", "t", "--expand", "owner"
    ).exits(5).reports(#"owner: another program has removed "ann""#)
  }

  @Test("keeps what the text does not contain: removed fields, other fields and files")
  func omitted() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "photo", "title:text", "note:text", "data:file")
    try folder.prepare("save", "photo", "p", "title=x", "note=n", "data@=-", input: .text("bytes"))
    try folder.edit(#"sed -i '/"note"/d; s/"x"/"y"/' "$1""#, "photo", "p").exits(0)
    try folder.edit(#"sed -i 's/"y"/"z"/' "$1""#, "photo", "p", "--fields", "title").exits(0)
    #expect(
      try folder.prepare("get", "photo", "p", "--fields", "title,note,revision").output
        == #"{"photo_id":"p","title":"z","note":"n","revision":3}"# + "\n")
    try folder.prepare("get", "photo", "p", "--content", "data").prints("bytes")
  }

  @Test("does not show passwords, and changes one that is added")
  func passwords() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "user", "--user", "name:text")
    try folder.prepare("save", "user", "ann", "password@=-", input: .text("canary99"))
    try folder.edit("cp \"$1\" shown; sed -i 's/null/\"Ann\"/' \"$1\"", "user", "ann").exits(0)
    let shown = String(decoding: try folder.bytes("shown"), as: UTF8.self)
    #expect(shown.contains("//   password: password") && !shown.contains("argon2"))
    try folder.prepare("login", "-u", "ann", "--password-stdin", input: .text("canary99\n"))
    try folder.edit(
      #"sed -i 's/"name"/"password": "canary11", "name"/' "$1""#, "user", "ann"
    ).exits(0).requires(
      !shown.contains("canary"), "a password is shown")
    try folder.prepare("login", "-u", "ann", "--password-stdin", input: .text("canary11\n"))
  }

  @Test("reads ids from stdin, finds records by fields, and rejects more than 100 records")
  func selection() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "item", "code:text!")
    try folder.prepare(
      "schema", "apply", "-",
      input: .text(
        #"{"schema":"item","fields":{"item_id":{"type":"id"},"code":{"type":"text","unique":true}}}"#
      ))
    let lines = (1...101).map { #"{"item_id":"i\#($0)","code":"c\#($0)"}"# }
    try folder.prepare("save", "item", "-o", "none", input: .text(lines.joined(separator: "\n")))
    try folder.edit(#"sed -i 's/c7"/seven"/' "$1""#, "item", "c7", "--by", "code").exits(0)
      .reports(#""changes":{"code":["c7","seven"]}"#)
    let ids = (1...101).map { "i\($0)" }
    try folder.edit("touch ran", "item", ids).exits(2).reports("at most 100 records")
    try folder.edit("touch ran", "item", "-", input: .text(ids.joined(separator: "\n"))).exits(2)
    #expect(try !folder.files.contains("ran"))
    try folder.edit(
      #"sed -i 's/"c9"/"nine"/' "$1""#, "item", "-",
      input: .text(ids.dropLast().joined(separator: "\n"))
    ).exits(0).reports("1 saved: 1 changed")
    try folder.edit("touch ran", "item", "none").exits(3).reports("none")
    try folder.edit("touch ran", "item").exits(2).reports("edit needs an ID")
    try folder.edit("touch ran", "item", "i1", "--fields", "cod").exits(2)
      .reports(#"--fields: item has no field "cod" to edit"#, "did you mean code?")
    #expect(try !folder.files.contains("ran") && folder.keptTexts == [])
  }

  @Test("creates records from an empty text with the defaults of the fields")
  func create() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.edit(
      #"sed -i 's/"title": null/"title": "new"/' "$1""#, "todo", "d", "e", "--create"
    ).exits(0).reports("2 saved: 2 new")
    #expect(try folder.ids("todo", "title=new") == "d e")
    try folder.edit(#"sed -i 's/"title": null/"title": "own"/' "$1""#, "todo", "--create").exits(0)
    #expect(try folder.ids("todo", "title=own").count == 36)
    try folder.edit(#"sed -i 's/null/"x"/' "$1""#, "todo", "a", "--create", "--fields", "title")
      .exits(5).reports("the text is kept in ")
    try folder.edit(":", "todo", "--create").exits(0).reports("Nothing was changed.")
    #expect(try folder.keptTexts.count == 1)
  }

  @Test("leaves a field that defaults to the user out of a new record")
  func userDefault() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "user", "--user")
    try folder.write(
      "todo.json",
      #"""
      {"schema": "todo", "fields": {
        "todo_id": {"type": "id"}, "title": {"type": "text", "required": true},
        "owner": {"type": "relation", "to": "user", "default": ":user"},
        "author": {"type": "text", "default": ":user"}}}
      """#)
    try folder.prepare("schema", "apply", "todo.json")
    try folder.edit(#"sed -i 's/"title": null/"title": "new"/' "$1""#, "todo", "d", "--create")
      .exits(0)
    #expect(
      try folder.prepare("get", "todo", "d", "--fields", "title,owner,author").lines == [
        #"{"todo_id":"d","title":"new","owner":null,"author":null}"#
      ])
  }

  @Test("opens the file again with each error above its record, until it is corrected")
  func errors() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.write(
      "editor.sh",
      """
      cp "$1" "shown-$(ls shown-* 2>/dev/null | wc -l)"
      if grep -q 'error:' "$1"; then sed -i 's/"many"/4/; s/"colour"/"title"/' "$1"
      else sed -i 's/"priority": 3/"priority": "many"/; s/"title": "cheese"/"colour": "red"/' "$1"
      fi
      """)
    try folder.edit(
      "sh editor.sh \"$1\"", "todo", "a", "b", "c", "--fields", "title,priority", input: .typed("")
    ).exits(0).reports(#""changes":{"priority":[3,4]}"#, #"["cheese","red"]"#)
    let shown = String(decoding: try folder.bytes("shown-1"), as: UTF8.self)
      .components(separatedBy: "\n")
    let errors = shown.indices.filter { shown[$0].hasPrefix("// error: ") }
    #expect(shown.first == "// error: nothing was saved: 2 errors, shown above the record")
    #expect(shown.contains { $0.hasPrefix("// error: todo.priority: ") })
    #expect(shown.contains { $0.hasPrefix("// error: todo has no field colour") })
    for index in errors.dropFirst() where !shown[index + 1].hasPrefix("// error: ") {
      #expect(shown[index + 1] == "{")
    }
    #expect(try folder.keptTexts == [])
  }

  @Test("ends with the error and keeps the text when the file comes back as it was")
  func givingUp() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let before = try folder.todos
    for (edit, message) in [
      (#"s/"priority": 1/"priority": "x"/"#, "priority: expected integer"),
      (#"s/"tea",/"tea"/"#, "expected a comma"),
      (#"s/"todo_id": "a"/"todo_id": "b"/"#, "this record is not being edited"),
    ] {
      let run = try folder.edit("sed -i '\(edit)' \"$1\"", "todo", "a").exits(6)
        .reports(message, "the text is kept in ")
      let path = try #require(try folder.keptTexts.first)
      let command = folder.resumption(of: path)
      #expect(
        run.errors.hasSuffix("\n  the text is kept in \(path)\n  to edit it again: \(command)\n"))
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(!text.contains("// error: "))
      #expect(try TestFolder.permissions(path) == 0o600)
      for folder in [path.parent, path.parent.parent] {
        #expect(try TestFolder.permissions(folder) == 0o700)
      }
      try folder.tool("rm", "-r", path.parent)
    }
    #expect(try folder.todos == before)
  }

  @Test("reports a conflict, and overwrites the other change with its revision")
  func conflict() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    func other(_ title: String) -> String {
      "\(Binary.path) save todo a title=\(title) -o none --quiet"
    }
    try folder.edit("\(other("other")); sed -i 's/\"tea\"/\"mine\"/' \"$1\"", "todo", "a", "b")
      .exits(5)
      .reports(
        "changed concurrently: expected revision 1, found 2", "set revision to the number",
        "the text is kept in ")
    #expect(try folder.prepare("get", "todo", "a", "--fields", "title").output.contains("other"))
    try folder.edit("\(other("others")); sed -i 's/\"bread\"/\"mine\"/' \"$1\"", "todo", "a", "b")
      .exits(0)
      .reports("1 saved: 1 changed")
    try folder.write(
      "editor.sh",
      """
      if grep -q error: "$1"; then sed -i 's/"revision": 3/"revision": 4/' "$1"
      else \(other("another")); sed -i 's/"others"/"mine"/' "$1"; fi
      """)
    try folder.edit("sh editor.sh \"$1\"", "todo", "a", input: .typed("")).exits(0)
      .reports(#"["another","mine"]"#)
  }

  @Test("saves only the changed fields, although another program changed others")
  func changedFields() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.write(
      "editor.sh",
      """
      if grep -q error: "$1"; then sed -i 's/"revision": 1/"revision": 2/' "$1"
      else
        \(Binary.path) save todo b title=other -o none --quiet
        sed -i 's/"x"/"mine"/; s/"priority": .*,/"priority": 7,/' "$1"
      fi
      """)
    try folder.edit("sh editor.sh \"$1\"", "todo", "b", input: .typed("")).exits(0)
    #expect(
      try folder.prepare("get", "todo", "b", "--fields", "title,priority,tags").output
        == "{\"todo_id\":\"b\",\"title\":\"other\",\"priority\":7,\"tags\":[\"mine\",\"y\"]}\n")
  }

  @Test("gives up when an editor makes errors without end, and at the first without a terminal")
  func endlessErrors() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let edit = "echo run >> runs; sed -i 's/\"title\": /\"title\": 1/' \"$1\""
    try folder.edit(edit, "todo", "a").exits(6)
    #expect(try folder.bytes("runs") == Array("run\n".utf8))
    try folder.edit(edit, "todo", "a", input: .typed("")).exits(6)
    #expect(try folder.bytes("runs").count == 101 * 4)
    #expect(try folder.keptTexts.count == 2)
    try folder.datactl.with(["VISUAL": nil, "EDITOR": nil]).run(["edit", "todo", "a"]).exits(2)
      .reports("there is no terminal")
    try folder.edit("exit 9", "todo", "-").exits(0).reports("Nothing to edit: no ids.")
    for option in ["--dry-run", "-n"] {
      try folder.edit("exit 9", "todo", "a", option).exits(2).reports("edit has no dry run")
    }
  }

  @Test(
    "keeps the rejected text, whatever the editor leaves in the next attempt",
    arguments: [
      #"echo > "$1""#, #": > "$1"; exit 3"#, #"rm "$1"; exit 3"#, #"rm "$1""#,
      #"rm "$1"; mkfifo "$1""#, #"rm "$1"; mkdir "$1""#, #"rm -r "$(dirname "$1")"; exit 3"#,
      #"echo "{ 5" > "$1"; exit 3"#, #"echo "// another" > "$1""#, "exit 3", ":",
    ])
  func rejectedText(second: String) throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let run = try folder.edit(
      """
      if grep -q error: "$1"; then \(second)
      else sed -i 's/"tea"/["typed"]/' "$1"; fi
      """, "todo", "a", input: .typed(""))
    try run.requires(run.status != 0, "an error was expected").reports("the text is kept in ")
    let texts = try folder.keptTexts.filter { !FileManager.default.fileExists(atPath: $0 + "/") }
    let kept = try texts.first { try String(contentsOfFile: $0, encoding: .utf8).contains("typed") }
    try run.reports(try #require(kept))
    #expect(texts.count == (second.contains("echo \"") ? 2 : 1))
    try run.requires(
      texts.contains {
        run.errors.contains("to edit it again: \(folder.resumption(of: $0))\n")
      },
      "the command names no text")
  }

  @Test("keeps both texts when the second one has lines that other records also have")
  func knownLines() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.edit(
      """
      if grep -q error: "$1"; then sed -i 's/"mad"/3/; s/"priority": 3/"priority": 1/' "$1"; exit 3
      else sed -i 's/"priority": 3/"priority": "mad"/' "$1"; fi
      """, "todo", "a", "b", "c", input: .typed("")
    ).exits(1)
    let texts = try folder.keptTexts.map { try String(contentsOfFile: $0, encoding: .utf8) }
    #expect(texts.count == 2)
    #expect(texts.contains { $0.contains("mad") })
    #expect(texts.contains { $0.split(separator: "\"priority\": 1").count == 3 })
  }

  @Test("does not open a text that another process edits, also after the first attempt")
  func lock() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let command = "sed -i 's/\"tea\"/\"typed\"/' \"$1\"; echo ready >&2; read line < go; exit 3"
    try folder.tool("mkfifo", "go")
    var arguments = ["edit", "todo", "a"]
    for _ in 1...2 {
      let child = try folder.editor(command).start(arguments)
      try child.wait(for: "the editor") { $0.errorBytes.contains(UInt8(ascii: "\n")) }
      let path = try #require(try folder.keptTexts.first)
      try folder.edit("touch ran", "todo", "--resume", path).exits(7)
        .reports("\(path): another datactl edit has this text open", "close its editor first")
      try folder.write("go", "\n")
      try child.finish().exits(1).reports("the text is kept in \(path)")
      #expect(try !folder.files.contains("ran"))
      #expect(try String(contentsOfFile: path, encoding: .utf8).contains("typed"))
      arguments = ["edit", "todo", "--resume", path]
    }
    try folder.edit(":", "todo", "--resume", arguments[3]).exits(0)
      .reports(#""changes":{"title":["tea","typed"]}"#)
  }

  @Test("prints a command that opens the same store in another folder and environment")
  func otherFolder() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let store = folder.storeName == "shop.db" ? "sqlite:\(folder.path("shop.db"))" : folder.address
    try folder.write(
      "datactl.json", #"{"store":"dev","stores":{"dev":"\#(store)"}}"#)
    let editor = folder.editor("sed -i 's/\"tea\"/5/' \"$1\"")
    let variables: [[String: String?]] = [
      [:], ["DATACTL_STORE": nil], ["DATACTL_STORE": "dev"],
      ["DATACTL_STORE": "dev", "DATACTL_TOKEN": "canary"],
    ]
    for variables in variables {
      let run = try editor.with(variables).run(["edit", "todo", "a"]).exits(6)
      #expect(!run.errors.contains("canary"))
      let path = try #require(try folder.keptTexts.first)
      let command = try #require(
        run.errors.split(separator: "to edit it again: ").last.map(String.init))
      #expect(command.hasPrefix("env -u") == (variables["DATACTL_TOKEN"] != nil))
      try folder.tool("sed", "-i", "s/\"title\": 5/\"title\": \"tea\"/", path)
      try folder.tool(
        "sh", "-euc",
        """
        mkdir -p bin; ln -sf '\(Binary.path)' bin/datactl; PATH=$PWD/bin:$PATH
        cd /; export EDITOR=: DATACTL_STORE=/none.db
        \(command)
        """)
      #expect(try folder.keptTexts == [])
    }
  }

  @Test("keeps or reports what the editor leaves in place of the records")
  func withoutRecords() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    for edit in [#"echo >> "$1""#, #": > "$1""#] {
      try folder.edit(edit, "todo", "a").exits(0).reports("Nothing was changed.\n")
      #expect(try folder.keptTexts == [])
    }
    try folder.edit(#"sed -i 's|"tea"|"typed"|; s|^|\t// |' "$1""#, "todo", "a").exits(0)
      .reports("Nothing was changed.\nThe text is kept in ")
    #expect(try String(contentsOfFile: folder.keptTexts[0], encoding: .utf8).contains("typed"))
    try folder.tool("rm", "-r", folder.keptTexts[0].parent)
    let quiet = try folder.edit(#"echo '// typed' > "$1""#, "todo", "a", "--quiet").exits(0)
    let kept = try folder.keptTexts[0]
    #expect(
      quiet.errors
        == "The text is kept in \(kept).\n  to edit it again: \(folder.resumption(of: kept))\n")
    try folder.tool("rm", "-r", folder.keptTexts[0].parent)
    try folder.edit(
      #"sed 's/"tea"/"chai"/' "$1" | tr '\n' '\r' > new; echo >> new; mv new "$1""#, "todo", "a"
    ).exits(0).reports("1 saved: 1 changed")
    for (edit, message) in [
      (#"rm "$1""#, "the editor has removed the file: nothing was saved"),
      (#"rm "$1"; mkfifo "$1""#, "not a regular file: nothing was saved"),
      (#"ln -sf /dev/null "$1""#, "not a regular file: nothing was saved"),
    ] {
      try folder.edit(edit, "todo", "a").exits(7).reports(message)
    }
    #expect(try folder.keptTexts == [])
    #expect(try folder.tool("ls", "\(folder.root)/data/datactl/edit").output == "")
    let run = try folder.edit(#"mv "$1" "$(dirname "$1")/typed""#, "todo", "a").exits(7)
    try run.requires(!run.errors.contains("todo.jsonc --"), "a file that is missing is named")
      .reports("the text is kept in \(folder.root)/data/datactl/edit/todo-", "/typed --store ")
  }

  @Test("keeps a text that is edited again, whatever the editor does, and other texts next to it")
  func protectedTexts() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.edit("sed -i 's/\"x\"/\"typed\"/' \"$1\"; exit 3", "todo", "b").exits(1)
    let path = try #require(try folder.keptTexts.first)
    for edit in [#": > "$1"; exit 3"#, #"rm "$1""#, #": > "$1""#] {
      try folder.edit(edit, "todo", "--resume", path).reports("text is kept in \(path)")
      #expect(try String(contentsOfFile: path, encoding: .utf8).contains("typed"), "\(edit)")
    }
    let other = "\(path.parent)/todo-rejected.jsonc"
    try folder.tool("cp", path, other)
    try folder.edit(":", "todo", "--resume", path).exits(0)
      .reports("Another text is kept: \(folder.resumption(of: other))\n")
    #expect(try folder.keptTexts == [other])
  }

  @Test("names the files that the editor has left, opens each again, and removes no other")
  func filesOfEditor() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let run = try folder.edit(
      #"""
      sed 's/"tea"/"typed"/' "$1" > "$1.save"; printf 'b0VIM\0' > "$(dirname "$1")/.todo.swp"
      exit 1
      """#, "todo", "a"
    ).exits(1)
    let path = try #require(try folder.keptTexts.first)
    let (saved, swap) = ("\(path).save", "\(path.parent)/.todo.swp")
    try run.reports(
      "the text is kept in \(path)\n",
      "\n  to edit it again: \(folder.resumption(of: path))\n",
      "Another file is kept: \(swap)\n", "Another text is kept: \(folder.resumption(of: saved))\n"
    ).requires(!run.errors.contains("--resume \(swap)"), "a file is called a text")
    // What the editor creates while the text is edited again is removed.
    try folder.edit(
      "cp \"$1\" \"$1~\"; sed -i '/priority/s/1/7/' \"$1\"", "todo", "--resume", path
    ).exits(0).reports(
      "Another file is kept: \(swap)\n",
      "Another text is kept: \(folder.resumption(of: saved))\n")
    #expect(
      try folder.tool("ls", "-A", path.parent).lines.sorted()
        == [
          ".todo.swp", "todo.jsonc.save", "todo.original.json", "todo.jsonc~",
        ].sorted())
    try folder.edit(
      "sed -i 's/\"revision\": 1/\"revision\": 2/' \"$1\"", "todo", "--resume", saved
    ).exits(0).reports(#""changes":{"title":["tea","typed"]}"#)
  }

  @Test("opens a text in the data folder of another environment, and none of a renamed schema")
  func movedTexts() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let editor = folder.editor("sed -i 's/\"tea\"/5/' \"$1\"")
    try editor.with(["XDG_DATA_HOME": folder.path("other")]).run(["edit", "todo", "a"]).exits(6)
    let texts = try folder.tool("find", folder.path("other"), "-name", "*.jsonc").lines
    try folder.edit("sed -i 's/: 5/: \"chai\"/' \"$1\"", "todo", "--resume", texts[0]).exits(0)
    #expect(try folder.tool("find", folder.path("other"), "-name", "todo*").output == "")

    try folder.prepare("schema", "create", "note", "text:text")
    try folder.prepare("save", "note", "n", "text=x")
    try folder.edit(
      "\(Binary.path) schema rename note memo; sed -i 's/\"x\"/\"y\"/' \"$1\"", "note", "n"
    ).exits(3).reports("if the schema was renamed, edit the records under its new name")
    let path = try #require(try folder.keptTexts.first)
    try folder.edit(":", "note", "--resume", path).exits(3).reports("under its new name")
    try folder.edit(":", "memo", "--resume", path).exits(7)
      .reports(
        "note.original.json: does not contain the records of memo", "the text is kept in \(path)\n",
        "pass it to datactl save --file")
  }

  @Test("edits a kept text again, and then saves only what the user has changed")
  func resume() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let other = "\(Binary.path) save todo b title=other -o none --quiet"
    try folder.edit("\(other); sed -i 's/\"x\"/\"mine\"/' \"$1\"", "todo", "b").exits(5)
    let path = try #require(try folder.keptTexts.first)
    for arguments in [
      ["photo", "--resume", path], ["todo", "--resume", "kept.jsonc"],
      ["todo", "--resume", path.parent], ["todo", "b", "--resume", path],
    ] {
      try folder.edit("touch ran", arguments[0], Array(arguments.dropFirst())).fails()
    }
    try folder.edit("touch ran", "todo", "--resume", "\(path.parent)/todo.original.json").exits(2)
      .reports("contains the records as they were read", "pass the text, \(path)\n")
    try folder.tool("cp", "-r", path.parent, "copy")
    try folder.tool("chmod", "g+rx", "copy")
    try folder.edit("touch ran", "todo", "--resume", "copy/todo.jsonc").exits(2)
      .reports("is not a text that edit has kept", "in a folder that only you can access")
    try folder.tool("chmod", "g=", "copy")
    try folder.tool("mv", "copy/todo.original.json", "original")
    try folder.edit("touch ran", "todo", "--resume", "copy/todo.jsonc").exits(7)
      .reports("/copy/todo.original.json: the records as they were read are missing")
    #expect(try !folder.files.contains("ran"))
    try folder.edit("exit 3", "todo", "--resume", path).exits(1).reports("the text is kept in ")
    try folder.edit(":", "todo", "--resume", path).exits(5).reports("expected revision 1, found 2")
    try folder.edit("sed -i 's/\"revision\": 1/\"revision\": 2/' \"$1\"", "todo", "--resume", path)
      .exits(0).reports(#""changes":{"tags":[["x","y"],["mine","y"]]}"#)
    #expect(try folder.prepare("get", "todo", "b", "--fields", "title").output.contains("other"))
    #expect(try folder.tool("ls", "\(folder.root)/data/datactl/edit").output == "")
  }

  @Test(
    "keeps the text, and creates nothing, if the file of the original records is damaged",
    arguments: ["", "[]", #"{"x":1}"#, #"{"revision":1}"#, "{", "5"])
  func damagedOriginal(bytes: String) throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.edit("sed -i 's/\"tea\"/5/' \"$1\"", "todo", "a").exits(6)
    let path = try #require(try folder.keptTexts.first)
    let original = "\(path.parent)/todo.original.json"
    try Data(bytes.utf8).write(to: URL(filePath: original))
    try folder.edit("touch ran", "todo", "--resume", path).exits(7)
      .reports(
        "\(original): does not contain the records", "the text is kept in \(path)\n",
        "pass it to datactl save --file")
    #expect(try !folder.files.contains("ran") && folder.keptTexts == [path])
  }

  @Test("creates records again that were deleted meanwhile, with --create")
  func deletedRecords() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.edit(
      """
      \(Binary.path) delete todo b --quiet
      sed -i 's/"bread"/"buns"/; s/"tea"/"chai"/' "$1"
      """, "todo", "a", "b"
    ).exits(3).reports(
      "todo b: there is no such record",
      "to create it again, add --create to the command that opens this text again")
    let path = try #require(try folder.keptTexts.first)
    try folder.edit(":", "todo", "--resume", path).exits(3)
    try folder.edit(":", "todo", "--resume", path, "--create").exits(0)
      .reports("2 saved: 1 new, 1 changed")
    #expect(
      try folder.prepare("list", "todo", "--fields", "title,tags,revision").lines.prefix(2) == [
        #"{"todo_id":"a","title":"chai","tags":null,"revision":2}"#,
        #"{"todo_id":"b","title":"buns","tags":["x","y"],"revision":1}"#,
      ])
    // Another program has created the record first.
    try folder.edit(
      """
      \(Binary.path) delete todo c --quiet
      \(Binary.path) save todo c title=another -o none --quiet
      sed -i 's/"cheese"/"brie"/' "$1"
      """, "todo", "c"
    ).exits(5)
    try folder.edit(":", "todo", "--resume", folder.keptTexts[0], "--create").exits(5)
      .reports("--resume \(folder.keptTexts[0]) --create --store ")
      .reports("the record was deleted and created again")
  }

  @Test("creates only deleted records again as a whole, and keeps the other changes")
  func deletedAndChangedRecords() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.edit(
      """
      \(Binary.path) save todo a priority=999 -o none --quiet
      \(Binary.path) delete todo b --quiet
      sed -i 's/"bread"/"buns"/; s/"tea"/"chai"/' "$1"
      """, "todo", "a", "b"
    ).exits(5).reports("set revision to the number", "add --create")
    try folder.edit(
      #"sed -i '0,/"revision": 1/s//"revision": 2/' "$1""#, "todo", "--resume",
      folder.keptTexts[0], "--create"
    ).exits(0).reports("2 saved: 1 new, 1 changed")
    #expect(
      try folder.prepare("list", "todo", "--fields", "title,priority,tags").lines.prefix(2) == [
        #"{"todo_id":"a","title":"chai","priority":999,"tags":null}"#,
        #"{"todo_id":"b","title":"buns","priority":3,"tags":["x","y"]}"#,
      ])
  }

  @Test("creates records from a kept text, and changes none that exist")
  func resumedCreation() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let other = "\(Binary.path) save todo d title=other -o none --quiet"
    try folder.edit(
      "\(other); sed -i 's/\"title\": null/\"title\": \"mine\"/' \"$1\"", "todo", "d", "--create"
    ).exits(5).reports("already exists")
    let path = try #require(try folder.keptTexts.first)
    try folder.edit(":", "todo", "--resume", path).exits(5).reports("already exists")
    #expect(try folder.prepare("get", "todo", "d", "--fields", "title").output.contains("other"))
    try folder.edit("sed -i 's/\"d\"/\"e\"/' \"$1\"", "todo", "--resume", path).exits(0)
    #expect(try folder.ids("todo", "title=mine") == "e")
  }

  @Test("detects other versions of a record without its revision, and another record with its id")
  func versions() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let other = "\(Binary.path) save todo a title=other -o none --quiet"
    let edit = "sed -i '/\"revision\"/d; s/\"tea\",/\"mine\"/' \"$1\""
    try folder.edit("\(other); \(edit)", "todo", "a", "--fields", "title").exits(5)
      .reports("changed concurrently: expected revision 1, found 2")
    try folder.edit(
      "sed -i '/\"revision\"/d; s/\"bread\",/\"mine\"/' \"$1\"", "todo", "b", "--fields", "title"
    ).exits(0)
    let again = """
      \(Binary.path) delete todo c --quiet
      \(Binary.path) save todo c title=another -o none --quiet
      sed -i 's/"cheese"/"mine"/' "$1"
      """
    let run = try folder.edit(again, "todo", "c").exits(5)
      .reports("the record was deleted and created again")
    #expect(!run.errors.contains("set revision"))
    #expect(try folder.prepare("get", "todo", "c", "--fields", "title").output.contains("another"))
  }

  @Test("rejects keys and records that occur twice, and values that are no records")
  func invalidTexts() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let before = try folder.todos
    for (edit, message) in [
      (#"s/"priority": 1/"priority": 99, "priority": 1/"#, "duplicate field in a record"),
      (#"s/"priority": 1/"priority": 1, "priority": 99/"#, "duplicate field in a record"),
      (#"s/"priority": 1/"priority": 1, "priority": 1/"#, "duplicate field in a record"),
      (#"$a {"todo_id": "a", "title": "x"}"#, "this record is in the text twice"),
      (
        #"s/"priority": 1/"priority": 2, "created_at": "2020-01-01T00:00:00Z"/"#,
        "created_at: this field cannot be changed"
      ),
      (
        #"s/"priority": 1/"priority": 2, "modified_by": "ann"/"#,
        "modified_by: this field cannot be changed"
      ),
      ("$a 5", "expected an object, found a number"),
      ("$a [[]]", "expected an object, found an array"),
    ] {
      try folder.edit("sed -i '\(edit)' \"$1\"", "todo", "a").exits(6).reports(message)
    }
    #expect(try folder.todos == before)
  }

  @Test("gives no hint at an option that only other commands have")
  func hints() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "item", "price:decimal:12,2", "at:datetime")
    try folder.prepare("save", "item", "a", "price=1", "at=2026-11-20")
    for edit in [
      #"s/"price": 1/"price": 1.234/"#, #"s/"price": 1/"price": "\xff"/"#,
      #"s/"2026.*Z"/"2026-11-20T00:00:00.0000001Z"/"#,
    ] {
      let run = try folder.edit("LC_ALL=C sed -i '\(edit)' \"$1\"", "item", "a").exits(6)
      let hints = run.errorLines.dropFirst().filter { !$0.contains("datactl edit item --resume") }
      try run.requires(!hints.contains { $0.contains("--") }, "a hint names an option")
    }
  }

  @Test("keeps the text when the editor fails after it has changed the text")
  func failingEditor() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.edit("exit 3", "todo", "a").exits(1)
      .reports("the editor ", "ended with exit status 3")
    for (signal, number) in [("SEGV", 11), ("TERM", 15)] {
      let run = try folder.edit("kill -\(signal) $$", "todo", "a").exits(1)
        .reports("was ended by signal \(number)")
      #expect(!run.errors.contains("VISUAL"))
    }
    #expect(try folder.keptTexts == [])
    try folder.datactl.with(["EDITOR": "no-such-editor"]).run(["edit", "todo", "a"]).exits(1)
      .reports("exit status 127", "VISUAL or EDITOR")
    try folder.edit("echo '// typed' >> \"$1\"; exit 3", "todo", "a").exits(1)
      .reports("the text is kept in ")
    #expect(try String(contentsOfFile: folder.keptTexts[0], encoding: .utf8).contains("typed"))
  }

  @Test("keeps the text when a signal ends the command while the editor runs")
  func signals() throws {
    for signals in [[SIGTERM], [SIGHUP], [SIGHUP, SIGHUP], [SIGTERM, SIGTERM, SIGTERM, SIGHUP]] {
      let folder = try TestFolder()
      try folder.saveTodos()
      let child = try folder.editor("echo '// typed' >> \"$1\"; echo ready >&2; exec sleep 60")
        .start(
          ["edit", "todo", "a"])
      try child.wait(for: "the editor") { $0.errorBytes.contains(UInt8(ascii: "\n")) }
      for signal in signals { child.signal(signal) }
      let run = try child.finish()
      try run.exits(143).reports(
        "interrupted: nothing was saved", "the text is kept in ", "to edit it again: ")
      #expect(run.seconds < 10)
      #expect(try String(contentsOfFile: folder.keptTexts[0], encoding: .utf8).contains("typed"))
    }
  }

  @Test("is interrupted when Ctrl-C ends the editor")
  func interruptedEditor() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    for edit in ["kill -INT $$", "exit 130"] {
      let run = try folder.edit(edit, "todo", "a").exits(130)
        .reports("interrupted: nothing was saved", "the text is kept in ")
      #expect(!run.errors.contains("VISUAL"))
    }
  }

  @Test(
    "runs the command of the editor in a shell, also builtins",
    arguments: [
      ":", "exec sh e.sh", "command sh e.sh", "! false", "X=1 sh e.sh", "true; sh e.sh",
    ])
  func shell(command: String) throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.write("e.sh", "cat \"$1\" > shown\n")
    try folder.datactl.with(["EDITOR": command]).run(["edit", "todo", "a"]).exits(0)
      .reports("Nothing was changed.")
    if command.hasSuffix("e.sh") {
      #expect(String(decoding: try folder.bytes("shown"), as: UTF8.self).contains("tea"))
    }
  }

  @Test("ignores a blank editor, and prints the store once with --verbose")
  func variables() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let program = folder.editor("sed -i 's/\"tea\"/\"chai\"/' \"$1\"").with(["VISUAL": " \t "])
    let run = try program.run(["edit", "todo", "a", "--verbose"]).exits(0)
      .reports("1 saved: 1 changed")
    #expect(run.errorLines.filter { $0.hasPrefix("store: ") }.count == 1)
    try folder.datactl.with(["VISUAL": nil, "EDITOR": "  "]).run(["edit", "todo", "a"]).exits(2)
      .reports("there is no terminal")
  }

  @Test("ignores SIGINT while the editor runs")
  func interruption() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.edit(
      "kill -INT $PPID; kill -QUIT $PPID; sed -i 's/\"tea\"/\"chai\"/' \"$1\"", "todo", "a"
    ).exits(0).reports("1 saved: 1 changed")
  }

  @Test("runs an editor on the terminal, with arguments in its command")
  func terminal() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.write(
      "editor.sh",
      """
      [ -t 0 ] && [ -t 1 ] && [ -t 2 ] || exit 9
      read word
      sed -i "s/$1/$word/" "$2"
      """)
    let program = folder.datactl.with(["VISUAL": "sh editor.sh 'tea'", "EDITOR": "false"])
    try program.run(
      ["edit", "todo", "a"], input: .typed("chai\n"), output: .terminal, errors: .terminal
    ).exits(0)
    #expect(try folder.prepare("get", "todo", "a", "--fields", "title").output.contains("chai"))
  }
}

@Suite("Edit on a full file system")
struct FullDiskEditTests {
  @Test(
    "keeps the text when it cannot be saved or annotated, and runs no editor when it cannot be written",
    .needs(getuid() == 0, "only root can make a small file system"))
  func fullFileSystem() throws {
    let folder = try TestFolder()
    try folder.write(
      "steps.sh",
      #"""
      mkdir small && mount -t tmpfs -o size=1m none small && cd small || exit 99
      export XDG_DATA_HOME=$PWD/data
      for store in shop.db ../shop.db; do
        "$@" schema create todo title:text! priority:integer --store $store
        "$@" save todo a title=x -o none --store $store
      done
      fill='cat /dev/zero > filling 2> /dev/null; :'
      edit() {
        EDITOR="sed -i $1 data/datactl/edit/*/*.jsonc; $fill" "$2" edit todo a --store $3
        echo "status $?"
        rm filling
      }
      edit s/x/x/ "$1" ../shop.db
      edit s/null/true/ "$1" ../shop.db
      edit s/null/5/ "$1" shop.db
      eval "$fill"
      EDITOR="touch ran" "$@" edit todo a --store ../shop.db; echo "status $?"
      grep -c '"priority": true\|"priority": 5' data/datactl/edit/*/*.jsonc | cut -d: -f2
      ls ran

      """#)
    let steps = folder.program.prefixed(["/usr/bin/unshare", "-m", "/bin/sh", "steps.sh"])
    let run = try steps.run([], input: .typed(""))
    try run.requires(run.status != 99, "a small file system was expected")
      .reports("Nothing was changed.", "priority: expected", "the text is kept in ")
    #expect(run.lines == ["status 0", "status 6", "status 7", "status 7", "1", "1"])
  }
}

@Suite("Edit on a disk that another program fills")
struct FilledDiskEditTests {
  @Test(
    "prints a rejected text that cannot be written again",
    .needs(getuid() == 0, "only root can make a small file system"))
  func rejectedText() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.write(
      "steps.sh",
      #"""
      mkdir small && mount -t tmpfs -o size=64k none small || exit 99
      export XDG_DATA_HOME=$PWD/small EDITOR='sh editor.sh'
      exec "$@" edit todo a
      """#)
    try folder.write(
      "editor.sh",
      #"""
      if grep -q error: "$1"; then : > "$1"; cat /dev/zero > small/filling 2> /dev/null; exit 1
      else sed -i 's/"priority": 1/"priority": "typed"/' "$1"; fi
      """#)
    let steps = folder.program.prefixed(["/usr/bin/unshare", "-m", "/bin/sh", "steps.sh"])
    let run = try steps.run([], input: .typed("")).exits(1)
      .reports("the text cannot be kept: No space left on device", #""priority": "typed""#)
    #expect(!run.errors.contains("is kept in"))
  }
}

@Suite("Edit through a server")
struct ServedEditTests {
  @Test("edits, creates and reports conflicts like on a file")
  func pair() throws {
    let pair = try RemotePair()
    var results: [[String]] = []
    for folder in [pair.local, pair.remote] {
      let other = "\(Binary.path) save todo milk stock=9 -o none 2>/dev/null"
      let runs = [
        try folder.edit("sed -i 's/Buy tea/Sell tea/' \"$1\"", "todo", "tea", "milk").exits(0),
        try folder.edit(
          "sed -i 's/\"name\": null/\"name\": \"Jo\"/' \"$1\"", "person", "jo", "--create"
        ).exits(0),
        try folder.edit("\(other); sed -i 's/Élan/Elan/' \"$1\"", "todo", "milk").exits(5),
        try folder.edit("sed -i 's/\"stock\": 10/\"stock\": \"x\"/' \"$1\"", "todo", "tea").exits(
          6),
      ]
      let kept = try folder.keptTexts
      #expect(kept.count == 2)
      results.append(
        runs.map { run in
          (kept + [pair.remote.address, "sqlite:\(pair.local.path("shop.db"))"])
            .reduce(run.errors) { $0.replacing($1, with: "PATH") }
        }
          + (try kept.map { try String(contentsOfFile: $0, encoding: .utf8) }).sorted())
    }
    #expect(results[0] == results[1])
    #expect(results[0].count == 6)
  }
}

extension TestFolder {
  /// Saves an order with two lines.
  fileprivate func saveOrder() throws {
    try prepare("schema", "create", "ord", "title:text")
    try prepare("schema", "create", "line", "ord:ord:lines:owned", "text:text", "note:text")
    let lines = #"[{"line_id":"a","text":"tea"},{"line_id":"b","text":"cup"}]"#
    try prepare("save", "ord", "--deep", input: .text(#"{"ord_id":"o","lines":\#(lines)}"#))
  }

  /// Returns datactl with a shell command as its editor, in which `$1` is the file.
  fileprivate func editor(_ command: String) -> Program {
    let file = path("editor-\(command.utf8.reduce(0) { $0 &* 31 &+ Int($1) }).sh")
    try? Data("\(command)\n".utf8).write(to: URL(filePath: file))
    return datactl.with(["EDITOR": "sh '\(file)'"])
  }

  fileprivate func edit(
    _ command: String, _ arguments: String..., input: Input = .nothing, errors: Output = .captured
  ) throws -> Run {
    try editor(command).run(["edit"] + arguments, input: input, errors: errors)
  }

  fileprivate func edit(_ command: String, _ schema: String, _ ids: [String]) throws -> Run {
    try editor(command).run(["edit", schema] + ids)
  }

  /// The command that opens a kept text again.
  fileprivate func resumption(of path: String) -> String {
    let store = storeName == "shop.db" ? "sqlite:\(self.path("shop.db"))" : address
    return "datactl edit todo --resume \(path) --store \(store)"
  }

  /// The paths of the texts that were kept, sorted.
  fileprivate var keptTexts: [String] {
    get throws {
      let folder = "\(root)/data/datactl/edit"
      guard FileManager.default.fileExists(atPath: folder) else { return [] }
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().flatMap { name in
        try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)").sorted()
          .filter { $0.hasSuffix(".jsonc") }.map { "\(folder)/\(name)/\($0)" }
      }
    }
  }
}

extension String {
  fileprivate var words: [String] { split(separator: " ").map(String.init) }
  fileprivate var parent: String { URL(filePath: self).deletingLastPathComponent().path }
}

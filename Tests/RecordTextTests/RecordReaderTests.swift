import DataModel
import RecordText
import SchemaText
import TestSupport
import Testing

@Suite("Reading records")
struct RecordReaderTests {
  private let todo: Schema

  init() throws {
    todo = try schema(
      "todo", Field("title", .text, isRequired: true), Field("done", .boolean),
      Field("stock", .integer), Field("owner", .relation(Relation(to: "person"))),
      Field("tags", .array(.text)))
  }

  private func read(_ text: String, format: RecordFormat? = nil, id: String? = nil) throws
    -> ReadResult
  {
    try ReadResult(text, for: todo, format: format, id: id, slots: [0, 1])
  }

  private let both = [
    #"{"todo_id":"a","title":"tea"}"#, #"{"todo_id":"b","title":"milk"}"#,
  ]

  @Test(
    "reads records written as lines or as an array, in any layout",
    arguments: [
      "A\nB\n", "A\nB", "A\r\nB\r\n", "A B", "AB", "\n\nA\n\n\nB\n\n", "  A\t\tB  ",
      "[A,B]", "[A,\nB\n]\n", " [ A , B ] ", "\u{FEFF}A\nB", "\u{FEFF}[A,B]", "\r\n[\r\nA,\r\nB]",
    ])
  func layouts(layout: String) throws {
    let text = layout.map { $0 == "A" ? both[0] : $0 == "B" ? both[1] : String($0) }.joined()
    #expect(try read(text).records == both)
    #expect(try read(text).problems == [])
  }

  @Test(
    "reads no record from empty input", arguments: ["", " \n\r\n\t", "[]", " [ ] ", "\u{FEFF}"])
  func nothing(text: String) throws {
    let result = try read(text)
    #expect(result.records == [])
    #expect(result.problems == [])
    #expect(result.isBroken == false)
  }

  @Test("reports the line of each problem in a record that spans several lines")
  func indented() throws {
    let text = """
      {
        "todo_id": "a",
        "title": 5,
        "colour": "red"
      }
      {"todo_id": "b", "title": "milk"}
      """
    let result = try read(text)
    #expect(result.records == [both[1]])
    #expect(
      result.problems == [
        "3:12 title: expected text, found number 5", "4:3 colour: todo has no field colour",
      ])
  }

  @Test("rejects input after the end of the array")
  func leftOver() throws {
    let result = try read("[\(both[0])]\n\(both[1])")
    #expect(result.records == [both[0]])
    #expect(result.problems == ["2:1 text after the end of the JSON value"])
    #expect(result.isBroken == true)
  }

  @Test("rejects an invalid line and continues with the next line")
  func brokenLine() throws {
    let result = try read("\(both[0])\n{\"title\": tea}\n\(both[1])\n")
    #expect(result.records == both)
    #expect(result.problems == ["2:11 title: expected true, false or null"])
    #expect(result.rejectedTexts == ["{\"title\": tea}"])
    #expect(result.isBroken == false)
  }

  @Test("rejects a truncated line without affecting the next line")
  func cutLine() throws {
    let result = try read("{\"todo_id\":\"x\",\n\(both[0])\n{\"todo_id\":\"y\n\(both[1])\n")
    #expect(result.records == both)
    #expect(
      result.problems == [
        "1:16 unexpected end of input in a value",
        "3:14 todo_id: unescaped control character in text: use an escape, such as \\n",
      ])
  }

  @Test("stops reading at a syntax error inside an array of records")
  func brokenArray() throws {
    let result = try read("[\(both[0]),\n{\"title\": tea},\n\(both[1])]")
    #expect(result.records == [both[0]])
    #expect(result.problems == ["2:11 title: expected true, false or null"])
    #expect(result.isBroken == true)
  }

  @Test(
    "rejects syntax errors between the records of an array",
    arguments: [
      ("[A,]", "1:32 trailing comma"), ("[,A]", "1:2 expected a value"),
      ("[A B]", #"1:32 expected a comma or "]""#),
      ("[A", "1:31 unexpected end of input in a value"),
      ("[A,", "1:32 unexpected end of input in a value"),
      ("[5,A]", "1:2 expected a record: an object in braces"),
      ("[[A]]", "1:2 expected a record: an object in braces"),
    ])
  func arrays(layout: String, problem: String) throws {
    let text = layout.map { $0 == "A" ? both[0] : $0 == "B" ? both[1] : String($0) }.joined()
    #expect(try read(text).problems == [problem])
  }

  @Test("reports every invalid field of a record and keeps the valid records")
  func allProblems() throws {
    let text = #"{"done":"yes","stock":1.5,"tags":["a",1],"titel":"x"}"# + "\n" + both[0]
    let result = try read(text)
    #expect(result.records == [both[0]])
    #expect(
      result.problems == [
        #"1:9 done: expected true or false, found text "yes""#,
        "1:23 stock: expected integer, found 1.5",
        "1:34 tags: expected an array of text, found number 1 as an element",
        "1:42 titel: todo has no field titel", "1:- todo_id: required",
      ])
  }

  @Test("suggests the most similar field for an unknown field")
  func suggestion() throws {
    var reader = RecordReader(
      BytesInMemory(Array(#"{"todo_id":"a","title":"t","titel":"x"}"#.utf8)), for: todo,
      file: "todos.json")
    _ = try reader.next(reusing: RowChanges(for: todo))
    #expect(
      reader.rejected.first?.problems == [
        Problem(
          .unknownField, "todo has no field titel", hint: "did you mean title?", schema: "todo",
          id: "a", field: "titel", file: "todos.json", line: 1, column: 28)
      ])
  }

  @Test("rejects a field that is given twice, even once as year_born and once as yearBorn")
  func duplicates() throws {
    let blog = try schema("blog", Field("year_born", .integer))
    for text in [
      #"{"blog_id":"a","year_born":1,"year_born":1}"#,
      #"{"blog_id":"a","year_born":1,"yearBorn":1}"#,
      #"{"blog_id":"a","yearBorn":1,"year_born":null}"#,
      #"{"blog_id":"a","year_born":null,"year_bor\u006e":1}"#,
    ] {
      let result = try ReadResult(text, for: blog)
      #expect(result.records == [])
      #expect(result.problems.count == 1)
      let problem = result.problems.first ?? ""
      #expect(
        problem.hasSuffix("year_born: duplicate field in a record")
          || problem.hasSuffix(" are the same field in a record"), "\(problem)")
    }
  }

  @Test("reads fields in any order, under names such as year_born and yearBorn")
  func order() throws {
    let blog = try schema("blog", Field("year_born", .integer), Field("a_long_field_name", .text))
    let text =
      #"{"aLongFieldName":"x","yearBorn":1,"blog_id":"a"}"#
      + #"{"blog_id":"b","year_born":2,"a_long_field_name":"y"}"#
      + #"{"a_long_field_name":"z","year_born":3,"blogId":"c"}"#
    #expect(
      try ReadResult(text, for: blog, slots: fieldSlots(blog)).records == [
        #"{"blog_id":"a","year_born":1,"a_long_field_name":"x"}"#,
        #"{"blog_id":"b","year_born":2,"a_long_field_name":"y"}"#,
        #"{"blog_id":"c","year_born":3,"a_long_field_name":"z"}"#,
      ])
  }

  @Test(
    "generates a missing id, or rejects the record when there is no generator")
  func ids() throws {
    let ids = IDGenerator(
      clock: { 1_700_000_000_000_000 },
      randomWords: { words in
        for index in words.indices { words[index] = 0 }
      })
    let text = Array("{\"title\":\"tea\"}\n{\"todo_id\":7,\"title\":\"milk\"}".utf8)
    #expect(
      try ReadResult(text, for: todo, ids: ids, slots: [0, 1]).records == [
        #"{"todo_id":"018bcfe5-6800-7000-8000-000000000000","title":"tea"}"#,
        #"{"todo_id":"7","title":"milk"}"#,
      ])
    #expect(try ReadResult(text, for: todo).problems == ["1:- todo_id: required"])
  }

  @Test("uses the caller's id for a single record, and rejects a different id or a second record")
  func givenID() throws {
    #expect(try read(#"{"title":"tea"}"#, id: "a").records == [both[0]])
    #expect(try read(both[0], id: "a").records == [both[0]])
    #expect(
      try read(both[1], id: "a").problems == [
        #"1:12 todo_id: the given id is "a", but the record has the id "b""#
      ])
    #expect(
      try read("\(both[0])\n{\"title\":\"milk\"}", id: "a").problems == [
        "2:- found a second record, but only one id was given"
      ])
  }

  @Test("never includes a password in the message about an invalid record")
  func passwords() throws {
    var draft = SchemaDraft(name: "person")
    draft.kind = .user
    draft.fields = [Field("username", .id), Field("password", .password)].map {
      SchemaDraft.FieldDraft($0)
    }
    let person = try Schema(checking: draft)
    for value in [
      "12345", "[\"12345\"]", "{\"a\":\"12345\"}", "true", "{\"$add\":12345}", "12345x",
    ] {
      let result = try ReadResult("{\"username\":\"ann\",\"password\":\(value)}", for: person)
      #expect(result.problems.isEmpty == false)
      #expect(result.problems.joined().contains("12345") == false)
    }
    let good = try ReadResult(
      #"{"username":"ann","password":"12345678"}"#, for: person, slots: [0, 1])
    #expect(good.records == [#"{"username":"ann"}"#])
  }

  @Test("accepts null for created_by and modified_by, but for no other system field")
  func systemNulls() throws {
    #expect(
      try read(
        #"{"todo_id":"a","title":"tea","created_at":null,"created_by":null,"revision":null}"#
      ).problems == [
        "1:43 created_at: expected datetime, found null",
        "1:77 revision: expected integer, found null",
      ])
  }

  @Test("rejects UTF-16 input with a message that names the encoding")
  func utf16() throws {
    let text: [UInt8] = [0xFF, 0xFE, 0x7B, 0, 0x7D, 0]
    let result = try ReadResult(text, for: todo)
    #expect(result.problems == ["1:- the input is UTF-16; records must be UTF-8"])
  }

  @Test("rejects gzip input with a message that names gzip, in any input format")
  func gzip() throws {
    for format in [nil, RecordFormat.csv, .ndjson] {
      var reader = RecordReader(
        BytesInMemory([0x1F, 0x8B, 8, 0, 0x0A]), for: todo, TextForm(format), file: "-")
      #expect(try reader.next(reusing: RowChanges(for: todo))?.count == 0)
      #expect(
        reader.rejected.map(\.problems) == [
          [
            Problem(
              .syntax, "the input is compressed with gzip; records must be UTF-8",
              hint: "decompress the input first: gzip -dc FILE | datactl …", schema: "todo",
              file: "-", line: 1)
          ]
        ])
      #expect(reader.isBroken)
    }
  }

  @Test(
    "suggests a command that converts input that is neither JSON nor CSV",
    arguments: [
      (Array("BZh91AY&SY\u{1}".utf8), "the input is compressed with bzip2", "bzip2 -dc FILE"),
      ([0xFD] + Array("7zXZ\0\0".utf8), "the input is compressed with xz", "xz -dc FILE"),
      ([0x28, 0xB5, 0x2F, 0xFD, 4], "the input is compressed with zstd", "zstd -dc FILE"),
      (Array("PK\u{3}\u{4}\n".utf8), "the input is a spreadsheet (xlsx, ods)", "as CSV"),
      ([0xD0, 0xCF, 0x11, 0xE0, 0xA1], "the input is a spreadsheet (xls)", "as CSV"),
      (Array("PAR1\u{15}\n".utf8), "the input is a Parquet file", "duckdb"),
      (Array("SQLite format 3\0".utf8), "the input is an SQLite database", "sqlite3 -csv"),
      (Array("---\na: 1\n".utf8), "the input is YAML", "yq -o json"),
      (Array("- {a: 1, b: 2}\n".utf8), "the input is YAML", "yq -o json"),
      (Array("title: tea\n".utf8), "the input is YAML", "yq -o json"),
      (Array("# tea\n#\ntitle: tea\n".utf8), "the input is YAML", "yq -o json"),
      (Array("%YAML 1.2\n---\na: 1\n".utf8), "the input is YAML", "yq -o json"),
    ])
  func formats(bytes: [UInt8], message: String, hint: String) throws {
    for pieceSize in [1, 4_096] {
      var reader = RecordReader(
        BytesInMemory(bytes, pieceSize: pieceSize), for: todo, file: "-", pace: .immediate)
      while try reader.next(reusing: RowChanges(for: todo)) != nil {
        let problem = reader.rejected.first?.problems.first
        #expect(problem?.message.hasPrefix(message) == true, "\(problem?.message ?? "")")
        #expect(problem?.hint?.contains(hint) == true, "\(problem?.hint ?? "")")
      }
      #expect(reader.isBroken)
    }
  }

  @Test("suggests how to extract records from an array in an object")
  func wrappedRecords() throws {
    var reader = RecordReader(
      BytesInMemory(Array(#"{"kind":"List","items": [ {"id":"a"}]}"#.utf8), pieceSize: 4_096),
      for: todo, file: "-", pace: .immediate)
    _ = try reader.next(reusing: RowChanges(for: todo))
    #expect(
      reader.rejected.first?.problems.map(\.hint) == [
        #"extract the records: jq -c '.["items"][]', or pass --map with a map that contains "#
          + #""records": "items[]""#
      ])
    reader = RecordReader(
      BytesInMemory(Array(#"{"title":"x","kind":"List","items":[{"id":"a"}]}"#.utf8)), for: todo,
      file: "-")
    _ = try reader.next(reusing: RowChanges(for: todo))
    #expect(
      reader.rejected.first?.problems.prefix(2).map(\.hint) == [
        "see datactl schema show todo",
        #"if its elements are the records, extract them: jq -c '.["items"][]'"#,
      ])
  }

  @Test("reads CSV whose column names resemble signatures of other formats, such as bzh and pk")
  func csvLikeOthers() throws {
    let schema = try Schema(
      checking: FieldShorthand.draft(schema: "bzh", ["pk:text", "par1:text"]))
    let result = try ReadResult(
      Array("bzh_id,pk\n1,\"a;b\tc\"\n".utf8), for: schema, slots: [0, 1])
    #expect(result.problems == [])
    #expect(result.records == [#"{"bzh_id":"1","pk":"a;b\tc"}"#])
  }

  @Test("limits the size and the number of records of each chunk without losing records")
  func chunks() throws {
    let count = 9_000
    let text = (0..<count).map { "{\"todo_id\":\($0),\"title\":\"t\"}\n" }.joined()
    let long = "{\"todo_id\":\"long\",\"title\":\"\(String(repeating: "é", count: 400_000))\"}\n"
    let result = try ReadResult(Array((text + long + text.prefix(26)).utf8), for: todo, slots: [0])
    #expect(result.problems == [])
    #expect(result.records.count == count + 2)
    #expect(result.records[count] == "{\"todo_id\":\"long\"}")
  }

  /// Delivers pieces and throws when there are no more.
  private struct PieceSource: ByteSource {
    var pieces: [String]

    func hasBytes(within seconds: Double) -> Bool { !pieces.isEmpty }

    mutating func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
      guard !pieces.isEmpty else { throw DataError(.fileFailed, "the sender stopped") }
      let piece = Array(pieces.removeFirst().utf8)
      buffer += piece
      return piece.count
    }
  }

  @Test("returns chunks of the requested size without waiting for more input")
  func chunkLimits() throws {
    let records = (1...5).map { #"{"todo_id":"\#($0)","title":"t"}"# + "\n" }.joined()
    var reader = RecordReader(
      PieceSource(pieces: [records + #"{"todo_id":"6""#]), for: todo, file: "in", pace: .immediate)
    var counts: [Int] = []
    for rows in [2, 2, 2] {
      let chunk = try #require(
        try reader.next(reusing: RowChanges(for: todo), ChunkLimit(rows: rows, timeout: 1)))
      counts.append(chunk.count)
    }
    #expect(counts == [2, 2, 1])
    let pause = try reader.next(reusing: RowChanges(for: todo), ChunkLimit(timeout: 1))
    #expect(pause?.count == 0)
    #expect(throws: DataError(.fileFailed, "the sender stopped")) {
      try reader.next(reusing: RowChanges(for: todo), ChunkLimit())
    }
  }
}

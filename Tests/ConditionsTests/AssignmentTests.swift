import Conditions
import DataModel
import RecordText
import TestSupport
import Testing

@Suite("Assignments on the command line")
struct AssignmentTests {
  private let kind: Schema

  init() throws {
    kind = try everyType()
  }

  @Test(
    "splits an operand such as title@=a=b at its first operator",
    arguments: [
      ("title=tea", "title", Assignment.Operator.text, "tea"), ("title=", "title", .text, ""),
      ("title:=5", "title", .json, "5"), ("title@=a=b", "title", .file, "a=b"),
      ("stock+=3", "stock", .add, "3"), ("stock-=3", "stock", .subtract, "3"),
      ("title==x", "title", .text, "=x"), ("yearBorn=1", "yearBorn", .text, "1"),
      ("a_1=:=", "a_1", .text, ":="),
    ])
  func words(word: String, name: String, operation: Assignment.Operator, text: String) {
    let assignment = Assignment(word)
    #expect(assignment?.name == name)
    #expect(assignment?.operation == operation)
    #expect(assignment?.text == text)
  }

  @Test(
    "treats an operand as an id if it has no operator, or no valid field name before the operator",
    arguments: ["", "tea", "=tea", "1a=b", "a-b=c", "a b=c", "a:b", "a:", "é=1", "a+ =1", "a.b=c"])
  func ids(word: String) {
    #expect(Assignment(word) == nil)
  }

  /// Returns the record that assignments create, with the assigned fields only, or its problems.
  private func record(_ words: String...) throws -> [String] {
    let assignments = try Assignments(words.compactMap(Assignment.init), for: kind)
    var changes = RowChanges(for: kind)
    changes.beginRecord(line: 1)
    changes.set(0, text: "x".utf8.span)
    assignments.set(on: &changes)
    let problems = changes.endRecord()
    guard problems.isEmpty else { return problems.map { "\($0.field ?? ""): \($0.message)" } }
    let named = fieldSlots(kind).dropFirst().filter { changes.rows[0, $0].kind != .missing }
    _ = changes.resolve(0, over: nil, by: SavePolicy(), stamp: Stamp(time: .earliest))
    var writer = RecordWriter(kind, slots: Array(named), format: .ndjson)
    var output: [UInt8] = []
    _ = writer.write(changes.rows, 0, to: &output)
    return [String(decoding: output.dropLast(), as: UTF8.self)]
  }

  @Test("parses the text after =, as in stock=5, according to the type of the field")
  func text() throws {
    #expect(
      try record(
        "text=5", "integer=5", "number=1.50", "boolean=true", "datetime=2026-11-20",
        "geopoint=47.37,8.54", "json={\"a\": 1}", "one=7", "many=a", "texts=a,b", "integers=5")
        == [
          #"{"sample_id":"x","text":"5","integer":5,"number":1.5,"boolean":true,"datetime":"2026-11-20T00:00:00.000Z","geopoint":{"lat":47.37,"lon":8.54},"json":{"a":1},"one":"7","many":["a"],"texts":["a,b"],"integers":[5]}"#
        ])
  }

  @Test("parses an empty value as an empty string for text fields and as null for all others")
  func nothing() throws {
    #expect(
      try record("text=", "integer=", "boolean=", "geopoint=", "json=", "one=", "texts=", "file=")
        == [
          #"{"sample_id":"x","text":"","integer":null,"boolean":null,"geopoint":null,"file":null,"json":null,"one":null,"texts":null}"#
        ])
  }

  @Test("parses the JSON in an argument such as stock:=5 in the same way as in a record")
  func json() throws {
    #expect(
      try record(#"text:="5""#, "texts:=[\"a\",\"b\"]", "integer:={\"$add\":2}", "json:=[1, 2]")
        == [
          #"{"sample_id":"x","text":"5","integer":2,"json":[1,2],"texts":["a","b"]}"#
        ])
    #expect(try record("text:=5") == ["text: expected text, found number 5"])
    #expect(
      try record("text:=tea") == ["text: expected JSON: expected true, false or null, at byte 1"])
    #expect(
      try record("integer:=5 6")
        == ["integer: expected JSON: text after the end of the JSON value, at byte 3"])
  }

  @Test("applies several additions, subtractions, appends and removals at once")
  func operations() throws {
    #expect(
      try record("integer+=5", "number-=0.5", "texts+=a", "texts-=b", "texts+=c", "integers+=7")
        == [
          #"{"sample_id":"x","integer":5,"number":-0.5,"texts":["a","c"],"integers":[7]}"#
        ])
    #expect(try record("integer+=x") == [#"integer: expected a number to add, found "x""#])
    #expect(try record("text+=5") == ["text: cannot add to text"])
    #expect(try record("text+=x") == ["text: cannot add to text"])
    #expect(try record("boolean-=x") == ["boolean: cannot subtract from boolean"])
  }

  @Test(
    "rejects a value that does not match the field type",
    arguments: [
      ("integer=x", #"integer: expected integer, found text "x""#),
      ("boolean=yes", #"boolean: expected true or false, found text "yes""#),
      ("geopoint=5", #"geopoint: expected LAT,LON, found "5""#),
      ("geopoint=91,0", #"geopoint: expected LAT,LON with -90 ≤ LAT ≤ 90, found "91,0""#),
      ("geopoint=0,181", #"geopoint: expected LAT,LON with -180 ≤ LON ≤ 180, found "0,181""#),
      (
        "sample_id=",
        #"sample_id: expected an id of 1 to 255 bytes without control characters, found """#
      ),
      ("file=a.png", #"file: expected a file, found text "a.png""#),
      ("many=", "many: a to-many relation cannot be null"),
    ])
  func refused(word: String, problem: String) throws {
    #expect(try record(word) == [problem])
  }

  @Test("reports all invalid field names and operators of arguments as usage errors")
  func usage() throws {
    let words = [
      "txt=1", "created_at=2026-11-20", "text@=a", "integer=1", "integer+=1", "revision+=1",
    ]
    var messages: [String] = []
    do throws(DataError) {
      _ = try Assignments(words.compactMap(Assignment.init), for: kind)
    } catch {
      #expect(error.problems.allSatisfy { $0.code == .usage })
      messages = error.problems.map { "\($0.field ?? ""): \($0.message)" }
    }
    #expect(
      messages == [
        "txt: sample has no field txt",
        "created_at: created_at: a system field cannot be set on the command line",
        "text: text: @= requires a file field, but this field is text",
        "integer: integer: assigned twice",
        """
        revision: revision: cannot be changed: write revision=N to save only if the stored \
        revision is N
        """,
      ])
  }

  @Test("returns the path from an argument such as photo@=PATH without reading the file")
  func files() throws {
    let assignments = try Assignments([Assignment("file@=-")].compactMap(\.self), for: kind)
    let slot = try #require(kind.slot(named: "file"))
    #expect(assignments.files.map(\.slot) == [slot])
    #expect(assignments.files.map(\.path) == ["-"])
  }
}

import DataModel
import RecordText
import TestSupport
import Testing

@Suite("CSV")
struct CSVReaderTests {
  private let item: Schema

  init() throws {
    item = try schema(
      "item", Field("title", .text), Field("price", .number), Field("sold", .boolean),
      Field("tags", .array(.text)), Field("place", .geopoint))
  }

  private func read(_ text: String, format: RecordFormat? = nil) throws -> ReadResult {
    try ReadResult(text, for: item, format: format, slots: [0, 1, 2])
  }

  @Test(
    "reads lines ending in LF or CRLF and skips empty lines",
    arguments: [
      "item_id,title\na,tea\nb,\"x,\"\"y\"\"\"\n", "item_id,title\r\na,tea\r\nb,\"x,\"\"y\"\"\"",
      "\u{FEFF}item_id,title\n\n\na,tea\n\r\nb,\"x,\"\"y\"\"\"\r\n\r\n",
      "\"item_id\",\"title\"\n\"a\",\"tea\"\n\"b\",\"x,\"\"y\"\"\"\n",
      "title,itemId\ntea,a\n\"x,\"\"y\"\"\",b",
    ])
  func lines(text: String) throws {
    #expect(
      try read(text).records == [
        #"{"item_id":"a","title":"tea","price":null}"#,
        #"{"item_id":"b","title":"x,\"y\"","price":null}"#,
      ])
  }

  @Test("parses cells according to the type of the field")
  func types() throws {
    let text = """
      item_id,title,price,sold,tags,place
      1,1,1.50,true,"[""a"", ""b""]","{""lat"":1,""lon"":2}"
      2,"",,,[],
      3,a b ,1e2,false,,
      """
    #expect(
      try ReadResult(text, for: item, slots: fieldSlots(item)).records == [
        #"{"item_id":"1","title":"1","price":1.5,"sold":true,"tags":["a","b"],"place":{"lat":1,"lon":2}}"#,
        #"{"item_id":"2","title":"","price":null,"sold":null,"tags":[],"place":null}"#,
        #"{"item_id":"3","title":"a b ","price":100,"sold":false,"tags":null,"place":null}"#,
      ])
  }

  @Test("reports an invalid cell with its position and continues reading")
  func badCells() throws {
    let text = "item_id,price,sold,tags\na,4 euro,yes,[\nb,2,true,[]\n,\"\",,\n"
    let result = try read(text)
    #expect(result.records == [#"{"item_id":"b","title":null,"price":2}"#])
    #expect(
      result.problems == [
        #"2:3 price: expected number, found text "4 euro""#,
        #"2:10 sold: expected true or false, found text "yes""#,
        "2:14 tags: expected JSON: unexpected end of input in a value, at byte 2",
        "4:1 item_id: expected id, found null", #"4:3 price: expected number, found text """#,
      ])
  }

  @Test(
    "rejects a line that violates RFC 4180 and continues with the next line",
    arguments: [
      ("a,te\"a", "2:5 quote in an unquoted cell"),
      ("a,\"te\"a", "2:7 expected a separator or the end of the line after the closing quote"),
      ("a", "2:1 expected 2 cells as in the header, found 1"),
      ("a,b,c", "2:1 expected 2 cells as in the header, found 3"),
      ("a,te\ra", "2:5 carriage return without a line feed"),
      ("a,te\u{0}", "2:5 NUL is not allowed in text"),
    ])
  func refused(line: String, problem: String) throws {
    let result = try read("item_id,title\n\(line)\nb,milk\n")
    #expect(result.problems == [problem])
    #expect(result.records == [#"{"item_id":"b","title":"milk","price":null}"#])
    #expect(result.rejectedTexts == [line + "\n"])
  }

  @Test("stops at a quote that is not closed and reports the line where it was opened")
  func openQuote() throws {
    let result = try read("item_id,title\na,tea\nb,\"milk\nc,coffee\n")
    #expect(result.problems == ["3:3 unterminated quote"])
    #expect(result.rejectedTexts == ["b,\"milk\nc,coffee\n"])
    #expect(result.records == [#"{"item_id":"a","title":"tea","price":null}"#])
    #expect(result.isBroken == true)
  }

  @Test("counts line breaks inside quoted cells in line numbers")
  func lineNumbers() throws {
    let result = try read("item_id,title,price\na,\"x\ny\r\nz\",1\nb,q,x\n")
    #expect(result.problems == [#"5:5 price: expected number, found text "x""#])
    #expect(result.records == [#"{"item_id":"a","title":"x\ny\r\nz","price":1}"#])
  }

  @Test(
    "explains why a header with an unknown field is rejected",
    arguments: [
      ("item_id,titel\na,tea\n", "did you mean title?"),
      (
        "item_id,weight\na,1\n", "to save the records without this column, pass --skip weight"
      ),
      (
        "item_id,net weight\na,1\n",
        "to save the records without this column, pass --skip 'net weight'"
      ),
      (
        "hello",
        "input that does not begin with {, [ or < is read as CSV, and its first line as field names"
      ),
    ])
  func headers(text: String, hint: String) throws {
    var reader = RecordReader(BytesInMemory(Array(text.utf8)), for: item, file: "in")
    while try reader.next(reusing: RowChanges(for: item)) != nil {
      #expect(reader.rejected.first?.problems.first?.hint == hint)
    }
    #expect(reader.isBroken == true)
  }

  @Test("suggests removing a row that begins with #")
  func comment() throws {
    var reader = RecordReader(
      BytesInMemory(Array("item_id,title\n# new\na,tea\n".utf8)), for: item, file: "in")
    var hints: [String?] = []
    while try reader.next(reusing: RowChanges(for: item)) != nil {
      hints += reader.rejected.flatMap { $0.problems.map(\.hint) }
    }
    #expect(hints == ["to skip lines that begin with #, pass --comment '#'"])
  }

  @Test("rejects two CSV columns for the same field")
  func twoColumns() throws {
    #expect(
      try read("item_id,title,title\na,b,c\n").problems == [
        "1:15 title: the columns title and title set the same field"
      ]
    )
  }

  @Test("reports the position of invalid UTF-8")
  func utf8() throws {
    let text = Array("item_id,title\na,t".utf8) + [0xE9, 0x61, 0x0A] + Array("b,c\n".utf8)
    let result = try ReadResult(text, for: item, slots: [0, 1])
    #expect(result.problems == ["2:4 invalid UTF-8"])
    #expect(result.records == [#"{"item_id":"b","title":"c"}"#])
  }
}

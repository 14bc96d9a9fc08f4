import DataModel
import RecordText
import TestSupport
import Testing

@Suite("Separators, headers, renamed and skipped columns, and notations of input")
struct TextFormTests {
  private let item: Schema

  init() throws {
    item = try schema(
      "item", Field("title", .text), Field("price", .number), Field("sold", .boolean),
      Field("due", .datetime), Field("place", .geopoint), Field("tags", .array(.text)))
  }

  private func read(
    _ text: String, _ form: TextForm = TextForm(), conversions: ValueConversions? = nil
  ) throws -> ReadResult {
    try ReadResult(
      Array(text.utf8), for: item, form, slots: [0, 1, 2], conversions: conversions)
  }

  private func form(
    _ format: RecordFormat? = nil, separator: Character? = nil,
    header: TextForm.Header = .firstRow, key: String? = nil, renames: [String] = [],
    skips: [String] = []
  ) throws -> TextForm {
    var form = TextForm(format)
    form.separator = separator?.asciiValue
    form.header = header
    form.columns = try ColumnRules(key: key, renames: renames, skips: skips)
    return form
  }

  @Test(
    "reads cells that are separated by tabs, semicolons or other characters",
    arguments: [
      ("item_id\ttitle\tprice\na\tsay \"x,y\" 5\"\t1\nb\t\"a\tb \"\"q\"\"\"\t\n", nil, nil),
      ("item_id\ttitle\tprice\r\na\tsay \"x,y\" 5\"\t1\r\nb\t\"a\tb \"\"q\"\"\"\t\r\n", "csv", nil),
      ("item_id;title;price\na;\"say \"\"x,y\"\" 5\"\"\";1\nb;\"a\tb \"\"q\"\"\";\n", nil, nil),
      ("item_id|title|price\na|\"say \"\"x,y\"\" 5\"\"\"|1\nb|\"a\tb \"\"q\"\"\"|\n", "csv", "|"),
    ] as [(String, String?, String?)])
  func separators(text: String, format: String?, separator: String?) throws {
    let result = try read(
      text, try form(format.flatMap(RecordFormat.init), separator: separator?.first))
    #expect(result.problems == [])
    #expect(
      result.records == [
        #"{"item_id":"a","title":"say \"x,y\" 5\"","price":1}"#,
        #"{"item_id":"b","title":"a\tb \"q\"","price":null}"#,
      ])
  }

  @Test("rejects a quoted cell of TSV that is not closed or is followed by text")
  func quotes() throws {
    let result = try read("item_id\ttitle\na\t\"x\" y\nb\tz\nc\t\"\n")
    #expect(
      result.problems == [
        "2:6 expected a separator or the end of the line after the closing quote",
        "4:3 unterminated quote",
      ])
    #expect(result.records == [#"{"item_id":"b","title":"z","price":null}"#])
  }

  @Test("detects the separator of CSV in the first line, and assumes commas if the line has none")
  func detection() throws {
    #expect(try read("item_id,title\na,\"x;y\tz\"\n").records.count == 1)
    #expect(try read("item_id;\"title\"\na;\"x,y\"\n").records.count == 1)
    #expect(
      try read("item_id\nx;y\n").records == [#"{"item_id":"x;y","title":null,"price":null}"#])
  }

  @Test("reads CSV without a header line, with given column names or in the order of the fields")
  func noHeader() throws {
    #expect(
      try read("a,tea,1\nb,\"x\"\"\",2\n", form(.csv, header: .fields)).records == [
        #"{"item_id":"a","title":"tea","price":1}"#, #"{"item_id":"b","title":"x\"","price":2}"#,
      ])
    #expect(
      try read("1,x,a\n2,y,b", form(.csv, header: .names(["price", "title", "itemId"]))).records
        == [
          #"{"item_id":"a","title":"x","price":1}"#, #"{"item_id":"b","title":"y","price":2}"#,
        ])
    #expect(
      try read("a,tea\nb\n", form(.csv, header: .fields)).problems == [
        "2:1 expected 2 cells as in the first row, found 1"
      ])
    #expect(
      try read("1,2,3,4,5,6,7,8\n", form(.csv, header: .fields)).problems == [
        "1:- found 8 cells, but item has only 7 fields"
      ])
    #expect(
      try read("a,b\n", form(.csv, header: .names(["item_id", "titel"]))).problems == [
        "0:- titel: item has no field titel"
      ])
    #expect(try read("", form(.csv, header: .names(["titel"]))) == read(""))
  }

  @Test("applies --key, --rename and --skip to the columns of CSV and the keys of JSON")
  func rules() throws {
    let rules = try form(
      key: "code,n", renames: ["Name=title", "a=b=price"], skips: ["note", "n", "title"])
    let expected = [
      #"{"item_id":"x:1","title":"tea","price":2}"#, #"{"item_id":"y:2","title":null,"price":3}"#,
    ]
    let csv = try read(
      "code,n,Name,a=b,note,title\nx,1,tea,2,z,no\ny,2,,3,,\n", rules)
    #expect(csv.problems == [])
    #expect(csv.records == expected)
    let json = try read(
      """
      {"title":"no","n":1,"code":"x","Name":"tea","a=b":2,"note":{"deep":[1]}}
      {"code":"\\u0079","note":null,"n":2,"a=b":3,"Name":null}
      """, rules)
    #expect(json.problems == [])
    #expect(json.records == expected)
  }

  @Test("uses the --key column as the id, and also saves the column in a field with the same name")
  func keptKey() throws {
    let rules = try form(key: "title")
    for text in ["title,price\ntea,1\n", #"{"title":"tea","price":1}"#] {
      #expect(try read(text, rules).records == [#"{"item_id":"tea","title":"tea","price":1}"#])
    }
    for text in ["item_id,price\ntea,1\n", #"{"item_id":"tea","price":1}"#] {
      #expect(
        try read(text, form(key: "item_id")).records == [
          #"{"item_id":"tea","title":null,"price":1}"#
        ])
    }
  }

  @Test(
    "rejects --key k,l if a part of the id is missing, null or empty, or contains a colon",
    arguments: [
      ("k,l\n,1\n", #"2:1 item_id: expected a part of the id in "k", found null"#),
      ("k,l\n\"\",1\n", #"2:2 item_id: expected a part of the id in "k", found an empty string"#),
      (
        "k,l\na:b,1\n",
        #"2:1 item_id: the parts of the id are joined with colons, but "k" contains a colon: "a:b""#
      ),
      (#"{"k":null,"l":1}"#, #"1:6 item_id: expected a part of the id in "k", found null"#),
      (#"{"l":1,"title":"k"}"#, #"1:6 item_id: expected a part of the id in "k", found none"#),
      (#"{"k":[1],"l":1}"#, "1:6 item_id: expected a part of the id in \"k\", found an array"),
      (#"{"k":1.5,"l":1}"#, "1:6 item_id: expected a part of the id in \"k\", found a number"),
      (
        #"{"item_id":"b","k":"a","l":1}"#,
        "1:12 item_id: the id is given in item_id and in k, l"
      ),
    ])
  func invalidKey(text: String, problem: String) throws {
    #expect(try read(text, form(key: "k,l", skips: [])).problems.first == problem)
  }

  @Test("suggests a similar name if an option names a column that the input does not have")
  func unusedRules() throws {
    for text in ["item_id,Nam\na,b\n", #"{"item_id":"a","Nam":1}"#] {
      let rules = try form(key: "item_id", renames: ["Name=title"], skips: ["x", "Nam"])
      #expect(
        try read(text, rules).problems.filter { $0.contains("has no column") } == [
          #"1:- the input has no column or key "Name""#,
          #"1:- the input has no column or key "x""#,
        ])
    }
    #expect(try read("", form(skips: ["x"])).problems == [])
  }

  @Test(
    "rejects invalid values of --key, --rename and --skip before any input is read",
    arguments: [
      ("a,,b", [], []), ("", [], []), (nil, ["a"], []), (nil, ["=a"], []), (nil, ["a="], []),
      (nil, ["a=b", "a=c"], []), (nil, ["a=b"], ["a"]),
    ] as [(String?, [String], [String])])
  func invalidRules(key: String?, renames: [String], skips: [String]) {
    #expect(throws: ColumnRules.InvalidRule.self) {
      try ColumnRules(key: key, renames: renames, skips: skips)
    }
  }

  @Test("reads geopoints as JSON, as LAT,LON and from two columns of coordinates")
  func points() throws {
    let slots = [0, 5]
    for text in [
      "item_id,place\na,\"{\"\"lat\"\":1,\"\"lon\"\":-2.5}\"\nb,\"1, -2.5\"\nc,\nd,null\n",
      "item_id,place.lat,place.lon\na,1,-2.5\nb,1.0,-2.5\nc,,\nd,,\n",
      """
      {"item_id":"a","place":{"lat":1,"lon":-2.5}}{"item_id":"b","place":"1,-2.5"}
      {"item_id":"c","place":null}{"place.lon":null,"item_id":"d","place.lat":null}
      """,
      """
      {"item_id":"a","place.lat":1,"place.lon":-2.5}{"place.lon":-2.5,"item_id":"b","place.lat":1}
      {"item_id":"c","place.lat":null,"place.lon":null}{"item_id":"d"}
      """,
    ] {
      let result = try ReadResult(Array(text.utf8), for: item, slots: slots)
      #expect(result.problems == [])
      #expect(
        result.records == [
          #"{"item_id":"a","place":{"lat":1,"lon":-2.5}}"#,
          #"{"item_id":"b","place":{"lat":1,"lon":-2.5}}"#, #"{"item_id":"c","place":null}"#,
          #"{"item_id":"d","place":null}"#,
        ])
    }
  }

  @Test(
    "rejects geopoints with invalid or missing coordinates",
    arguments: [
      ("item_id,place.lat\na,1\n", "2:9 place: expected both lat and lon"),
      ("item_id,place.lat,place.lon\na,1,\n", "2:3 place: expected both lat and lon"),
      ("item_id,place.lat,place.lon\na,x,1\n", #"expected a number of degrees, found "x""#),
      ("item_id,place,place.lat,place.lon\na,\"1,2\",1,2\n", "given both as a whole"),
      ("item_id,place\na,\"91,2\"\n", "with -90 ≤ lat ≤ 90"),
      ("item_id,place\na,\"1,2,3\"\n", #"found text "1,2,3""#),
      (#"{"item_id":"a","place.lat":1,"place.lat":1,"place.lon":2}"#, "duplicate coordinate"),
      (#"{"item_id":"a","place.lat":"1","place.lon":2}"#, "expected a number of degrees"),
      (#"{"item_id":"a","title.lat":1}"#, "item has no field title.lat"),
    ])
  func invalidPoints(text: String, problem: String) throws {
    let problems = try read(text).problems
    let part = problem.split(separator: ": ").last.map(String.init) ?? problem
    #expect(problems.first?.contains(part) == true, "\(problems)")
  }

  @Test("accepts notations such as 1'234.5 and Yes only in lenient mode")
  func lenient() throws {
    let slots = [1, 2, 3, 4, 5]
    let text = """
      item_id;title;price;sold;due;place
      a;"";1'234.5;Yes;2026-12-24 10:00Z;"1,2"
      b;x;-1’234’567;0;1766570400;""
      c;y;"";TRUE;"";

      """
    let lenient = ValueConversions(isLenient: true)
    let result = try ReadResult(
      Array(text.utf8), for: item, slots: slots, conversions: lenient)
    #expect(result.problems == [])
    #expect(
      result.records == [
        #"{"item_id":"a","title":"","price":1234.5,"sold":true,"due":"2026-12-24T10:00:00.000Z","place":{"lat":1,"lon":2}}"#,
        #"{"item_id":"b","title":"x","price":-1234567,"sold":false,"due":"2025-12-24T10:00:00.000Z","place":null}"#,
        #"{"item_id":"c","title":"y","price":null,"sold":true,"due":null,"place":null}"#,
      ])
    #expect(try ReadResult(Array(text.utf8), for: item, slots: slots).records == [])
    let json = #"{"item_id":"a","price":"","sold":1,"due":1766570400,"title":""}"#
    #expect(
      try ReadResult(Array(json.utf8), for: item, slots: slots, conversions: lenient).records == [
        #"{"item_id":"a","title":"","price":null,"sold":true,"due":"2025-12-24T10:00:00.000Z","place":null}"#
      ])
  }

  @Test(
    "rejects values that are invalid even in lenient mode",
    arguments: [
      #""price":"1'23""#, #""price":"12'3456""#, #""price":"1'234.5'678""#, #""price":"'123""#,
      #""price":"1'234'""#, #""price":"1,5""#, #""sold":"y""#, #""sold":2"#, #""sold":"on""#,
      #""due":"2026-12-24 10:00""#, #""due":"24.12.2026""#, #""due":1e300"#, #""due":1.5"#,
      #""due":99999999999999"#, #""due":"2026-12-24 10""#, #""tags":"a""#,
    ])
  func stillInvalid(member: String) throws {
    let result = try read(
      "{\"item_id\":\"a\",\(member)}", conversions: ValueConversions(isLenient: true))
    #expect(result.problems.count == 1)
  }

  @Test(
    "converts input in another encoding to UTF-8, whatever the size of the input pieces",
    arguments: [1, 2, 3, 100])
  func encodings(pieceSize: Int) throws {
    let text = "item_id,title\na,Zürich €\nb,“x”\n"
    func decode(_ bytes: [UInt8], _ encoding: TextEncoding) throws -> String {
      var source = TranscodedSource(
        BytesInMemory(bytes, pieceSize: pieceSize), from: encoding, file: "in")
      var result: [UInt8] = []
      while try source.read(into: &result, atMost: 7) > 0 {}
      return String(decoding: result, as: UTF8.self)
    }
    let emoji = text + "😀"
    let little = emoji.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = emoji.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(try decode([0xFF, 0xFE] + little, .utf16) == emoji)
    #expect(try decode([0xFE, 0xFF] + big, .utf16) == emoji)
    #expect(try decode(little, .utf16) == emoji)
    #expect(try decode(big, .utf16) == emoji)
    #expect(try decode([0xFE, 0xFF] + big, .utf16BigEndian) == emoji)
    #expect(try decode([], .utf16) == "")
    let windows: [UInt8] =
      Array("item_id,title\na,Z".utf8) + [0xFC] + Array("rich ".utf8) + [0x80]
      + Array("\nb,".utf8) + [0x93] + Array("x".utf8) + [0x94, 0x0A]
    #expect(try decode(windows, .windows1252) == text)
    #expect(try decode([0x41, 0xFC, 0x80], .latin1) == "Aü\u{80}")
    for (bytes, encoding, message) in [
      ([0x0A, 0x0A, 0x81], .windows1252, "0x81 is not a character of windows-1252"),
      ([0x0A, 0, 0x0A, 0, 0, 0xDC], .utf16, "unpaired surrogate"),
      ([0x0A, 0, 0x0A, 0, 0, 0xD8], .utf16, "unpaired surrogate"),
      ([0x0A, 0, 0x0A, 0, 0, 0xD8, 0x41, 0], .utf16, "unpaired surrogate"),
      ([0x0A, 0, 0x0A, 0, 0x41], .utf16, "the middle of a UTF-16 character"),
    ] as [([UInt8], TextEncoding, String)] {
      let error = #expect(throws: DataError.self) { try decode(bytes, encoding) }
      #expect(error?.problems.first?.line == 3)
      #expect(error?.problems.first?.message.contains(message) == true)
    }
  }
}

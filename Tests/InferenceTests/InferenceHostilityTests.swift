import RecordText
import Testing

@Suite("Schema inference: hostile input")
struct InferenceHostilityTests {
  @Test(
    "reports the position of the error when the input is invalid",
    arguments: [
      ("", "0:- no records to infer a schema from"),
      (" \n\r\n", "0:- no records to infer a schema from"),
      ("[]", "0:- no records to infer a schema from"),
      ("a,b\n", "0:- no records to infer a schema from"),
      ("{\"a\":1", "1:7 unexpected end of input in a value"),
      ("{\"a\":1}\n{\"a\":", "2:6 unexpected end of input in a value"),
      ("[{\"a\":1},", "1:10 unexpected end of input in a value"),
      ("{\"a\":1}\n{\"a\":1,\n\"a\":2}", "3:1 duplicate key in an object"),
      ("{\"a\":1,\"\\u0061\":2}", "1:8 duplicate key in an object"),
      ("{\"a\":{\"b\":1,\"b\":2}}", "1:13 duplicate key in an object"),
      ("{\"a\":\"\\u0000\"}", "1:6 \\u0000 is not allowed in text"),
      ("{\"a\":01}", "1:6 invalid number"),
      ("{\"a\":NaN}", "1:6 expected a value"),
      ("[1,{\"a\":1}]", "1:2 expected a record: an object in braces"),
      ("{\"a\":1} x", "1:9 expected a value"),
      ("{\"a\":1} 5", "1:9 expected a record: an object in braces"),
      ("[{\"a\":1}] {}", "1:11 text after the end of the JSON value"),
      ("a,b\n1\n", "2:1 expected 2 cells as in the header, found 1"),
      ("a,a\n1,2\n", "1:3 two columns with the same name"),
      ("a,b\n\"1,2\n", "2:1 unterminated quote"),
      ("a\nx\0\n", "2:2 NUL is not allowed in text"),
    ])
  func invalidInput(text: String, problem: String) {
    #expect(inferenceProblems(Array(text.utf8)) == [problem])
  }

  @Test("rejects input that is not UTF-8, such as UTF-16 and gzip")
  func encodings() {
    #expect(
      inferenceProblems(Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8)) == [
        "1:7 invalid UTF-8"
      ])
    #expect(
      inferenceProblems([0xFF, 0xFE, 0x7B, 0]) == ["1:- the input is UTF-16; records must be UTF-8"]
    )
    #expect(
      inferenceProblems([0x1F, 0x8B, 8, 0])
        == ["1:- the input is compressed with gzip; records must be UTF-8"])
  }

  @Test("accepts a byte order mark, CRLF and blank lines")
  func windows() throws {
    #expect(
      try InferenceResult("\u{FEFF}{\"a\":1}\r\n\r\n{\"a\":2}\r\n").fields
        == "thing_id id, a integer")
    #expect(
      try InferenceResult("\u{FEFF}a,b\r\n\r\n1,x\r\n", format: .csv).fields
        == "thing_id id, a integer, b text")
  }

  @Test("infers the same schema whatever the size of the input pieces", arguments: 1...9)
  func pieces(size: Int) throws {
    for text in [
      "{\"aé\\n\":1}",
      " [ {\"a\":[1, \"x\"],\"b\":{\"lat\":1,\"lon\":2}},\n{\"a\":-1.5e3,\"b\":null} ] ",
      "{\"a\":\"é\\ud83d\\ude00\"}{\"a\":true}\n{\"c\":1e400}",
    ] {
      let whole = Result { try InferenceResult(text) }
      let pieces = Result { try InferenceResult(text, pieceSize: size) }
      #expect("\(whole)" == "\(pieces)")
    }
    let csv = "a,\"b\"\r\n1,\"x,\"\"y\"\"\nz\"\r\n2,\n"
    #expect(try InferenceResult(csv) == InferenceResult(csv, pieceSize: size))
  }

  @Test("rejects a record with more keys than a schema can have fields")
  func keys() {
    let record = (1...10_000).map { "\"k\($0)\":1" }.joined(separator: ",")
    let problems = inferenceProblems(Array("{\(record)}".utf8))
    #expect(problems == ["1:4394 more keys than the 500 fields that a schema may have"])
  }

  @Test("accepts values nested up to 128 levels")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      "{\"a\":\(String(repeating: "[", count: depth))\(String(repeating: "]", count: depth))}"
    }
    #expect(try InferenceResult(nested(128)).fields == "thing_id id, a json")
    #expect(inferenceProblems(Array(nested(129).utf8)) == ["1:134 nested deeper than 128 levels"])
    #expect(
      inferenceProblems(Array(nested(100_000).utf8)) == ["1:10005 nested deeper than 128 levels"])
  }

  @Test("infers json for huge numbers without computing their value")
  func numbers() throws {
    let digits = String(repeating: "9", count: 100_000)
    #expect(try type(of: digits, "1.\(digits)", "1e\(digits)", "-0.000\(digits)e-5") == "json")
  }

  @Test("rejects a single object if one of its arrays seems to contain the records")
  func wrapping() {
    #expect(
      inferenceProblems(Array(#"{"639-3":[{"alpha_3":"aaa"},{"alpha_3":"aab"}]}"#.utf8)) == [
        "0:- the only record is an object with an array that seems to contain the records"
      ])
  }
}

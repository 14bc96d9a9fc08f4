import DataOutput
import Testing

@Suite("Indented JSON")
struct IndentedJSONTests {
  private func indented(_ json: String) -> String {
    var output: [UInt8] = []
    IndentedJSON.write(json.utf8.span, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  @Test("writes objects and arrays on several lines unless they are empty")
  func lines() {
    #expect(
      indented(#"{"a":[1,"b,{\"c\":"],"d":{},"e":[],"f":{"g":null}}"#) == #"""
        {
          "a": [
            1,
            "b,{\"c\":"
          ],
          "d": {},
          "e": [],
          "f": {
            "g": null
          }
        }

        """#)
  }

  @Test("escapes control characters")
  func control() {
    #expect(indented("\"a\u{9B}1m\u{202E}\"") == "\"a\\u009b1m\\u202e\"\n")
  }
}

import Testing
import datactl

@Suite("Indented JSON")
struct IndentedJSONTests {
  private func indented(_ json: String) -> String {
    var output: [UInt8] = []
    IndentedJSON.write(json.utf8.span, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  @Test("objects and arrays are set in lines, empty ones are not")
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

  @Test("what a terminal would obey is an escape")
  func control() {
    #expect(indented("\"a\u{9B}1m\u{202E}\"") == "\"a\\u009b1m\\u202e\"\n")
  }
}

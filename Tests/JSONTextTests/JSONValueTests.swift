import DataModel
import JSONText
import Testing

@Suite("JSONValue")
struct JSONValueTests {
  @Test("creates JSON values from Swift literals, and accesses their elements by key and index")
  func literals() {
    let value: JSONValue = ["a": [1, 2.5, "x"], "b": nil, "c": true]
    #expect(value.description == #"{"a":[1,2.5,"x"],"b":null,"c":true}"#)
    #expect(value["a"]?[1] == 2.5)
    #expect(value["d"] == nil)
    #expect(value["a"]?[3] == nil)
  }

  @Test(
    "writes JSON text as it was parsed, except for whitespace and escapes",
    arguments: [
      ("{\"b\": 1, \"a\": [1.50, 1e400, -0]}", "{\"b\":1,\"a\":[1.50,1e400,-0]}"),
      (#""\u00e9\/\ud83d\ude00""#, "\"é/😀\""), ("12345678901234567890", "12345678901234567890"),
      (" null ", "null"), ("[]", "[]"), ("{\"\":{}}", "{\"\":{}}"),
    ])
  func exact(text: String, expected: String) throws {
    #expect(try JSONValue(parsing: text).description == expected)
  }

  @Test(
    "reports the position of an error in the text of a json field",
    arguments: [
      ("{\"a\":1,\n\"a\":2}", "2:1 duplicate key in an object"),
      (#""\u0000""#, "1:1 \\u0000 is not allowed in text"),
      ("[1,]", "1:4 trailing comma"),
      ("1 2", "1:3 text after the end of the JSON value"),
    ])
  func refused(text: String, problem: String) {
    var found = ""
    do throws(DataError) {
      _ = try JSONValue(parsing: text)
    } catch {
      let first = error.problems[0]
      found = "\(first.line ?? 0):\(first.column ?? 0) \(first.message)"
    }
    #expect(found == problem)
  }

  @Test("converts the text of a JSON number to an integer or a double, or returns nil")
  func numbers() {
    #expect(JSONNumber(text: "1.0")?.integer == 1)
    #expect(JSONNumber(text: "1.5")?.integer == nil)
    #expect(JSONNumber(text: "1.5")?.double == 1.5)
    #expect(JSONNumber(text: "1e400")?.double == nil)
    #expect(JSONNumber(text: "01") == nil)
    #expect(JSONNumber(Double.infinity) == nil)
    #expect(JSONNumber(Int64.min).text == "-9223372036854775808")
  }

  @Test("treats a composed and a decomposed character as different")
  func bytes() {
    #expect(JSONValue.text("\u{E9}") != JSONValue.text("e\u{301}"))
  }
}

@Suite("Base64")
struct Base64Tests {
  @Test(
    "encodes and decodes the Base64 examples of RFC 4648",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func examples(plain: String, encoded: String) {
    var output: [UInt8] = []
    Base64.append(Array(plain.utf8).span, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == encoded)
    #expect(Base64.bytes(Array(encoded.utf8).span) == Array(plain.utf8))
  }

  @Test("encodes bytes to the same Base64 text, whatever the size of the input pieces")
  func pieces() {
    let bytes = (0..<256).map { UInt8($0) } + [0xFB, 0xFF]
    var whole: [UInt8] = []
    Base64.append(bytes.span, to: &whole)
    #expect(Base64.bytes(whole.span) == bytes)
    for size in [1, 2, 3, 4, 5, 7, 100] {
      var encoder = Base64.Encoder()
      var output: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        encoder.append(Array(bytes[start..<min(start + size, bytes.count)]).span, to: &output)
      }
      encoder.finish(to: &output)
      #expect(output == whole)
    }
  }

  @Test(
    "rejects invalid Base64",
    arguments: [
      "Z", "Zg", "Zg=", "Zm9", "Zm9v=", "====", "=m9v", "Zm=v", "Z===", "Zh==", "Zm9=", "Zm9v\n",
      "Zm 9", "Zm9-", "Zm9_", "Zm9v Zg==", "Zg==Zg==", "Zmé=",
    ])
  func refused(text: String) {
    #expect(Base64.bytes(Array(text.utf8).span) == nil)
  }
}

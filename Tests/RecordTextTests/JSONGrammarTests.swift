import DataModel
import JSONText
import RecordText
import TestSupport
import Testing

@Suite("JSON grammar")
struct JSONGrammarTests {
  @Test("accepts valid JSON and keeps it unchanged except for whitespace", arguments: accepted)
  func accepts(text: String) throws {
    #expect(try value(.json, text) == compact(text))
  }

  @Test("rejects invalid JSON", arguments: refused)
  func refuses(text: String) throws {
    let kind = try schema("box", Field("value", .json))
    let result = try ReadResult("{\"box_id\":\"1\",\"value\":\(text)}", for: kind, format: .json)
    #expect(result.records == [])
    #expect(result.problems.isEmpty == false)
  }

  @Test("reports the position of invalid UTF-8", arguments: notUTF8)
  func bytes(bad: [UInt8]) throws {
    let kind = try schema("box", Field("value", .text))
    let text = Array("{\"box_id\":\"1\",\"value\":\"a".utf8) + bad + Array("\"}".utf8)
    #expect(try ReadResult(text, for: kind).problems == ["1:25 value: invalid UTF-8"])
  }

  @Test(
    "accepts a stored JSON value if, and only if, the JSON parser accepts it", .tags(.random),
    arguments: Seeds.count(check: 4, test: 20, all: 200))
  func storedValues(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let schema = try schema("box", Field("value", .json))
    var check = StoredValueCheck(of: schema)
    for text in Self.accepted + Self.refused where text.utf8.count < 1_000 {
      var bytes = Array(compact(text).utf8)
      for _ in 0..<random.number(0...2) where !bytes.isEmpty {
        let index = random.number(0...(bytes.count - 1))
        switch random.number(0...2) {
        case 0: bytes[index] = UInt8(random.number(0...255))
        case 1: bytes.remove(at: index)
        default: bytes.insert(random.pick(Array("\"{}[],:1a\\".utf8)), at: index)
        }
      }
      var rows = Rows(width: schema.width)
      rows.addRow()
      rows[0, schema.keySlot] = rows.store("1")
      rows[0, 1] = rows.store(bytes.span)
      let isParsed = (try? JSONValue(parsing: bytes.span)) != nil && !bytes.contains(0x0A)
      #expect(
        (check.invalidSlot(in: rows, 0) == nil) == isParsed,
        "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test("rejects text that is truncated at any position", arguments: 1..<44)
  func cut(length: Int) throws {
    let kind = try schema("box", Field("value", .json))
    let whole = #"{"box_id":"1","value":[1,{"a":"é\n"},true]}"#
    let result = try ReadResult(Array(whole.utf8.prefix(length)), for: kind)
    #expect(result.records == [])
    #expect(result.isBroken == true)
  }

  @Test("decodes every character and every escape sequence", .tags(.slow), .from(.test))
  func characters() throws {
    for scalar in 0x20...0x10FFFF where scalar % 251 == 0 || scalar < 0x180 {
      guard let scalar = Unicode.Scalar(scalar), scalar != "\"", scalar != "\\" else { continue }
      let units = String(scalar).utf16.map { unit in
        "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count)
          + String(unit, radix: 16)
      }
      let expected = "\"\(scalar)\""
      #expect(try value(.text, "\"\(scalar)\"") == expected)
      #expect(try value(.text, "\"\(units.joined())\"") == expected)
    }
  }

  @Test("finds quotes, escapes and control characters at any offset")
  func positions() throws {
    for before in 0..<20 {
      let run = String(repeating: "x", count: before)
      for after in 0..<10 {
        let rest = String(repeating: "y", count: after)
        #expect(try value(.text, "\"\(run)\\n\(rest)\"") == "\"\(run)\\n\(rest)\"")
        #expect(try value(.text, "\"\(run)é\(rest)\"") == "\"\(run)é\(rest)\"")
        #expect(
          try value(.text, "\"\(run)\u{1}\(rest)\"")
            == "1:\(24 + before) value: unescaped control character in text: "
            + "use an escape, such as \\n")
      }
    }
  }

  private static let accepted = [
    "0", "-0", "1", "-1", "10", "123456789012345678901234567890", "0.5", "-0.5", "1.25", "1e5",
    "1E5", "1e+5", "1e-5", "1.5e300", "0e0", "0E+1", "1e400", "-1e-400", "0.00000000000000000001",
    "true", "false", "[null]", "[]", "{}", "[[]]", "[{}]", #"{"":0}"#, #"{"a":null}"#, "[1]",
    "[1,2]", "[1, 2 ]", "[ ]", "{ }", " [ 1 , 2 ] ", "\t[\n1\r\n]", #"{ "a" : 1 , "b" : [ ] }"#,
    #""""#, #""a""#, #"" a b ""#, #""\"""#, #""\\""#, #""\/""#, #""\b\f\n\r\t""#, #""A""#,
    #""é""#, #""\u00e9\u00E9""#, #""\ud83d\ude00""#, #""\uD83D\uDE00""#, #""😀""#, #""\uFFFF""#,
    #""\u2028""#, "\"\u{2028}\"", "\"\u{7F}\"", "\"\u{80}\"", "\"\u{FFFF}\"", "\"\u{10FFFF}\"",
    "\"\u{FEFF}\"", #""//""#, #""/*x*/""#, #"["a","b"]"#, #"{"a":{"a":{"a":1}}}"#,
    #"[{"a":1},{"a":1}]"#, #"{"a":1,"A":2}"#, "{\"a\":1,\"\u{E1}\":2,\"a\u{301}\":3}", #"["\\",1]"#,
    #"["\\\"",1]"#,
    #""[1,""#, #""{\"a\": 1}""#, "[true,false,null]", "[1,[2,[3,[4]]]]", #"{"\n":1}"#,
    #"{"a b":"c  d"}"#, "[-0.0]", "[0]", "[1E-2]", #""\u0001""#, #""\u001f""#,
    "{\"1\":1,\"2\":1,\"3\":1,\"4\":1,\"5\":1,\"6\":1,\"7\":1,\"8\":1,\"9\":1,\"10\":1}",
    String(repeating: "[", count: 128) + String(repeating: "]", count: 128),
    String(repeating: "{\"a\":", count: 127) + "[]" + String(repeating: "}", count: 127),
    "\"\(String(repeating: "long ", count: 1_000))\"",
  ]

  private static let refused = [
    "", " ", "nul", "nulll", "True", "TRUE", "tru", "truee", "fals", "NaN", "Infinity",
    "-Infinity", "undefined", "nan", "+1", "01", "-01", "00", "0x1", "1.", ".5", "-.5", "-", "1e",
    "1e+", "1e-", "1.e1", "1e1.5", "1_000", "1,000", "--1", "1-", "1 2", "0b1", "1a", "1f", "-a",
    "'a'", "\"", "\"a", "a", "a\"", #""\""#, #""\x41""#, #""\'""#, #""\a""#, #""\0""#, #""\u""#,
    #""\u1""#, #""\u12""#, #""\u123""#, #""\u123g""#, #""\U0041""#, #""\u+123""#, #""\ud800""#,
    #""\udc00""#, #""\ud800x""#, #""\ud800\n""#, #""\ud800\u0041""#, #""\udc00\ud800""#,
    #""\ud83d\ud83d""#, "\"\u{0}\"", "\"\u{1}\"", "\"\u{1F}\"", "\"a\nb\"", "\"a\tb\"", "\"a\rb\"",
    "[", "]", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1;2]", "[1:2]", "[\"a\"",
    "[]]", "[}", "[1}", "{", "}", "{]", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,\"a\":1}",
    "{\"a\":1,,\"b\":2}", "{\"a\" 1}", "{\"a\"::1}", "{\"a\":1 \"b\":2}", "{a:1}", "{'a':1}",
    "{1:1}", "{null:1}", "{true:1}", "{[]:1}", "{\"a\":1", "{\"a", "{\"a\":1]", "{\"a\":\"b}",
    "[1]//", "[1]/**/", "/**/1", "#", "[1]x", "\u{FEFF}1", "\u{A0}1", "\u{2028}1", "[\u{B}1]",
    "[\u{C}1]", "1\u{0}", "[\"a\"\u{0}]", "*", "&", "<a/>", "(1)", "[1)", "`a`", "$", "@",
    #""\u0000""#, #"["\u0000"]"#, #"{"\u0000":1}"#, #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#,
    #"{"x":{"a":1,"b":2,"a":3}}"#, #"[{"a":1,"a":1}]"#, #"{"":1,"":2}"#,
    "{\"1\":1,\"2\":1,\"3\":1,\"4\":1,\"5\":1,\"6\":1,\"7\":1,\"8\":1,\"9\":1,\"\\u0031\":1}",
    String(repeating: "[", count: 129) + String(repeating: "]", count: 129),
    String(repeating: "{\"a\":", count: 129) + "1" + String(repeating: "}", count: 129),
    String(repeating: "[", count: 100_000),
  ]

  private static let notUTF8: [[UInt8]] = [
    [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0xAF],
    [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xED, 0xA0, 0x80],
    [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0xAF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98],
    [0xF0, 0x9F, 0x28, 0x80], [0xF0, 0x9F, 0x98, 0x28], [0xF4, 0x90, 0x80, 0x80],
    [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
  ]

  /// Returns the text without whitespace outside of strings.
  private func compact(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var isInString = false
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if !isInString && " \t\r\n".unicodeScalars.contains(scalar) { continue }
      if scalar == "\"" && !isEscaped { isInString.toggle() }
      isEscaped = scalar == "\\" && !isEscaped
      result.append(scalar)
    }
    return String(result)
  }
}

import DataModel
import JSONText
import Testing

@Suite("Text of lists")
struct ListTextTests {
  @Test("parses a list of elements of the given type, with or without spaces")
  func lists() {
    let booleans = ListText.values(in: "[true, false]".utf8.span, of: .boolean)
    #expect(booleans == [.boolean(true), .boolean(false)])
    #expect(ListText.values(in: "[1,2]".utf8.span, of: .integer) == [.integer(1), .integer(2)])
  }

  @Test(
    "returns nil for a list with an element that does not have the requested type",
    arguments: [
      ("[no]", ElementType.boolean), ("[null]", .boolean), ("[tru]", .boolean), ("[0]", .boolean),
      (#"["true"]"#, .boolean), ("[1.5]", .integer), ("[null]", .number), ("[1]", .text),
    ])
  func otherElements(text: String, type: ElementType) {
    #expect(ListText.values(in: text.utf8.span, of: type) == nil)
  }

  @Test(
    "recognizes a JSON list of strings that contains no escapes and no spaces",
    arguments: [
      "[]", #"["a"]"#, #"["a","b"]"#, #"["größe","日本語"]"#, #"["",""]"#, #"["a longer text",""]"#,
    ])
  func plain(text: String) {
    #expect(ListText.isPlain(text.utf8.span) == true)
  }

  @Test(
    "does not recognize invalid JSON, or a list with escapes, spaces or numbers, as a plain list",
    arguments: [
      "", "[", "]", "{}", "[[", #"["a"#, #"["a""#, #"["a","#, #"["a",]"#, #"["a"]]"#, #"["a"}"#,
      #"["a" ,"b"]"#, #"["a"  ]"#, #"["a\n"]"#, "[\"a\n\"]", "[1]", #"["a",1]"#, #"["a"b"]"#,
    ])
  func notPlain(text: String) {
    #expect(ListText.isPlain(text.utf8.span) == false)
  }

  @Test("does not recognize invalid UTF-8 as a list")
  func invalidUTF8() {
    let bytes: [UInt8] = [0x5B, 0x22, 0xC3, 0x22, 0x5D]
    #expect(ListText.isPlain(bytes.span) == false)
  }
}

@Suite("Quoting of JSON strings")
struct JSONQuoteTests {
  @Test("escapes each special character of a JSON string, at every offset in texts of any length")
  func offsets() {
    for character in ["\"", "\\", "\n", "\u{1}"] {
      let escape = ["\"": #"\""#, "\\": #"\\"#, "\n": #"\n"#][character] ?? #"\u0001"#
      for length in 0..<20 {
        for offset in 0...length {
          let before = String(repeating: "é", count: offset / 2) + (offset % 2 == 0 ? "" : "a")
          let after = String(repeating: " ", count: length - offset)
          var quoted: [UInt8] = []
          JSONQuote.append((before + character + after).utf8.span, to: &quoted)
          #expect(String(decoding: quoted, as: UTF8.self) == "\"\(before)\(escape)\(after)\"")
        }
      }
    }
  }
}

import DataModel
import RecordText
import TestSupport
import Testing

@Suite("Dividing an input into parts")
struct RecordDividerTests {
  /// Divides a text that arrives in pieces. Returns the parts, each with the number of lines before
  /// it, or nil if the text cannot be divided.
  private static func parts(
    of text: String, _ form: TextForm = TextForm(), count: Int, pieceSize: Int = 1
  ) -> [String]? {
    var rest = Array(text.utf8)[...]
    var bytes: [UInt8] = []
    var divider: RecordDivider?
    while divider == nil {
      switch RecordDivider.detect(bytes.span, isLast: rest.isEmpty, form) {
      case .tooShort:
        bytes += rest.prefix(pieceSize)
        rest = rest.dropFirst(pieceSize)
      case .whole: return nil
      case .divided(let found): divider = found
      }
    }
    guard var divider else { return nil }
    var parts: [String] = []
    var part: [UInt8] = []
    var (found, lines) = (0, 0)
    while true {
      divider.scan(bytes.span, until: count - found)
      found += divider.count
      part += bytes[..<divider.end]
      bytes.removeFirst(divider.end)
      divider.discard()
      if found == count {
        parts.append("\(lines)|" + String(decoding: part, as: UTF8.self))
        (part, found, lines) = ([], 0, divider.lines)
      } else if rest.isEmpty {
        return parts + ["\(lines)|" + String(decoding: part + bytes, as: UTF8.self)]
      }
      bytes += rest.prefix(pieceSize)
      rest = rest.dropFirst(pieceSize)
    }
  }

  private static func form(_ change: (inout TextForm) -> Void) -> TextForm {
    var form = TextForm()
    change(&form)
    return form
  }

  @Test(
    "ends a part after the given number of records, at any size of the pieces",
    arguments: [
      ("{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n", 2, ["0|{\"a\":1}\n{\"a\":2}", "1|\n{\"a\":3}\n"]),
      ("{\"a\":\"}\\\"{\"} {\"a\":[{}]}", 1, ["0|{\"a\":\"}\\\"{\"}", "0| {\"a\":[{}]}", "0|"]),
      ("{\n\"a\":1\n}\n{}", 1, ["0|{\n\"a\":1\n}", "2|\n{}", "3|"]),
      ("{\"a\":1\n{\"a\":2}\n{}", 1, ["0|{\"a\":1\n{\"a\":2}\n", "2|{}", "2|"]),
      ("{\"a\n{}", 1, ["0|{\"a\n", "1|{}", "1|"]),
      ("{} x\n{}\n", 1, ["0|{}", "0| x\n", "1|{}", "1|\n"]),
      (
        "a,b\n1,2\n\n3,\"4\n5\"\"\n\"\n6,7", 1, ["0|a,b\n1,2\n", "2|\n3,\"4\n5\"\"\n\"\n", "6|6,7"]
      ),
      ("a\r\n1\r\n2\r\n", 1, ["0|a\r\n1\r\n", "2|2\r\n", "3|"]),
      ("a\tb\n1\"\t2\n3\t\"4\n\"\n", 1, ["0|a\tb\n1\"\t2\n", "2|3\t\"4\n\"\n", "4|"]),
      ("\u{FEFF}{}\n{}", 1, ["0|\u{FEFF}{}", "0|\n{}", "1|"]),
    ])
  func division(text: String, count: Int, expected: [String]) {
    for pieceSize in [1, 2, 3, 7, 100] {
      #expect(Self.parts(of: text, count: count, pieceSize: pieceSize) == expected)
    }
  }

  @Test("uses the given format, delimiter and header")
  func forms() {
    let ndjson = "{\"a\":\n{}\n"
    #expect(
      Self.parts(of: ndjson, TextForm(.ndjson), count: 1) == ["0|{\"a\":\n", "1|{}\n", "2|"])
    let rows = "1;\"a\n\"\n2;b\n"
    let form = Self.form {
      $0.separator = UInt8(ascii: ";")
      $0.header = .fields
    }
    #expect(Self.parts(of: rows, form, count: 1) == ["0|1;\"a\n\"\n", "2|2;b\n", "3|"])
  }

  @Test(
    "does not divide other formats",
    arguments: ["[{},{}]", " \n[{}]", "<r><a/></r>", "%YAML 1.2\n---\n", "", "  "])
  func others(text: String) {
    #expect(Self.parts(of: text, count: 1) == nil)
    let utf16 = Self.form { $0.encoding = .utf16LittleEndian }
    #expect(Self.parts(of: "{\0}\0", utf16, count: 1) == nil)
  }
}

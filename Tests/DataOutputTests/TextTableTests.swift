import DataOutput
import Testing

@Suite("Tables")
struct TextTableTests {
  private func table(_ rows: [[String]], cutAt limit: Int? = nil) -> String {
    var table = TextTable([.init("name"), .init("price", .right), .init("note")], cutAt: limit)
    var output: [UInt8] = []
    for row in rows { table.add(row, to: &output) }
    table.end(to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  @Test("aligns columns without trailing spaces, and aligns numbers to the right")
  func aligned() {
    #expect(
      table([["tea", "4", "hot"], ["milk tea", "4.25", ""]]) == """
        name      price  note
        tea           4  hot
        milk tea   4.25

        """)
  }

  @Test("prints the column titles of an empty table")
  func empty() {
    #expect(table([]) == "name  price  note\n")
  }

  @Test("measures the width of wide and combining characters as a terminal does")
  func wide() {
    #expect(
      table([["茶", "1", "x"], ["the\u{301}", "2", "x"], ["👩‍🚀", "3", "x"], ["❤️", "4", "x"]]) == """
        name  price  note
        茶        1  x
        the\u{301}       2  x
        👩‍🚀        3  x
        ❤️        4  x

        """)
  }

  @Test("escapes control characters")
  func control() {
    #expect(table([["\u{1B}]0;x\u{7}", "", ""]]).hasSuffix("\n\\u001b]0;x\\u0007\n"))
  }

  @Test("truncates lines at the width of a terminal, but not without a terminal")
  func cut() {
    let row = [["tea", "4", "a note that is long"]]
    #expect(table(row, cutAt: 20) == "name  price  note\ntea       4  a note…\n")
    #expect(table([["茶茶茶茶", "", ""]], cutAt: 6) == "name …\n茶茶…\n")
    #expect(table(row).hasSuffix("a note that is long\n"))
  }

  @Test("computes column widths from the first 1,000 rows, and prints later wider cells in full")
  func late() {
    let rows = Array(repeating: ["a", "1", "b"], count: 1_000) + [["abcdefgh", "1", "b"]]
    #expect(table(rows).hasSuffix("a         1  b\nabcdefgh  1  b\n"))
  }
}

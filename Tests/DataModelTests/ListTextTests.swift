import DataModel
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
    "returns nil for a list with an element of another type",
    arguments: [
      ("[no]", ElementType.boolean), ("[null]", .boolean), ("[tru]", .boolean), ("[0]", .boolean),
      (#"["true"]"#, .boolean), ("[1.5]", .integer), ("[null]", .number), ("[1]", .text),
    ])
  func otherElements(text: String, type: ElementType) {
    #expect(ListText.values(in: text.utf8.span, of: type) == nil)
  }
}

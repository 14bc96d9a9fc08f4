import DataModel
import DataXML
import Inference
import RecordText
import Testing

@Suite("Inferring schemas from XML")
struct XMLInferenceTests {
  private func fields(_ records: String) throws -> [String] {
    let source = try XMLRecordSource(
      BytesInMemory(Array("<records>\(records)</records>".utf8)), for: nil)
    let inference = try SchemaInference(
      source, schema: "book", TextForm(.xml), file: InferenceFile("in"), splitting: .none)
    return try inference.schema().schema.fields.map { "\($0.name):\($0.type.name)" }
  }

  @Test("infers field types from elements, attributes, lists and geopoints")
  func types() throws {
    let found = try fields(
      """
      <book book_id="1" pages="12"><title>A</title><price>1.5</price><done>true</done>\
      <tags><item>x</item></tags><sizes/><place lat="1" lon="2"/><due null="true"/>\
      <at>2026-11-20T03:05:00Z</at><isbn>007</isbn><extra>{"a":1}</extra><empty/></book>
      <book book_id="2" pages="13"><title>5</title><price>2</price><tags/>\
      <sizes><item>1</item></sizes><isbn>12</isbn></book>
      """)
    #expect(
      found == [
        "book_id:id", "pages:integer", "title:text", "price:number", "done:boolean",
        "tags:[text]", "sizes:[integer]", "place:geopoint", "at:datetime", "isbn:text",
        "extra:json", "empty:text",
      ])
  }

  @Test("reports the first problem when the document is invalid or truncated")
  func problems() throws {
    let error = try #require(throws: DataError.self) { try fields("<book>x</book>") }
    #expect(error.problems.first?.message == "expected an element, found text \"x\"")
    let truncated = try #require(throws: DataError.self) { try fields("<book>") }
    #expect(truncated.problems.first?.file == "in")
  }
}

import DataModel
import Testing

@Suite("Field types")
struct FieldTypeTests {
  @Test("lists the name of each type")
  func names() {
    #expect(FieldType.names == FieldType.samples.map(\.name))
  }
}

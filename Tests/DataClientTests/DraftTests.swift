import DataClient
import Testing

@Suite("Drafts of records")
struct DraftTests {
  @Test("assigns an id to a draft that has none")
  func assignsID() throws {
    var joe: Draft = ["name": "Joe", "age": 25]
    joe.assignID(in: "person")
    #expect(joe.names == ["person_id", "name", "age"])
    let second = RecordID.new()
    var other: Draft = [:]
    other.assignID(in: "person")
    #expect(joe["person_id"] != other["person_id"])
    #expect(second.text.utf8.count == 36)
  }

  @Test(
    "keeps the id of a draft, whether it was set by field name or by property name",
    arguments: ["person_id", "personID", "personId"])
  func keepsID(name: String) {
    var joe: Draft = [:]
    joe[name] = "joe"
    joe.assignID(in: "person")
    #expect(joe.names == [name])
    #expect(joe[name] == "joe")
  }

  @Test("generates ids in ascending order")
  func rising() {
    let ids = (0..<1_000).map { _ in RecordID.new().text }
    #expect(ids == ids.sorted())
    #expect(Set(ids).count == 1_000)
  }

  @Test("removes a value that is assigned nil, and keeps a value that is assigned .null")
  func removing() {
    var draft: Draft = ["a": 1, "b": nil]
    #expect(draft["b"] == .null)
    draft["a"] = nil
    #expect(draft.names == ["b"])
    draft["b"] = 2.5
    #expect(draft == ["b": 2.5])
  }
}

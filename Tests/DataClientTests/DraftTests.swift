import DataClient
import Testing

@Suite("A draft")
struct DraftTests {
  @Test("assignID gives an id to a record without one")
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
    "assignID leaves an id that is there, by whatever name",
    arguments: ["person_id", "personID", "personId"])
  func keepsID(name: String) {
    var joe: Draft = [:]
    joe[name] = "joe"
    joe.assignID(in: "person")
    #expect(joe.names == [name])
    #expect(joe[name] == "joe")
  }

  @Test("ids rise in the order in which they are made")
  func rising() {
    let ids = (0..<1_000).map { _ in RecordID.new().text }
    #expect(ids == ids.sorted())
    #expect(Set(ids).count == 1_000)
  }

  @Test("a value that is set to nil is taken back, and .null clears a field")
  func taking() {
    var draft: Draft = ["a": 1, "b": nil]
    #expect(draft["b"] == .null)
    draft["a"] = nil
    #expect(draft.names == ["b"])
    draft["b"] = 2.5
    #expect(draft == ["b": 2.5])
  }
}

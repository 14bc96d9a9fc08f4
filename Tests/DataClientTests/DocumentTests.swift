import DataClient
import DataModel
import Testing

@Suite("Documents saved and returned with maps in DataClient")
struct DocumentTests {
  struct Phone: Codable, Sendable {
    var phoneID: RecordID
    var number: String
  }

  struct Contact: Codable, Sendable, Mapped {
    static let map = try! DataMap(
      parsing: """
        {"map": "book", "format": "xml", "schema": "contact", "records": "/book/c",
         "fields": {"contact_id": "@id", "name": "name",
          "phones": {"at": "phone[]", "fields": {"number": "text()"}}}}
        """)
    var contactID: RecordID
    var name: String
    var phones: [Phone] = []
  }

  private func client() async throws -> Client {
    let client = try await Client.open("memory:", in: Shop.environment())
    try await client.createSchema(for: Contact.self)
    return client
  }

  private let document =
    "<book><c id=\"a\"><name>Ann</name><phone>1</phone><phone>2</phone></c>"
    + "<c id=\"b\"><name>Bob</name></c></book>"

  @Test("saves a document with nested records, and returns the same document")
  func bothWays() async throws {
    let client = try await client()
    let records = try await client.records(of: Contact.self).save(document: document.utf8)
    #expect(records.map(\.id) == ["a", "b"])
    let ann = try #require(try await client.records(of: Contact.self).get("a"))
    #expect(ann.phones.map(\.number) == ["1", "2"])
    #expect(ann.phones.map(\.phoneID.text) == ["a.phones.0", "a.phones.1"])

    let whole = try await client.records(of: Contact.self).document()
    try await client.records(of: Contact.self).save(document: whole)
    #expect(try await client.records("contact").get("a")?.revision == 1)
    let text = String(decoding: whole, as: UTF8.self)
    #expect(text.filter { !$0.isWhitespace }.contains("<phone>1</phone><phone>2</phone>"))

    let one = try await client.records("contact").document(
      map: Contact.map, where: "name like 'B%'", order: "-name", limit: 1)
    #expect(!String(decoding: one, as: UTF8.self).contains("Ann"))
    let camel = try #require(DataMap.builtIn(named: "camel"))
    let bob = try #require(try await client.records("contact").document(of: "b", map: camel))
    #expect(String(decoding: bob, as: UTF8.self).hasPrefix(#"{"contactID":"b","name":"Bob","#))
    #expect(try await client.records(of: Contact.self).document(of: "z") == nil)
  }

  @Test("reports invalid records of an XML document and an invalid map, and saves nothing")
  func problems() async throws {
    let client = try await client()
    let wrong = "<book>\n<c id=\"a\"><name>Ann</name><age>7</age></c>\n<c id=\"b\"/></book>"
    let error = try await problem {
      try await client.records(of: Contact.self).save(document: wrong.utf8)
    }
    #expect(error.problems.map(\.line) == [2, 3])
    #expect(error.problems.map(\.file) == [nil, nil])
    #expect(try await client.records("contact").count() == 0)
    let exists = try await problem {
      try await client.records(of: Contact.self).save(document: document.utf8)
      try await client.records(of: Contact.self).save(document: document.utf8, mode: .create)
    }
    #expect(exists.code == .exists)
    let map = try await problem { _ = try DataMap(parsing: #"{"map": "x", "feilds": {}}"#.utf8) }
    #expect(map.code == .invalidConfiguration)
    #expect(DataMap.builtIn(named: "nothing") == nil)
  }
}

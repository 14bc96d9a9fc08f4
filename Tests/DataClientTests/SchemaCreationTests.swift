import DataClient
import Foundation
import Testing

@Suite("Creating schemas")
struct SchemaCreationTests {
  enum Priority: Int, Codable, CaseIterable, Sendable {
    case low = 1
    case high = 2
  }

  enum State: String, Codable, CaseIterable, Sendable {
    case open
    case done
  }

  enum Color: String, Codable, Sendable {
    case red
  }

  struct Person: Codable, Sendable {
    var personID: RecordID
    var name: String
  }

  struct Task: Codable, Sendable, Recorded {
    static var schema: String { "job" }
    var jobID: UUID
    var title: String
    var hours: Double?
    var priority: Priority?
    var state: State
    var due: Date?
    var place: GeoPoint?
    var photo: FileReference?
    var link: URL?
    var labels: [String]
    var dates: [Timestamp]?
    var points: [GeoPoint]?
    var settings: [String: Int]?
    var owner: String?
    var person: Reference
    var persons: Set<RecordID>
    var revision: Int?
    var createdBy: String?
  }

  struct User: Codable, Sendable {
    var username: String
    var password: String?
  }

  @Test("derives the fields of a schema from a Swift model type")
  func fields() throws {
    let schema = try Schema(of: Task.self, relations: ["owner": "person", "persons": "person"])
    let person = Relation(to: "person")
    #expect(schema.name == "job")
    #expect(
      schema.fields == [
        Field("job_id", .id), Field("title", .text, isRequired: true), Field("hours", .number),
        Field("priority", .integer, oneOf: [.integer(1), .integer(2)]),
        Field("state", .text, isRequired: true, oneOf: [.text("open"), .text("done")]),
        Field("due", .datetime), Field("place", .geopoint), Field("photo", .file),
        Field("link", .text), Field("labels", .array(.text), isRequired: true),
        Field("dates", .array(.datetime)), Field("points", .json), Field("settings", .json),
        Field("owner", .relation(person)), Field("person", .relation(person), isRequired: true),
        Field("persons", .relation(Relation(to: "person", isMany: true))),
      ])
    let users = try Schema(of: User.self)
    #expect(users.kind == .user)
    #expect(users.fields == [Field("username", .id), Field("password", .password)])
  }

  @Test("creates a schema from a Swift type, and saves and reads instances of the type with it")
  func roundTrip() async throws {
    let client = try await Client.open("memory:", in: Shop.environment())
    try await client.createSchema(for: Person.self)
    try await client.createSchema(
      for: Task.self, relations: ["owner": "person", "persons": "person"])
    try await client.records(of: Person.self).save(Person(personID: "ann", name: "Ann"))
    let task = Task(
      jobID: UUID(), title: "tea", priority: .high, state: .open, labels: [], person: "ann",
      persons: ["ann"])
    let saved = try await client.records(of: Task.self).save(task)
    let id = saved.jobID.uuidString.lowercased()
    let found = try #require(try await client.records(of: Task.self).get(id))
    #expect(found.priority == .high && found.labels == [] && found.persons == ["ann"])
  }

  @Test(
    "rejects a model type without a primary key, and a relation declared for a missing property")
  func invalidTypes() throws {
    struct Note: Codable, Sendable {
      var text: String
    }
    let error = try #require(throws: DataError.self) {
      try Schema(of: Note.self, relations: ["owner": "person"])
    }
    #expect(
      error.problems == [
        Problem(.usage, "Note has no property owner", schema: "note", field: "owner"),
        Problem(
          .usage, "Note has no property for the primary key", hint: "declare var noteID: RecordID",
          schema: "note", field: "note_id"),
      ])
  }

  @Test("rejects a model type whose properties cannot be found by decoding a sample")
  func unknownProperties() throws {
    struct Pen: Codable, Sendable {
      var penID: RecordID
      var color: Color
      var length: Double
    }
    #expect(
      throws: DataError(
        .usage,
        "cannot derive a schema from Pen: decoding a sample failed after the property color",
        hint: "make its enum types CaseIterable, or declare the fields with createSchema(_:_:)")
    ) { try Schema(of: Pen.self) }
  }

  @Test("rejects, keeps or migrates an existing schema, as the caller chooses")
  func existing() async throws {
    let client = try await Client.open("memory:", in: Shop.environment())
    let first = try await client.createSchema("person", ["name:text!"])
    let error = try await problem { try await client.createSchema("person", ["name:text!"]) }
    #expect(
      error
        == DataError(Problem(.exists, "the schema already exists", schema: "person")))
    let fields = ["name:text!", "age:integer"]
    #expect(try await client.createSchema("person", fields, ifExists: .keep) == first)
    #expect(try await client.schema("person") == first)
    let second = try await client.createSchema("person", fields, ifExists: .migrate)
    #expect(second.fields.map(\.name) == ["person_id", "name", "age"])
    #expect(try await client.schema("person") == second)
    try await client.records("person").save(["person_id": "ann", "name": "Ann", "age": 31])
    let loss = try await problem {
      try await client.createSchema(for: Person.self, ifExists: .migrate)
    }
    #expect(loss.code == .loss)
    #expect(try await client.schema("person") == second)
  }

  @Test("says which of several schema files has a problem")
  func severalFiles() async throws {
    let client = try await Client.open("memory:", in: Shop.environment())
    let good = #"{"schema": "tag", "fields": {"tag_id": {"type": "id"}}}"#
    let bad = "{\"schema\": \"note\", \"fields\": {\n\"note_id\": {\"type\": \"it\"}}}"
    let several = try await problem { try await client.applySchemas([good, bad, "{"]) }
    #expect(several.problems.map(\.file) == ["files[1]", "files[2]"])
    #expect(several.problems.map(\.line) == [2, 1])
    let one = try await problem { try await client.applySchemas([bad]) }
    #expect(one.problems.map(\.file) == [nil])
    #expect(try await client.schemas().isEmpty)
  }
}

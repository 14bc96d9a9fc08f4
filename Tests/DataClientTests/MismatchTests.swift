import DataClient
import DataModel
import DataStore
import Foundation
import Testing

@Suite("Model types that do not match their schema")
struct MismatchTests {
  struct Sample: Codable, Sendable, Recorded {
    static var schema: String { "sample" }
    var sampleID: Int
    var text: Date?
    var integer: String?
    var number: Int?
    var boolean: Bool
    var datetime: String?
    var geopoint: Reference?
    var json: [String: [Int]]?
    var one: [Reference]?
    var many: [Int]
    var texts: String?
    var integers: [String]?
    var colour: String?
    var createdBy: String
    var kind: Kind?
  }

  struct Kind: Codable, Sendable {
    var name: String
  }

  enum Level: String, Codable, Sendable {
    case low
    case high
  }

  struct Person: Codable, Sendable {
    var personID: String
    var name: Level
    var age: String
  }

  struct BlogPost: Codable, Sendable {
    var blogPostID: String
  }

  @Test("reports all properties that do not fit the schema when records are saved or listed")
  func everyMismatch() async throws {
    let client = try await Shop().client
    let value = Sample(sampleID: 1, boolean: true, many: [], createdBy: "")
    let error = try await problem { try await client.records(of: Sample.self).save(value) }
    #expect(error.problems.allSatisfy { $0.code == .usage && $0.schema == "sample" })
    #expect(
      error.problems.map(\.message) == [
        "Sample.sampleID: the field is id, and Int cannot store its values",
        "Sample.text: the field is text, and Date cannot store its values",
        "Sample.integer: the field is integer, and String cannot store its values",
        "Sample.number: the field is number, and Int cannot store its values",
        "Sample.boolean: the field may be null, and Bool is not optional",
        "Sample.datetime: the field is datetime, and String cannot store its values",
        "Sample.geopoint: the field is geopoint, and Reference cannot store its values",
        "Sample.one: the field is relation, and Array<Reference> cannot store its values",
        "Sample.many: the field is relation, and Array<Int> cannot store its values",
        "Sample.texts: the field is [text], and String cannot store its values",
        "Sample.integers: the field is [integer], and Array<String> cannot store its values",
        "Sample.colour: sample has no field for this property",
        "Sample.createdBy: the field may be null, and String is not optional",
        "Sample.kind: sample has no field for this property",
      ])
    #expect(error.problems[1].hint == "declare the property as String?")
    #expect(error.problems[4].hint == "declare the property as Bool?, or make the field required")
    #expect(error.problems[8].hint == "declare the property as [Reference]")
    let listed = try await problem {
      for try await _ in client.records(of: Sample.self).list() {}
    }
    #expect(listed == error)
  }

  @Test("reports a property of the wrong type even if an enum property before it is correct")
  func knownEnum() async throws {
    let client = try await Client.open("memory:", in: Shop.environment())
    var person = SchemaDraft(name: "person")
    person.fields = [
      .init(Field("person_id", .id)),
      .init(Field("name", .text, isRequired: true, oneOf: [.text("low"), .text("high")])),
      .init(Field("age", .integer)),
    ]
    let schemas = [try Schema(checking: person)]
    try await client.apply { stored throws(DataError) in
      try SchemaPlan(from: stored, to: schemas, reading: .partial)
    }
    let error = try await problem {
      for try await _ in client.records(of: Person.self).list() {}
    }
    #expect(
      error.problems.map(\.message) == [
        "Person.age: the field is integer, and String cannot store its values"
      ])
  }

  @Test("suggests no schema when no schema has a name similar to that of the model type")
  func noSchema() async throws {
    let client = try await Shop().client
    let error = try await problem {
      try await client.records(of: BlogPost.self).save(BlogPost(blogPostID: "a"))
    }
    #expect(
      error == DataError(Problem(.schemaNotFound, "no schema blog_post", schema: "blog_post")))
  }
}

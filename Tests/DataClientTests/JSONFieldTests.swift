import DataClient
import Testing

@Suite("JSON fields")
struct JSONFieldTests {
  struct Sample: Codable, Hashable, Sendable {
    var sampleID: String
    var json: JSONValue?
  }

  struct Precise: Codable, Sendable, Recorded {
    static var schema: String { "sample" }
    var sampleID: String
    var json: Inner?

    struct Inner: Codable, Hashable, Sendable {
      var big: UInt64
      var exact: JSONValue
      var list: [Inner?]
      var nothing: Int?
    }
  }

  @Test("stores JSON values exactly, with all digits of numbers")
  func exact() async throws {
    let client = try await Shop().client
    let text = #"{"b":[1.50,1e400,-0,12345678901234567890,"é\n"],"a":{"x":null,"y":true}}"#
    let value = try JSONValue(parsing: text)
    try await client.records(of: Sample.self).save(Sample(sampleID: "s", json: value))
    #expect(
      try await client.records(of: Sample.self).get("s") == Sample(sampleID: "s", json: value))
    #expect(try await client.records("sample").get("s")?["json"] == .json(text))
  }

  @Test("stores a Codable value in a json field")
  func nested() async throws {
    let client = try await Shop().client
    let leaf = Precise.Inner(big: .max, exact: [1, "x", nil], list: [])
    let inner = Precise.Inner(big: 0, exact: ["a": 1.5], list: [leaf, nil], nothing: 3)
    try await client.records(of: Precise.self).save(Precise(sampleID: "s", json: inner))
    #expect(try await client.records(of: Precise.self).get("s")?.json == inner)
    #expect(
      try await client.records("sample").get("s")?["json"]
        == .json(
          #"{"big":0,"exact":{"a":1.5},"list":[{"big":18446744073709551615,"#
            + #""exact":[1,"x",null],"list":[],"nothing":null},null],"nothing":3}"#))
  }

  @Test("reports the coding path when a json field cannot be decoded")
  func decodingFailure() async throws {
    let client = try await Shop().client
    try await client.records("sample").save(
      ["sample_id": "s", "json": ["big": 1, "exact": 1, "list": [["big": "x"]]]])
    let error = try await problem { _ = try await client.records(of: Precise.self).get("s") }
    #expect(
      error
        == DataError(
          Problem(
            .invalid, "list: big: expected UInt64, found text \"x\"", schema: "sample", id: "s",
            field: "json")))
  }

  @Test("rejects duplicate keys and NUL characters in JSON")
  func refusals() async throws {
    let client = try await Shop().client
    let twice = JSONValue.object([.init("a", 1), .init("a", 2)])
    let error = try await problem {
      try await client.records("sample").save(["sample_id": "s", "json": .json(twice)])
    }
    #expect(error.problems.map(\.field) == ["json"])
    let nul = try await problem {
      try await client.records("sample").save(["sample_id": "s", "json": "a\0b"])
    }
    #expect(nul.problems.map(\.field) == ["json"])
  }
}

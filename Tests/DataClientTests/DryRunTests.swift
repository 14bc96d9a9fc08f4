import DataClient
import DataModel
import Testing

@Suite("Dry runs of the library")
struct DryRunTests {
  @Test("returns the results of changes in a dry run without changing the store")
  func results() async throws {
    let client = try await Shop().client
    try await client.save(["person_id": "ann", "name": "Ann"], in: "person")
    let trial = client.dryRun()
    let saved = try await trial.save(["person_id": "ann", "name": "Anna"], in: "person")
    #expect(saved["name"] == .text("Anna") && saved.revision == 2)
    #expect(try await trial.save(["person_id": "bob", "name": "Bob"], in: "person").id == "bob")
    #expect(try await trial.deleteAll(in: "person").deleted == 1)
    let results = try await trial.batch { batch in
      batch.save(["person_id": "eve", "name": "Eve"], in: "person")
      batch.delete("ann", in: "person")
    }
    #expect(results.count == 2)
    try await trial.createSchema("note", ["text:text"])
    #expect(try await client.count("person") == 1)
    #expect(try await client.get("ann", in: "person")?["name"] == .text("Ann"))
    #expect(try await client.schemas().map(\.name).contains("note") == false)
  }

  @Test("neither changes a password nor saves the records of a document in a dry run")
  func passwordsAndDocuments() async throws {
    let client = try await Shop().client
    try await client.save(["username": "ann", "password": "canary bird"], in: "user")
    try await client.dryRun().setPassword(of: "ann", to: "another bird")
    try await client.logIn("ann", password: "canary bird", storage: .transient)
    let map = try #require(DataMap.builtIn(named: "camel"))
    let document = #"[{"personID": "bob", "name": "Bob"}]"#
    try await client.dryRun().save(document: document.utf8, in: "person", map: map)
    #expect(try await client.count("person") == 0)
  }

  @Test("throws an error with all problems of an invalid record in a dry run")
  func errors() async throws {
    let client = try await Shop().client
    let error = try await problem {
      try await client.dryRun().save(["person_id": "ann", "age": -1], in: "person")
    }
    #expect(error.code == .invalid && error.problems.count == 2)
  }

  @Test(
    "applies the access rules in a dry run, and leaves the store open when the dry run is closed")
  func closing() async throws {
    let client = try await Client.open("memory:", in: Shop.environment())
    try await client.createSchema("note", ["text:text"])
    try await client.save(["note_id": "a"], in: "note")
    let anonymous = client.dryRun().acting(as: nil)
    #expect(try await problem { try await anonymous.delete("a", in: "note") }.code != .failed)
    #expect(
      try await problem { try await client.acting(as: nil).dryRun().deleteAll(in: "note") }.code
        != .failed)
    await client.dryRun().close()
    #expect(try await client.count("note") == 1)
  }
}

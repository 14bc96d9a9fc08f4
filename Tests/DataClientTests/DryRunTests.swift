import DataClient
import DataModel
import Testing

@Suite("Dry runs of the library")
struct DryRunTests {
  @Test("returns the results of changes in a dry run without changing the store")
  func results() async throws {
    let client = try await Shop().client
    try await client.records("person").save(["person_id": "ann", "name": "Ann"])
    let trial = client.dryRun()
    let saved = try await trial.records("person").save(["person_id": "ann", "name": "Anna"])
    #expect(saved["name"] == .text("Anna") && saved.revision == 2)
    #expect(
      try await trial.records("person").save(["person_id": "bob", "name": "Bob"]).id == "bob")
    #expect(try await trial.records("person").deleteAll().deleted == 1)
    let results = try await trial.batch { batch in
      batch.save(["person_id": "eve", "name": "Eve"], in: "person")
      batch.delete("ann", in: "person")
    }
    #expect(results.count == 2)
    try await trial.createSchema("note", ["text:text"])
    #expect(try await client.records("person").count() == 1)
    #expect(try await client.records("person").get("ann")?["name"] == .text("Ann"))
    #expect(try await client.schemas().map(\.name).contains("note") == false)
  }

  @Test("neither changes a password nor saves the records of a document in a dry run")
  func passwordsAndDocuments() async throws {
    let client = try await Shop().client
    try await client.records("user").save(["username": "ann", "password": "canary bird"])
    try await client.dryRun().setPassword(of: "ann", to: "another bird")
    try await client.logIn("ann", password: "canary bird", storage: .transient)
    let map = try #require(DataMap.builtIn(named: "camel"))
    let document = #"[{"personID": "bob", "name": "Bob"}]"#
    try await client.dryRun().records("person").save(document: document.utf8, map: map)
    #expect(try await client.records("person").count() == 0)
  }

  @Test("throws an error with all problems of an invalid record in a dry run")
  func errors() async throws {
    let client = try await Shop().client
    let error = try await problem {
      try await client.dryRun().records("person").save(["person_id": "ann", "age": -1])
    }
    #expect(error.code == .invalid && error.problems.count == 2)
  }

  @Test(
    "applies the access rules in a dry run, and leaves the store open when the dry run is closed")
  func closing() async throws {
    let client = try await Client.open("memory:", in: Shop.environment())
    try await client.createSchema("note", ["text:text"])
    try await client.records("note").save(["note_id": "a"])
    let anonymous = client.dryRun().acting(as: nil)
    #expect(try await problem { try await anonymous.records("note").delete("a") }.code != .failed)
    #expect(
      try await problem { try await client.acting(as: nil).dryRun().records("note").deleteAll() }
        .code
        != .failed)
    await client.dryRun().close()
    #expect(try await client.records("note").count() == 1)
  }
}

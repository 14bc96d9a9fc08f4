import DataClient
import DataModel
import Testing

@Suite("Batches in DataClient")
struct BatchTests {
  @Test("executes operations in order and returns their results")
  func everything() async throws {
    let shop = try await Shop()
    try await shop.client.save(["todo_id": "old", "title": "old", "stock": 5], in: "todo")
    let results = try await shop.client.batch { batch in
      let ann = batch.save(["name": "Ann"], in: "person")
      batch.save(["title": "tea", "assignee": .reference(ann)], in: "todo")
      batch.save(["todo_id": "old", "stock": .add(-2)], in: "todo", mode: .update)
      batch.check("old", in: "todo", where: "stock = :n", parameters: ["n": 3])
      batch.check(count: 1, in: "todo", where: "owner.name = 'Ann'")
      batch.get("old", in: "todo")
      batch.delete("old", in: "todo", revision: 2)
      batch.delete(in: "todo", where: "stock > 0")
    }
    #expect(results.count == 8)
    guard case .saved(let ann) = results[0], case .saved(let todo) = results[1],
      case .read(let old) = results[5]
    else {
      Issue.record("\(results)")
      return
    }
    #expect(todo["owner"] == .text(ann.id))
    #expect(old["stock"] == .integer(3))
    #expect(results[3] == .checked)
    guard case .deleted(let deletion) = results[6], case .deleted(let none) = results[7] else {
      Issue.record("\(results)")
      return
    }
    #expect(deletion.deleted == 1)
    #expect(none.deleted == 0)
    #expect(try await shop.client.count("todo") == 1)
  }

  @Test("changes nothing and reports the number of the operation when a check fails")
  func failure() async throws {
    let shop = try await Shop()
    let error = try await problem {
      try await shop.client.batch { batch in
        batch.save(["title": "tea"], in: "todo")
        batch.check(count: 2, in: "todo")
      }
    }
    #expect(error.code == .checkFailed)
    #expect(error.problems.map(\.line) == [2])
    #expect(error.problems.map(\.file) == [nil])
    #expect(try await shop.client.count("todo") == 0)
  }

  @Test("saves an instance of a model type and a user in one batch")
  func models() async throws {
    struct Person: Codable, Sendable {
      var personID: RecordID?
      var name: String
    }
    let shop = try await Shop()
    let results = try await shop.client.batch { batch in
      try batch.save(Person(name: "Ann"))
      let bob = batch.save(["username": "bob", "password": "secret password"], in: "user")
      #expect(bob.id == "bob")
    }
    #expect(results.count == 2)
    #expect(try await shop.client.count("user") == 1)
  }
}

import DataClient
import DataModel
import DataStore
import Foundation
import RecordText
import Testing

@Suite("Batches in DataClient")
struct BatchTests {
  @Test("executes operations in order and returns their results")
  func everything() async throws {
    let shop = try await Shop()
    try await shop.client.records("todo").save(["todo_id": "old", "title": "old", "stock": 5])
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
    #expect(try await shop.client.records("todo").count() == 1)
  }

  @Test(
    "changes records by a condition, and on request ignores outdated revisions and missing records")
  func optionalKeys() async throws {
    let shop = try await Shop()
    try await shop.client.records("todo").save(
      [["todo_id": "a", "title": "a", "stock": 5], ["todo_id": "b", "title": "b", "stock": 1]])
    let results = try await shop.client.batch { batch in
      batch.save(["stock": .add(-1)], in: "todo", where: "stock > :n", parameters: ["n": 0])
      batch.save(["todo_id": "a", "title": "c", "revision": 1], in: "todo", ignoringRevision: true)
      batch.delete("missing", in: "todo", ifExists: true)
      batch.save(["stock": 9], in: "todo", where: "stock > 100")
    }
    #expect(results[0] == .changed(2))
    guard case .saved(let saved) = results[1], case .deleted(let deletion) = results[2] else {
      Issue.record("\(results)")
      return
    }
    #expect(saved["stock"] == .integer(4))
    #expect(saved["title"] == .text("c"))
    #expect(deletion.deleted == 0)
    #expect(results[3] == .changed(0))
    let conflict = try await problem {
      try await shop.client.batch { batch in
        batch.save(["todo_id": "a", "title": "d", "revision": 1], in: "todo")
      }
    }
    #expect(conflict.code == .changed)
    let missing = try await problem {
      try await shop.client.batch { batch in batch.delete("missing", in: "todo") }
    }
    #expect(missing.code == .notFound)
  }

  @Test("reads fields and related records as earlier operations of the batch have changed them")
  func json() async throws {
    let shop = try await Shop()
    let results = try await shop.client.batch { batch in
      batch.save(["person_id": "ann", "name": "Ann", "age": 7], in: "person")
      batch.save(["todo_id": "b", "title": "Boil", "owner": "ann"], in: "todo")
      batch.save(
        ["todo_id": "a", "title": "Tea", "stock": 2, "owner": "ann", "steps": ["b"]], in: "todo")
      batch.getJSON("a", in: "todo", fields: "title, next = stock + 1")
      batch.save(["person_id": "ann", "name": "Anna"], in: "person")
      batch.getJSON(
        "a", in: "todo", fields: "stock", expanding: "owner,steps.owner")
      batch.getJSON("ann", in: "person")
    }
    let texts = results.compactMap { result in
      if case .readJSON(let json) = result { String(decoding: json, as: UTF8.self) } else { nil }
    }
    try #require(texts.count == 3)
    #expect(texts[0] == #"{"todo_id":"a","title":"Tea","next":3}"#)
    struct Person: Codable, Equatable {
      var name: String
      var age: Int
    }
    struct Step: Codable, Equatable {
      var title: String
      var owner: Person
    }
    struct Todo: Codable, Equatable {
      var stock: Int
      var owner: Person
      var steps: [Step]
    }
    let anna = Person(name: "Anna", age: 7)
    #expect(
      try JSONDecoder().decode(Todo.self, from: Data(texts[1].utf8))
        == Todo(stock: 2, owner: anna, steps: [Step(title: "Boil", owner: anna)]))
    #expect(try JSONDecoder().decode(Person.self, from: Data(texts[2].utf8)) == anna)
    let error = try await problem {
      try await shop.client.batch { batch in
        batch.save(["title": "c"], in: "todo")
        batch.getJSON("a", in: "todo", expanding: "title")
      }
    }
    #expect(error.problems.map(\.operation) == [2])
    #expect(try await shop.client.records("todo").count() == 2)
  }

  @Test("changes nothing if a check in a batch fails, and reports which operation failed")
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
    #expect(try await shop.client.records("todo").count() == 0)
  }

  @Test(
    "a change by a condition skips a record that matched only after the other records were locked")
  func lockedRecords() async throws {
    struct Results: BatchListener {
      var counts: [Int] = []

      mutating func completed(_ number: Int, _ result: borrowing BatchOutcome) {
        switch result {
        case .changed(let count, _): counts.append(count)
        case .saved, .deleted, .checked, .read: break
        }
      }
    }
    let shop = try await Shop()
    let stored = try await shop.client.store.catalog()
    let schema = try stored.catalog.schema("todo")
    let text = #"{"save": "todo", "where": "stock > 0", "record": {"stock": 0}}"#
    let plan = try BatchPlan(BatchText(BytesInMemory(Array(text.utf8)), file: "batch"), in: stored)
    let stamp = try await shop.client.stamp().time
    func rows(_ ids: [String]) -> [Rows] {
      var rows = Rows(width: schema.width)
      for id in ids {
        rows.addRow()
        rows[rows.count - 1, schema.keySlot] = rows.store(id)
      }
      return [rows]
    }
    // The ids are equal as Swift strings.
    var batch = BatchRun(plan, now: stamp, ids: IDGenerator(clock: { 0 }), listener: Results())
    _ = try batch.next()
    try batch.read(rows(["caf\u{e9}"]))
    _ = try batch.next()
    try batch.read(rows(["cafe\u{301}"]))
    #expect(batch.listener.counts == [0])
  }

  @Test("saves an instance of a Swift type and a user in one batch")
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
    #expect(try await shop.client.records("user").count() == 1)
  }
}

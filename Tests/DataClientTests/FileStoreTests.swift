import DataClient
import DataStore
import Foundation
import TestSupport
import Testing

@Suite("File stores")
struct FileStoreTests {
  private let schema = """
    {"schema": "todo", "fields": {
      "todo_id": {"type": "id"}, "title": {"type": "text", "required": true},
      "done": {"type": "boolean", "default": false}}}
    """

  @Test(
    "creates the store file with the first schema, and reads the records after reopening the file")
  func storage() async throws {
    let folder = try TemporaryFolder()
    let environment = Shop.environment(folder: folder.path)
    let client = try await Client.open("sqlite:shop.db", in: environment)
    #expect(client.address.description == "sqlite:\(folder.path)/shop.db")
    #expect(try await client.schemas() == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    let schemas = try await client.applySchemas([schema])
    #expect(try await client.schemas() == schemas)
    let record = try await client.records("todo").save(["todo_id": "t", "title": "tea"])
    await client.close()

    let reader = try await Client.open("shop.db", for: .reading, in: environment)
    #expect(try await reader.records("todo").get("t") == record)
    #expect(try await reader.schemas() == schemas)
    await reader.close()
  }

  @Test("copies a whole store, and returns equal digests for both")
  func copy() async throws {
    let folder = try TemporaryFolder()
    let environment = Shop.environment(folder: folder.path)
    let client = try await Client.open("sqlite:shop.db", in: environment)
    try await client.applySchemas([schema])
    try await client.records("todo").save(["todo_id": "t", "title": "tea"])
    let digests = try await client.copy(to: "copy.db")
    #expect(digests.map(\.schema) == ["todo", "function"])
    #expect(digests.map(\.records) == [1, 0])
    let copy = try await Client.open("copy.db", in: environment)
    #expect(try await copy.copy(to: "third.db") == digests)
    await #expect(throws: DataError.self) { try await client.copy(to: "copy.db") }
    await #expect(throws: DataError.self) { try await client.copy(to: "shop.db") }
    await copy.close()
    await client.close()
  }

  @Test("fails to open a missing file for reading")
  func missing() async throws {
    let folder = try TemporaryFolder()
    let error = try await problem {
      _ = try await Client.open(
        "shop.db", for: .reading, in: Shop.environment(folder: folder.path))
    }
    #expect(error.code == .storeNotFound)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("creates the default store and its folder")
  func ownStore() async throws {
    let folder = try TemporaryFolder()
    let environment = Shop.environment(["HOME": folder.path])
    let client = try await Client.open(in: environment)
    try await client.createSchema("person", ["name:text!"])
    await client.close()
    let path = folder.path + "/.local/share/datactl/datactl.db"
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try folder.permissions(of: ".local/share/datactl") == 0o700)
  }

  @Test("changes nothing when the same schemas are applied twice")
  func schemas() async throws {
    let client = try await Client.open("memory:", in: Shop.environment())
    try await client.applySchemas([schema])
    try await client.applySchemas([schema])
    let existing = try await problem { try await client.createSchema("todo", []) }
    #expect(existing.code == .exists)
    try await client.records("todo").save(["todo_id": "a", "title": "tea"])
    let smaller = #"{"schema": "todo", "fields": {"todo_id": {"type": "id"}}}"#
    let wrong = try await problem { try await client.applySchemas([smaller]) }
    #expect(wrong.code == .loss)
    try await client.applySchemas([smaller], allowingLoss: ["todo.title", "todo.done"])
    let invalid = try await problem {
      try await client.applySchemas([#"{"schema": "A"}"#, #"{"schema": "b", "fieldz": {}}"#])
    }
    #expect(invalid.problems.allSatisfy { $0.code == .invalidSchema })
    #expect(Set(invalid.problems.compactMap(\.schema)) == ["A", "b"])
    #expect(try await client.schemas().map(\.name) == ["todo"])
  }

  @Test("saves while it reads from a temporary store, whose folder is removed when it is closed")
  func temporary() async throws {
    let client = try await Client.open("memory:", in: Shop.environment())
    #expect(client.address.description == "memory:")
    try await client.applySchemas([schema])
    for number in 0..<100 {
      try await client.records("todo").save(["todo_id": "\(number)", "title": "tea"])
    }
    for try await record in client.records("todo").list() {
      try await client.records("todo").save(["todo_id": "\(record.id)-copy", "title": "tea"])
    }
    #expect(try await client.records("todo").count() == 200)
    let folder = try Self.folder(of: client)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
    await client.close()
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test("removes the folder of a temporary store that is released without being closed")
  func released() async throws {
    func folder() async throws -> String {
      let client = try await Client.open("memory:", in: Shop.environment())
      try await client.applySchemas([schema])
      return try Self.folder(of: client)
    }
    let path = try await folder()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  private static func folder(of client: Client) throws -> String {
    let file = try #require(client.store.files.first)
    #expect(FileManager.default.fileExists(atPath: file))
    return URL(filePath: file).deletingLastPathComponent().path
  }

  @Test("keeps both sessions when two processes log in concurrently")
  func sessions() async throws {
    let folder = try TemporaryFolder()
    let environment = Shop.environment(["XDG_CONFIG_HOME": folder.path], folder: folder.path)
    for name in ["a.db", "b.db"] {
      let client = try await Client.open(name, in: environment)
      try await client.applySchemas([
        """
        {"schema": "user", "kind": "user", "fields": {
          "username": {"type": "id"}, "password": {"type": "password"}}}
        """
      ])
      try await client.records("user").save(["username": "ann", "password": "canary bird"])
      await client.close()
    }
    try await withThrowingTaskGroup { group in
      for name in ["a.db", "b.db"] {
        group.addTask {
          let client = try await Client.open(name, in: environment)
          try await client.logIn("ann", password: "canary bird", storage: .persistent)
          await client.close()
        }
      }
      try await group.waitForAll()
    }
    for name in ["a.db", "./b.db"] {
      let client = try await Client.open(name, session: .saved, in: environment)
      #expect(try await client.whoAmI()?.user == "ann")
      await client.close()
    }
  }
}

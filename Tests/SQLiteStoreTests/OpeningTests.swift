import DataModel
import DataStore
import Foundation
import SQLiteStore
import Testing

@Suite("SQLite: opening a store")
struct OpeningTests {
  private static let accessModes: [SQLiteStore.Access] = [
    .reading, .writing(creates: false), .writing(creates: true),
  ]

  @Test("says that the SQLite library is too old for strict tables")
  func oldLibrary() {
    #expect(throws: Never.self) { try SQLiteStore.checkLibrary(3_037_000) }
    let error = #expect(throws: DataError.self) { try SQLiteStore.checkLibrary(3_034_001) }
    #expect(error?.code == .libraryMissing)
    #expect(error?.problems[0].message == "SQLite 3.34.1 is too old for stores in files")
    #expect(error?.problems[0].hint == "install SQLite 3.37 or newer")
  }

  @Test("knows the versions of SQLite that have the WAL-reset bug")
  func walResetBug() {
    let fixed: [Int32] = [3_044_006, 3_044_009, 3_050_007, 3_051_003, 3_052_000]
    let affected: [Int32] = [3_037_000, 3_044_005, 3_045_000, 3_050_006, 3_051_000, 3_051_002]
    #expect(fixed.allSatisfy { !SQLiteStore.hasWALResetBug($0) })
    #expect(affected.allSatisfy { SQLiteStore.hasWALResetBug($0) })
  }

  @Test("creates no file when a missing store is opened")
  func absent() async throws {
    let folder = try TestFolder()
    #expect(folder.openError(for: .reading) == .storeNotFound)
    #expect(folder.openError(for: .writing(creates: false)) == .storeNotFound)
    let store = try folder.open()
    #expect(try await store.catalog().version == 0)
    #expect(try folder.files == [])
  }

  @Test("creates a store file in WAL mode with datactl's application id at the first schema change")
  func made() async throws {
    let folder = try TestFolder()
    try await folder.createSchemas(try .test("todo"))
    #expect(try folder.files == ["shop.db", "shop.db-lock"])
    #expect(try folder.query("pragma application_id") == ["1684108385"])
    #expect(try folder.query("pragma user_version") == ["2"])
    #expect(try folder.query("pragma page_size") == ["8192"])
    #expect(try folder.query("pragma journal_mode") == ["wal"])
  }

  @Test("leaves the format of a store that another program has upgraded since it was opened")
  func upgradedMeanwhile() async throws {
    let folder = try TestFolder()
    let user = try Schema.test("person", Field("password", .password), kind: .user)
    try await folder.createSchemas(user)
    let store = try folder.open()
    try await store.save([user.chunk(["username": "ann", "password": "hash one"])], in: user)
    await store.close()
    // Format 1 has no versions.
    for statement in [
      "alter table _schema drop column version", "alter table _meta drop column minimum_program",
      "pragma user_version = 1",
    ] {
      _ = try folder.query(statement)
    }
    let (first, second) = (try folder.open(), try folder.open())
    #expect(try await first.catalog().catalog["person"] == user)
    let check = PasswordCheck(of: "ann", in: user, at: .noon, verifiedHash: "hash one")
    try await second.logIn(
      LogInRequest(check, tokenHash: [1], expires: .later, sessionName: "ci"))
    #expect(try folder.query("pragma user_version") == ["3"])
    try await first.save([user.chunk(["username": "bob", "password": "hash one"])], in: user)
    #expect(try folder.query("pragma user_version") == ["3"])
    #expect(try await first.sessions(of: "ann", at: .noon)[[1]]?.name == "ci")
  }

  @Test(
    "gives the lock file the permissions of the store", arguments: [0o600, 0o640, 0o660],
    [true, false])
  func lockPermissions(permissions: Int, isNew: Bool) async throws {
    let folder = try TestFolder()
    try await folder.createSchemas(try .test("todo"))
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: permissions], ofItemAtPath: folder.path("shop.db"))
    if isNew { try files.removeItem(atPath: folder.path("shop.db-lock")) }
    try await folder.open().save([Schema.test("todo").chunk(["todo_id": "a"])], in: .test("todo"))
    let attributes = try files.attributesOfItem(atPath: folder.path("shop.db-lock"))
    #expect(attributes[.posixPermissions] as? Int == permissions)
  }

  @Test("leaves no store file when the first schema change of a new store fails")
  func failedPlan() async throws {
    let folder = try TestFolder()
    let store = try folder.open()
    let schema = try Schema.test("todo")
    await #expect(throws: DataError.self) {
      try await store.apply(.test([.create(schema), .create(schema)]))
    }
    #expect(try folder.files == ["shop.db-lock"])
  }

  @Test("creates no files in a dry run of a schema change, but reports an invalid change")
  func dryRun() async throws {
    let folder = try TestFolder()
    let store = try folder.open()
    let schema = try Schema.test("todo")
    try await store.apply(.test([.create(schema)], end: .rollBack))
    #expect(try await store.catalog().version == 0)
    await #expect(throws: DataError.self) {
      try await store.apply(.test([.create(schema), .create(schema)], end: .rollBack))
    }
    #expect(try folder.files == [])
  }

  @Test("rejects a dangling symbolic link as the path of a store", arguments: accessModes)
  func danglingLink(_ access: SQLiteStore.Access) throws {
    let folder = try TestFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(), withDestinationPath: folder.path("none.db"))
    #expect(folder.openError(for: access) == .notAStore)
    #expect(try folder.files == ["shop.db"])
  }

  @Test("creates a store in a folder whose path contains a symbolic link")
  func linkedFolder() async throws {
    let folder = try TestFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("real/inner"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("real"))
    let store = try folder.open("link/inner/shop.db")
    try await store.apply(.test([.create(try .test("todo"))]))
    #expect(try await store.catalog().catalog.schemas.map(\.name) == ["todo"])
    #expect(FileManager.default.fileExists(atPath: folder.path("real/inner/shop.db")))
  }

  @Test("rejects a path whose folder does not exist", arguments: [false, true])
  func missingFolder(isDryRun: Bool) async throws {
    let folder = try TestFolder()
    let store = try folder.open("none/shop.db")
    let error = await #expect(throws: DataError.self) {
      try await store.apply(
        .test([.create(try .test("todo"))], end: isDryRun ? .rollBack : .commit))
    }
    #expect(error?.code == .storeUnreachable)
    #expect(
      error?.problems.map(\.message) == [
        "\(folder.path("none/shop.db")): the folder \(folder.path("none")) does not exist"
      ])
    #expect(try folder.files == [])
  }

  @Test("rejects an empty file and leaves it empty", arguments: accessModes)
  func empty(_ access: SQLiteStore.Access) throws {
    let folder = try TestFolder()
    try folder.write([], to: "shop.db")
    #expect(folder.openError(for: access) == .notAStore)
    #expect(try folder.files == ["shop.db"])
    #expect(try folder.bytes() == [])
  }

  @Test("rejects a file that is not a database and leaves it unchanged", arguments: accessModes)
  func noDatabase(_ access: SQLiteStore.Access) throws {
    let folder = try TestFolder()
    let text = Array(String(repeating: "title,done\n", count: 400).utf8)
    try folder.write(text, to: "shop.db")
    #expect(folder.openError(for: access) == .notAStore)
    #expect(try folder.files == ["shop.db"])
    #expect(try folder.bytes() == text)
  }

  @Test("rejects a file shorter than an SQLite header", arguments: accessModes)
  func short(_ access: SQLiteStore.Access) throws {
    let folder = try TestFolder()
    try folder.write(Array("SQLite format 3\0".utf8), to: "shop.db")
    #expect(folder.openError(for: access) == .notAStore)
  }

  @Test("rejects a database of another program and leaves it unchanged", arguments: accessModes)
  func foreign(_ access: SQLiteStore.Access) throws {
    let folder = try TestFolder()
    _ = try folder.query("create table note (text)")
    let before = try folder.bytes()
    #expect(folder.openError(for: access) == .notAStore)
    #expect(try folder.files == ["shop.db"])
    #expect(try folder.bytes() == before)
  }

  @Test("rejects a store of a newer format and leaves it unchanged", arguments: accessModes)
  func newer(_ access: SQLiteStore.Access) async throws {
    let folder = try TestFolder()
    try await folder.createSchemas(try .test("todo"))
    _ = try folder.query("pragma user_version = 4")
    _ = try folder.query("update _meta set minimum_program = '0.9.0'")
    let before = try folder.bytes()
    let error = #expect(throws: DataError.self) { try folder.open(for: access) }
    #expect(error?.code == .storeTooNew)
    #expect(error?.problems[0].hint == "install datactl 0.9.0 or later")
    #expect(try folder.bytes() == before)
  }

  @Test("rejects a path to a folder", arguments: accessModes)
  func folder(_ access: SQLiteStore.Access) throws {
    let folder = try TestFolder()
    #expect(folder.openError("", for: access) == .notAStore)
  }

  @Test("reports a damaged store")
  func damaged() async throws {
    let folder = try TestFolder()
    let schema = try Schema.test("todo")
    try await folder.createSchemas(schema)
    var bytes = try folder.bytes()
    for index in 100..<bytes.count { bytes[index] = 0xFF }
    try folder.write(bytes, to: "shop.db")
    do {
      _ = try await folder.open(for: .reading).catalog()
      Issue.record("a damaged store was read")
    } catch let error as DataError {
      #expect(error.code == .storeDamaged)
    }
  }

  @Test(
    "treats special characters in a path as part of the path",
    arguments: [
      "a?mode=memory.db", "a%20b.db", "a#b.db", "file:x.db", ":memory:", "🫖.db", "a'b\"c.db",
      String(repeating: "x", count: 200),
    ])
  func literal(_ name: String) async throws {
    let folder = try TestFolder()
    try await folder.createSchemas(try .test("todo"), name: name)
    #expect(try folder.files == [name, name + "-lock"].sorted())
    let store = try folder.open(name, for: .reading)
    #expect(try await store.catalog().catalog.schemas.map(\.name) == ["todo"])
  }

  @Test("rejects a path with NUL and a path that is too long")
  func invalidPaths() throws {
    let folder = try TestFolder()
    #expect(folder.openError("a\0b.db", for: .reading) == .storeNotFound)
    let long = String(repeating: "y/", count: 1_000)
    #expect(folder.openError(long, for: .writing(creates: true)) == .storeUnreachable)
  }

  @Test("changes nothing and leaves no files when a store is opened for reading")
  func readingChangesNothing() async throws {
    let folder = try TestFolder()
    let schema = try Schema.test("todo")
    try await folder.createSchemas(schema)
    let before = try folder.bytes()
    let store = try folder.open(for: .reading)
    #expect(try await store.count(Query(schema)) == 0)
    #expect(try await store.all(schema).isEmpty)
    await store.close()
    #expect(try folder.files == ["shop.db", "shop.db-lock"])
    #expect(try folder.bytes() == before)
  }

  @Test("rejects a write when the store is opened for reading")
  func readOnly() async throws {
    let folder = try TestFolder()
    let schema = try Schema.test("todo")
    try await folder.createSchemas(schema)
    let store = try folder.open(for: .reading)
    await #expect(throws: DataError.self) {
      try await store.createSchemas([try .test("other")])
    }
    #expect(try await store.catalog().version == 1)
  }
}

import CSQLite
import DataModel
import DataStore
import Foundation
import SQLiteStore
import TestSupport
import Testing

/// A temporary folder for the store of a test.
final class TestFolder: Sendable {
  private let folder: TemporaryFolder
  let coding = SchemaCoding.inMemory()

  init() throws {
    folder = try TemporaryFolder()
  }

  var url: URL { folder.url }

  func path(_ name: String = "shop.db") -> String { folder.path(name) }

  /// The names of the files in the folder, sorted.
  var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }

  func open(
    _ name: String = "shop.db", for access: SQLiteStore.Access = .writing(creates: true),
    commitListener: CommitListener? = nil
  ) throws -> SQLiteStore {
    try SQLiteStore.open(
      path: path(name), for: access, coding: coding, commitListener: commitListener)
  }

  /// Creates a store with schemas and closes it.
  func createSchemas(_ schemas: Schema..., name: String = "shop.db") async throws {
    let store = try open(name)
    try await store.createSchemas(schemas)
    await store.close()
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: url.appending(path: name))
  }

  func bytes(of name: String = "shop.db") throws -> [UInt8] {
    try Array(Data(contentsOf: url.appending(path: name)))
  }

  /// Returns the error code of opening a store, or nil if it opens.
  func openError(
    _ name: String = "shop.db", for access: SQLiteStore.Access
  ) -> ErrorCode? {
    do throws(DataError) {
      _ = try SQLiteStore.open(path: path(name), for: access, coding: coding)
      return nil
    } catch {
      return error.code
    }
  }

  /// Runs a statement through SQLite's C API, as another tool would, and returns its first column.
  func query(_ sql: String, of name: String = "shop.db") throws -> [String] {
    var database: OpaquePointer?
    defer { unsafe sqlite3_close_v2(database) }
    try #require(unsafe sqlite3_open(path(name), &database) == SQLITE_OK)
    var statement: OpaquePointer?
    defer { unsafe sqlite3_finalize(statement) }
    let code = unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil)
    try #require(code == SQLITE_OK, "\(sql)")
    var values: [String] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      if let text = unsafe sqlite3_column_text(statement, 0) {
        values.append(unsafe String(cString: text))
      } else {
        values.append("null")
      }
    }
    return values
  }
}

extension Schema {
  /// Creates a schema and adds a key field.
  static func test(
    _ name: String, _ fields: Field..., indexes: [[String]] = [], kind: Kind = .records
  ) throws -> Schema {
    var draft = SchemaDraft(name: name)
    draft.kind = kind
    let key = Field(kind == .user ? "username" : "\(name)_id", .id)
    draft.fields = ([key] + fields).map { SchemaDraft.FieldDraft($0) }
    draft.indexes = indexes.map { SchemaDraft.IndexDraft($0.map(OrderTerm.init(text:))) }
    return try Schema(checking: draft)
  }
}

extension SQLiteStore {
  func createSchemas(_ schemas: [Schema], wait: WriteWait = WriteWait()) async throws {
    let version = try catalog().version
    var request: PlanRequest = .test(schemas.map { .create($0) }, version: version)
    request.wait = wait
    try await apply(request)
  }

  /// Saves chunks and returns what was reported about their rows.
  @discardableResult
  func save(
    _ chunks: [RowChanges], in schema: Schema, by policy: SavePolicy = SavePolicy(),
    at time: Timestamp = .noon, wait: WriteWait = WriteWait(), end: WriteRequest.End = .commit,
    onInvalid: WriteRequest.OnInvalid = .refuseAll, commitEvery: Int? = nil
  ) async throws -> RecordingSource {
    var source = RecordingSource(chunks)
    source.skipsInvalid = onInvalid == .skip
    source.policy = policy
    try await write(
      WriteRequest(
        to: [schema], versions: try catalog().versions(concerning: schema),
        stamp: Stamp(time: time, user: "ann"), wait: wait, end: end, onInvalid: onInvalid,
        commitEvery: commitEvery), from: &source)
    return source
  }

  /// Returns the values of every record of a schema, keyed by id.
  func all(_ schema: Schema) async throws -> [String: [Value]] {
    var records: [String: [Value]] = [:]
    let stream = try await self.records(Query(schema))
    var rows = Rows(width: schema.width)
    while let next = try await stream.next(reusing: rows) {
      for row in 0..<next.count {
        records[next.text(next[row, schema.keySlot])] = next.values(row, of: schema)
      }
      rows = next
    }
    return records
  }
}

extension Rows {
  /// Returns the values of a row, including the system fields.
  func values(_ row: Int, of schema: Schema) -> [Value] {
    (0..<schema.width).map { value(self[row, $0], of: schema.type(of: $0)) }
  }
}

extension Timestamp {
  static var noon: Timestamp { Timestamp(microseconds: 1_795_176_000_000_000) ?? .earliest }
  static var later: Timestamp { Timestamp(microseconds: 1_795_179_600_000_000) ?? .earliest }
}

extension PlanRequest {
  static func test(
    _ stages: [SchemaPlan.Stage], version: Int64 = 0, end: WriteRequest.End = .commit
  ) -> PlanRequest {
    PlanRequest(
      SchemaPlan(stages, catalogVersion: version), stamp: Stamp(time: .noon), program: "test 1",
      end: end)
  }
}

extension RowChanges {
  /// Adds a record with values by field name and returns its problems.
  @discardableResult
  mutating func add(_ values: [String: Value], line: Int? = nil) -> [Problem] {
    beginRecord(line: line ?? count + 1)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      if let slot = schema.slot(named: name) { set(slot, to: value) }
    }
    return endRecord()
  }
}

extension Schema {
  /// Returns a chunk of records.
  func chunk(_ records: [String: Value]...) -> RowChanges {
    var changes = RowChanges(for: self)
    for record in records { changes.add(record) }
    return changes
  }
}

import DataClient
import DataModel
import DataStore
import Foundation
import Synchronization
import TestSupport
import Testing

/// A shop's store in memory, with a clock that the test advances.
struct Shop {
  let client: Client
  let clock: ManualClock

  init(environment: [String: String] = [:]) async throws {
    clock = ManualClock()
    client = try await Client.open("memory:", in: Shop.environment(environment, clock: clock))
    let schemas = try Shop.schemas()
    try await client.apply { stored throws(DataError) in
      try SchemaPlan(from: stored, to: schemas, reading: .partial)
    }
  }

  static func environment(
    _ environment: [String: String] = [:], folder: String = "/nowhere",
    clock: ManualClock = ManualClock()
  ) -> Environment {
    Environment(
      environment: { environment[$0] }, folder: folder, userID: getuid(), now: { clock.time })
  }

  static func schemas() throws -> [Schema] {
    var person = SchemaDraft(name: "person")
    person.fields = [
      .init(Field("person_id", .id)), .init(Field("name", .text, isRequired: true)),
      .init(Field("age", .integer, minimum: .integer(0))),
    ]
    var user = SchemaDraft(name: "user")
    user.kind = .user
    user.fields = [
      .init(Field("username", .id)), .init(Field("password", .password, isRequired: true)),
      .init(Field("email", .text)),
    ]
    return try [person, user, sample, todo].map { try Schema(checking: $0) }
  }

  private static var todo: SchemaDraft {
    var todo = SchemaDraft(name: "todo")
    todo.fields = [
      .init(Field("todo_id", .id)), .init(Field("title", .text, isRequired: true)),
      .init(Field("done", .boolean, defaultValue: .boolean(false))),
      .init(Field("due", .datetime)), .init(Field("tags", .array(.text))),
      .init(Field("stock", .integer)), .init(Field("owner", .relation(Relation(to: "person")))),
      .init(Field("steps", .relation(Relation(to: "todo", isMany: true)))),
    ]
    todo.properties = [.init("assignee", field: "owner")]
    return todo
  }

  /// A schema with a field of every type.
  private static var sample: SchemaDraft {
    var sample = SchemaDraft(name: "sample")
    let types: [(String, FieldType)] = [
      ("sample_id", .id), ("text", .text), ("integer", .integer), ("number", .number),
      ("boolean", .boolean), ("date", .date), ("datetime", .datetime), ("geopoint", .geopoint),
      ("file", .file),
      ("json", .json), ("one", .relation(Relation(to: "person"))),
      ("many", .relation(Relation(to: "person", isMany: true))), ("texts", .array(.text)),
      ("integers", .array(.integer)), ("numbers", .array(.number)),
      ("booleans", .array(.boolean)), ("dates", .array(.date)), ("datetimes", .array(.datetime)),
    ]
    sample.fields = types.map { .init(Field($0.0, $0.1)) }
    return sample
  }
}

/// A clock that only advances when a test calls it.
final class ManualClock: Sendable {
  private let current = Mutex(Timestamp(microseconds: 1_795_143_900_000_000) ?? .earliest)

  init() {}

  var time: Timestamp { current.withLock { $0 } }

  func advance(days: Int64) {
    current.withLock { current in
      current = Timestamp(microseconds: current.microseconds + days * 86_400_000_000) ?? .latest
    }
  }
}

extension TemporaryFolder {
  func permissions(of name: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }
}

/// Returns the error that a closure throws.
func problem(
  _ work: () async throws -> Void, at location: SourceLocation = #_sourceLocation
) async throws -> DataError {
  try await #require(throws: DataError.self, sourceLocation: location) { try await work() }
}

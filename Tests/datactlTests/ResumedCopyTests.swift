import ClientCore
import DataModel
import DataStore
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("resumed copies")
struct ResumedCopyTests {
  /// The number of all records and functions. After them, the contents of files are copied.
  private static let all = 102

  private let session: TestSession

  /// Creates a store with relations in circles, unique values, files, users and functions.
  init() async throws {
    session = try TestSession()
    try session.write(
      "schemas/node.json",
      """
      {"schema": "node", "fields": {"node_id": {"type": "id"},
       "code": {"type": "text", "unique": true}, "next": {"type": "relation", "to": "node"},
       "leaves": {"type": "relation", "to": "leaf", "many": true}, "n": {"type": "integer"},
       "photo": {"type": "file"}}, "indexes": [["n"]]}
      """)
    try session.write(
      "schemas/leaf.json",
      """
      {"schema": "leaf", "fields": {"leaf_id": {"type": "id"},
       "node": {"type": "relation", "to": "node"}}}
      """)
    try session.write(
      "schemas/user.json",
      """
      {"schema": "user", "kind": "user", "fields": {"username": {"type": "id"},
       "password": {"type": "password"}}}
      """)
    try await run("schema apply schemas")
    let nodes = (10..<60).map {
      #"{"node_id":"n\#($0)","code":"c\#($0)","next":"n\#(69 - $0)","n":\#($0 % 7)}"#
    }
    try await run("save node -o none", input: nodes.joined(separator: "\n"))
    let leaves = (10..<60).map { #"{"leaf_id":"l\#($0)","node":"n\#($0)"}"# }
    try await run("save leaf -o none", input: leaves.joined(separator: "\n"))
    let photos = (10..<60).filter { $0 % 5 == 0 }.map {
      #"{"node_id":"n\#($0)","leaves":["l\#($0)","l11"],"photo":"#
        + #"{"name":"p","type":"text/plain","data":"aGFsbG\#($0)"}}"#
    }
    try await run("save node -o none", input: photos.joined(separator: "\n"))
    try await run("save user ann password@=- -o none", input: "correct horse")
    try await run(
      "save function -o none",
      input: #"{"function_id":"f","item_type":"node","function":{"selectCore":"from node n"}}"#)
  }

  @discardableResult
  private func run(_ line: String, input: String = "") async throws -> String {
    let outcome = await session.run(line, input: input)
    try #require(outcome.status == 0, "\(line): \(outcome.errors)")
    return outcome.output
  }

  /// A place at which a copy waits between two parts.
  private final class Gate: Sendable {
    let isReached = Atomic(false)
    let isOpen = Atomic(false)

    func wait() {
      isReached.store(true, ordering: .releasing)
      while !isOpen.load(ordering: .acquiring) { usleep(1_000) }
    }
  }

  /// Copies the store in small parts. Returns false if the copy was interrupted after it had received
  /// a number of records.
  private func copy(
    stoppingAfter count: Int = .max, passwords: PasswordHashes = .included
  ) async throws -> Bool {
    try await Self.copy(in: session.folder, stoppingAfter: count, passwords: passwords)
  }

  private static func copy(
    in folder: String, stoppingAfter count: Int = .max, passwords: PasswordHashes = .included,
    waitingAt gate: Gate? = nil
  ) async throws -> Bool {
    let now = try #require(Timestamp(microseconds: 1_795_143_900_000_000))
    let environment = Environment(
      environment: { _ in nil }, folder: folder, userID: getuid(), now: { now })
    let source = try await Client.open(
      StoreChoice.find(option: "shop.db", in: environment), for: .reading, in: environment,
      executor: .ownThread())
    let target = try await Client.open(
      StoreChoice.find(option: "copy.db", in: environment), for: .writing, in: environment,
      executor: .ownThread(), unfinishedCopies: .accepted)
    let received = Atomic(0)
    var isComplete = true
    do throws(DataError) {
      _ = try await source.copy(
        to: target, passwords: passwords, inPartsOf: CopyPartSize(records: 4, chunk: 512)
      ) { records throws(DataError) in
        let sum = received.add(records, ordering: .relaxed).newValue
        if sum > count || sum == count && records == 0 { throw .interrupted }
        if sum > 30 { gate?.wait() }
      }
    } catch {
      guard error.code == .interrupted else { throw error }
      isComplete = false
    }
    await target.close()
    await source.close()
    return isComplete
  }

  /// Checks that the copy is equal to the store, and that it is intact.
  private func checkCopy() async throws {
    try await run("copy copy.db third.db -o none")
    for file in ["third.db", "third.db-lock"] {
      try? FileManager.default.removeItem(atPath: "\(session.folder)/\(file)")
    }
    for schema in ["leaf", "node", "user", "function"] {
      let expected = try await run("list \(schema) -o ndjson")
      #expect(try await run("list \(schema) -o ndjson --store copy.db") == expected)
    }
    for schema in ["leaf", "node", "user"] {
      #expect(
        try await run("schema show \(schema) --store copy.db") == run("schema show \(schema)"))
    }
    for id in ["n10", "n55"] {
      #expect(
        try await run("get node \(id) --content photo --store copy.db")
          == run("get node \(id) --content photo"))
    }
    let login = "login -u ann --password-stdin --print-token --store copy.db"
    try await run(login, input: "correct horse\n")
  }

  @Test("ends when a later copy to the same store has begun")
  func laterCopy() async throws {
    let gate = Gate()
    let earlier = Task { [folder = session.folder] in
      try await Self.copy(in: folder, waitingAt: gate)
    }
    while !gate.isReached.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(5)) }
    #expect(try await copy())
    gate.isOpen.store(true, ordering: .releasing)
    let error = await #expect(throws: DataError.self) { _ = try await earlier.value }
    #expect(error?.code == .schemaChanged)
    #expect(error?.problems.first?.message == "another copy to the store has begun")
    try await checkCopy()
  }

  @Test("continues at any place at which it was interrupted", arguments: [0, 17, 49, 60, 101, all])
  func interruptions(count: Int) async throws {
    #expect(try await !copy(stoppingAfter: count))
    let outcome = await session.run("list node --store copy.db")
    #expect(outcome.status == 7)
    // A copy that is stopped at once may not have created the store.
    #expect(count == 0 || outcome.errors.contains("copy.db: an unfinished copy of sqlite:"))
    #expect(try await copy())
    try await checkCopy()
    #expect(await session.run("copy shop.db copy.db").status == 5)
  }

  @Test("copies what has changed since an interrupted copy")
  func changes() async throws {
    for (index, count) in [30, 70, Self.all].enumerated() {
      #expect(try await !copy(stoppingAfter: count))
      try await run("delete leaf l20")
      try await run("save leaf l20 node=n\(count / 10 + 10) -o none")
      // Two records exchange their unique values.
      let codes = index % 2 == 0 ? ["c12", "c10"] : ["c10", "c12"]
      try await run("save node n10 code=x -o none")
      try await run("save node n12 code=\(codes[1]) -o none")
      try await run("save node n10 code=\(codes[0]) -o none")
      try await run("delete node n3\(count % 7)")
      try await run("save node n00 code=\(count) -o none")
      try await run("save node n99\(count) code=z\(count) next=n00 -o none")
      try await run("save node n15 photo@=schemas/leaf.json -o none")
    }
    #expect(try await copy())
    try await checkCopy()
  }

  @Test("copies a schema again whose records differ although their revisions are equal")
  func restoredRevisions() async throws {
    #expect(try await !copy(stoppingAfter: Self.all))
    let record = try await run("get node n11 -o ndjson")
    try await run("delete node n11")
    try await run("save leaf l11 node=n10 -o none")
    let changed = record.replacing(#""n":4"#, with: #""n":5"#)
    #expect(changed != record)
    try await run("save node --keep-system-fields -o none", input: changed)
    #expect(try await copy())
    try await checkCopy()
  }

  @Test("replaces a schema that has changed since an interrupted copy")
  func changedSchemas() async throws {
    #expect(try await !copy(stoppingAfter: Self.all))
    try session.write(
      "schemas/leaf.json",
      """
      {"schema": "leaf", "fields": {"leaf_id": {"type": "id"},
       "node": {"type": "relation", "to": "node"}, "size": {"type": "integer", "default": 3}}}
      """)
    try await run("schema apply schemas")
    try await run("schema create extra name:text")
    #expect(try await !copy(stoppingAfter: Self.all))
    try await run("schema drop extra")
    #expect(try await copy())
    try await checkCopy()
  }

  @Test("removes the hashes of passwords that an interrupted copy has written")
  func passwords() async throws {
    #expect(try await !copy(stoppingAfter: Self.all))
    #expect(try await copy(passwords: .omitted))
    let login = "login -u ann --password-stdin --print-token --store copy.db"
    #expect(await session.run(login, input: "correct horse\n").status == 4)
  }

  @Test("leaves an unfinished copy of another store as it is")
  func otherStore() async throws {
    #expect(try await !copy(stoppingAfter: 60))
    try await run("schema create note text:text --store other.db")
    let outcome = await session.run("copy other.db copy.db")
    #expect(outcome.status == 5)
    #expect(outcome.errors.hasPrefix("datactl: sqlite:"))
    #expect(await session.run("copy copy.db new.db").status == 7)
    #expect(try await copy())
    try await checkCopy()
  }
}

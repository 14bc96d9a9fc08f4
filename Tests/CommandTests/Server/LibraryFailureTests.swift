import DataClient
import Foundation
import PostgresHarness
import ProgramHarness
import TestSupport
import Testing

@Suite("The library with a server that fails", .tags(.process), .from(.test))
struct LibraryFailureTests {
  /// A server with the schema `note`, and an administrator's session.
  private struct Served {
    let folder: TestFolder
    let server: Child
    let path: String
    let token: String

    init() throws {
      folder = try TestFolder()
      try folder.saveShop()
      path = "/tmp/datactl-\(UUID().uuidString.prefix(8)).sock"
      var program = folder.datactl
      program.timeLimit = .seconds(600)
      server = try program.start(["serve", "--listen", "unix:\(path)", "--log", "none"])
      try server.wait(for: "an address") { $0.errorBytes.contains(UInt8(ascii: "\n")) }
      token = try folder.prepare(
        "login", "-u", "root", "--password-stdin", "--print-token", input: .text("canary99\n")
      ).lines[0]
    }

    func client(_ path: String? = nil) async throws -> Client {
      try await Client.open("unix:\(path ?? self.path)", session: .token(token))
    }

    func stop() {
      server.signal(SIGKILL)
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  @Test(
    "changes records exactly once when the connection is cut at any byte",
    arguments: [ByteCuttingProxy.Direction.requests, .responses])
  func cuts(direction: ByteCuttingProxy.Direction) async throws {
    let served = try Served()
    defer { served.stop() }
    let direct = try await served.client()
    let notes = direct.records("note")
    var count = try #require(try await notes.get("pub")?.value("count", as: Int.self))
    let steps =
      TestTier.current == .all ? Array(stride(from: 1, to: 900, by: 13)) : [1, 150, 400, 650]
    for step in steps {
      let proxy = try ByteCuttingProxy(to: served.path, cutting: direction, after: step)
      let client = try await served.client(proxy.path)
      let saved = try await client.records("note").save(["note_id": "pub", "count": .add(1)])
      count += 1
      #expect(saved["count"] == .integer(Int64(count)), "\(direction) \(step)")
      let second = try ByteCuttingProxy(to: served.path, cutting: direction, after: step)
      let other = try await served.client(second.path)
      let results = try await other.batch { batch in
        batch.save(["note_id": "pub", "count": .add(1)], in: "note")
        batch.delete("none", in: "note", ifExists: true)
      }
      count += 1
      #expect(results.count == 2, "\(direction) \(step)")
      #expect(try await notes.get("pub")?["count"] == .integer(Int64(count)))
      proxy.close()
      second.close()
    }
  }

  @Test("gives its connections back although lists are not read to the end")
  func droppedLists() async throws {
    let served = try Served()
    defer { served.stop() }
    let client = try await served.client()
    let notes = client.records("note")
    let text = String(repeating: "a long title ", count: 40)
    try await notes.save(
      (0..<4_000).map { ["note_id": .text("n\($0)"), "title": .text("\($0) \(text)")] })
    for _ in 0..<20 {
      for try await _ in notes.list() { break }
    }
    #expect(try await notes.get("n7")?.id == "n7")
    // More lists are open than a client has connections, and a request is sent for each record.
    var lists = (0..<9).map { _ in notes.list(limit: 2_000).makeAsyncIterator() }
    for index in lists.indices {
      let record = try await lists[index].next()
      let again = try await notes.get(record?.id ?? "")
      #expect(again == record)
    }
    for index in lists.indices {
      var rest = 1
      while try await lists[index].next() != nil { rest += 1 }
      #expect(rest == 2_000)
    }
  }

  @Test("ends a request whose task is canceled")
  func cancellation() async throws {
    // The server accepts the connection, and never responds.
    let silent = try CannedSocket([])
    defer { silent.close() }
    let client = try await Client.open("unix:\(silent.path)")
    let tasks = (0..<12).map { _ in
      Task { () -> ErrorCode? in
        do {
          _ = try await client.records("note").count()
          return nil
        } catch {
          return (error as? DataError)?.code
        }
      }
    }
    for task in tasks { task.cancel() }
    for task in tasks {
      let code = await task.value
      #expect(code == .interrupted || code == .storeUnreachable)
    }
  }

  @Test("ends a call to a file or a database whose task is canceled", .onEveryStore)
  func localCancellation() async throws {
    let folder = try TestFolder()
    let file = "sqlite:\(folder.path("shop.db"))"
    let client = try await Client.open(
      folder.address.hasPrefix("postgres") ? folder.address : file)
    try await client.createSchema("note", ["text:text"])
    let notes = client.records("note")
    let (stream, continuation) = AsyncStream<Draft>.makeStream()
    for number in 0..<20_000 { continuation.yield(["note_id": .text("n\(number)"), "text": "x"]) }
    continuation.finish()
    try await notes.save(contentsOf: stream)
    let calls: [@Sendable () async throws -> Void] = [
      // Without the cancellation, these calls would take hours.
      { for _ in 0..<1_000_000 { _ = try await notes.count(where: "text like '%a%b%c%'") } },
      { while true { for try await _ in notes.list(order: "text, -note_id") {} } },
      { while true { try await notes.updateAll(["text": "y"], where: "text != ''") } },
    ]
    for call in calls {
      let (began, continuation) = AsyncStream<Void>.makeStream()
      let task = Task { () -> ErrorCode? in
        continuation.yield()
        do {
          try await call()
          return nil
        } catch {
          return (error as? DataError)?.code
        }
      }
      for await _ in began { break }
      task.cancel()
      #expect(await task.value == .interrupted)
    }
    #expect(try await notes.count() == 20_000)
    try await notes.save(["note_id": "n1", "text": "after"])
    #expect(try await notes.get("n1")?["text"] == .text("after"))
    await client.close()
    try folder.checkIntegrity()
  }

  @Test("ends a save that waits for another writer when its task is canceled")
  func canceledWait() async throws {
    let folder = try TestFolder()
    let client = try await Client.open("sqlite:\(folder.path("shop.db"))")
    try await client.createSchema("note", ["text:text"])
    let lock = try StoreLock(folder.path("shop.db"))
    let task = Task { () -> ErrorCode? in
      do {
        try await client.records("note").save(["note_id": "n1", "text": "z"])
        return nil
      } catch {
        return (error as? DataError)?.code
      }
    }
    // The wait for the lock ends after 30 seconds, with another error.
    task.cancel()
    #expect(await task.value == .interrupted)
    lock.release()
    #expect(try await client.records("note").count() == 0)
    try await client.records("note").save(["note_id": "n1", "text": "z"])
    #expect(try await client.records("note").count() == 1)
  }

  private static let schema =
    #"{"schema":"note","fields":{"note_id":{"type":"id"},"count":{"type":"integer"}}}"#

  /// Responses of a server that does not conform to the API: the status and the content type, and
  /// the body.
  private static let lies: [(String, String)] = {
    let ndjson = "200 OK\r\nContent-Type: application/x-ndjson"
    let json = "200 OK\r\nContent-Type: application/json"
    let problem = "500 Error\r\nContent-Type: application/problem+json"
    return [
      (ndjson, ""), (ndjson, "x"), (ndjson, "{}\n"), (ndjson, "[[[[[[\n"), (ndjson, "-1\n"),
      (ndjson, "99999999999999999999999\n"), (ndjson, "\(schema)\n{\"note_id\":1}\n"),
      (ndjson, "\(schema)\n{\"note_id\":\"a\",\"count\":1e400}\n"),
      (ndjson, "\(schema)\n{\"note_id\":\"a\",\"other\":1}\n"),
      (ndjson, "\(schema)\n{\"note_id\":\"a\""), (ndjson, "\(schema)\n\u{0}\u{1B}[8m\n"),
      (ndjson, schema.replacing("note\"", with: "another\"") + "\n"),
      (ndjson, String(repeating: "[", count: 100_000)),
      (json, "[]"), (json, "{}"), (json, "null"), (json, "[\(schema),\(schema)]"),
      (json, "[{\"schema\":\"note\",\"fields\":{}}]"), (json, "{\"did\":\"delete\",\"count\":-1}"),
      (json, "{\"did\":\"delete\",\"count\":9223372036854775807,\"cascaded\":{\"a\":1e9}}"),
      (json, "{\"records\":3,\"next\":7}"), (json, String(repeating: "{\"a\":", count: 100_000)),
      (content(tag: String(repeating: "0", count: 64), name: "a.png"), "abc"),
      (content(tag: "\u{1B}[8m", name: "a.png"), "abc"),
      (content(tag: String(repeating: "a", count: 64), name: "..%2Fa\u{1B}[8m"), ""),
      ("200 OK\r\nContent-Type: text/html", "<html>"), ("200 OK", "x"), ("204 No Content", ""),
      ("302 Found\r\nLocation: http://\u{1B}[8m/", ""), ("404 Not Found", "x"),
      (problem, "{\"problems\":[{\"code\":\"invalid\",\"message\":\"a\u{1B}[8mb\"}]}"),
      (problem, "{\"problems\":[]}"), (problem, "{"),
    ]
  }()

  private static func content(tag: String, name: String) -> String {
    """
    200 OK\r\nContent-Type: image/png\r\nETag: "\(tag)"\r
    Content-Disposition: attachment; filename*=UTF-8''\(name)
    """
  }

  @Test("reports a content with another SHA-256 than the server names as an error")
  func wrongContent() async throws {
    let head = Self.content(tag: String(repeating: "0", count: 64), name: "a.png")
    let socket = try CannedSocket([CannedSocket.response(head, Array("abc".utf8))])
    defer { socket.close() }
    let notes = try await Client.open("unix:\(socket.path)").records("note")
    let error = await #expect(throws: DataError.self) {
      for try await piece in try #require(await notes.content("photo", of: "a")) {
        #expect(piece == Array("abc".utf8))
      }
    }
    #expect(error?.problems.first?.message.hasSuffix("the SHA-256 of the file") == true)
  }

  @Test("rejects a response of more than 1 GiB to a call that reads it whole", .from(.all))
  func longResponse() async throws {
    let socket = try CannedSocket(
      "200 OK\r\nContent-Type: application/x-ndjson",
      sending: Array(repeating: UInt8(ascii: "\n"), count: 1 << 20), times: 1_025)
    defer { socket.close() }
    let notes = try await Client.open("unix:\(socket.path)").records("note")
    let error = await #expect(throws: DataError.self) { _ = try await notes.count() }
    #expect(
      error?.problems.first?.message.contains("it is longer than 1073741824 bytes") == true,
      "\(error as Any)")
  }

  @Test("reports invalid responses of a server as errors")
  func lies() async throws {
    for (head, body) in Self.lies {
      let socket = try CannedSocket(
        Array(repeating: CannedSocket.response(head, Array(body.utf8)), count: 60))
      defer { socket.close() }
      let client = try await Client.open("unix:\(socket.path)")
      let notes = client.records("note")
      let calls: [@Sendable () async throws -> Void] = [
        { _ = try await notes.get("a") }, { _ = try await notes.get(["a", "b"]) },
        { for try await _ in notes.list() {} }, { _ = try await notes.count() },
        { _ = try await notes.page(limit: 1) }, { _ = try await notes.groups(by: "count") },
        { try await notes.save(["note_id": "a"]) }, { try await notes.delete("a") },
        { _ = try await notes.get("a", expanding: "count") },
        { try await client.batch { $0.get("a", in: "note") } },
        { _ = try await client.schemas() },
        { for try await _ in try #require(await notes.content("count", of: "a")) {} },
        { try await client.logIn("ann", password: "canary99") },
      ]
      for call in calls {
        do {
          try await call()
        } catch let error as DataError {
          #expect(!"\(error)".utf8.contains(0x1B), "\(head) \(body.prefix(60)): \(error)")
        }
      }
    }
  }
}

import DataClient
import DataModel
import DataOutput
import DataStore
import Synchronization
import Testing

@Suite("Answers to the requests of get and list")
struct AnswerTests {
  private func client() async throws -> Client {
    let client = try await Shop().client
    try await client.records("person").save(["person_id": "ann", "name": "Ann"])
    try await client.records("todo").save(
      (1...3).map { number in
        [
          "todo_id": .text("t\(number)"), "title": .text(number < 3 ? "Tea" : "Milk"),
          "stock": .integer(number), "owner": number == 1 ? "ann" : nil,
        ]
      })
    return client
  }

  private func text(_ request: ReadRequest, _ client: Client) async throws -> String {
    let sink = BufferSink()
    try await client.answer(request, to: AnswerOutput(sink))
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  @Test("prints the answer to each kind of read request, such as records, groups and counts")
  func contents() async throws {
    let client = try await client()
    let all = QueryInput("todo", order: "-stock")
    let titles = RecordOptions(fields: "title")
    let expected: [(ReadRequest.Content, OutputFormat?, String)] = [
      (
        .records(all, titles), nil,
        """
        {"todo_id":"t3","title":"Milk"}
        {"todo_id":"t2","title":"Tea"}
        {"todo_id":"t1","title":"Tea"}

        """
      ),
      (
        .records(QueryInput("todo", limit: 1), RecordOptions(fields: "owner.name")), .csv,
        "todo_id,owner.name\r\nt1,Ann\r\n"
      ),
      (
        .records(all, RecordOptions(fields: "stock", section: "title")), .ndjson,
        """
        {"section":"M","count":1}
        {"todo_id":"t3","stock":3}
        {"section":"T","count":2}
        {"todo_id":"t2","stock":2}
        {"todo_id":"t1","stock":1}

        """
      ),
      (.count(all), nil, "3\n"), (.count(all), .json, "{\"count\":3}\n"),
      (
        .groups(QueryInput("todo"), GroupingOptions(keys: "title", having: "count > 1")), .csv,
        "title,count\r\nTea,2\r\n"
      ),
      (
        .groups(QueryInput("todo"), GroupingOptions(distinct: "title", isCounted: true)), nil, "2\n"
      ),
      (
        .found(IdentifiedRecords(.one("t2"), in: "todo"), titles), .json,
        "{\"todo_id\":\"t2\",\"title\":\"Tea\"}\n"
      ),
      (
        .found(IdentifiedRecords(.several(["t3", "t1"]), in: "todo"), titles), .ids, "t3\nt1\n"
      ),
    ]
    for (content, format, output) in expected {
      #expect(try await text(ReadRequest(content, as: format), client) == output)
    }
    let plan = try await text(
      ReadRequest(.explanation(QueryInput("todo"), nil, isCount: false), as: .json), client)
    #expect(plan.hasPrefix("{\"schema\":\"todo\""))
  }

  @Test("continues a list from its page token, and rejects page tokens of other queries")
  func pages() async throws {
    let client = try await client()
    func page(_ order: String, at bound: RecordOptions.Bound?) async throws -> String {
      try await text(
        ReadRequest(
          .records(
            QueryInput("todo", order: order, limit: 2),
            RecordOptions(bound: bound, fields: "todo_id")), as: .page), client)
    }
    let first = try await page("stock", at: nil)
    #expect(first.contains("\"t1\"") && !first.contains("\"t3\""))
    let token = try #require(
      first.split(separator: "\"next\":\"").last?.split(separator: "\"").first.map(String.init))
    let second = try await page("stock", at: .after(token))
    #expect(second.contains("\"t3\"") && second.contains("\"next\":null"))
    let error = try await problem { _ = try await page("title", at: .after(token)) }
    #expect(error.code == .usage)
    #expect(error.problems[0].message == "--after: the token belongs to another query")
  }

  @Test("prints the records that were found, then throws an error with the missing ids")
  func missing() async throws {
    let client = try await client()
    let sink = BufferSink()
    let keys = IdentifiedRecords(.several(["t9", "t1", "t8"]), in: "todo")
    let error = try await problem {
      try await client.answer(
        ReadRequest(.found(keys, RecordOptions()), as: .ids), to: AnswerOutput(sink))
    }
    #expect(error.problems.map(\.id) == ["t9", "t8"])
    #expect(String(decoding: sink.bytes, as: UTF8.self) == "t1\n")
  }

  @Test("returns the revision of a single record even if the printed fields omit the revision")
  func revisions() async throws {
    let client = try await client()
    try await client.records("todo").save(["todo_id": "t1", "stock": 9])
    func revision(
      _ keys: IdentifiedRecords.Keys, by fields: String? = nil, printing list: String
    ) async throws -> Int64? {
      try await client.answer(
        ReadRequest(
          .found(
            IdentifiedRecords(keys, in: "todo", by: fields), RecordOptions(fields: list))),
        to: AnswerOutput(BufferSink()))
    }
    #expect(try await revision(.one("t1"), printing: "title") == 2)
    #expect(try await revision(.one("t1"), by: "todo_id", printing: "owner.name") == 2)
    #expect(try await revision(.several(["t1"]), printing: "title") == nil)
  }

  @Test(
    "repeats a read if a schema changed meanwhile, unless output was written or ids are streamed")
  func retries() async throws {
    let client = try await client()
    let list = ReadRequest(.records(QueryInput("todo"), RecordOptions()), as: .ids)
    let once = IDList { () throws(DataError) in { () throws(DataError) in throw .schemaChanged } }
    let stream = ReadRequest(
      .found(
        IdentifiedRecords(.streamed(once, canRestart: { false }), in: "todo"), RecordOptions()),
      as: .ids)

    let buffered = ConflictSink(conflicts: 3, discards: true)
    try await client.answer(list, to: buffered.output)
    #expect(buffered.text == "t1\nt2\nt3\n")

    let written = ConflictSink(conflicts: 3, discards: false)
    let error = try await problem { try await client.answer(list, to: written.output) }
    #expect(error.code == .schemaChanged)
    #expect(written.remaining == 2)

    let unread = ConflictSink(conflicts: 0, discards: true)
    let streamError = try await problem { try await client.answer(stream, to: unread.output) }
    #expect(streamError.code == .schemaChanged)
  }
}

/// A sink for which the first attempts to answer a request end with `schemaChanged`.
private final class ConflictSink: ByteSink {
  private let buffer = BufferSink()
  private let conflicts: Mutex<Int>
  private let discards: Bool

  init(conflicts: Int, discards: Bool) {
    self.conflicts = Mutex(conflicts)
    self.discards = discards
  }

  var text: String { String(decoding: buffer.bytes, as: UTF8.self) }
  var remaining: Int { conflicts.withLock { $0 } }
  var output: AnswerOutput { AnswerOutput(self) }

  func append(_ body: (inout [UInt8]) -> Void) throws(DataError) {
    buffer.append(body)
    guard remaining > 0 else { return }
    conflicts.withLock { $0 -= 1 }
    throw .schemaChanged
  }

  func flush() {}

  func discardBuffer() -> Bool { discards && buffer.discardBuffer() }
}

import PostgresHarness
import ProgramHarness
import Testing

@Suite("Interruption during a PostgreSQL commit", .serialized)
struct PostgresCommitTests {
  private let server: PostgresServer
  private let place: Place
  private let database: String

  init() throws {
    server = try PostgresServer.shared.get()
    (place, database) = try Place.onPostgres()
    try place.declareTodos()
    try place.prepare("save", "todo", "old", "title=old", "-o", "none")
    try place.prepare("schema", "create", "user", "--user")
    try place.prepare(
      "save", "user", "-o", "none", input: .text(#"{"username":"ann","password":"right one"}"#))
  }

  private static let unknown = """
    datactl: interrupted during the commit
      commit outcome unknown: check before retrying

    """

  @Test(
    "reports an unknown outcome when interrupted before the commit is confirmed",
    arguments: [(Int32(2), Int32(130)), (15, 143)])
  func unanswered(signal: Int32, status: Int32) throws {
    let run = try interrupted(["save", "todo", "a", "title=tea"], by: signal, .never)
    #expect(run.errors == Self.unknown)
    try run.exits(status).printsNothing()
    #expect(try place.prepare("list", "todo", "-o", "ids").output == "a\nold\n")
  }

  @Test("reports the result and exits by the signal when the commit is confirmed")
  func answered() throws {
    let cases: [(words: [String], said: String)] = [
      (
        ["save", "todo", "a", "title=tea"],
        "1 saved: 1 new\ndatactl: interrupted: 1 record is saved\n"
      ),
      (["delete", "todo", "old"], "1 deleted\ndatactl: interrupted: 1 deleted\n"),
      (
        ["schema", "drop", "todo", "--allow-loss", "todo"],
        "Schema todo dropped.\ndatactl: interrupted: the schemas are changed\n"
      ),
    ]
    for (words, said) in cases {
      let run = try interrupted(words, by: 2, .late).exits(130)
      #expect(run.errors == said)
    }
    let logIn = try interrupted(
      ["login", "-u", "ann", "--password-stdin"], input: .text("right one\n"), by: 15, .late
    ).exits(143).says("Logged in to")
    #expect(logIn.errorLines.last == "datactl: interrupted: ann is logged in")
  }

  @Test("reports what is saved when the connection is lost during a save in parts")
  func lostPart() throws {
    let proxy = try CuttingProxy(before: server, cutting: .before("title 15"))
    defer { proxy.close() }
    let lines = (1...30).map { #"{"todo_id":"\#($0)","title":"title \#($0)"}"# + "\n" }.joined()
    let run = try place.run(
      "save", "todo", "--commit-every", "10", "--store", proxy.address(database),
      input: .text(lines)
    ).exits(7).says(
      "saved up to line 10\n", "the connection to the server was lost",
      "  earlier commits are kept; continue after them\n",
      "datactl: everything up to line 10 is saved, and nothing after it\n")
    #expect(!run.errors.contains("nothing was changed"))
    #expect(proxy.hasCut)
    #expect(try place.todoCount == 11)
  }

  /// When the response to the commit arrives.
  private enum Answer {
    case late
    case never
  }

  /// Runs a command and interrupts it after the server has committed, before the command receives
  /// the response.
  private func interrupted(
    _ words: [String], input: Input = .nothing, by signal: Int32, _ answer: Answer
  ) throws -> Run {
    let proxy = try HoldingProxy(before: server, holdingAnswerTo: "\0commit\0")
    defer { proxy.close() }
    let command = try place.program.start(
      words + ["--store", proxy.address(database)], input: input)
    let deadline = ContinuousClock.now + .seconds(60)
    while !proxy.isHolding, ContinuousClock.now < deadline {
      try command.run(for: .milliseconds(5))
    }
    command.signal(signal)
    switch answer {
    case .late: proxy.release()
    case .never: break
    }
    return try command.finish()
  }
}

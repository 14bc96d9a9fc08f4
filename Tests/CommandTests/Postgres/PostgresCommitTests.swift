import PostgresHarness
import ProgramHarness
import Testing

@Suite("Interruption during a PostgreSQL commit", .serialized)
struct PostgresCommitTests {
  private let server: PostgresServer
  private let folder: TestFolder
  private let database: String

  init() throws {
    server = try PostgresServer.shared.get()
    (folder, database) = try TestFolder.onPostgres()
    try folder.createTodoSchema()
    try folder.prepare("save", "todo", "old", "title=old", "-o", "none")
    try folder.prepare("schema", "create", "user", "--user")
    try folder.prepare(
      "save", "user", "-o", "none", input: .text(#"{"username":"ann","password":"right one"}"#))
  }

  private static let unknown = """
    datactl: interrupted during the commit
      check whether the changes were committed before you run the command again

    """

  @Test(
    "reports an unknown outcome when interrupted before the server confirms the commit",
    arguments: [(Int32(2), Int32(130)), (15, 143)])
  func unconfirmed(signal: Int32, status: Int32) throws {
    let run = try interrupted(["save", "todo", "a", "title=tea"], by: signal, .never)
    #expect(run.errors == Self.unknown)
    try run.exits(status).printsNothing()
    #expect(try folder.prepare("list", "todo", "-o", "ids").output == "a\nold\n")
  }

  @Test("reports the result and exits with 0 when interrupted after the commit")
  func confirmed() throws {
    let cases: [(arguments: [String], expected: String)] = [
      (["save", "todo", "a", "title=tea", "-o", "none"], "1 saved: 1 new\n"),
      (["delete", "todo", "old"], "1 deleted\n"),
      (["schema", "drop", "todo", "--allow-loss", "todo"], "Schema todo dropped.\n"),
    ]
    for (arguments, expected) in cases {
      let run = try interrupted(arguments, by: 2, .late).exits(0)
      #expect(run.errors == expected)
    }
    let logIn = try interrupted(
      ["login", "-u", "ann", "--password-stdin"], input: .text("right one\n"), by: 15, .late
    ).exits(0).reports("Logged in to")
    #expect(logIn.errorLines.count == 1)
  }

  @Test("reports the committed records when the connection is lost between commits")
  func lostPart() throws {
    let proxy = try CuttingProxy(to: server, cutting: .before("title 15"))
    defer { proxy.close() }
    let lines = (1...30).map { #"{"todo_id":"\#($0)","title":"title \#($0)"}"# + "\n" }.joined()
    let run = try folder.run(
      "save", "todo", "--commit-every", "10", "--store", proxy.address(database),
      input: .text(lines)
    ).exits(7).reports(
      "saved up to line 10\n", "the connection to the server was lost",
      "  earlier commits are kept; save the records that follow the last commit\n",
      "datactl: everything up to line 10 is saved, and nothing after it\n")
    #expect(!run.errors.contains("nothing was changed"))
    #expect(proxy.hasCut)
    #expect(try folder.todoCount == 11)
  }

  /// When the command receives the server's response to its commit.
  private enum Confirmation {
    case late
    case never
  }

  /// Runs a command and sends it a signal after the server has committed, but before the command
  /// has received the response.
  private func interrupted(
    _ arguments: [String], input: Input = .nothing, by signal: Int32, _ confirmation: Confirmation
  ) throws -> Run {
    let proxy = try HoldingProxy(to: server, delayingResponseTo: "\0commit\0")
    defer { proxy.close() }
    let command = try folder.program.start(
      arguments + ["--store", proxy.address(database)], input: input)
    let deadline = ContinuousClock.now + .seconds(60)
    while !proxy.isHolding, ContinuousClock.now < deadline {
      try command.run(for: .milliseconds(5))
    }
    command.signal(signal)
    switch confirmation {
    case .late: proxy.release()
    case .never: break
    }
    return try command.finish()
  }
}

import TestSupport
import Testing
import datactl

@Suite("Sessions of a user")
struct UserSessionTests {
  private static let logIn = "login -u ann --password-stdin"
  private static let start: Int64 = 1_795_143_900_000_000

  @Test("lists the sessions of the user, but not their tokens, and ends all with logout --all")
  func sessions() async throws {
    let session = try TestSession()
    #expect(await session.run("schema create user --user").status == 0)
    let user = #"{"username": "ann", "password": "canary bird"}"#
    #expect(await session.run("save user", input: user).status == 0)
    #expect(await session.run("whoami --sessions").status == 4)
    #expect(await session.run("logout --all").status == 4)
    let token = await session.run(
      Self.logIn + " --print-token --days 1", input: "canary bird\n", clock: Self.start)
    #expect(token.status == 0)
    let later = Self.start + 60_000_000
    #expect(await session.run(Self.logIn, input: "canary bird\n", clock: later).status == 0)
    let listed = await session.run("whoami --sessions", clock: later)
    #expect(
      listed
        == Outcome(
          status: 0,
          output: """
            2026-11-20T03:05:00.000Z  until 2026-11-21T03:05:00.000Z
            2026-11-20T03:06:00.000Z  until 2026-12-20T03:06:00.000Z  (this session)

            """, errors: ""))
    let json = await session.run("whoami --sessions -o json", clock: later)
    #expect(
      json.output == """
        [
          {"begun": "2026-11-20T03:05:00.000Z", "until": "2026-11-21T03:05:00.000Z", "current": false},
          {"begun": "2026-11-20T03:06:00.000Z", "until": "2026-12-20T03:06:00.000Z", "current": true}
        ]

        """)
    let ended = await session.run("logout --all", clock: later)
    #expect(
      ended
        == Outcome(
          status: 0, output: "",
          errors: "Logged out of all sessions of ann in sqlite:\(session.folder)/shop.db.\n"))
    #expect(await session.run("whoami", clock: later).status == 4)
    let variables = ["DATACTL_TOKEN": token.output.trimmingSuffix(while: \.isNewline)]
    let copied = await session.run("whoami", variables: variables, clock: later)
    #expect(copied.status == 4)
    #expect(copied.errors.contains("has ended"))
  }
}

extension String {
  fileprivate func trimmingSuffix(while matches: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, matches(last) { text.removeLast() }
    return text
  }
}

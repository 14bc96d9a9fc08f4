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
          {"begun": "2026-11-20T03:05:00.000Z", "until": "2026-11-21T03:05:00.000Z", "current": false, \
        "name": null},
          {"begun": "2026-11-20T03:06:00.000Z", "until": "2026-12-20T03:06:00.000Z", "current": true, \
        "name": null}
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

  @Test("names sessions, and lists and ends those of other users")
  func names() async throws {
    let session = try TestSession()
    #expect(await session.run("schema create user --user").status == 0)
    let users = #"{"username": "ann", "password": "canary bird"} {"username": "ci"}"#
    #expect(await session.run("save user", input: users).status == 0)
    func logIn(_ options: String, after minutes: Int64) async -> Outcome {
      await session.run(
        Self.logIn + " --print-token" + options, input: "canary bird\n",
        clock: Self.start + minutes * 60_000_000)
    }
    for (minute, options) in ["", " --name ci", " --name é", " --name ci"].enumerated() {
      #expect(await logIn(options, after: Int64(minute)).status == 0)
    }
    let listed = await session.run("whoami --sessions --user ann")
    #expect(
      listed.output == """
        2026-11-20T03:05:00.000Z  until 2026-12-20T03:05:00.000Z
        2026-11-20T03:06:00.000Z  until 2026-12-20T03:06:00.000Z  ci
        2026-11-20T03:07:00.000Z  until 2026-12-20T03:07:00.000Z  é
        2026-11-20T03:08:00.000Z  until 2026-12-20T03:08:00.000Z  ci

        """)
    let json = await session.run("whoami --sessions --user ann --name é -o json")
    #expect(
      json.output == """
        [
          {"begun": "2026-11-20T03:07:00.000Z", "until": "2026-12-20T03:07:00.000Z", \
        "current": false, "name": "é"}
        ]

        """)
    // The user has the name of a session.
    #expect(await session.run("whoami --sessions --user ci").output == "")
    let store = "sqlite:\(session.folder)/shop.db"
    let expected = [
      ("whoami --sessions --user bob", 3, "datactl: user bob: there is no such user\n"),
      ("logout --user bob", 3, "datactl: user bob: there is no such user\n"),
      ("logout --user ci --name ann", 3, "datactl: user ci: there is no session named \"ann\"\n"),
      ("logout --user ann --name ci", 0, "Ended 2 sessions of ann in \(store).\n"),
      ("logout --user ann --name ci", 3, "datactl: user ann: there is no session named \"ci\"\n"),
      ("logout --user ann --name é", 0, "Ended 1 session of ann in \(store).\n"),
      ("logout --user ann", 0, "Ended 1 session of ann in \(store).\n"),
      ("logout --user ann", 0, "Ended 0 sessions of ann in \(store).\n"),
    ]
    for (line, status, errors) in expected {
      #expect(
        await session.run(line) == Outcome(status: Int32(status), output: "", errors: errors))
    }
    for line in ["whoami --user ann", "logout --name ci", "logout --all --user ann"] {
      #expect(await session.run(line).status == 2)
    }
    let long = String(repeating: "é", count: 100)
    #expect(await logIn(" --name \(long)", after: 0).status == 0)
    for name in [long + "e", "a\u{7}b", "a\u{85}", "''"] {
      let refused = await logIn(" --name \(name)", after: 0)
      #expect(refused.status == 2)
      #expect(refused.errors.contains("the name of a session must have 1 to 100 characters"))
    }
  }

  @Test("deletes the saved token when all sessions of its user are ended, but no other token")
  func savedToken() async throws {
    let session = try TestSession()
    #expect(await session.run("schema create user --user").status == 0)
    for user in ["ann", "bob"] {
      let record = #"{"username": "\#(user)", "password": "canary bird"}"#
      #expect(await session.run("save user", input: record).status == 0)
    }
    #expect(await session.run(Self.logIn, input: "canary bird\n").status == 0)
    #expect(await session.run("logout --user bob").status == 0)
    #expect(await session.run("whoami").status == 0)
    #expect(await session.run("logout --user ann").status == 0)
    let ended = await session.run("whoami")
    #expect(ended.errors.hasPrefix("datactl: not logged in"))
  }
}

extension String {
  fileprivate func trimmingSuffix(while matches: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, matches(last) { text.removeLast() }
    return text
  }
}

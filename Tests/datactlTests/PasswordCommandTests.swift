import TestSupport
import Testing
import datactl

@Suite("passwd")
struct PasswordCommandTests {
  private static let logIn = "login -u ann --password-stdin"

  /// Returns a folder with a store in which the user ann has the password `canary bird`.
  private func session() async throws -> TestSession {
    let session = try TestSession()
    #expect(await session.run("schema create user --user").status == 0)
    let user = #"{"username": "ann", "password": "canary bird"}"#
    #expect(await session.run("save user", input: user).status == 0)
    return session
  }

  /// Runs a command on a terminal at which a user types lines.
  private func typing(
    _ lines: [String], to words: String..., in session: TestSession
  ) async -> (status: Int32, errors: String, hidden: Int) {
    let input = MemoryChannel(lines.map { $0 + "\n" }, isTerminal: true)
    let console = TestConsole(
      input: input, errors: MemoryChannel(isTerminal: true),
      environment: ["DATACTL_STORE": "shop.db", "XDG_CONFIG_HOME": session.folder + "/config"],
      folder: session.folder)
    let status = await Program.run(on: console.console(words))
    return (status, console.errors.text, input.hiddenCount)
  }

  @Test("reads the old and the new password from stdin, and keeps the current session")
  func standardInput() async throws {
    let session = try await session()
    #expect(await session.run(Self.logIn, input: "canary bird\n").status == 0)
    let changed = await session.run(
      "passwd --password-stdin", input: "canary bird\nyellow bird\n")
    #expect(
      changed
        == Outcome(
          status: 0, output: "",
          errors: "Changed the password of ann in sqlite:\(session.folder)/shop.db.\n"))
    #expect(await session.run("whoami").status == 0)
    #expect(await session.run(Self.logIn, input: "canary bird\n").status == 4)
    #expect(await session.run(Self.logIn, input: "yellow bird\n").status == 0)
  }

  @Test("changes nothing when the old password is wrong or the new one is too short")
  func invalid() async throws {
    let session = try await session()
    let line = "passwd --password-stdin"
    #expect(await session.run(line, input: "canary bird\nyellow bird\n").status == 4)
    #expect(await session.run(Self.logIn, input: "canary bird\n").status == 0)
    let wrong = await session.run(line, input: "canary\nyellow bird\n")
    #expect(wrong.status == 4)
    #expect(wrong.errors.contains("the old password is wrong"))
    let short = await session.run(line, input: "canary bird\nbird\n")
    #expect(short.status == 6)
    #expect(short.errors.contains("a password must have at least 8 characters, found 4"))
    let half = await session.run(line, input: "canary bird\n")
    #expect(half.status == 2)
    #expect(half.errors.contains("expected two lines"))
    #expect(await session.run(Self.logIn, input: "canary bird\n").status == 0)
  }

  @Test("sets the password of a given user without asking for the old one")
  func otherUser() async throws {
    let session = try await session()
    #expect(await session.run(Self.logIn, input: "canary bird\n").status == 0)
    let line = "passwd ann --password-stdin"
    let variables = ["XDG_CONFIG_HOME": session.folder + "/other"]
    #expect(await session.run(line, input: "yellow bird\n", variables: variables).status == 0)
    #expect(await session.run("whoami").status == 4)
    #expect(await session.run(Self.logIn, input: "yellow bird\n").status == 0)
    #expect(await session.run("passwd bob --password-stdin", input: "yellow bird\n").status == 3)
    let unpiped = await session.run("passwd ann")
    #expect(unpiped.status == 2)
    #expect(unpiped.errors.contains("--password-stdin"))
  }

  @Test(
    "limits attempts with wrong passwords across processes, and reports the seconds to wait",
    .tags(.slow), .from(.test))
  func throttle() async throws {
    let session = try await session()
    let start: Int64 = 1_795_143_900_000_000
    #expect(await session.run(Self.logIn, input: "canary bird\n", clock: start).status == 0)
    for _ in 0..<5 {
      let wrong = await session.run(
        "passwd --password-stdin", input: "canary\nyellow bird\n", clock: start)
      #expect(wrong.errors.contains("the old password is wrong"))
    }
    let throttled = await session.run(Self.logIn, input: "canary bird\n", clock: start)
    #expect(
      throttled
        == Outcome(
          status: 4, output: "",
          errors: """
            datactl: too many wrong passwords
              try again in 10 seconds

            """))
    #expect(await session.run("whoami", clock: start).status == 0)
    let later = start + 10_000_000
    #expect(await session.run(Self.logIn, input: "canary bird\n", clock: later).status == 0)
  }

  @Test("prompts without echo for the old password once and for the new one twice")
  func terminal() async throws {
    let session = try await session()
    #expect(await session.run(Self.logIn, input: "canary bird\n").status == 0)
    let different = await typing(
      ["canary bird", "yellow bird", "yelow bird"], to: "passwd", in: session)
    #expect(different.status == 6)
    #expect(different.errors.contains("the two new passwords are different"))
    let changed = await typing(
      ["canary bird", "yellow bird", "yellow bird"], to: "passwd", in: session)
    #expect(changed.status == 0)
    #expect(changed.hidden == 3)
    #expect(
      changed.errors == """
        Old password of ann: New password of ann: New password again: \
        Changed the password of ann in sqlite:\(session.folder)/shop.db.

        """)
    let set = await typing(["red bird one", "red bird one"], to: "passwd", "ann", in: session)
    #expect(set.status == 0)
    #expect(set.hidden == 2)
    #expect(await session.run(Self.logIn, input: "red bird one\n").status == 0)
  }
}

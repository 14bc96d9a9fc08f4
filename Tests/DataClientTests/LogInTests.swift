import DataClient
import DataModel
import DataStore
import Foundation
import TestSupport
import Testing

@Suite("Login")
struct LogInTests {
  private func shop(_ environment: [String: String] = [:]) async throws -> Shop {
    let shop = try await Shop(environment: environment)
    try await shop.client.records("user").save(["username": "ann", "password": "canary bird"])
    return shop
  }

  /// Returns another client of the same store, as another process would open it.
  private func other(_ shop: Shop, _ environment: [String: String], _ origin: StoreChoice.Origin)
    throws -> Client
  {
    let store = try shop.client.store
    return Client(
      store, choice: StoreChoice(shop.client.address, origin: origin),
      usesSavedSession: true, in: Shop.environment(environment, clock: shop.clock))
  }

  @Test("records the logged-in user as the author of changes")
  func recordsAuthor() async throws {
    let shop = try await shop()
    #expect(try await shop.client.whoAmI() == nil)
    let logIn = try await shop.client.logIn("ann", password: "canary bird")
    #expect(logIn.user == "ann")
    #expect(logIn.expires.microseconds - shop.clock.time.microseconds == 30 * 86_400_000_000)
    #expect(try await shop.client.whoAmI() == logIn)
    let record = try await shop.client.records("person").save(["person_id": "joe", "name": "Joe"])
    #expect(record.createdBy == "ann")
    #expect(record.modifiedBy == "ann")
    #expect(try await shop.client.logOut())
    #expect(try await shop.client.whoAmI() == nil)
    #expect(try await shop.client.logOut() == false)
    let later = try await shop.client.records("person").save(["person_id": "joe", "age": 1])
    #expect(later.createdBy == "ann")
    #expect(later.modifiedBy == nil)
  }

  @Test(
    "reports the same error for an unknown user name and a wrong password",
    arguments: ["ann", "unknown"])
  func wrong(name: String) async throws {
    let shop = try await shop()
    let error = try await problem { try await shop.client.logIn(name, password: "wrong") }
    #expect(error == DataError(.wrongLogin, "wrong user name or password"))
  }

  @Test(
    "logging in fails after the same time for an unknown user name and a wrong password",
    .tags(.slow), .from(.test))
  func time() async throws {
    let shop = try await shop()
    let clock = ContinuousClock()
    var shortest: [String: Duration] = [:]
    for _ in 0..<5 {
      for name in ["ann", "unknown"] {
        let time = await clock.measure {
          _ = try? await shop.client.logIn(name, password: "wrong")
        }
        shortest[name] = min(shortest[name] ?? time, time)
      }
    }
    let right = try #require(shortest["ann"])
    let wrong = try #require(shortest["unknown"])
    #expect(wrong > right * 0.5)
    #expect(right > wrong * 0.5)
    #expect(wrong > .milliseconds(5))
  }

  @Test("restores a saved session from a file that only its owner can read")
  func persistent() async throws {
    let folder = try TemporaryFolder()
    let settings = ["XDG_CONFIG_HOME": folder.path]
    let shop = try await shop(settings)
    let logIn = try await shop.client.logIn("ann", password: "canary bird", storage: .persistent)
    #expect(try folder.permissions(of: "datactl") == 0o700)
    #expect(try folder.permissions(of: "datactl/credentials.json") == 0o600)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path + "/datactl") == [
        "credentials.json"
      ])
    let text = try String(
      contentsOfFile: folder.path + "/datactl/credentials.json", encoding: .utf8)
    #expect(!text.contains("canary bird"))
    #expect(try await other(shop, settings, .project).whoAmI() == logIn)
    #expect(try await other(shop, [:], .project).whoAmI() == nil)
    #expect(try await other(shop, settings, .option).logOut())
    #expect(try await other(shop, settings, .project).whoAmI() == nil)
  }

  @Test(
    "rejects a credentials file in a folder that other users can write", arguments: [0o770, 0o702])
  func writableFolder(permissions: Int) async throws {
    let folder = try TemporaryFolder()
    let settings = ["XDG_CONFIG_HOME": folder.path]
    let shop = try await shop(settings)
    try await shop.client.logIn("ann", password: "canary bird", storage: .persistent)
    let own = folder.path + "/datactl"
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: own)
    let error = try await problem { _ = try await other(shop, settings, .project).whoAmI() }
    let expected = Problem(
      .notLoggedIn, "the sessions cannot be read: other users can write to the folder",
      hint: "run chmod 700 \(own), then log in again", file: own + "/credentials.json")
    #expect(error == DataError(expected))
    // A new session makes the folder private again.
    try await shop.client.logIn("ann", password: "canary bird", storage: .persistent)
    #expect(try await other(shop, settings, .project).whoAmI()?.user == "ann")
  }

  @Test("rejects a credentials file that other users can read", arguments: [0o644, 0o640, 0o604])
  func readable(permissions: Int) async throws {
    let folder = try TemporaryFolder()
    let settings = ["XDG_CONFIG_HOME": folder.path]
    let shop = try await shop(settings)
    try await shop.client.logIn("ann", password: "canary bird", storage: .persistent)
    let path = folder.path + "/datactl/credentials.json"
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    let error = try await problem { _ = try await other(shop, settings, .project).whoAmI() }
    let expected = Problem(
      .notLoggedIn, "the sessions cannot be read: readable by other users",
      hint: "run chmod 600 \(path), then log in again", file: path)
    #expect(error == DataError(expected))
  }

  @Test("reports a corrupt credentials file with a hint when logging out")
  func broken() async throws {
    let folder = try TemporaryFolder()
    let settings = ["XDG_CONFIG_HOME": folder.path]
    let shop = try await shop(settings)
    try await shop.client.logIn("ann", password: "canary bird", storage: .persistent)
    let path = folder.path + "/datactl/credentials.json"
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: 3)
    let error = try await problem { _ = try await other(shop, settings, .project).logOut() }
    let expected = Problem(
      .notLoggedIn, "the sessions cannot be read: not a valid credentials file",
      hint: "remove the file \(path), and log in again", file: path)
    #expect(error == DataError(expected))
  }

  @Test("names sessions, and lists and ends those of a user")
  func names() async throws {
    let shop = try await shop()
    let client = shop.client
    for name in [nil, "ci", "home"] {
      try await client.logIn("ann", password: "canary bird", sessionName: name)
    }
    let administrator = try other(shop, [:], .option)
    let listed = try await administrator.sessions(of: "ann")
    #expect(listed.map(\.name) == [nil, "ci", "home"])
    #expect(listed.map(\.isCurrent) == [false, false, false])
    #expect(try await client.sessions().map(\.isCurrent) == [false, false, true])
    #expect(try await administrator.endSessions(of: "ann", named: "ci") == 1)
    let error = try await problem { try await administrator.endSessions(of: "ann", named: "ci") }
    #expect(error.code == .notFound)
    for user in ["zed", "", "a\0"] {
      #expect(try await problem { _ = try await client.sessions(of: user) }.code == .notFound)
      #expect(try await problem { try await client.endSessions(of: user) }.code == .notFound)
    }
    #expect(try await client.endSessions(of: "ann") == 2)
    #expect(try await client.whoAmI() == nil)
    let long = try await problem {
      try await client.logIn("ann", password: "canary bird", sessionName: "")
    }
    #expect(long.code == .usage)
  }

  @Test("uses DATACTL_TOKEN only for a store chosen by option or environment")
  func token() async throws {
    let shop = try await shop()
    let session = try await shop.client.openSession(
      "ann", password: Array("canary bird".utf8), days: 1, storage: .transient)
    #expect(session.token.utf8.count == 64)
    let environment = ["DATACTL_TOKEN": session.token]
    for origin in [StoreChoice.Origin.option, .environment] {
      #expect(try await other(shop, environment, origin).whoAmI()?.user == "ann")
    }
    for origin in [StoreChoice.Origin.project, .defaultStore] {
      #expect(try await other(shop, environment, origin).whoAmI() == nil)
    }
  }

  @Test("suggests logging in when a token is malformed, unknown or expired")
  func expiredToken() async throws {
    let shop = try await shop()
    let session = try await shop.client.openSession(
      "ann", password: Array("canary bird".utf8), days: 1, storage: .transient)
    let unknown = String(repeating: "0", count: 64)
    shop.clock.advance(days: 2)
    for token in [unknown, session.token] {
      let error = try await problem {
        _ = try await other(shop, ["DATACTL_TOKEN": token], .option).whoAmI()
      }
      #expect(
        error
          == DataError(
            .notLoggedIn, "the session has ended or is unknown",
            hint: """
              create a new token: datactl login --print-token --store memory:; \
              or unset DATACTL_TOKEN to continue without a user
              """))
    }
    let nonsense = try await problem {
      _ = try await other(shop, ["DATACTL_TOKEN": "abc"], .option).whoAmI()
    }
    #expect(nonsense.problems.map(\.message) == ["DATACTL_TOKEN is not a valid token"])
    let own = try await problem { _ = try await shop.client.whoAmI() }
    #expect(own.code == .notLoggedIn)
  }

  @Test("suggests how to log in again when a saved session has expired")
  func expiredSession() async throws {
    let shop = try await shop()
    let own = try await problem {
      _ = try await shop.client.openSession(
        "ann", password: Array("canary bird".utf8), days: 1, storage: .transient)
      shop.clock.advance(days: 2)
      _ = try await shop.client.whoAmI()
    }
    #expect(own.problems.map(\.message) == ["the session of ann has ended or is unknown"])
    #expect(
      own.problems.map(\.hint) == [
        """
        log in again: datactl login --store memory:
        or continue without a user: datactl logout --store memory:
        """
      ])
  }

  @Test("ends only the other sessions when users change their own password")
  func changePassword() async throws {
    let shop = try await shop()
    let first = try await shop.client.openSession(
      "ann", password: Array("canary bird".utf8), days: 1, storage: .transient)
    try await shop.client.logIn("ann", password: "canary bird")
    let wrong = try await problem {
      try await shop.client.changePassword(from: "canary", to: "yellow bird")
    }
    #expect(wrong == DataError(.wrongLogin, "the old password is wrong"))
    let short = try await problem {
      try await shop.client.changePassword(from: "canary bird", to: "bird")
    }
    #expect(
      short.problems == [
        Problem(
          .invalid, "a password must have at least 8 characters, found 4", schema: "user",
          id: "ann",
          field: "password")
      ])
    try await shop.client.changePassword(from: "canary bird", to: "yellow bird")
    #expect(try await shop.client.records("user").get("ann")?.modifiedBy == "ann")
    let environment = ["DATACTL_TOKEN": first.token]
    let ended = try await problem { _ = try await other(shop, environment, .option).whoAmI() }
    #expect(ended.code == .notLoggedIn)
    try await shop.client.changePassword(from: "yellow bird", to: "canary bird")
  }

  @Test("ends all sessions of a user whose password is set without giving the old password")
  func setPassword() async throws {
    let shop = try await shop()
    let session = try await shop.client.openSession(
      "ann", password: Array("canary bird".utf8), days: 1, storage: .transient)
    let client = try other(shop, [:], .option)
    try await client.setPassword(of: "ann", to: "yellow bird")
    let environment = ["DATACTL_TOKEN": session.token]
    let ended = try await problem { _ = try await other(shop, environment, .option).whoAmI() }
    #expect(ended.code == .notLoggedIn)
    try await client.logIn("ann", password: "yellow bird")
    let missing = try await problem {
      try await client.setPassword(of: "bob", to: "yellow bird")
    }
    #expect(missing.code == .notFound)
    let anonymous = try other(shop, [:], .option)
    let notLoggedIn = try await problem {
      try await anonymous.changePassword(from: "yellow bird", to: "canary bird")
    }
    #expect(notLoggedIn.code == .notLoggedIn)
  }

  @Test("hashes passwords with Argon2id and a random salt")
  func hashing() throws {
    let first = try Passwords.hash("canary bird".utf8.span)
    let second = try Passwords.hash("canary bird".utf8.span)
    #expect(first.hasPrefix("$argon2id$v=19$m=65536,t=2,p=1$"))
    #expect(first != second)
    #expect(try Passwords.verify(first, Array("canary bird".utf8)))
    #expect(try Passwords.verify(first, Array("Canary".utf8)) == false)
    #expect(try Passwords.verify(nil, Array("canary bird".utf8)) == false)
  }

  @Test("names the package to install when libsodium is missing")
  func missingLibrary() throws {
    let error = try #require(throws: DataError.self) {
      try Passwords.hash("canary bird".utf8.span, library: "libnothing.so.1")
    }
    #expect(
      error
        == DataError(
          .libraryMissing, "passwords require libsodium, which is not installed",
          hint: "install the package libsodium23"))
  }
}

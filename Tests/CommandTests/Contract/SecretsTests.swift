import ProgramHarness
import Testing

@Suite("Passwords and created_by")
struct SecretsTests {
  @Test("rejects an empty password and keeps the old one")
  func emptySecret() throws {
    let place = try Place()
    try place.prepare("schema", "create", "user", "email:text", "--user")
    try place.prepare("save", "user", "bob", "password@=-", input: .text("pw"))
    for secret in ["", "\n"] {
      try place.run("save", "user", "bob", "password@=-", input: .text(secret))
        .exits(6).printsNothing().says("expected a password, found nothing")
    }
    try place.run("login", "--username", "bob", "--password-stdin", input: .text("pw\n")).exits(0)
  }

  @Test("rejects a password with a line break, because login reads one line")
  func lineBreak() throws {
    let place = try Place()
    try place.prepare("schema", "create", "user", "email:text", "--user")
    try place.run("save", "user", "cy", "password@=-", input: .text("l1\nl2"))
      .exits(6).printsNothing().says("a password has no line break")
  }

  @Test("accepts passwords up to the length that login reads")
  func longPassword() throws {
    let place = try Place()
    try place.prepare("schema", "create", "user", "email:text", "--user")
    func keep(_ count: Int) throws -> Run {
      try place.run(
        "save", "user", "cy", "password@=-", input: .text(String(repeating: "p", count: count)))
    }
    try keep(4_097).exits(6).printsNothing().says("at most 4096 bytes, found 4097")
    try keep(4_096).exits(0)
    let password = Input.text(String(repeating: "p", count: 4_096) + "\n")
    try place.run("login", "--username", "cy", "--password-stdin", input: password).exits(0)
  }

  @Test("reports a missing store when logging in")
  func missingStore() throws {
    let place = try Place()
    try place.run("login", "--username", "ann", "--password-stdin", input: .text("pw\n"))
      .exits(7).printsNothing().says("there is no such store")
  }

  @Test("finds records saved without a user by created_by=")
  func savedByNobody() throws {
    let place = try Place()
    try place.keepTodos()
    let all = try place.prepare("list", "todo", "--count").output
    try place.run("list", "todo", "created_by=", "--count").exits(0).prints(all)
  }
}

import ProgramHarness
import Testing

@Suite("Passwords and who saved what")
struct SecretsTests {
  @Test("an empty secret is no password, and takes none away")
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

  @Test("a password with a line break is refused, since log-in reads a line")
  func lineBreak() throws {
    let place = try Place()
    try place.prepare("schema", "create", "user", "email:text", "--user")
    try place.run("save", "user", "cy", "password@=-", input: .text("l1\nl2"))
      .exits(6).printsNothing().says("a password has no line break")
  }

  @Test("a password is as long as log-in reads, and no longer")
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

  @Test("a log-in to a store that is not there says so")
  func missingStore() throws {
    let place = try Place()
    try place.run("login", "--username", "ann", "--password-stdin", input: .text("pw\n"))
      .exits(7).printsNothing().says("there is no such store")
  }

  @Test("created_by= finds the records that nobody in particular saved")
  func savedByNobody() throws {
    let place = try Place()
    try place.keepTodos()
    let all = try place.prepare("list", "todo", "--count").output
    try place.run("list", "todo", "created_by=", "--count").exits(0).prints(all)
  }
}

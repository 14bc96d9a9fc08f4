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

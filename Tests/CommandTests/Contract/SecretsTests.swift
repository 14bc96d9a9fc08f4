import ProgramHarness
import Testing

@Suite("Passwords and created_by")
struct SecretsTests {
  @Test("rejects an empty password and keeps the old one")
  func emptySecret() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "user", "email:text", "--user")
    try folder.prepare("save", "user", "bob", "password@=-", input: .text("password"))
    for secret in ["", "\n"] {
      try folder.run("save", "user", "bob", "password@=-", input: .text(secret))
        .exits(6).printsNothing().reports("expected a password, found nothing")
    }
    try folder.run("login", "--username", "bob", "--password-stdin", input: .text("password\n"))
      .exits(0)
  }

  @Test("rejects a password shorter than the field's min, which is 8 characters by default")
  func shortPassword() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "user", "--user")
    func save(_ password: String) throws -> Run {
      try folder.run("save", "user", "cy", "password@=-", input: .text(password))
    }
    try save("sevén").exits(6).printsNothing()
      .reports("a password must have at least 8 characters, found 5")
    try save("éééééééé").exits(0)
    let shown = try folder.run("schema", "show", "user").exits(0).output
    let longer = shown.replacing(#""type": "password""#, with: #""type": "password", "min": 12"#)
    try folder.write("user.json", longer)
    try folder.run("schema", "apply", "user.json").exits(0)
    try save("eleven long").exits(6).reports("at least 12 characters, found 11")
    try folder.run("login", "-u", "cy", "--password-stdin", input: .text("éééééééé\n")).exits(0)
  }

  @Test("reports only the missing password when login has a user name but cannot prompt")
  func missingPassword() throws {
    try TestFolder().run("login", "--username", "ann").exits(2).printsNothing().reports(
      "datactl: cannot prompt for the password\n",
      "  pass --password-stdin, and the password on standard input\n")
  }

  @Test("rejects a password with a line break, because login reads one line")
  func lineBreak() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "user", "email:text", "--user")
    try folder.run("save", "user", "cy", "password@=-", input: .text("l1\nl2"))
      .exits(6).printsNothing().reports("cannot contain a line break")
  }

  @Test("accepts passwords of up to 4,096 bytes, the most that login reads")
  func longPassword() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "user", "email:text", "--user")
    func savePassword(_ count: Int) throws -> Run {
      try folder.run(
        "save", "user", "cy", "password@=-", input: .text(String(repeating: "p", count: count)))
    }
    try savePassword(4_097).exits(6).printsNothing().reports("at most 4096 bytes, found 4097")
    try savePassword(4_096).exits(0)
    let password = Input.text(String(repeating: "p", count: 4_096) + "\n")
    try folder.run("login", "--username", "cy", "--password-stdin", input: password).exits(0)
  }

  @Test("reports a missing store when logging in")
  func missingStore() throws {
    let folder = try TestFolder()
    try folder.run("login", "--username", "ann", "--password-stdin", input: .text("pw\n"))
      .exits(7).printsNothing().reports("there is no such store")
  }

  @Test("lists the records that were saved without a login when created_by= is given")
  func savedWithoutUser() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let all = try folder.prepare("list", "todo", "--count").output
    try folder.run("list", "todo", "created_by=", "--count").exits(0).prints(all)
  }
}

import ClientCore
import CommandSyntax
import DataModel

/// `datactl login`: opens a session for a user of the store.
struct LogInCommand: DeclaredCommand {
  var store: String?
  var username: String?
  var readsPassword = false
  var printsToken = false
  var days: Int?
  var name: String?

  static let declaration = CommandDeclaration(
    LogInCommand.self, "login", "Log in to a store as one of its users.",
    discussion: [
      """
      Asks for a user name and a password, and starts a session for this user. The session lasts \
      \(LogIn.defaultDays) days. The users of a store are the records of its user schema (see \
      `schema create --user`).
      """,
      """
      Until the session ends, commands on this store run as this user, and set `created_by` and \
      `modified_by` to the user's id. The session is saved in the file \
      `$XDG_CONFIG_HOME/datactl/credentials.json`, by default \
      `~/.config/datactl/credentials.json`. Only you can read this file.
      """,
      .heading("Passwords"),
      """
      If a user gets a new password, all sessions of the user end. If you change your own password \
      with `passwd`, your current session remains valid. A user who is disabled cannot log in (see \
      `datactl help access-rules`).
      """,
      """
      The password is never read from the command line. In a script, where `login` cannot ask for \
      the password, use `--password-stdin`.
      """,
      """
      After five wrong passwords for a user name, you can try only one password every ten seconds \
      for this name, until a password is correct. A server counts the wrong passwords from \
      each IP address instead (see `datactl help server`).
      """,
      .heading("Files and databases"),
      """
      Logging in does not protect a file or a database: everyone who can write to it can change \
      every record, even without a session. To restrict access, use `datactl serve`, and declare \
      access rules (see `datactl help access-rules`).
      """,
    ],
    inputs: [
      .optionalOperand("STORE", \.store, kind: .store, "The store (same as `--store`)."),
      .option("--username", letter: "u", \.username, value: "NAME", "The name of the user."),
      .flag(
        "--password-stdin", \.readsPassword,
        "Read the password from the first line of standard input."),
      .flag(
        "--print-token", \.printsToken,
        """
        Print the token of the session instead of saving it. To use the token, set the environment \
        variable `DATACTL_TOKEN`, and name the store by its file or address, with `--store` or \
        `DATACTL_STORE`. With a name from `datactl.json`, or with the default store, the token is \
        ignored.
        """),
      .integer(
        "--days", \.days, value: "N", in: 1...3_650,
        "The number of days until the printed token expires. The default is \(LogIn.defaultDays)."),
      .option(
        "--name", \.name, value: "NAME",
        """
        A name for the session, such as `ci`, of 1 to 100 characters. `whoami --sessions` prints it, \
        and `logout --name` ends the sessions with this name. Several sessions can have the same name.
        """),
    ],
    rules: [.needs("--password-stdin", "--username"), .needs("--days", "--print-token")],
    examples: [
      Example("datactl login --username ann", "Log in, and enter the password at a prompt."),
      Example(
        "datactl login --store shop.db -u ci --password-stdin --print-token < secret",
        "Print a token, for example for CI."),
      Example("datactl login -u ann --name laptop", "Name the session, to tell it from others."),
      Example(
        "datactl login -u ann --password-stdin --print-token --name ci < secret",
        "Print the token of a named session."),
    ],
    exitStatuses: [
      .done, .failed, .usageOfOptions, .notFound, .forbidden,
      ExitStatus(6, "invalid data, such as an invalid value in datactl.json"),
      .store, .interrupted, .brokenPipe, .terminated,
    ],
    seeAlso: ["logout", "whoami", "passwd", "stores", "environment"])
}

extension LogInCommand {
  var storeUse: StoreUse { .none }

  func run(with context: CommandContext) async throws {
    let console = context.console
    guard console.canPrompt || username != nil && readsPassword else {
      throw username == nil
        ? DataError(
          .usage, "cannot prompt for the name and the password",
          hint: "pass --username NAME --password-stdin, and the password on standard input")
        : DataError(
          .usage, "cannot prompt for the password",
          hint: "pass --password-stdin, and the password on standard input")
    }
    let client = try await context.logInService(store)
    try await client.checkExists()
    let name = try username ?? console.ask("User of \(client.address): ")
    let password = try password(of: name, with: context)
    let session = try await client.openSession(
      name, password: password, days: days ?? LogIn.defaultDays, sessionName: self.name,
      storage: printsToken ? .transient : .persistent)
    try context.printResult(of: "the session is created") { () throws(DataError) in
      if printsToken {
        try console.output.write("\(session.token)\n")
      } else {
        try context.printMessage(
          "Logged in to \(client.address) as \(name), until \(session.logIn.expires).")
      }
    }
  }

  private func password(
    of name: String, with context: CommandContext
  ) throws(DataError) -> [UInt8] {
    guard readsPassword else {
      return Array(try context.console.askWithoutEcho("Password of \(name): ").utf8)
    }
    var lines = try context.standardInput(for: "the password")
      .lines(longest: Schema.maxPasswordLength)
    return Array((try lines.next() ?? "").utf8)
  }
}

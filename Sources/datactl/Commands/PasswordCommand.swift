import ClientCore
import CommandSyntax
import DataModel

/// `datactl passwd`: changes the password of a user.
struct PasswordCommand: DeclaredCommand {
  var user: String?
  var readsPasswords = false

  static let declaration = CommandDeclaration(
    PasswordCommand.self, "passwd", "Change a user's password.",
    discussion: [
      "Changes your own password or, if USER is given, the password of that user.",
      .heading("Your own password"),
      """
      Without USER, you must be logged in. The command asks for the old password, and twice for \
      the new one. Your other sessions end. The current session remains valid.
      """,
      .heading("The password of another user"),
      """
      With USER, the command does not ask for the old password. All sessions of this user end. If \
      you are this user, your current session remains valid.
      """,
      """
      On a server, only administrators may pass USER. With a file or a database, everyone who can \
      write to it can set any password, even without logging in.
      """,
      .heading("Rules for passwords"),
      """
      A password must have at least 8 characters, unless the schema declares another `min` for the \
      password field. Passwords are never read from the command line.
      """,
    ],
    inputs: [
      .optionalOperand(
        "USER", \.user,
        "The user whose password is set. By default, your own password is changed."),
      .flag(
        "--password-stdin", \.readsPasswords,
        """
        Read the old and the new password from standard input, one per line. With USER, read only \
        the new password.
        """
      ),
    ],
    examples: [
      Example("datactl passwd", "Change your own password, and enter the passwords at prompts."),
      Example(
        "datactl passwd ann --password-stdin < secret",
        "Set ann's password to the first line of a file."),
    ],
    exitStatuses: [
      .done, .failed, .usageOfOptions, .notFound, .forbidden, .conflict, .invalid, .store,
      .interrupted, .terminated,
    ],
    seeAlso: ["login", "whoami"])
}

extension PasswordCommand {
  var storeUse: StoreUse { .none }

  func run(with context: CommandContext) async throws {
    guard context.console.canPrompt || readsPasswords else {
      throw user == nil
        ? DataError(
          .usage, "cannot prompt for the old and the new password",
          hint: "pass --password-stdin, and both passwords on standard input, one per line")
        : DataError(
          .usage, "cannot prompt for the new password",
          hint: "pass --password-stdin, and the new password on standard input")
    }
    let client = try await context.logInService()
    try await client.checkExists()
    let name: String
    if let user {
      name = user
      let passwords = try passwords(of: user, asksOld: false, with: context)
      try await client.setPassword(of: user, to: passwords.new)
    } else {
      name = try await client.loggedInUser().user
      let passwords = try passwords(of: name, asksOld: true, with: context)
      try await client.changePassword(from: passwords.old, to: passwords.new)
    }
    try context.printResult(of: "the password is changed") { () throws(DataError) in
      try context.printMessage("Changed the password of \(name) in \(client.address).")
    }
  }

  /// Asks for the new password. If `asksOld` is true, asks for the old one first.
  private func passwords(
    of name: String, asksOld: Bool, with context: CommandContext
  ) throws(DataError) -> (old: [UInt8], new: [UInt8]) {
    guard readsPasswords else {
      let console = context.console
      let old = asksOld ? try console.askWithoutEcho("Old password of \(name): ") : ""
      let new = try console.askWithoutEcho("New password of \(name): ")
      let repetition = try console.askWithoutEcho("New password again: ")
      guard new.utf8.elementsEqual(repetition.utf8) else {
        throw DataError(.invalid, "the two new passwords are different; nothing was changed")
      }
      return (Array(old.utf8), Array(new.utf8))
    }
    var lines = try context.standardInput(for: "the passwords")
      .lines(longest: Schema.maxPasswordLength)
    let old = asksOld ? try lines.next() : ""
    guard let old, let new = try lines.next() else {
      throw DataError(
        .usage,
        asksOld
          ? "expected two lines on standard input: the old and the new password"
          : "expected a line on standard input: the new password")
    }
    return (Array(old.utf8), Array(new.utf8))
  }
}

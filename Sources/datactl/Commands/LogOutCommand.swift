import ClientCore
import CommandSyntax
import DataModel

/// `datactl logout`: ends the session in the store, and deletes its token from this computer.
struct LogOutCommand: DeclaredCommand {
  var store: String?
  var isEverywhere = false
  var user: String?
  var name: String?

  static let declaration = CommandDeclaration(
    LogOutCommand.self, "logout", "Log out of a store.",
    discussion: [
      """
      Ends the session in the store, and deletes its token from this computer. Copies of the token \
      become invalid, too. `--all` ends all sessions of the user, including those on other \
      computers.
      """,
      """
      Administrators can end the sessions of another user with `--user`. If the user does not exist, \
      or has no session with the name given with `--name`, the exit status is 3.
      """,
    ],
    inputs: [
      .optionalOperand("STORE", \.store, kind: .store, "The store (same as `--store`)."),
      .flag("--all", \.isEverywhere, "End all sessions of the user."),
      .option(
        "--user", \.user, value: "NAME",
        "End the sessions of this user, on all computers. Requires an administrator or the user."),
      .option("--name", \.name, value: "NAME", "End only the sessions with this name."),
    ],
    rules: [.atMostOne(["--all", "--user"]), .needs("--name", "--user")],
    examples: [
      Example("datactl logout", "Log out of the current store."),
      Example("datactl logout sqlite:shop.db", "Log out of another store."),
      Example("datactl logout --all", "Log out on all computers."),
      Example("datactl logout --user ann", "End all sessions of another user."),
      Example("datactl logout --user ann --name ci", "End the sessions with a name."),
    ],
    exitStatuses: [
      .done, .failed, .usageOfOptions, .notFound, .forbidden,
      ExitStatus(6, "invalid data: an invalid value in datactl.json"),
      .store, .interrupted, .terminated,
    ],
    seeAlso: ["login", "whoami"])
}

extension LogOutCommand {
  var storeUse: StoreUse { .none }

  func run(with context: CommandContext) async throws {
    let client = try await context.logInService(store)
    if let user {
      let ended = try await client.endNamedSessions(of: user, name)
      return try context.printResult(of: "the sessions have ended") { () throws(DataError) in
        try context.printMessage(
          "Ended \(ended) \(ended == 1 ? "session" : "sessions") of \(user) in \(client.address).")
      }
    }
    if isEverywhere {
      let user = try await client.loggedInUser().user
      try await client.logOutEverywhere()
      return try context.printResult(of: "the sessions have ended") { () throws(DataError) in
        try context.printMessage("Logged out of all sessions of \(user) in \(client.address).")
      }
    }
    guard try await client.logOut() else {
      throw DataError(
        .notLoggedIn, "not logged in to \(client.address)", hint: client.ignoredTokenNote)
    }
    try context.printResult(of: "the session has ended") { () throws(DataError) in
      try context.printMessage("Logged out of \(client.address).")
    }
  }
}

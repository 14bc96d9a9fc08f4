import ClientCore
import CommandSyntax
import DataModel

/// `datactl logout`: ends the session in the store, and deletes its token from this computer.
struct LogOutCommand: DeclaredCommand {
  var store: String?
  var isEverywhere = false

  static let declaration = CommandDeclaration(
    LogOutCommand.self, "logout", "Log out of a store.",
    discussion: [
      """
      Ends the session in the store, and deletes its token from this computer. Copies of the token \
      become invalid, too. `--all` ends all sessions of the user, including those on other \
      computers.
      """
    ],
    inputs: [
      .optionalOperand("STORE", \.store, kind: .store, "The store (same as `--store`)."),
      .flag("--all", \.isEverywhere, "End all sessions of the user."),
    ],
    examples: [
      Example("datactl logout", "Log out of the current store."),
      Example("datactl logout sqlite:shop.db", "Log out of another store."),
      Example("datactl logout --all", "Log out on all computers."),
    ],
    exitStatuses: [
      .done, .failed, .usageOfOptions, .forbidden,
      ExitStatus(6, "invalid data: an invalid value in datactl.json"),
      .store, .interrupted, .terminated,
    ],
    seeAlso: ["login", "whoami"])
}

extension LogOutCommand {
  var storeUse: StoreUse { .none }

  func run(with context: CommandContext) async throws {
    let client = try await context.logInService(store)
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

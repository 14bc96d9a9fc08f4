import ClientCore
import CommandSyntax
import DataModel

/// `datactl logout`: ends the session in the store, and deletes its token from this computer.
struct LogOutCommand: Command {
  let store: String?

  static let declaration = CommandDeclaration<any Command>(
    "logout", "Log out of a store.",
    discussion: [
      """
      Ends the session in the store and deletes its token from this computer. The token is no \
      longer valid, even if it was copied.
      """
    ],
    inputs:
      .optionalOperand("STORE", kind: .store, "The store (same as `--store`)."),
    examples: [
      Example("datactl logout", "Log out of the default store."),
      Example("datactl logout sqlite:shop.db", "Log out of another store."),
    ],
    exitStatuses: [.done, .usage, .forbidden, .store, .interrupted, .terminated],
    seeAlso: ["login", "whoami"]
  ) { store in
    LogOutCommand(store: store)
  }
}

extension LogOutCommand {
  func run(with context: CommandContext) async throws {
    let client = try await context.open(store, for: .writing)
    guard try await client.logOut() else {
      throw DataError(.notLoggedIn, "not logged in to \(client.address)")
    }
    try context.printResult(of: "the session has ended") { () throws(DataError) in
      try context.printMessage("Logged out of \(client.address).")
    }
  }
}

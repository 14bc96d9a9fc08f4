import CommandSyntax
import DataClient
import DataModel

/// `datactl logout`: ends the session, on this machine and in the store.
struct LogOutCommand: Command {
  let store: String?

  static let declaration = CommandDeclaration<any Command>(
    "logout", "End the session with a store.",
    discussion: [
      "The session ends in the store too, so that a copy of it is worth nothing any more."
    ],
    inputs:
      .optionalOperand("STORE", kind: .store, "The store; the same as `--store`."),
    examples: [
      Example("datactl logout", "End the session with the usual store."),
      Example("datactl logout sqlite:shop.db", "End the session with another."),
    ],
    exitStatuses: [.done, .usage, .forbidden, .store, .interrupted, .terminated],
    seeAlso: ["login", "whoami"]
  ) { store in
    LogOutCommand(store: store)
  }
}

extension LogOutCommand {
  func run(with invocation: Invocation) async throws {
    let client = try await invocation.open(store, for: .writing)
    guard try await client.logOut() else {
      throw DataError(.notLoggedIn, "nobody is logged in to \(client.address)")
    }
    try invocation.say("Logged out of \(client.address).")
    try invocation.checkInterruption(behind: "the session is ended")
  }
}

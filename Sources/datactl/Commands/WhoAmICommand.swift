import ClientCore
import CommandSyntax
import DataModel
import DataOutput

/// `datactl whoami`: prints the user of the session, the store, and the time at which the session
/// expires.
struct WhoAmICommand: Command {
  let format: ReportFormat

  static let declaration = CommandDeclaration<any Command>(
    "whoami", "Show the current user, store and session expiry.",
    discussion: [
      """
      Prints the user who is logged in, the store, and the time when the session expires. If no \
      user is logged in, the exit status is 4.
      """
    ],
    inputs:
      .choice(
        "--output", letter: "o", value: "FORMAT", of: ReportFormat.allCases,
        default: ReportFormat.text, "The output format: a sentence or a JSON object."),
    examples: [
      Example("datactl whoami", "Show the current user."),
      Example("datactl whoami -o json | jq -r .user", "Print the user's id."),
    ],
    exitStatuses: [.done, .usage, .forbidden, .invalid, .store, .brokenPipe],
    seeAlso: ["login", "logout"]
  ) { format in
    WhoAmICommand(format: format)
  }
}

extension WhoAmICommand {
  func run(with context: CommandContext) async throws {
    let client = try await context.open(for: .reading)
    let logIn = try await client.loggedInUser()
    switch format {
    case .text:
      try context.console.output.write(
        Excerpt.escaped("\(logIn.user) on \(client.address), until \(logIn.expires)") + "\n")
    case .json:
      let facts = [
        ("user", logIn.user), ("store", "\(client.address)"), ("until", "\(logIn.expires)"),
      ]
      try context.console.output.append { JSONLine.append(facts, to: &$0) }
    }
  }
}

import ClientCore
import CommandSyntax
import DataModel
import DataOutput

/// `datactl whoami`: prints the user of the session, the store, and the time at which the session
/// expires.
struct WhoAmICommand: DeclaredCommand {
  var format = ReportFormat.text
  var listsSessions = false
  var user: String?
  var name: String?

  static let declaration = CommandDeclaration(
    WhoAmICommand.self, "whoami", "Show the current user, store and session expiry.",
    discussion: [
      """
      Prints the user who is logged in, the store, and the time when the session expires. If no \
      user is logged in, the exit status is 4.
      """,
      """
      With `--sessions`, prints when each session of the user began, when it expires, and its \
      name, the oldest first. The current session is marked. Tokens are never printed. \
      Administrators can list the sessions of another user with `--user`.
      """,
    ],
    inputs: [
      .choice("--output", letter: "o", \.format, value: "FORMAT", "The output format."),
      .flag("--sessions", \.listsSessions, "List all sessions of the user."),
      .option(
        "--user", \.user, value: "NAME",
        "List the sessions of this user. Requires an administrator or the user."),
      .option("--name", \.name, value: "NAME", "List only the sessions with this name."),
    ],
    rules: [.needs("--user", "--sessions"), .needs("--name", "--sessions")],
    examples: [
      Example("datactl whoami", "Show the current user."),
      Example("datactl whoami -o json | jq -r .user", "Print the user's id."),
      Example("datactl whoami --sessions", "List your sessions."),
      Example("datactl whoami --sessions --user ann", "List the sessions of another user."),
      Example(
        "datactl whoami --sessions --user ann --name ci", "List the sessions with a name."),
    ],
    exitStatuses: [
      .done, .failed, .usageOfOptions, .notFound, .forbidden,
      ExitStatus(6, "invalid data: an invalid value in datactl.json"),
      .store, .interrupted, .brokenPipe, .terminated,
    ],
    seeAlso: ["login", "logout"])
}

extension WhoAmICommand {
  func run(with context: CommandContext) async throws {
    let client = try await context.open(for: .reading)
    if listsSessions { return try await listSessions(of: client, with: context) }
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

  private func listSessions(of client: Client, with context: CommandContext) async throws {
    let sessions = try await client.sessions(of: user).filter { session in
      name.map { name in session.name.map { Array($0.utf8) } == Array(name.utf8) } ?? true
    }
    let output = context.console.output
    switch format {
    case .text:
      for session in sessions {
        let name = session.name.map { "  " + Excerpt.escaped($0) } ?? ""
        let mark = session.isCurrent ? "  (this session)" : ""
        try output.write("\(session.begun)  until \(session.expires)\(name)\(mark)\n")
      }
    case .json:
      let lines = sessions.map { session in
        """
          {"begun": "\(session.begun)", "until": "\(session.expires)", \
        "current": \(session.isCurrent), "name": \((session.name.map(Value.text) ?? .null).jsonText)}
        """
      }
      try output.write("[\n\(lines.joined(separator: ",\n"))\n]\n")
    }
  }
}

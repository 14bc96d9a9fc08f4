import ProgramHarness

/// The tree of commands that `help --json` prints.
struct CommandTree {
  struct Option {
    let name: String
    let short: String?
    let isTyped: Bool
  }

  struct Command {
    let name: String
    let summary: String
    let options: [Option]
    let examples: [String]
  }

  let commands: [Command]
  /// The global options, which all commands accept.
  let options: [Option]
  let exitStatuses: [Int]
  let topics: [String]

  init(_ tree: JSON) throws(Violation) {
    options = Self.options(tree)
    exitStatuses = (tree["exit_statuses"]?.elements ?? []).compactMap { $0["code"]?.number }
      .map { Int($0) }
    topics = (tree["topics"]?.elements ?? []).compactMap { $0["name"]?.text }
    let entries = tree["commands"]?.elements ?? []
    commands = entries.flatMap { entry in
      entry["commands"].map { $0.elements } ?? [entry]
    }.map(Self.command)
    guard !commands.isEmpty else { throw Violation("help --json names no command") }
  }

  private static func command(_ entry: JSON) -> Command {
    Command(
      name: entry["name"]?.text ?? "", summary: entry["summary"]?.text ?? "",
      options: options(entry),
      examples: (entry["examples"]?.elements ?? []).compactMap { $0["line"]?.text })
  }

  private static func options(_ entry: JSON) -> [Option] {
    (entry["options"]?.elements ?? []).map { option in
      Option(
        name: option["name"]?.text ?? "", short: option["short"]?.text,
        isTyped: option["value"] != nil)
    }
  }
}

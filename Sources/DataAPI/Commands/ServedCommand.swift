/// A command that a server executes for clients, at the path `/v1/commands/…`.
package struct ServedCommand: Sendable {
  package enum Effect: Sendable {
    case reads
    /// The command changes records. A client can safely send it again with the same idempotency
    /// key.
    case changesRecords
    case changesSchemas
  }

  /// The words of the command, such as `schema` and `show`.
  package let words: [String]
  package let effect: Effect
  /// The action that the error message names if a caller is not an administrator. For example, it
  /// is "change schemas" for `schema apply`. Nil if all callers may execute the command.
  package let administratorAction: String?

  private init(_ name: String, _ effect: Effect, forAdministrators action: String? = nil) {
    words = name.split(separator: " ").map(String.init)
    self.effect = effect
    administratorAction = action
  }

  /// The path of requests for this command, without `/v1/` at the start, such as
  /// `commands/schema/show`.
  package var path: String { "commands/\(words.joined(separator: "/"))" }

  /// The command that returns the completions of a word of a command line. It is sent only for the
  /// completion scripts of the shells, not for a command that a user types.
  package static let completion = ServedCommand("completion", .reads)

  package static let all: [ServedCommand] = [
    completion,
    ServedCommand("get", .reads),
    ServedCommand("list", .reads),
    ServedCommand("save", .changesRecords),
    ServedCommand("delete", .changesRecords),
    ServedCommand("batch", .changesRecords),
    ServedCommand("whoami", .reads),
    ServedCommand("access", .reads, forAdministrators: "check access rules on a server"),
    ServedCommand("schema list", .reads),
    ServedCommand("schema show", .reads),
    ServedCommand("schema export", .reads),
    ServedCommand("schema lint", .reads),
    ServedCommand("schema log", .reads, forAdministrators: "read the log"),
    ServedCommand("schema plan", .reads, forAdministrators: "change schemas"),
    ServedCommand("schema diff", .reads, forAdministrators: "change schemas"),
    ServedCommand("schema create", .changesSchemas, forAdministrators: "change schemas"),
    ServedCommand("schema apply", .changesSchemas, forAdministrators: "change schemas"),
    ServedCommand("schema rename", .changesSchemas, forAdministrators: "change schemas"),
    ServedCommand("schema drop", .changesSchemas, forAdministrators: "change schemas"),
  ]
}

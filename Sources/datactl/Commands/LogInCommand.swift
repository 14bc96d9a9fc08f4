package import CommandSyntax
import DataModel

/// `datactl login`: opens a session as a user of the store.
struct LogInCommand: Command {
  let store: String?
  let username: String?
  let readsPassword: Bool
  let printsToken: Bool
  let days: Int

  static let declaration = CommandDeclaration<any Command>(
    "login", "Log in to a store as one of its users.",
    discussion: [
      """
      Asks for the name and the password of a user, which is a record of the store's user schema. \
      The session lasts 30 days and is kept in `$XDG_CONFIG_HOME/datactl/credentials.json`, which \
      nobody else can read. Commands on this store then act as the user: `created_by` and \
      `modified_by` say so.
      """,
      """
      The password is never taken from the command line. Where nobody can be asked, \
      `--password-stdin` reads it.
      """,
    ],
    inputs:
      .optionalOperand("STORE", kind: .store, "The store; the same as `--store`."),
    .option("--username", letter: "u", value: "NAME", "The user's name."),
    .flag("--password-stdin", "Read the password from standard input, its first line."),
    .flag(
      "--print-token", "Print a session for `DATACTL_TOKEN`, and keep nothing; for CI."),
    .integer(
      "--days", value: "N", in: 1...3_650, "How long the printed session lasts; 30 without it."),
    rules: [.needs("--password-stdin", "--username"), .needs("--days", "--print-token")],
    examples: [
      Example("datactl login --username ann", "Log in; the password is asked for."),
      Example(
        "datactl login -u ci --password-stdin --print-token --days 7 < secret",
        "Print a session that a CI job can use for a week."),
    ],
    exitStatuses: [.done, .failed, .usage, .notFound, .forbidden, .store, .interrupted],
    seeAlso: ["logout", "whoami", "environment"]
  ) { store, username, readsPassword, printsToken, days in
    LogInCommand(
      store: store, username: username, readsPassword: readsPassword, printsToken: printsToken,
      days: days ?? 30)
  }
}

import CommandSyntax

extension HelpTopics {
  static let environment = Topic(
    "environment", "Environment variables that datactl reads.",
    manual: ManualName("datactl-environment", section: 7),
    body: [
      """
      A command-line option overrides a variable, a variable overrides `datactl.json`, and that \
      overrides the default. No other variables affect datactl; libpq reads its own, such as \
      `PGPASSWORD`, for a store in a database.
      """,
      .definitions(
        Settings.environment.map { Definition("`\($0.name)`", $0.meaning) }
          + [Definition("`HOME`", "the home directory, used where an XDG variable is not set")]),
      """
      The two XDG variables are used only if they begin with `/`. `DATACTL_TOKEN` is never written \
      to disk, and it is used only with a store named by `--store` or `DATACTL_STORE`: a project \
      file cannot send it anywhere.
      """,
    ],
    seeAlso: ["stores", "login"])
}

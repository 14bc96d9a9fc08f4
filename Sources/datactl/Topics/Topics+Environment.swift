import CommandSyntax

extension Topics {
  static let environment = Topic(
    "environment", "The variables that datactl reads.",
    manual: ManualName("datactl-environment", section: 7),
    body: [
      """
      An option on the line comes before a variable, a variable before `datactl.json`, and that \
      before the default. No variable but these changes what datactl does; libpq reads its own, such \
      as `PGPASSWORD`, where a store is a database.
      """,
      .definitions(
        Settings.environment.map { Definition("`\($0.name)`", $0.meaning) }
          + [Definition("`HOME`", "where the folders are that the two XDG variables do not name")]),
      """
      The two XDG variables count only if they begin with `/`. `DATACTL_TOKEN` is never written \
      down, and it is used only with a store that `--store` or `DATACTL_STORE` names: a project \
      file cannot send it anywhere.
      """,
    ],
    seeAlso: ["stores", "login"])
}

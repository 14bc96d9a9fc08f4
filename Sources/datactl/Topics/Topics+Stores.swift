import CommandSyntax

extension Topics {
  static let stores = Topic(
    "stores", "Where records live, and how a store is named.",
    manual: ManualName("datactl-stores", section: 7),
    body: [
      """
      A store has schemas and their records. It is named by an address: \
      `sqlite:shop.db`, or just the path `shop.db`, is a file; `postgres://HOST/DATABASE` is a \
      database. A path is relative to the folder in which the command runs.
      """,
      .heading("Which store"),
      "The first of these that is there names the store:",
      .list([
        "the option `--store`;",
        "the variable `DATACTL_STORE`;",
        "`store` in the `datactl.json` of this folder, or of the nearest one above it that has one;",
        "`$XDG_DATA_HOME/datactl/datactl.db`, or `~/.local/share/datactl/datactl.db`.",
      ]),
      """
      Reading never creates a store: on one that is not there, `list` says so and exits with 7. \
      The first `schema create`, `schema apply` or `save --infer` creates it.
      """,
      .heading("The project file"),
      """
      `datactl.json` gives stores names, and says where the schema files are. Paths in it are \
      relative to its folder. It counts only if you or root own it and nobody else may write it.
      """,
      .literal(
        """
        {
          "store": "dev",
          "stores": {"dev": "sqlite:dev.db", "live": "postgres://db.example/shop"},
          "schemas": "schemas"
        }
        """),
      .heading("Files"),
      """
      A store in a file is an SQLite database in WAL mode. Each schema is a table of its own, which \
      any SQLite tool can read. Only datactl should write it: it keeps revisions, references and \
      rules that another tool would not. A file that datactl did not make is left alone.
      """,
      "Beside `shop.db` there are, at times:",
      .definitions([
        Definition(
          "shop.db-wal", "what was saved last; a part of the store, as long as it is there"),
        Definition("shop.db-shm", "an index of it, which all who have the store open share"),
        Definition(
          "shop.db-lock", "an empty file by which writers wait for each other; it stays"),
      ]),
      """
      The first two go when the last command that uses the store ends. Then `shop.db` alone is the \
      whole store, and `cp shop.db copy.db` makes a copy of it. If a command was killed, they stay \
      until the next one has run.
      """,
      .heading("Who can read it"),
      """
      Whoever can read the file reads everything in it, with whatever tool, the hashes of passwords \
      included; log-in says who changes what, and hides nothing. A new store can be read by those \
      whom your `umask` lets read new files. To keep it to yourself:
      """,
      .literal("$ chmod 600 shop.db"),
      """
      `shop.db-wal` and `shop.db-shm` take over its permissions. `umask 077`, before the command \
      that makes the store, does the same from the beginning.
      """,
      .heading("When it is safe"),
      """
      When a command has ended with 0, what it saved survives a power cut. Several commands may \
      use a store at once; writers wait for each other, at most `--wait` seconds.
      """,
    ] + databases + promises + moving,
    seeAlso: ["environment", "schema-files"])
}

import CommandSyntax

extension HelpTopics {
  static let stores = Topic(
    "stores", "Store addresses, and where records are kept.",
    manual: ManualName("datactl-stores", section: 7),
    body: [
      """
      A store contains schemas and their records. It is named by an address: `sqlite:shop.db`, or \
      just the path `shop.db`, is a file; `postgres://HOST/DATABASE` is a database. A path is \
      relative to the working directory.
      """,
      .heading("Which store"),
      "The store is named by the first of these that is set:",
      .list([
        "the option `--store`;",
        "the variable `DATACTL_STORE`;",
        """
        `store` in the `datactl.json` of this folder, or of the nearest folder above it that has \
        one;
        """,
        "`$XDG_DATA_HOME/datactl/datactl.db`, or `~/.local/share/datactl/datactl.db`.",
      ]),
      """
      Reading never creates a store: if it does not exist, `list` fails with exit status 7. The \
      first `schema create`, `schema apply` or `save --infer` creates it.
      """,
      .heading("The project file"),
      """
      `datactl.json` defines names for stores and the folder of the schema files. Paths in it are \
      relative to its folder. It is used only if it is owned by you or root and not writable by \
      others.
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
      A store in a file is an SQLite database in WAL mode. Each schema is a table, which any \
      SQLite tool can read. Only datactl should write it: it maintains revisions, references and \
      rules that other tools would not. A file that was not made by datactl is left unchanged.
      """,
      "These files may exist next to `shop.db`:",
      .definitions([
        Definition(
          "shop.db-wal", "the most recent changes; part of the store as long as it exists"),
        Definition(
          "shop.db-shm", "an index of the former, shared by all processes that use the store"),
        Definition(
          "shop.db-lock", "an empty file that writers lock; it is never removed"),
      ]),
      """
      The first two are removed when the last command that uses the store ends. Then `shop.db` is \
      the whole store, and `cp shop.db copy.db` copies it. If a command was killed, they remain \
      until the next one has run.
      """,
      .heading("Access to the file"),
      """
      Anyone who can read the file can read everything in it, with any tool, including password \
      hashes; login identifies the user who makes changes, and hides nothing. The permissions of a \
      new store follow your `umask`. To keep it private:
      """,
      .literal("$ chmod 600 shop.db"),
      """
      `shop.db-wal` and `shop.db-shm` inherit its permissions. Setting `umask 077` before the \
      command that creates the store has the same effect from the start.
      """,
      .heading("Durability"),
      """
      When a command has exited with 0, what it saved survives a power cut. Several commands may \
      use a store at once; writers wait for each other, for at most `--wait` seconds.
      """,
    ] + databases + conventions + movingRecords,
    seeAlso: ["environment", "schema-files"])
}

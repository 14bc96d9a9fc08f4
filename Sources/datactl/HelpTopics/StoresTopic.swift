import CommandSyntax

extension HelpTopics {
  static let stores = Topic(
    "stores", "Store addresses, and where records are stored.",
    manual: ManualName("datactl-stores", section: 7),
    body: [
      """
      A store contains schemas and their records. It is an SQLite file or a PostgreSQL database. \
      The address of a file has the form `sqlite:shop.db`, or is just a path, such as `shop.db`. A \
      path is relative to the working directory. The address of a database has the form \
      `postgres://HOST/DATABASE`. A store that `datactl serve` serves has the address of the \
      server, such as `https://shop.example`.
      """,
      .heading("How the store is chosen"),
      "The store is determined by the first of these that is set:",
      .list([
        "the option `--store`;",
        "the environment variable `DATACTL_STORE`;",
        """
        `store` in `datactl.json`, in the working directory or in the nearest parent folder that \
        contains this file;
        """,
        "the default: `$XDG_DATA_HOME/datactl/datactl.db`, or `~/.local/share/datactl/datactl.db`.",
      ]),
      """
      Commands that only read never create a store. For example, if the store does not exist, \
      `list` fails with exit status 7. The first `schema create`, `schema apply` or `save --infer` \
      creates the store.
      """,
      .heading("The project file"),
      """
      `datactl.json` defines names for stores, the store that is used by default, and the folder \
      of the schema files. Paths in this file are relative to the folder that contains it. The \
      file must be owned by you or by root, and only its owner may have permission to write to it. \
      If one of these requirements is not met, commands that need the file fail with exit status 6.
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
      A store in a file is an SQLite database in WAL mode. The records of each schema are in a \
      table, which any SQLite tool can read. Use only datactl to write to the file, because other \
      tools do not maintain revisions, references and rules. datactl does not change files that it \
      did not create.
      """,
      "The following files may exist next to `shop.db`:",
      .definitions([
        Definition(
          "shop.db-wal",
          "the most recent changes; this file is a part of the store as long as it exists"),
        Definition(
          "shop.db-shm", "an index of `shop.db-wal`, shared by all processes that use the store"),
        Definition(
          "shop.db-lock", "an empty file that commands lock while they write; it is never removed"),
      ]),
      """
      `shop.db-wal` and `shop.db-shm` are removed when the last command that uses the store ends. \
      `shop.db` then contains the whole store, and `cp shop.db copy.db` copies it. If a command \
      was killed, the two files remain until the next command has ended. While a server or another \
      command uses the store, `cp` loses the most recent changes.
      """,
      .heading("Access to the file"),
      """
      Every user who can read the file can read everything in it with any SQLite tool, including \
      password hashes. Logging in only identifies the user who makes changes; it does not restrict \
      access. The permissions of a new store depend on your `umask`. To make an existing store \
      private:
      """,
      .literal("$ chmod 600 shop.db"),
      """
      `shop.db-wal` and `shop.db-shm` get the same permissions as `shop.db`. To create a store \
      that is private from the start, set `umask 077` before the command that creates it.
      """,
      .heading("Durability"),
      """
      After a command has exited with 0, the records that it saved survive a power failure. \
      Several commands can use a store at the same time. Only one command writes at a time. The \
      others wait, for at most `--wait` seconds.
      """,
      .heading("Backup"),
      """
      These commands copy a store while it is used, as of one moment. A copy of a file is a store \
      itself. It contains the password hashes, so keep it as private as the store:
      """,
      .literal("$ (umask 077; sqlite3 shop.db '.backup copy.db')"),
      """
      A database is copied with the tools of PostgreSQL, and restored into an empty database:
      """,
      .literal(
        """
        $ (umask 077; pg_dump -Fc -f shop.dump postgres://db.example/shop)
        $ pg_restore -d postgres://db.example/copy shop.dump
        """),
      .heading("Databases"),
      """
      A store can also be in a database of PostgreSQL 13 or newer. `datactl help databases` \
      describes addresses of databases, concurrent commands, stores on several servers, and the \
      privileges that commands need.
      """,
      .heading("Servers"),
      """
      `https://HOST` is the address of a server for which `datactl serve` answers. The server \
      executes the command as the user who is logged in, within the access rules of the schemas. \
      The output, the errors and the exit status are those of the same command on a file:
      """,
      .literal(
        """
        $ datactl login --store https://shop.example
        $ datactl list todo --store https://shop.example
        """),
      """
      A path before `/v1` is a part of the address, as in `https://shop.example/api`. A server on \
      the same machine can also have the address `http://127.0.0.1:8420` or, for a Unix socket, \
      `unix:/run/shop/api`; other addresses must be encrypted. The certificate is checked against \
      those of the system, or the file that `SSL_CERT_FILE` names. `HTTPS_PROXY` and `NO_PROXY` \
      are used as by curl. The package `libcurl4` must be installed.
      """,
      """
      The server gets the files that the command line names, and the input that the command reads; \
      it cannot ask for others. If a connection is lost, a command that changes records is sent \
      again for about ten seconds, and the server executes it only once. With `--commit-every`, or if the command changes \
      schemas, it is not sent again, and the error says that the server may have completed it. \
      Input is sent to its end before the server begins. If the server accepts the connection but \
      does not respond, the command waits; Ctrl-C ends it, and in scripts `timeout 60 datactl …`.
      """,
      .heading("Moving to another store"),
      """
      Use a pipe to copy records to another store. First apply the schemas, and then copy the \
      records of each schema:
      """,
      .literal(
        """
        $ from=sqlite:shop.db to=postgres://db.example/shop
        $ datactl schema export schemas --store "$from"
        $ datactl schema apply schemas --store "$to"
        $ for schema in user todo function; do
        >   datactl list "$schema" --with-files --store "$from" |
        >     datactl save "$schema" --keep-system-fields -o none --store "$to"
        > done
        """),
      """
      Copy a schema after the schemas that its relations refer to. If schemas refer to each other \
      in a cycle, copy the records of one of them twice. First copy them without the relation. In \
      this example, the relation is the field `step` of the schema `todo`:
      """,
      .literal(
        """
        $ datactl list todo --fields '*,-step' --with-files --store "$from" |
        >   datactl save todo -o none --store "$to"
        """),
      """
      Then copy all schemas as shown above, including this one. This adds the relation to the \
      records that were copied before.
      """,
      """
      Passwords cannot be exported; nothing else is lost. Users are saved without a password, even \
      if a password is required. They cannot log in until `save` sets a new password for them.
      """,
    ],
    seeAlso: ["databases", "server", "environment", "schema-files"])
}

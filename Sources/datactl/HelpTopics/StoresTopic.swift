import CommandSyntax

extension HelpTopics {
  static let stores = Topic(
    "stores", "The addresses of stores, and where records are stored.",
    manual: ManualName("datactl-stores", section: 7),
    body: [
      """
      A store contains schemas and their records. It is an SQLite file or a PostgreSQL database. A \
      server can offer it to other computers. For example, this command reads a store in a file:
      """,
      .literal(
        """
        $ datactl list todo --store shop.db
        """),
      "There are three kinds of addresses:",
      .definitions([
        Definition(
          "sqlite:shop.db, shop.db", "a file. The path is relative to the working directory"),
        Definition("postgres://HOST/DATABASE", "a database"),
        Definition(
          "https://HOST", "a server that runs `datactl serve`, such as `https://shop.example`"),
      ]),
      .heading("How the store is chosen"),
      "The store is the first of these that is set:",
      .list([
        "the option `--store`",
        "the environment variable `DATACTL_STORE`",
        """
        the key `store` in the file `datactl.json` of the working directory or, if there is none, \
        of the nearest folder above that has one
        """,
        "the default: `$XDG_DATA_HOME/datactl/datactl.db`, or `~/.local/share/datactl/datactl.db`",
      ]),
      """
      Commands that only read never create a store. If the store does not exist, `list` fails with \
      exit status 7. The first `schema create`, `schema apply` or `save --infer` creates the \
      store.
      """,
      .heading("The project file"),
      """
      `datactl.json` defines names for stores, the store that is used by default, and the folder \
      of the schema files. Paths in this file are relative to its folder:
      """,
      .literal(
        """
        {
          "store": "dev",
          "stores": {"dev": "sqlite:dev.db", "live": "postgres://db.example/shop"},
          "schemas": "schemas"
        }
        """),
      """
      With this file, `--store live` means the database, and `--store sqlite:live` the file `live`.
      """,
      """
      The file must belong to you or to root, and only its owner may have permission to write to \
      it. If not, commands that need the file fail with exit status 6.
      """,
      .heading("Files"),
      """
      A store in a file is an SQLite database in WAL mode. The records of each schema are in a \
      table, which any SQLite tool can read. datactl does not open databases that other programs \
      created. Use only datactl to write to the file: other tools do not maintain revisions, \
      references and rules. A tool that changes a row must raise its `revision` by one. Otherwise, a \
      later save of an older copy of the record overwrites the change.
      """,
      "These files may exist next to `shop.db`:",
      .definitions([
        Definition(
          "shop.db-wal",
          "the latest changes. As long as this file exists, it is a part of the store"),
        Definition(
          "shop.db-shm", "an index of `shop.db-wal`, shared by all processes that use the store"),
        Definition(
          "shop.db-lock", "an empty file that commands lock while they write. It is never removed"),
      ]),
      """
      `shop.db-wal` and `shop.db-shm` are removed when the last command that uses the store ends. \
      If this command was killed, they remain until the next command has ended. Without these two \
      files, `shop.db` contains the whole store, and `cp shop.db copy.db` copies it. While they \
      exist, `cp` can lose the latest changes.
      """,
      .heading("Access to the file"),
      """
      Every user who can read the file can read everything in it with any SQLite tool, including \
      password hashes. `datactl login` does not restrict this. With a file, it determines only the \
      user name that is saved with changes.
      """,
      """
      The permissions of a new store depend on your `umask`. To make an existing store private:
      """,
      .literal("$ chmod 600 shop.db"),
      """
      `shop.db-wal` and `shop.db-shm` get the same permissions. To create a store that is private \
      from the start, run `umask 077` before the command that creates it. `datactl doctor --security` \
      finds permissions that give too much.
      """,
      .heading("Durability"),
      """
      After a command has exited with 0, the records that it saved survive a power failure.
      """,
      .heading("Concurrent commands"),
      """
      Several commands can read a file at the same time, also while a command writes. Only one \
      command can write at a time. Other commands that write wait, for at most `--wait` seconds.
      """,
      .heading("Backup"),
      """
      `backup` copies a file to another one, even while other commands use it. The copy is of one \
      moment. It has everything that is in the store, also sessions and passwords, so only you may \
      read it. With `--verify`, the command also compares all records and files with the store:
      """,
      .literal("$ datactl backup copy.db --store shop.db --verify"),
      """
      The copy is itself a store. If the store is damaged or lost, or has wrong records, check the \
      backup, stop all programs that use the store, such as `datactl serve`, restore the backup, and \
      check the store. The old file remains under another name:
      """,
      .literal(
        """
        $ datactl doctor --full --store copy.db
        $ datactl restore copy.db --replace --store shop.db
        $ datactl doctor --full --store shop.db
        """),
      """
      If the store cannot be opened at all, move its files away before you restore the backup without \
      `--replace`: `mkdir old && mv shop.db shop.db-* old`.
      """,
      """
      Do not use `cp` for a backup: while other commands use the store, the copy can be damaged. The \
      command `.backup` of `sqlite3` begins again after each change to the file, so it may never \
      succeed while other commands write.
      """,
      """
      Run `datactl doctor` regularly. It finds damage and invalid data, also after another program \
      has changed the store.
      """,
      """
      Litestream and other programs that checkpoint the file, which means that they move changes \
      from `shop.db-wal` to `shop.db`, do not use the lock `shop.db-lock`. In versions of SQLite \
      that have the WAL-reset bug, this can damage the store. The bug is fixed in 3.51.3 and newer \
      versions, and in 3.50.7 and 3.44.6. Use such a program only if it and the library \
      `libsqlite3` of the system, which datactl uses, have a fixed version. `datactl doctor --security` \
      finds a store of Litestream that is in danger.
      """,
      """
      Copy a database with the tools of PostgreSQL. The second command restores it into an empty \
      database:
      """,
      .literal(
        """
        $ (umask 077; pg_dump -Fc -f shop.dump postgres://db.example/shop)
        $ pg_restore -d postgres://db.example/copy shop.dump
        """),
      .heading("Dumps"),
      """
      A dump is an archive of a whole store that does not depend on the kind of the store. The same \
      store has the same dump, and `tar` and `jq` can read it. It contains no passwords. See \
      `datactl help dump`:
      """,
      .literal("$ datactl dump shop.tgz"),
      .heading("Databases"),
      """
      `datactl help databases` describes stores in databases of PostgreSQL 13 or newer.
      """,
      .heading("Servers"),
      """
      `https://HOST` is the address of a server that runs `datactl serve`. The server executes the \
      command with the rights of the user who is logged in. The output, the errors and the exit \
      status are the same as for a file:
      """,
      .literal(
        """
        $ datactl login --store https://shop.example
        $ datactl list todo --store https://shop.example
        """),
      "These addresses are also possible:",
      .definitions([
        Definition("https://shop.example/api", "a server below a path of a website"),
        Definition("http://127.0.0.1:8420", "a server on the same machine"),
        Definition("unix:/run/shop/api", "a server on the same machine, with a Unix socket"),
      ]),
      """
      Connections to other machines must be encrypted. The system must trust the certificate of \
      the server. To trust another certificate, set `SSL_CERT_FILE` to a file with it. \
      `HTTPS_PROXY` and `NO_PROXY` have the same meaning as in curl. On Debian, the package \
      `libcurl4` must be installed.
      """,
      """
      datactl reads the standard input and the input files of the command on your computer, and \
      sends them to the server. The server executes the command when it has received the whole \
      input.
      """,
      "If a connection is lost, the effect depends on the command:",
      .list([
        """
        A command that only reads is sent again once, unless a part of its output has arrived.
        """,
        """
        A command that changes records is sent again for about ten seconds. The server makes the \
        changes only once.
        """,
        """
        A command that changes schemas is not sent again, and neither is a `save \
        --commit-every` whose input is sent as a whole (see `datactl help save`). The error \
        `outcome_unknown` says that the server may have completed the command.
        """,
      ]),
      """
      A command waits for the response of the server without a limit. In scripts, limit the time \
      with `timeout`, as in `timeout 60 datactl list todo`.
      """,
      .heading("Moving to another store"),
      """
      `copy` copies a whole store to another file or database, with its passwords, and compares the \
      two:
      """,
      .literal("$ datactl copy sqlite:shop.db postgres://db.example/shop"),
      """
      Afterwards, set `DATACTL_STORE`, or `store` in `datactl.json`, to the new address. What is \
      written to the old store after `copy` has begun is not in the new one, so stop the programs \
      that write to it first. Sessions are not copied: users log in again. If `copy` is stopped, \
      run it again to continue; until it has ended, no other command uses the new store.
      """,
      """
      `copy` also copies a store on a server, for its administrators: `datactl copy \
      https://shop.example shop.db`. So does `dump`. A server sends no passwords, so users need new \
      ones.
      """,
    ],
    seeAlso: ["backup", "doctor", "databases", "server", "environment", "schema-files"])
}

import CommandSyntax

extension HelpTopics {
  static let stores = Topic(
    "stores", "Store addresses, and where records are stored.",
    manual: ManualName("datactl-stores", section: 7),
    body: [
      """
      A store contains schemas and their records. It is either an SQLite file, with an address \
      such as `sqlite:shop.db` or just the path `shop.db`, or a PostgreSQL database, with an \
      address such as `postgres://HOST/DATABASE`. A path is relative to the working directory.
      """,
      .heading("How the store is chosen"),
      "The first of these that is set determines the store:",
      .list([
        "the option `--store`;",
        "the variable `DATACTL_STORE`;",
        """
        `store` in `datactl.json`, in the working directory or the nearest parent folder that has \
        this file;
        """,
        "the default: `$XDG_DATA_HOME/datactl/datactl.db`, or `~/.local/share/datactl/datactl.db`.",
      ]),
      """
      Commands that only read never create a store: if it does not exist, `list` fails with exit \
      status 7. The first `schema create`, `schema apply` or `save --infer` creates it.
      """,
      .heading("The project file"),
      """
      `datactl.json` defines names for stores, the store that is used by default, and the folder \
      of the schema files. Paths in it are relative to the folder that contains it. It is used \
      only if it is owned by you or root and not writable by others.
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
      SQLite tool can read. Use only datactl to write to the file, because other tools do not \
      maintain revisions, references and rules. datactl does not change files that it did not \
      create.
      """,
      "These files may exist next to `shop.db`:",
      .definitions([
        Definition(
          "shop.db-wal", "the most recent changes; part of the store as long as it exists"),
        Definition(
          "shop.db-shm", "an index of `shop.db-wal`, shared by all processes that use the store"),
        Definition(
          "shop.db-lock", "an empty file that writers lock; it is never removed"),
      ]),
      """
      The first two are removed when the last command that uses the store ends. `shop.db` is then \
      the whole store, and `cp shop.db copy.db` copies it. If a command was killed, the files \
      remain until the next command has ended.
      """,
      .heading("Access to the file"),
      """
      Anyone who can read the file can read everything in it, including password hashes, with any \
      SQLite tool. A login only identifies the user who makes changes; it does not restrict \
      access. The permissions of a new store depend on your `umask`. To make a store private:
      """,
      .literal("$ chmod 600 shop.db"),
      """
      `shop.db-wal` and `shop.db-shm` inherit the permissions of `shop.db`. To create a private \
      store, set `umask 077` before the command that creates it.
      """,
      .heading("Durability"),
      """
      After a command has exited with 0, the records that it saved survive a power cut. Several \
      commands can use a store at the same time; writers wait for each other, for at most `--wait` \
      seconds.
      """,
    ] + databases + conventions + movingRecords,
    seeAlso: ["environment", "schema-files"])
}

extension HelpTopics {
  /// The section on stores in databases.
  static let databases: [Block] = [
    .heading("Databases"),
    """
    `postgres://USER@HOST/DATABASE` is a store in a database of PostgreSQL 13 or newer with UTF-8 \
    encoding. Commands print exactly the same output as for a file, except for the last digits of \
    sums and averages of numbers. Only these stores require libpq (the package libpq5).
    """,
    """
    The address is a libpq connection URI: it can have several hosts, `?service=NAME`, the \
    directory of a socket as the host (`postgres://%2Frun%2Fpostgresql/shop`), and any other \
    parameter. The `PG` environment variables apply too. If the address contains a password, write \
    `@` in the password as `%40`, `/` as `%2F`, `:` as `%3A` and `%` as `%25`; messages show the \
    password as `***`. It is safer to keep the password in `~/.pgpass`, readable only by you, \
    because other users of the machine may see the options of a running command.
    """,
    """
    A connection to another machine must be encrypted, and the server's certificate must be valid \
    (`sslmode=verify-full`, with the certificate authorities of the system), unless the address or \
    `PGSSLMODE` sets another mode; then libpq's rules for that mode apply.
    """,
    """
    Each host has 30 seconds to answer, or the number of seconds that `connect_timeout` or \
    `PGCONNECT_TIMEOUT` sets; then the next host is tried, if there are several. datactl waits for \
    the same time if a server is starting up. If the network fails in the middle of a response, \
    datactl notices it only when the operating system closes the connection, which may take hours; \
    `?tcp_user_timeout=10000&keepalives_idle=10` in the address reduces this to less than a \
    minute.
    """,
    """
    The tables of the store are in the namespace (the PostgreSQL schema) `datactl`, one table for \
    each datactl schema. The database can contain other tables, but not in this namespace. Any \
    tool can read the tables, for example with `select * from datactl.todo`, but only datactl \
    should write to them. `schema create` creates the namespace, which requires the `create` \
    privilege on the database.
    """,
    """
    Any number of commands can read and write at the same time. Records that a command changes are \
    locked until it ends; other commands wait for them, for at most `--wait` seconds. A command \
    that changes schemas waits until no other command is reading or writing their records; this \
    includes a `list` whose output is not being read. If two commands conflict, one of them is \
    retried automatically, unless its input was larger than a few megabytes; in that case, it \
    reports that nothing was changed. If the connection is lost during a commit, datactl checks \
    whether the commit succeeded, and never applies a change twice. pgbouncer can be used in \
    transaction mode, but does not pass on `?options=` or `PGOPTIONS`.
    """,
    """
    The settings of the server apply. On a standby, or if `default_transaction_read_only` is set \
    (for the database, for the user, in `PGOPTIONS` or in the address), records can be read, but \
    every change fails with exit status 7. If the address has several hosts, \
    `target_session_attrs=primary` selects the writable one. Commands that exceed \
    `statement_timeout`, `idle_session_timeout` or `idle_in_transaction_session_timeout` (for \
    example a `list` whose output is not read) also exit with 7. Only `synchronous_commit=off` is \
    overridden, so that saved records survive a power cut.
    """,
    """
    A session of `login` belongs to a database, which is identified by its hosts, ports and name, \
    as given by the address, the `PG` variables and services. The user, the password and the \
    spelling of the address do not matter.
    """,
  ]

  /// The sections on moving records to another store, and on the privileges and limits of
  /// databases.
  static let movingRecords: [Block] = [
    .heading("Moving to another store"),
    """
    Use a pipe to copy records to another store. Nothing is lost except passwords, which cannot be \
    exported: users are saved without a password, even if it is required, and cannot log in until \
    a `save` sets a new one. Apply the schemas first. If schemas refer to each other in a cycle, \
    first save the records of one schema without these relations, and save them again with the \
    relations after the others.
    """,
    .literal(
      """
      $ from=sqlite:shop.db to=postgres://db.example/shop
      $ datactl schema export schemas --store "$from"
      $ datactl schema apply schemas --store "$to"
      $ for schema in user todo; do
      >   datactl list "$schema" --with-files --store "$from" |
      >     datactl save "$schema" --keep-system-fields -o none --store "$to"
      > done
      """),
    .heading("Privileges and limits of a database"),
    """
    After the store has been created, a database user needs these privileges, which the owner of \
    the tables has:
    """,
    .definitions([
      Definition("to read", "`usage` on the namespace and `select` on its tables"),
      Definition("to save and delete", "also `insert`, `update` and `delete` on its tables"),
      Definition(
        "to delete records of a schema that relations refer to",
        "also `temporary` on the database, which all users have unless it was revoked"),
      Definition(
        "to change schemas",
        "also `create` on the namespace, and ownership of the tables"),
    ]),
    """
    PostgreSQL stores a record in a page of 8 KB, and long values separately. Each long value \
    takes 18 bytes of the page, and each number or datetime takes 8 bytes. A record with values in \
    more than about 430 fields can therefore be too large; it is rejected with an error that names \
    it. A table can have at most 1,600 columns in its lifetime: each dropped field and each change \
    of a type uses up one column, or three for a geopoint. If no columns are left, `schema apply` \
    reports it. To reset the count, move the store to another database, as shown above.
    """,
  ]
}

extension HelpTopics {
  /// The section on stores on several servers and the guarantees that do not apply to them.
  static let conventions: [Block] = [
    .heading("Several servers"),
    """
    Citus is not safe to use yet: records can be lost when a worker fails during a save. Use one \
    PostgreSQL server.
    """,
    """
    For Citus (12 or newer), use the address of the coordinator; datactl detects Citus \
    automatically. The table of each schema is distributed by its primary key, together with the \
    tables of its to-many relations and the contents of its files. The values of a unique field \
    are also kept in a separate table, such as `todo.email:unique`, because an index covers only \
    one shard. The schemas, the log and the sessions are stored on the coordinator. A store that \
    was created before the Citus extension was added to the database remains on the coordinator.
    """,
    """
    datactl has not been tested on a Citus cluster, only with a simulation that rejects what Citus \
    is documented to reject.
    """,
    """
    CockroachDB and YugabyteDB use PostgreSQL's protocol, and datactl treats them like PostgreSQL. \
    It has not been tested with them, and prints a warning when it connects to one of them, unless \
    `--quiet` is given.
    """,
    .heading("Limits of the guarantees"),
    """
    On every store, a command makes all of its changes or none, a record is never read partly \
    changed, and no two records of a schema have the same value in a unique field. In a file or on \
    a single PostgreSQL server, all data that a command reads is also from the same instant, and \
    every reference refers to an existing record. The guarantees for other servers are weaker:
    """,
    .definitions([
      Definition(
        "consistent reads",
        """
        On Citus, a command may read one server slightly later than another. A record or an amount \
        that is moved between these reads can be missing from a list or a sum, or be counted \
        twice.
        """),
      Definition(
        "references",
        """
        On Citus, a record is not locked while a reference to it is saved. If another command \
        deletes the record at the same time, the reference is left dangling. `list todo --where \
        'owner is not null and owner.created_at is null'` finds such references.
        """),
      Definition(
        "a lost connection",
        """
        On PostgreSQL, if the connection is lost during a commit, datactl checks whether the \
        commit succeeded. On other servers, the command reports that the outcome is unknown, \
        unless the commit was confirmed.
        """),
      Definition(
        "speed",
        """
        On Citus, a path such as `owner.name` in a condition, an order or an expansion requires \
        all records of the other schema to be fetched first. Conditions on the schema's own fields \
        are evaluated on the servers that store the records.
        """),
      Definition(
        "digits",
        """
        The last digits of sums and averages of numbers depend on the order of addition, which no \
        database server guarantees.
        """),
    ]),
  ]
}

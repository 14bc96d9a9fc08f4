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

extension HelpTopics {
  /// The section on stores in databases.
  static let databases: [Block] = [
    .heading("Databases"),
    """
    `postgres://USER@HOST/DATABASE` is a store in a database of PostgreSQL 13 or newer with UTF-8 \
    encoding. The same commands print the same bytes as on a file, except for the last digits of \
    sums and averages of numbers. It needs libpq (the package libpq5); no other store does.
    """,
    """
    The address is a libpq connection URI: it may have several hosts, `?service=NAME`, the \
    directory of a socket as the host (`postgres://%2Frun%2Fpostgresql/shop`), and any parameter. \
    The `PG` variables apply too. A password is shown as `***`; within an address, `@` in it is \
    written `%40`, `/` `%2F`, `:` `%3A` and `%` `%25`. It is better to keep it in `~/.pgpass`, \
    readable by you alone: while a command runs, others on the machine may see its `--store`.
    """,
    """
    A connection to another machine must be encrypted and its certificate valid \
    (`sslmode=verify-full`, with the system's authorities) unless the address or `PGSSLMODE` sets \
    another mode; then libpq's rules for that mode apply.
    """,
    """
    Each host has 30 seconds to answer, or as many as `connect_timeout` or `PGCONNECT_TIMEOUT` \
    sets; then the next host is tried, if there are several. datactl waits as long for a server \
    that is starting up. If the network is cut in the middle of a response, datactl notices when \
    the operating system gives up the connection, which may take hours; \
    `?tcp_user_timeout=10000&keepalives_idle=10` in the address reduces that to less than a \
    minute.
    """,
    """
    The store's tables are in the namespace `datactl`, one table for each schema. Other tables may \
    exist in the same database, but not in that namespace. Any tool may read the tables: `select * \
    from datactl.todo`. Only datactl should write them. `schema create` creates the namespace, \
    which requires the right to do so in the database.
    """,
    """
    Any number of commands may read and write at once. Records that a command changes are locked \
    until it ends; other commands wait for them, for at most `--wait` seconds. A change of schemas \
    waits until no other command is reading or writing their records, including a `list` whose \
    output is not being read. If two commands conflict, one is retried automatically, unless its \
    input was larger than a few megabytes: then it reports that nothing was changed. If the \
    connection is lost during the commit, datactl checks the outcome, and never applies a change \
    twice. pgbouncer works in transaction mode; it does not pass on `?options=` or `PGOPTIONS`.
    """,
    """
    Settings of the server apply. With `default_transaction_read_only` (for the database, for the \
    user, in `PGOPTIONS` or in the address) and on a standby, reading works and every change fails \
    with exit status 7; of several hosts, `target_session_attrs=primary` selects the writable one. \
    `statement_timeout`, `idle_session_timeout` and `idle_in_transaction_session_timeout` (which \
    ends a `list` whose output is not read) also end commands with 7. Only \
    `synchronous_commit=off` is overridden: saved records survive a power cut.
    """,
    """
    A session of `login` belongs to the database, regardless of the user, password or spelling in \
    the address: to its hosts, ports and name, as given by the address, the `PG` variables and \
    services.
    """,
  ]

  /// The sections on moving records to another store, and on the privileges and limits of
  /// databases.
  static let movingRecords: [Block] = [
    .heading("Moving to another store"),
    """
    A store is moved with a pipe. Nothing is lost except passwords, which no store exports: users \
    are saved without a password, even where it is required, and cannot log in until a `save` sets \
    a new one. Apply the schemas first. If schemas refer to each other in a circle, save one of \
    them first without these relations, then again with them.
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
    .heading("Rights and limits of a database"),
    "Once the store exists, the user needs these rights, which the owner of the tables has:",
    .definitions([
      Definition("to read", "`usage` on the namespace and `select` on its tables"),
      Definition("to save and delete", "also `insert`, `update` and `delete` on its tables"),
      Definition(
        "to delete records that can be referred to",
        "also `temporary` on the database, which everyone has unless it was revoked"),
      Definition(
        "to change schemas",
        "also `create` on the namespace, and ownership of the tables"),
    ]),
    """
    PostgreSQL keeps a record in a page of 8 KB and long values separately: each of these takes 18 \
    bytes of the page, and a number or a datetime 8. So a record with values in more than about \
    430 fields can be too large; it is refused with an error that names it. A table can have at \
    most 1,600 columns over its lifetime: each dropped field and each change of a type uses up \
    one, and a geopoint three. When none are left, `schema apply` reports it; move the store to \
    another database, as shown above, to reset the count.
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
    On Citus (12 or newer) the address is that of the coordinator, and datactl detects Citus by \
    itself. Each schema's table is distributed by its primary key, together with the tables of its \
    to-many relations and the contents of its files. The values of a unique field are kept in a \
    separate table, `todo.email:unique`, since an index covers only one shard. The schemas, the log \
    and sessions stay on the coordinator. A store that was created before the database had the \
    extension stays as it is, on the coordinator.
    """,
    """
    datactl has been tested against a fake that refuses what Citus is documented to refuse, not on \
    a cluster.
    """,
    """
    CockroachDB and YugabyteDB speak PostgreSQL's protocol, and datactl treats them like \
    PostgreSQL. It has not been tested on them, and warns when it connects to one, unless \
    `--quiet` is given.
    """,
    .heading("Limits of the guarantees"),
    """
    On every store a command makes all of its changes or none; a record is never seen half \
    changed; no two records of a schema have the same value in a unique field. On a file and on \
    PostgreSQL, also, everything that one command reads is from one moment, and every reference \
    points to an existing record. This does not apply to several servers:
    """,
    .definitions([
      Definition(
        "one moment",
        """
        A command on Citus may read one server slightly later than another. Records or amounts \
        that are moved in between can be missing from a list or a sum, or be counted twice.
        """),
      Definition(
        "references",
        """
        On Citus a record is not locked while another one refers to it. If one command deletes a \
        record while another saves a reference to it, the reference is left dangling: `list todo \
        --where 'owner is not null and owner.created_at is null'` finds such records.
        """),
      Definition(
        "a lost connection",
        """
        On PostgreSQL the outcome of a commit is checked if the connection is lost. On the others \
        the command reports that the outcome is unknown, unless the commit was confirmed.
        """),
      Definition(
        "speed",
        """
        On Citus a path such as `owner.name` in a condition, an order or an expansion first \
        fetches all records of the other schema. Conditions on the schema's own fields are \
        evaluated on the servers that store the records.
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

import CommandSyntax

extension HelpTopics {
  static let stores = Topic(
    "stores", "Store addresses, and where records are stored.",
    manual: ManualName("datactl-stores", section: 7),
    body: [
      """
      A store contains schemas and their records. It is either an SQLite file or a PostgreSQL \
      database. The address of a file has the form `sqlite:shop.db`, or is just a path, such as \
      `shop.db`. A path is relative to the working directory. The address of a database is \
      `postgres://HOST/DATABASE`.
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
      was killed, the two files remain until the next command has ended.
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
      Several commands can use a store at the same time. Commands that write wait for each other, \
      each for at most `--wait` seconds.
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
    encoding. The output of all commands is exactly the same as for a file, except for the last \
    digits of sums and averages of numbers. Only stores in databases require libpq (the Debian \
    package libpq5).
    """,
    """
    The address is a libpq connection URI. It can contain several hosts, `?service=NAME`, the \
    directory of a socket as the host (`postgres://%2Frun%2Fpostgresql/shop`), and any other \
    parameter. The `PG` environment variables of libpq also apply. If the address contains a \
    password, write `@` in the password as `%40`, `/` as `%2F`, `:` as `%3A` and `%` as `%25`. \
    Messages show the password as `***`. It is safer to keep the password in `~/.pgpass`, readable \
    only by you, because other users of the machine may be able to see the options of a running \
    command.
    """,
    """
    A connection to another machine must be encrypted, and the certificate of the server must be \
    valid (`sslmode=verify-full`, with the certificate authorities of the system). The address or \
    `PGSSLMODE` can set a different mode; the rules of libpq for that mode then apply.
    """,
    """
    datactl waits up to 30 seconds for each host to answer, or the number of seconds set by \
    `connect_timeout` or `PGCONNECT_TIMEOUT`. If the address has several hosts, the next host is \
    then tried. datactl also waits this long for a server that is starting up. If the network \
    fails in the middle of a response, datactl notices the failure only when the operating system \
    closes the connection, which may take hours. `?tcp_user_timeout=10000&keepalives_idle=10` in \
    the address reduces this time to less than a minute.
    """,
    """
    The tables of the store are in the namespace (the PostgreSQL schema) `datactl`, with one table \
    for each datactl schema. The database can contain other tables, but not in this namespace. Any \
    tool can read the tables of the store, for example with `select * from datactl.todo`, but only \
    datactl should write to them. `schema create` creates the namespace, which requires the \
    `create` privilege on the database.
    """,
    """
    Any number of commands can read and write at the same time. The records that a command changes \
    are locked until the command ends. Other commands that change the same records wait, for at \
    most `--wait` seconds. A command that changes schemas waits until no other command is reading \
    or writing records of these schemas. It also waits for a `list` whose output is not being \
    read. pgbouncer can be used in transaction mode, but does not pass on `?options=` or \
    `PGOPTIONS`.
    """,
    """
    If two commands conflict, one of them is retried automatically. A command whose input is \
    larger than a few megabytes cannot be retried: it fails and reports that nothing was changed. \
    If the connection is lost during a commit, datactl checks whether the commit succeeded, and \
    never applies a change twice.
    """,
    """
    datactl uses the settings of the server. On a standby, or if `default_transaction_read_only` \
    is set (for the database, for the user, in `PGOPTIONS` or in the address), records can be \
    read, but every change fails with exit status 7. If the address has several hosts, \
    `target_session_attrs=primary` selects the writable one. Commands that exceed \
    `statement_timeout`, `idle_session_timeout` or `idle_in_transaction_session_timeout` (for \
    example a `list` whose output is not read) also exit with 7. datactl overrides only \
    `synchronous_commit=off`, so that saved records survive a power failure.
    """,
    """
    A session that was started with `login` is valid for one database. The database is identified \
    by its hosts, ports and name, as set by the address, the `PG` environment variables and the \
    service file. The database user, the password and the spelling of the address do not matter.
    """,
  ]

  /// The sections on moving records to another store, and on the privileges and limits of
  /// databases.
  static let movingRecords: [Block] = [
    .heading("Moving to another store"),
    """
    Use a pipe to copy records to another store. Apply the schemas first. Nothing is lost except \
    passwords, which cannot be exported. Users are saved without a password, even if a password is \
    required, and cannot log in until a new password is set with `save`. If schemas refer to each \
    other in a cycle, first save the records of one of these schemas without the relations to the \
    others. After the records of the other schemas are saved, save the first records again, with \
    the relations.
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
    .heading("Privileges and limits of a database"),
    """
    After the store has been created, a database user needs these privileges. The owner of the \
    tables has all of them:
    """,
    .definitions([
      Definition("to read", "`usage` on the namespace and `select` on its tables"),
      Definition("to save and delete", "also `insert`, `update` and `delete` on its tables"),
      Definition(
        "to delete records of a schema that relations refer to",
        "also `temporary` on the database; all users have this privilege unless it was revoked"),
      Definition(
        "to change schemas", "also `create` on the namespace, and ownership of the tables"),
    ]),
    """
    PostgreSQL stores a record in a page of 8 KB, and long values separately. Each long value \
    takes 18 bytes of the page, and each number or datetime takes 8 bytes. A record with values in \
    more than about 430 fields can therefore be too large. Such a record is rejected with an error \
    that shows its id. A table can have at most 1,600 columns in its lifetime. Each dropped field \
    and each change of a type uses up one column, or three columns for a geopoint. If no columns \
    are left, `schema apply` fails and reports this. If the store is moved to another database, as \
    shown above, the count starts again.
    """,
  ]
}

extension HelpTopics {
  /// The section on stores on several servers, and on the guarantees that do not apply to such
  /// stores.
  static let conventions: [Block] = [
    .heading("Several servers"),
    """
    For Citus, use the address of the coordinator; datactl detects Citus automatically. datactl \
    has been tested on a cluster of Citus 13.2 and PostgreSQL 15 with a coordinator and two \
    workers. The tests included killing workers and adding a third worker. It has not been tested \
    with other versions of Citus.
    """,
    """
    The table of each schema is distributed by its primary key, together with the tables that \
    contain its to-many relations and the contents of its files. The values of a unique field are \
    also stored in a separate table, such as `todo.email:unique`, because an index covers only one \
    shard. The schemas, the log and the sessions are stored on the coordinator. If a store was \
    created before the Citus extension was added to the database, all of its tables remain on the \
    coordinator.
    """,
    """
    A new store has four shards for each worker, and at least eight, unless `citus.shard_count` is \
    set. There cannot be more workers than shards: before you create a store that is going to \
    grow, set `citus.shard_count` for the database. After a worker has been added, `select \
    citus_rebalance_start()` in psql moves shards to it while commands read and write.
    """,
    """
    CockroachDB and YugabyteDB use the protocol of PostgreSQL, and datactl treats them like \
    PostgreSQL. datactl has not been tested with these databases, and prints a warning when it \
    connects to one of them, unless `--quiet` is given.
    """,
    .heading("Limits of the guarantees"),
    """
    In every store, changes are atomic: a command makes all of its changes or none, and a reader \
    never sees a partly changed record. No two records of a schema have the same value in a unique \
    field. In a file or on a single PostgreSQL server, a command also reads all data from one \
    consistent snapshot, and every reference refers to an existing record. The guarantees for \
    other servers are weaker:
    """,
    .definitions([
      Definition(
        "consistent reads",
        """
        On Citus, a command may read one server slightly later than another. If another command \
        changes records between these reads, a list or a sum may omit a value or include it twice.
        """),
      Definition(
        "references",
        """
        On Citus, a record is not locked while a reference to it is saved. If another command \
        deletes the record at the same time, the reference is left dangling: its target does not \
        exist. `list todo --where 'owner is not null and owner.created_at is null'` finds such \
        references.
        """),
      Definition(
        "a lost connection",
        """
        On PostgreSQL, if the connection is lost during a commit, datactl checks whether the \
        commit succeeded. On other servers, the command reports that it is unknown whether the \
        changes were saved, unless the server had confirmed the commit.
        """),
      Definition(
        "a failed worker",
        """
        On Citus, a command that changes records needs all workers, and so does `list`. If a \
        worker cannot be reached, the command exits with 7, and nothing is changed. Only `get` \
        still works for the ids of records on other workers. If a worker fails during a commit, \
        the command may report that it is unknown whether the changes were saved.
        """),
      Definition(
        "speed",
        """
        On Citus, every command that changes records first writes to all workers, which takes \
        about 20 ms. `list` prints its first record when all workers have sent theirs. If an \
        order, an expansion or a condition contains a path to one related record, such as \
        `owner.name`, all records of the other schema are fetched first. For a path to many \
        related records, only the ids of those that match are fetched. A condition that requires \
        more than 200 such lists of ids is too large.
        """),
      Definition(
        "digits",
        """
        The last digits of sums and averages of numbers depend on the order in which the numbers \
        are added. No database server guarantees this order.
        """),
    ]),
  ]
}

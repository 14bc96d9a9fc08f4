import CommandSyntax

extension HelpTopics {
  /// Stores in databases.
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

  /// Moving to another store, and the rights and limits of a database.
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

import CommandSyntax

extension Topics {
  /// What is said of stores in databases.
  static let databases: [Block] = [
    .heading("Databases"),
    """
    `postgres://USER@HOST/DATABASE` is a store in a database of PostgreSQL 13 or newer that keeps \
    its texts in UTF-8. The same commands print the same bytes as on a file, but for the last \
    digits of sums and averages of numbers. It needs libpq (the package libpq5); no other store does.
    """,
    """
    The address is what libpq takes: several hosts, `?service=NAME`, a socket's folder as the host \
    (`postgres://%2Frun%2Fpostgresql/shop`), and every parameter. The `PG` variables count, too. A \
    password is shown as `***`; in an address `@` in it is written `%40`, `/` `%2F`, `:` `%3A` and \
    `%` `%25`. Better it stands in `~/.pgpass`, which only you may read: as long as a command runs, \
    others on the machine may see its `--store`.
    """,
    """
    To a host that is not this machine the connection must be encrypted and its certificate right \
    (`sslmode=verify-full`, with the system's authorities) unless the address or `PGSSLMODE` says \
    otherwise: then it is what libpq makes of it.
    """,
    """
    Each host has 30 seconds to answer, or as many as `connect_timeout` or `PGCONNECT_TIMEOUT` \
    says; of several hosts the next is tried then. A server that is starting up is waited for as \
    long. A network that is cut in the midst of an answer is noticed when the system gives it up, \
    which may take hours; `?tcp_user_timeout=10000&keepalives_idle=10` in the address makes it less \
    than a minute.
    """,
    """
    The store's tables stand in the namespace `datactl`, a table for each schema; the tables of \
    others may live beside it, not in it. Any tool may read them: `select * from datactl.todo`. \
    Only datactl should write. `schema create` makes the namespace, which takes the right to make \
    one in the database.
    """,
    """
    Any number of commands may read and write at once. Records that a command changes are held \
    until it ends; others wait for them, at most `--wait` seconds. A change of schemas waits until \
    nobody reads or writes their records, a `list` that waits for its reader included. Where two \
    commands are in each other's way, one is begun anew by itself, unless its input was larger than \
    some megabytes: then it says that nothing was changed. When a connection is lost during the \
    commit, the outcome is looked up, and nothing is ever done twice. pgbouncer works in transaction \
    mode; it passes on neither `?options=` nor `PGOPTIONS`.
    """,
    """
    What the server is set up for counts. `default_transaction_read_only`, for the database, for \
    the user, in `PGOPTIONS` or in the address, and a standby are read from, and every change is \
    refused with 7; of several hosts `target_session_attrs=primary` finds the one that can be \
    written. `statement_timeout`, `idle_session_timeout` and \
    `idle_in_transaction_session_timeout`, which ends a `list` that nobody reads, end commands with \
    7, too. Only `synchronous_commit=off` is overruled: what was saved survives a power cut.
    """,
    """
    A session of `login` belongs to the database, whichever user, password or spelling an address \
    has: to its hosts, ports and name, as the address, the `PG` variables and services give them.
    """,
  ]

  /// What is said of the way from one store to another, and of what a database demands.
  static let moving: [Block] = [
    .heading("From one store to another"),
    """
    A store moves by a pipe, without loss but for passwords, which no store gives away: users come \
    without one, also where it is required, and cannot log in until a `save` gives them a new one. \
    Schemas go first; of schemas that refer to each other in a circle, save one without these \
    relations and once more with them.
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
    "Once the store is made, the user needs these rights, which an owner of the tables has:",
    .definitions([
      Definition("to read", "`usage` on the namespace, and `select` on its tables"),
      Definition("to save and delete", "`insert`, `update` and `delete` on its tables, too"),
      Definition(
        "to delete what others can refer to",
        "`temporary` on the database, too; it is everybody's unless it was taken away"),
      Definition(
        "to change schemas",
        "the same, `create` on the namespace, and tables that are the user's own"),
    ]),
    """
    PostgreSQL keeps a record in a page of 8 KB, long values apart: each of them takes 18 bytes of \
    it, and a number or a moment 8. So a record with values in more than some 430 fields can be too \
    large; it is refused, and named. A table has at most 1,600 columns in its life: each field that \
    goes and each change of a type uses one up, and a place three. When they are all gone, `schema \
    apply` says so; in another database, to which the store moves as is said above, they count anew.
    """,
  ]
}

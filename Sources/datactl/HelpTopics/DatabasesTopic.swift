import CommandSyntax

extension HelpTopics {
  static let databases = Topic(
    "databases", "Stores in PostgreSQL databases, on one or several servers.",
    manual: ManualName("datactl-databases", section: 7),
    body: postgres + cluster + guarantees + privileges,
    seeAlso: ["stores", "environment", "login"])

  private static let postgres: [Block] = [
    """
    A store can be in a database of PostgreSQL 13 or newer with the encoding UTF-8. For example, \
    these commands create a database and a store in it:
    """,
    .literal(
      """
      $ createdb shop
      $ export DATACTL_STORE=postgres:///shop
      $ datactl schema create todo title:text! done:boolean
      $ datactl save todo title=Tea
      """),
    """
    Commands print the same output as for an SQLite file. The library libpq must be installed (on \
    Debian, the package `libpq5`).
    """,
    .heading("Address"),
    """
    The address is a connection URI of libpq, such as `postgres://USER@HOST/DATABASE`. It can also \
    contain:
    """,
    .list([
      "several hosts, such as `postgres://db1.example,db2.example/shop`",
      "a service: `postgres:///?service=NAME`",
      "the folder of a Unix socket as the host: `postgres://%2Frun%2Fpostgresql/shop`",
      "any other parameter of libpq, such as `postgres:///shop?connect_timeout=5`",
    ]),
    "The environment variables of libpq, such as `PGHOST`, also apply.",
    .heading("Password"),
    """
    Keep the password in the file `~/.pgpass`, and make this file readable only by you. Do not \
    write the password in the address if other users can see the running commands of the machine.
    """,
    """
    In an address, `@` in the password is written as `%40`, `/` as `%2F`, `:` as `%3A` and `%` as \
    `%25`. Messages show the password as `***`.
    """,
    .heading("Encryption"),
    """
    A connection to another machine must be encrypted, and the certificate of the server must be \
    valid: datactl uses `sslmode=verify-full`, with the certificate authorities of the system. The \
    address or `PGSSLMODE` can set another mode of libpq.
    """,
    .heading("Unreachable servers"),
    """
    datactl waits up to 30 seconds for a host to respond or to start up. If the address has \
    several hosts, datactl then tries the next one. `connect_timeout` in the address or \
    `PGCONNECT_TIMEOUT` sets another number of seconds.
    """,
    """
    If the network fails in the middle of a response, datactl waits until the operating system \
    closes the connection, which may take hours. To limit this to less than a minute, add these \
    parameters to the address:
    """,
    .literal(
      """
      ?tcp_user_timeout=10000&keepalives_idle=10&keepalives_interval=10
      """),
    .heading("Tables"),
    """
    The tables of the store are in the namespace `datactl` (PostgreSQL calls a namespace a \
    schema). Each schema of the store has a table, such as `todo`, and so has each to-many \
    relation, such as `todo.steps`. Any tool can read the tables:
    """,
    .literal(
      """
      $ psql shop -c 'select * from datactl.todo'
      """),
    """
    Only datactl should write to these tables. A program that changes a row nevertheless must raise \
    its `revision` by one. Otherwise, a later save of an older copy of the record overwrites the \
    change. Do not create other tables in this namespace.
    """,
    """
    A decimal has the type `numeric`. In an SQLite file, it is an integer without the point: with \
    two digits after the point, `12.50` is 1250, and `price / 100.0` is its value.
    """,
    .heading("Concurrent commands"),
    """
    Several commands can read and write at the same time:
    """,
    .list([
      """
      The records that a command changes are locked until the command ends. Other commands that \
      change the same records wait, for at most `--wait` seconds.
      """,
      """
      A command that changes schemas waits until no other command is reading or writing records of \
      these schemas. It also waits for a `list` whose output is not being read, for example in a \
      pager.
      """,
      """
      If two commands conflict, one of them is retried automatically. A command whose input is \
      larger than a few megabytes is not retried: it fails, and reports that nothing was changed.
      """,
    ]),
    """
    pgbouncer can be used in transaction mode. By default, it rejects connections with \
    `?options=` or `PGOPTIONS`. Set such options for the database user or the database instead.
    """,
    .heading("Settings of the server"),
    """
    If `synchronous_commit` is off, datactl turns it on for its own transactions, so that saved \
    records survive a power failure. The following settings can cause a command to fail with exit \
    status 7:
    """,
    .list([
      """
      On a standby, or if `default_transaction_read_only` is set, records can be read but not \
      changed. If the address has several hosts, `target_session_attrs=primary` selects the one \
      that can be changed.
      """,
      """
      A command fails if a statement exceeds `statement_timeout`. A command also fails if it waits \
      longer than `idle_in_transaction_session_timeout`, for example until a pager reads the \
      output of `list --expand`.
      """,
    ]),
    .heading("Sessions"),
    """
    `datactl login` saves a session for one database. The session applies to all addresses with \
    the same hosts, ports and database name. The database user and the password can differ.
    """,
  ]

  private static let cluster: [Block] = [
    .heading("Several servers"),
    """
    Citus is an extension of PostgreSQL. With it, the records of a store are distributed over \
    several servers: a coordinator and its workers. Use the address of the coordinator; datactl \
    detects Citus automatically.
    """,
    """
    datactl has been run with Citus 13.2 on PostgreSQL 15, with a coordinator and two workers. \
    Other versions of Citus have not been tested.
    """,
    """
    Add the extension to the database before you create the store. In a store that was created \
    before, all records remain on the coordinator.
    """,
    """
    Citus divides each table into shards, which it distributes over the workers. The id of a \
    record determines its worker. The schemas, the log and the sessions are on the coordinator. \
    The values of a unique field are also stored in a separate table, such as \
    `todo.email:unique`.
    """,
    """
    In a new store, each table has four shards for each worker, and at least eight. A store with \
    eight shards can use at most eight workers. For more shards, set `citus.shard_count` for the \
    database before you create the store.
    """,
    """
    After you have added a worker, run this statement in psql. It moves shards to the new worker \
    while commands read and write:
    """,
    .literal("select citus_rebalance_start();"),
    .heading("Other databases"),
    """
    datactl has been run with PostgreSQL 15, alone and with Citus. It treats every other database \
    that speaks the protocol of PostgreSQL like PostgreSQL, and has been run with none of them.
    """,
  ]

  private static let guarantees: [Block] = [
    .heading("Limits of the guarantees"),
    """
    In every store, a command makes all of its changes or none, except with `--commit-every`. A \
    reader never sees a partly changed record. No two records of a schema have the same value in a \
    unique field.
    """,
    """
    In a file or on a single PostgreSQL server, a command also reads all data from one consistent \
    snapshot, and every reference refers to an existing record. On Citus, the guarantees are \
    weaker:
    """,
    .definitions([
      Definition(
        "consistent reads",
        """
        On Citus, a command may read one server slightly later than another. If another command \
        changes records in the meantime, a list or a sum may omit a value or include it twice.
        """),
      Definition(
        "references",
        """
        On Citus, if one command saves a reference to a record while another command deletes the \
        record, the reference remains. This command finds such references: `datactl list todo \
        --where 'owner is not null and owner.created_at is null'`.
        """),
      Definition(
        "owners and parts",
        """
        On Citus, a reader may see a changed part, such as the line of an order, before the new \
        revision of its owner. If two commands that change parts of the same owner wait for each \
        other, one of them is run again, or exits with 5 if its input cannot be read again.
        """),
      Definition(
        "a lost connection",
        """
        If the connection to a single PostgreSQL server is lost during a commit, datactl checks \
        whether the commit succeeded. On Citus, datactl reports that it is unknown whether the \
        changes were saved.
        """),
      Definition(
        "a failed worker",
        """
        On Citus, `list` and commands that change records need all workers. If one cannot be \
        reached, the command exits with 7, and nothing is changed. `get` needs only the workers of \
        its records. If a worker fails during a commit, it may be unknown whether the changes were \
        saved.
        """),
    ]),
    .heading("Speed on Citus"),
    """
    Every command that changes records first writes to all workers, which takes about 20 ms. \
    `list` prints its first record only after all workers have sent their records.
    """,
    """
    A path to one related record in a condition, such as `owner.name`, is slow: all records of the \
    other schema are fetched first. For a path to many related records, such as `steps.title`, \
    only the ids of the matching records are fetched. A condition can contain at most 200 such \
    paths.
    """,
  ]

  private static let privileges: [Block] = [
    .heading("Privileges"),
    """
    A database user needs these privileges. The user who has created the store has all of them. \
    New schemas have new tables, so grant the privileges on them again.
    """,
    .definitions([
      Definition("to create the store", "`create` on the database"),
      Definition(
        "to read",
        "`usage` on the namespace `datactl`, and `select` on its tables"),
      Definition(
        "to save and to log in",
        "everything needed to read, and also `insert`, `update` and `delete` on the tables"),
      Definition(
        "to delete",
        """
        everything needed to save, and also `temporary` on the database, which all users have \
        unless it was revoked
        """),
      Definition(
        "to change schemas",
        """
        everything needed to delete, and also `create` on the namespace, and ownership of the \
        tables of these schemas
        """),
    ]),
    .heading("Limits"),
    """
    A record with more than about 430 long texts is rejected, because PostgreSQL stores a record \
    in a page of 8 KB.
    """,
    """
    A table can have at most 1,600 columns in its lifetime. A field needs one column, a geopoint \
    needs three, and a to-many relation needs none. The columns of dropped fields still count, and \
    a field whose type is changed needs a new column. If no columns are left, `schema apply` \
    fails. To start the count again, move the store to another database (see `datactl help \
    stores`).
    """,
  ]
}

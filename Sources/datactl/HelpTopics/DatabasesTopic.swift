import CommandSyntax

extension HelpTopics {
  static let databases = Topic(
    "databases", "Stores in PostgreSQL databases, on one or several servers.",
    manual: ManualName("datactl-databases", section: 7),
    body: postgres + cluster + guarantees + privileges,
    seeAlso: ["stores", "environment", "login"])

  private static let postgres: [Block] = [
    """
    A store can be in a database of PostgreSQL 13 or newer with UTF-8 encoding. For example:
    """,
    .literal(
      """
      $ createdb shop
      $ export DATACTL_STORE=postgres:///shop
      $ datactl schema create todo title:text! done:boolean
      $ datactl save todo title=Tea
      """),
    """
    Commands print the same output as for a file. Stores in databases require libpq (the Debian \
    package `libpq5`).
    """,
    .heading("Address"),
    """
    The address is a libpq connection URI, such as `postgres://USER@HOST/DATABASE`. It can \
    contain:
    """,
    .list([
      "several hosts, such as `postgres://db1.example,db2.example/shop`",
      "a service: `postgres:///?service=NAME`",
      "the directory of a socket as the host: `postgres://%2Frun%2Fpostgresql/shop`",
      "any other parameter of libpq",
    ]),
    """
    The `PG` environment variables of libpq also apply.
    """,
    """
    Keep the password in the file `~/.pgpass`, and make this file readable only by you. Other \
    users of the machine may be able to see the options of a running command. If the address \
    contains a password, write `@` in the password as `%40`, `/` as `%2F`, `:` as `%3A` and `%` as \
    `%25`. Messages show the password as `***`.
    """,
    .heading("Encryption"),
    """
    A connection to another machine must be encrypted, and the certificate of the server must be \
    valid (`sslmode=verify-full`, with the certificate authorities of the system). The address or \
    `PGSSLMODE` can set a different mode of libpq.
    """,
    .heading("Unreachable servers"),
    """
    datactl waits up to 30 seconds for a host to respond. `connect_timeout` in the address or \
    `PGCONNECT_TIMEOUT` sets a different number of seconds. If the address has several hosts, \
    datactl then tries the next one. For a server that is starting up, datactl waits for the same \
    time.
    """,
    """
    If the network fails in the middle of a response, datactl waits until the operating system \
    closes the connection. This may take hours. With `?tcp_user_timeout=10000&keepalives_idle=10` \
    in the address, it takes less than a minute.
    """,
    .heading("Tables"),
    """
    The tables of the store are in the namespace (the PostgreSQL schema) `datactl`. There is one \
    table for each datactl schema. The database can contain other tables, but not in this \
    namespace. Any tool can read the tables of the store, for example with `select * from \
    datactl.todo`, but only datactl should write to them.
    """,
    """
    The command that creates the store, such as `schema create`, also creates the namespace. This \
    requires the `create` privilege on the database.
    """,
    .heading("Concurrent commands"),
    """
    Any number of commands can read and write at the same time:
    """,
    .list([
      """
      The records that a command changes are locked until the command ends. Other commands that \
      change the same records wait, for at most `--wait` seconds.
      """,
      """
      A command that changes schemas waits until no other command is reading or writing records of \
      these schemas. It also waits for a `list` whose output is not being read.
      """,
      """
      If two commands conflict, one of them is retried automatically. A command cannot be retried \
      if its input is larger than a few megabytes. It then fails, and reports that nothing was \
      changed.
      """,
      """
      If the connection is lost during a commit, datactl checks whether the commit succeeded. It \
      never applies a change twice.
      """,
    ]),
    """
    pgbouncer can be used in transaction mode. It ignores `?options=` and `PGOPTIONS`.
    """,
    .heading("Settings of the server"),
    """
    datactl overrides only one setting of the server: it never uses `synchronous_commit=off`, so \
    that saved records survive a power failure. Other settings can cause a command to fail with \
    exit status 7:
    """,
    .list([
      """
      On a standby, or if `default_transaction_read_only` is set, records can be read but not \
      changed. If the address has several hosts, `target_session_attrs=primary` selects the \
      writable one.
      """,
      """
      A command fails if it exceeds `statement_timeout`, `idle_session_timeout` or \
      `idle_in_transaction_session_timeout`, for example a `list` whose output is not read.
      """,
    ]),
    .heading("Sessions"),
    """
    A session that was started with `login` is valid for one database. The database is identified \
    by its hosts, ports and name. They can be set in the address, in the `PG` environment \
    variables or in the service file. The session remains valid with a different database user or \
    password, or a different spelling of the address.
    """,
  ]

  private static let cluster: [Block] = [
    .heading("Several servers"),
    """
    With Citus, the records of a store are distributed over several servers: a coordinator and its \
    workers. Use the address of the coordinator; datactl detects Citus automatically. datactl has \
    been tested on a cluster of Citus 13.2 and PostgreSQL 15 with a coordinator and two workers. \
    The tests included killing workers and adding a third worker. It has not been tested with \
    other versions of Citus.
    """,
    """
    Records, the links of their to-many relations and the contents of their files are distributed \
    by the ids of the records. The values of a unique field are also stored in a separate table, \
    such as `todo.email:unique`, because an index covers only one shard. The schemas, the log and \
    the sessions are stored on the coordinator. If a store was created before the Citus extension \
    was added to the database, all of its tables remain on the coordinator.
    """,
    """
    A new store has four shards for each worker, and at least eight, unless `citus.shard_count` is \
    set. There cannot be more workers than shards. If a store is going to grow, set \
    `citus.shard_count` for the database before you create the store. After you have added a \
    worker, run this statement in psql. It moves shards to the new worker while commands read and \
    write:
    """,
    .literal("select citus_rebalance_start();"),
    """
    CockroachDB and YugabyteDB use the protocol of PostgreSQL, and datactl treats them like \
    PostgreSQL. datactl has not been tested with these databases, and prints a warning when it \
    connects to one of them, unless `--quiet` is given.
    """,
  ]

  private static let guarantees: [Block] = [
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
        changes records in the meantime, a list or a sum may omit a value or include it twice.
        """),
      Definition(
        "values out of range",
        """
        On Citus, a computed value that is out of range may be an error even if its record comes \
        after the records that `--limit` prints.
        """),
      Definition(
        "references",
        """
        On Citus, a record is not locked while a reference to it is saved. If another command \
        deletes the record at the same time, the reference is dangling: its target does not exist. \
        To find such references, use `list todo --where 'owner is not null and owner.created_at is \
        null'`.
        """),
      Definition(
        "a lost connection",
        """
        On PostgreSQL, if the connection is lost during a commit, datactl checks whether the \
        commit succeeded. On other servers, datactl cannot check this. The command then reports \
        that it is unknown whether the changes were saved.
        """),
      Definition(
        "a failed worker",
        """
        On Citus, a command that changes records needs all workers. If a worker cannot be reached, \
        the command exits with 7, and nothing is changed. `list` also needs all workers. `get` \
        still works for records on other workers. If a worker fails during a commit, the command \
        may report that it is unknown whether the changes were saved.
        """),
      Definition(
        "speed",
        """
        On Citus, every command that changes records first writes to all workers, which takes \
        about 20 ms. `list` prints its first record only after all workers have sent their records.
        """),
      Definition(
        "paths",
        """
        On Citus, for a path to one related record, such as `owner.name`, all records of the other \
        schema are fetched first. This applies to orders, expansions and conditions. For a path to \
        many related records, such as `steps.title`, only the ids of the matching records are \
        fetched. A condition with more than 200 such paths is rejected.
        """),
    ]),
  ]

  private static let privileges: [Block] = [
    .heading("Privileges"),
    """
    After the store has been created, a database user needs these privileges. The owner of the \
    tables has all of them:
    """,
    .definitions([
      Definition("to read", "`usage` on the namespace and `select` on its tables"),
      Definition(
        "to save and delete",
        "in addition to reading: `insert`, `update` and `delete` on the tables"),
      Definition(
        "to delete records of a schema that relations refer to",
        """
        in addition to saving and deleting: `temporary` on the database, which all users have \
        unless it was revoked
        """),
      Definition(
        "to change schemas",
        "in addition to saving and deleting: `create` on the namespace, and ownership of the tables"
      ),
    ]),
    .heading("Limits"),
    """
    PostgreSQL stores a record in a page of 8 KB, and long values separately. Each long value \
    takes 18 bytes of the page, and each number or datetime takes 8 bytes. A record can have \
    values in about 430 long text fields. A record that is too large is rejected with an error \
    that shows its id.
    """,
    """
    A table can have at most 1,600 columns in its lifetime. A field has one column; a geopoint has \
    three. The columns of dropped fields are also counted, and those of fields whose type was \
    changed. If no columns are left, `schema apply` fails and reports this. To start the count \
    again, move the store to another database, as `datactl help stores` shows.
    """,
  ]
}

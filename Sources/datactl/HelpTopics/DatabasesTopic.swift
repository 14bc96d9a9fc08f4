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
    Commands print the same output as for an SQLite file. They require libpq (the Debian package \
    `libpq5`).
    """,
    .heading("Address"),
    """
    The address is a connection URI of libpq, such as `postgres://USER@HOST/DATABASE`. These forms \
    are also accepted:
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
    datactl waits up to 30 seconds for a host to respond or to start up. `connect_timeout` in the \
    address or `PGCONNECT_TIMEOUT` sets another number of seconds. If the address has several \
    hosts, datactl then tries the next one.
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
    schema). There is one table for each schema of the store. Any tool can read the tables:
    """,
    .literal(
      """
      $ psql shop -c 'select * from datactl.todo'
      """),
    """
    Only datactl should write to them. The database can contain other tables, but not in this \
    namespace.
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
      these schemas. It also waits for a `list` whose output is not being read, for example in a \
      pager.
      """,
      """
      If two commands conflict, one of them is retried automatically. A command whose input is \
      larger than a few megabytes is not retried: it fails, and reports that nothing was changed.
      """,
      """
      If the connection is lost during a commit, datactl checks whether the commit succeeded. It \
      never makes a change twice.
      """,
    ]),
    """
    pgbouncer can be used in transaction mode. By default, it rejects connections with \
    `?options=` or `PGOPTIONS`. Set such options for the database user or the database instead.
    """,
    .heading("Settings of the server"),
    """
    datactl never uses `synchronous_commit=off`, so that saved records survive a power failure. It \
    overrides no other setting of the server. These settings can cause a command to fail with exit \
    status 7:
    """,
    .list([
      """
      On a standby, or if `default_transaction_read_only` is set, records can be read but not \
      changed. If the address has several hosts, `target_session_attrs=primary` selects the one \
      that can be changed.
      """,
      """
      A command fails if it exceeds `statement_timeout`, `idle_session_timeout` or \
      `idle_in_transaction_session_timeout`. For example, a `list` whose output is not read \
      exceeds them.
      """,
    ]),
    .heading("Sessions"),
    """
    A session of `datactl login` is valid only for the database in the address: the hosts, the \
    ports and the name must be the same. The database user and the password can differ.
    """,
  ]

  private static let cluster: [Block] = [
    .heading("Several servers"),
    """
    With Citus, the records of a store are distributed over several servers: a coordinator and its \
    workers. Use the address of the coordinator; datactl detects Citus automatically.
    """,
    """
    datactl has been tested with Citus 13.2 and PostgreSQL 15, on a coordinator and two workers. \
    In these tests, workers were killed and a third worker was added. Other versions of Citus have \
    not been tested.
    """,
    """
    Citus divides each table into shards, which it distributes over the workers. A record, its \
    to-many relations and the contents of its files are on the same worker, which the id of the \
    record determines.
    """,
    """
    An index covers only one shard. The values of a unique field are therefore also stored in a \
    separate table, such as `todo.email:unique`.
    """,
    """
    The schemas, the log and the sessions are stored on the coordinator. If the extension Citus \
    was added to the database after the store was created, all tables of the store remain on the \
    coordinator.
    """,
    """
    A new store has four shards for each worker, and at least eight, unless `citus.shard_count` is \
    set. Each shard is on one worker, so a store with eight shards uses at most eight workers. If \
    a store is going to grow, set `citus.shard_count` for the database before you create the store.
    """,
    """
    After you have added a worker, run this statement in psql. It moves shards to the new worker \
    while commands read and write:
    """,
    .literal("select citus_rebalance_start();"),
    .heading("Other databases"),
    """
    CockroachDB and YugabyteDB use the protocol of PostgreSQL, and datactl treats them like \
    PostgreSQL. They have not been tested. datactl prints a warning when it connects to one of \
    them, unless `--quiet` is given.
    """,
  ]

  private static let guarantees: [Block] = [
    .heading("Limits of the guarantees"),
    """
    In every store, a command makes all of its changes or none, unless `--commit-every` is given. \
    A reader never sees a partly changed record. No two records of a schema have the same value in \
    a unique field.
    """,
    """
    In a file or on a single PostgreSQL server, a command also reads all data from one consistent \
    snapshot, and every reference refers to an existing record. On Citus and the other databases, \
    the guarantees are weaker:
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
        On Citus, values are also computed for records that `--limit` excludes from the output. If \
        one of these values is out of range, the command fails.
        """),
      Definition(
        "references",
        """
        On Citus, a record is not locked while a reference to it is saved. If another command \
        deletes the record at the same time, the reference remains. This command finds such \
        references: `datactl list todo --where 'owner is not null and owner.created_at is null'`.
        """),
      Definition(
        "a lost connection",
        """
        If the connection to a single PostgreSQL server is lost during a commit, datactl checks \
        whether the commit succeeded. On Citus and the other databases, it reports that it is \
        unknown whether the changes were saved.
        """),
      Definition(
        "a failed worker",
        """
        On Citus, a command that changes records needs all workers. If one cannot be reached, the \
        command exits with 7, and nothing is changed. `list` also needs all workers. `get` needs \
        only the workers of its records. If a worker fails during a commit, it may be unknown \
        whether the changes were saved.
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
        On Citus, a path to one related record in a condition, such as `owner.name`, is slow: \
        all records of the other schema are fetched first. For a path to many related records, \
        such as `steps.title`, only the ids of the matching records are fetched. A condition with \
        more than 200 paths of this second kind is rejected.
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
      Definition(
        "to read",
        "`usage` on the namespace `datactl`, and `select` on its tables"),
      Definition(
        "to save and delete",
        "in addition to reading: `insert`, `update` and `delete` on the tables"),
      Definition(
        "to delete records of a schema that relations refer to",
        """
        in addition to deleting: `temporary` on the database, which all users have unless it was \
        revoked
        """),
      Definition(
        "to change schemas",
        """
        in addition to saving and deleting: `create` on the namespace, and ownership of the tables
        """
      ),
    ]),
    .heading("Limits"),
    """
    A record can have about 430 long texts. A larger record is rejected, and the error shows its \
    id. The reason is that PostgreSQL stores a record in a page of 8 KB. Each long text takes 18 \
    bytes of the page, and each number or datetime takes 8 bytes.
    """,
    """
    A table can have at most 1,600 columns in its lifetime. A field has one column; a geopoint has \
    three. The columns of dropped fields also count, as do those of fields whose type was changed.
    """,
    """
    If no columns are left, `schema apply` fails and reports this. To start the count again, move \
    the store to another database, as `datactl help stores` shows.
    """,
  ]
}

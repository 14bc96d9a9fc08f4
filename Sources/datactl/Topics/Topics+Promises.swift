import CommandSyntax

extension HelpTopics {
  /// Stores on several servers, and the guarantees that they cannot give.
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

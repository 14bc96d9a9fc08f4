import CommandSyntax

extension Topics {
  /// What is said of stores that lie on several servers, and of what no store there can promise.
  static let promises: [Block] = [
    .heading("Several servers"),
    """
    On Citus (12 or newer) the address is that of the coordinator, and datactl sees by itself where it is. Each \
    schema's table is distributed by its primary key; the tables of its to-many relations, and the \
    contents of its files, lie beside its records. The values of a unique field stand in a table of \
    their own, `todo.email:unique`, since an index reaches over one part of the records only. The \
    schemas, the log and sessions stay on the coordinator. A store that \
    was made before its database had the extension stays as it is, on the coordinator.
    """,
    """
    datactl has been tested on a stand-in that refuses what Citus is documented to refuse, not on a \
    cluster.
    """,
    """
    CockroachDB and YugabyteDB speak PostgreSQL's protocol, and get what PostgreSQL gets. datactl \
    has not been run on them, and says so whenever it connects to one, unless `--quiet` is given.
    """,
    .heading("What a store cannot promise"),
    """
    Everywhere a command changes all that it was told to change, or nothing; a record is never seen \
    half changed; no two records of a schema have the same value in a unique field. On a file and on \
    PostgreSQL, moreover, what one command reads is as of one moment, and every reference leads to a \
    record. On several servers this is not so:
    """,
    .definitions([
      Definition(
        "one moment",
        """
        A command on Citus may read one server a little later than another. Records that are moved \
        between, or amounts, can be missing from a list or a sum, or be there twice.
        """),
      Definition(
        "references",
        """
        On Citus no record is held while another refers to it. A record that one command deletes \
        while another saves a reference to it leaves a reference that leads nowhere: \
        `list todo --where 'owner is not null and owner.created_at is null'` finds them.
        """),
      Definition(
        "a lost connection",
        """
        On PostgreSQL the outcome of a commit is looked up when the connection is lost. On the \
        others a command whose changes were not committed for certain says that this is not known.
        """),
      Definition(
        "speed",
        """
        On Citus a path such as `owner.name` in a condition, an order or an expansion has the \
        records of the other schema fetched first, all of them. Conditions on the schema's own fields \
        are decided where the records lie.
        """),
      Definition(
        "digits",
        """
        The last digits of sums and averages of numbers depend on the order in which they are \
        added, which no server of databases promises.
        """),
    ]),
  ]
}

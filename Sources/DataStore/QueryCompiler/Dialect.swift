package import DataModel

/// How an engine enforces unique fields.
package enum Uniqueness: Sendable {
  /// With a unique index of the table.
  case index
  /// With a separate table that maps each value to the id of its record, because a unique index
  /// covers only the records on one server.
  case sideTable
}

/// How the rows of a table are distributed across servers.
package enum Placement: Sendable {
  /// By a column of record ids, each row on the server of its record.
  case colocated(by: String)
  /// By the values of a column, independently of other tables.
  case distributed(by: String)
}

/// The differences between SQL engines that matter to the query compiler.
///
/// Queries are compiled once for all engines. A dialect provides the parts that other engines do
/// not support, or would evaluate differently from the model.
package protocol Dialect: Sendable {
  /// An `order by` term; null, if the column may be null, comes first in ascending order and last
  /// in descending order.
  func ordered(_ column: SQL, isDescending: Bool, mayBeNull: Bool) -> SQL

  /// A `group by` column in a query with aggregates. SQLite adds a unary `+`, because reading
  /// groups through an index would look up each record separately.
  func grouped(_ column: SQL) -> SQL

  /// A predicate that few rows satisfy, as a hint to the query planner to use an index.
  func selective(_ test: SQL) -> SQL

  /// Compares a column with a value of a comparable type.
  func compares(
    _ column: SQL, of type: FieldType, _ comparison: Comparison, with value: Value
  ) -> SQL

  /// Compares two columns of comparable types.
  func compares(
    _ column: SQL, of type: FieldType, _ comparison: Comparison, with other: SQL,
    of otherType: FieldType
  ) -> SQL

  /// Whether a column has one of several values of its type.
  func isOne(of values: [Value], _ column: SQL, of type: FieldType, _ predicate: ColumnPredicate)
    -> SQL

  /// Whether a text column matches a pattern that cannot be answered with an index.
  func isLike(_ pattern: LikePattern, _ column: SQL, _ predicate: ColumnPredicate) -> SQL

  /// Whether a text column contains a substring.
  func contains(_ part: String, _ column: SQL, _ predicate: ColumnPredicate) -> SQL

  /// Whether an array column satisfies a predicate other than null or empty.
  func test(array column: SQL, of element: ElementType, _ predicate: ColumnPredicate) -> SQL

  /// The empty array as a literal, to compare columns with.
  var emptyArray: SQL { get }

  /// Whether the value at a key path in a JSON column satisfies a predicate.
  func test(json column: SQL, under keys: [String], _ predicate: ColumnPredicate) -> SQL

  /// Whether the cell of a point is in one of several ranges, each of which is a search in the
  /// index.
  func isInCells(_ cells: [ClosedRange<Int64>], _ source: FromClause.Source, _ slot: Int) -> SQL

  /// Whether a point satisfies a predicate that needs code or many values, such as a distance.
  func test(latitude: SQL, longitude: SQL, _ predicate: ColumnPredicate) -> SQL

  /// The ids of a to-many relation as a list, in order.
  func list(in link: SQL, from source: SQL) -> SQL

  /// A component of a file reference, such as its size.
  func part(_ part: ResolvedPath.Part, ofFile column: SQL) -> SQL

  /// The sum and the average of a column, with the same results as `RunningSum`.
  func sum(_ column: SQL, of type: FieldType) -> SQL
  func average(_ column: SQL, of type: FieldType) -> SQL

  /// The greater of two values that are not null.
  func greater(_ first: SQL, _ second: SQL) -> SQL

  /// The SQL name of a column type.
  func columnType(_ type: FieldType) -> SQL

  /// The name of a temporary table, and the statements that create it.
  func temporary(_ table: String) -> SQL
  func creationSQL(temporary table: String, _ columns: SQL) -> [SQL]

  /// The statements that empty a temporary table that is not dropped with the transaction.
  func clearSQL(temporary table: String) -> [SQL]

  /// The rows of a table in a join by columns other than its distribution column. An engine that
  /// distributes tables across servers has to fetch them first.
  func fetched(_ table: SQL, _ columns: SQL) -> SQL

  /// The statements that distribute a table across servers, if the engine does so.
  func distributionSQL(_ table: String, _ placement: Placement) -> [SQL]

  /// How the engine enforces unique fields.
  var uniqueness: Uniqueness { get }

  /// The clause that locks selected rows, such as `for update`; empty if the engine has none.
  var lockClause: SQL { get }

  /// The minimum and the maximum of a column.
  func minimum(_ column: SQL, of type: FieldType) -> SQL
  func maximum(_ column: SQL, of type: FieldType) -> SQL
}

package import DataModel

/// How an engine enforces unique fields.
package enum Uniqueness: Sendable {
  /// The engine enforces a unique field with a unique index of the table.
  case index
  /// datactl enforces a unique field with a separate table that maps each value to the id of its
  /// record. This is needed if a unique index would cover only the records on one server.
  case sideTable
}

/// How a condition on related records is compiled if they are reached through a to-many relation.
package enum RelationTest: Sendable {
  /// A subquery that is executed for each record: `exists (… and link.source = record.id)`.
  case correlated
  /// Nested subqueries that do not refer to outer queries, so that each of them is executed once:
  /// `record.id in (select source from link where target in (select …))`. They are used if tables
  /// are distributed across servers, which then exchange only the ids of matching records.
  ///
  /// - Parameter elements: A closure that takes an array column. It returns a table expression with
  ///   a row for each element, and an expression for the element.
  case uncorrelated(
    elements: @Sendable (_ column: SQL, _ type: ElementType) -> (table: SQL, element: SQL))
}

/// How the rows of a table are distributed across the servers of a cluster.
package enum Placement: Sendable {
  /// The rows are distributed by a text column, such as a record id. Rows that have the same text
  /// in this column are stored on the same server, even if they are in different colocated tables.
  case colocated(by: String)
  /// The rows are distributed by the values of a column, independently of the placement of other
  /// tables.
  case distributed(by: String)
}

/// The differences between SQL engines that matter to the query compiler.
///
/// Queries are compiled once for all engines. A dialect provides the SQL that is specific to an
/// engine. This is needed where engines have different syntax, and where standard SQL would give
/// other results than the code in `DataModel`, such as `ConditionMatcher`.
package protocol Dialect: Sendable {
  /// Returns an `order by` term. Null comes first in ascending order and last in descending order.
  ///
  /// - Parameter mayBeNull: Whether the column can contain null.
  func ordered(_ column: SQL, isDescending: Bool, mayBeNull: Bool) -> SQL

  /// Returns a `group by` column for a query with aggregates. For SQLite, a unary `+` before the
  /// column prevents the use of an index: reading the groups in the order of an index would look up
  /// each record separately.
  func grouped(_ column: SQL) -> SQL

  /// Returns an SQL expression for a computed value.
  ///
  /// - Parameter operands: The SQL of the values in `expression.operands`, in the same order.
  func compute(_ expression: ResolvedExpression, _ operands: [SQL]) -> SQL

  /// Returns a predicate with a hint that few rows satisfy it, so that the query planner uses an
  /// index.
  func selective(_ test: SQL) -> SQL

  /// Returns a predicate that compares a column with a value of a comparable type.
  func compares(
    _ column: SQL, of type: FieldType, _ comparison: Comparison, with value: Value
  ) -> SQL

  /// Returns a predicate that compares two columns of comparable types.
  func compares(
    _ column: SQL, of type: FieldType, _ comparison: Comparison, with other: SQL,
    of otherType: FieldType
  ) -> SQL

  /// Returns a predicate that is true if the value of a column is one of several values of its
  /// type.
  func isOne(of values: [Value], _ column: SQL, of type: FieldType, _ predicate: ColumnPredicate)
    -> SQL

  /// Returns a predicate that is true if a text column matches a pattern. It is not called if a
  /// range of an index contains exactly the matches, as for `abc%`.
  func isLike(_ pattern: LikePattern, _ column: SQL, _ predicate: ColumnPredicate) -> SQL

  /// Returns a predicate that is true if a text column contains a substring.
  func contains(_ part: String, _ column: SQL, _ predicate: ColumnPredicate) -> SQL

  /// Returns a predicate that is true if an array column satisfies a criterion. It is not called
  /// for `isNull` and `isEmpty`, because their SQL is the same in all engines.
  func test(array column: SQL, of element: ElementType, _ predicate: ColumnPredicate) -> SQL

  /// The SQL literal of an empty array, for comparisons with array columns.
  var emptyArray: SQL { get }

  /// Returns a predicate that is true if the value at a key path in a JSON column satisfies a
  /// criterion.
  func test(json column: SQL, under keys: [String], _ predicate: ColumnPredicate) -> SQL

  /// Converts an SQL expression to the type of a JSON column. The value of the expression must be
  /// null, or the canonical JSON text of a boolean, a number or a string (`JSONForm.scalar`).
  func json(_ scalar: SQL) -> SQL

  /// Returns a predicate that is true if the grid cell of a geopoint is in one of several ranges.
  /// Each range is a separate search in the index on the cell.
  func isInCells(_ cells: [ClosedRange<Int64>], _ source: FromClause.Source, _ slot: Int) -> SQL

  /// Returns a predicate that is true if a point satisfies a criterion. It is used for criteria
  /// that require a computation, such as a distance, and for criteria with many values.
  func test(latitude: SQL, longitude: SQL, _ predicate: ColumnPredicate) -> SQL

  /// Returns an expression for the ids that a record has in a to-many relation, as a list in the
  /// order of the relation.
  ///
  /// - Parameter source: The id of the record.
  func list(in link: SQL, from source: SQL, by order: SQL) -> SQL

  /// Returns the distinct elements of an array, or of the array at a path of nested keys in JSON, as a
  /// table that can be joined with the table of the column. Also returns an expression for an element
  /// in the table with the alias `_each`.
  func elements(
    in column: SQL, of type: FieldType, under keys: [String]
  ) -> (table: SQL, value: SQL)

  /// Returns an expression for a component of a file reference, such as its size.
  func part(_ part: ResolvedPath.Part, ofFile column: SQL) -> SQL

  /// Returns an expression for the sum of a column. It gives the same result as `RunningSum`, which
  /// adds values in memory.
  func sum(_ column: SQL, of type: FieldType) -> SQL
  /// Returns an expression for the result of `sum` in which a sum that is out of range is null.
  func inRange(_ sum: SQL, of type: FieldType) -> SQL
  /// Returns an expression for the average of a column. It gives the same result as in memory,
  /// where `RunningSum` adds the values.
  func average(_ column: SQL, of type: FieldType) -> SQL

  /// Returns an expression for the median of a column. Returns nil if the engine has no aggregate
  /// function for medians; the query then ranks the values with window functions.
  func median(_ column: SQL, of type: FieldType) -> SQL?

  /// Returns an expression for the mean of a column that has one or two values that are not null,
  /// which is the median of a group; see `RunningSum.middle`. It is called only if `median` is nil.
  func middle(_ column: SQL, of type: FieldType) -> SQL

  /// Returns an expression for the greater of two values that are not null.
  func greater(_ first: SQL, _ second: SQL) -> SQL

  /// Returns the SQL type of a column that stores values of a field type.
  func columnType(_ type: FieldType) -> SQL

  /// Returns the name of a temporary table, quoted and prefixed with the namespace that contains
  /// it.
  func temporary(_ table: String) -> SQL
  /// Returns the statements that create a temporary table with the given column definitions.
  func creationSQL(temporary table: String, _ columns: SQL) -> [SQL]

  /// Returns the statements that empty a temporary table; none if it is dropped at the end of the
  /// transaction.
  func clearSQL(temporary table: String) -> [SQL]

  /// Returns a table expression for a join on columns by which the table is not distributed. On an
  /// engine that distributes tables across servers, the expression is a subquery that fetches the
  /// rows before the join. On all other engines, it is the table itself.
  func fetched(_ table: SQL, _ columns: SQL) -> SQL

  /// Returns the statements that distribute a table across servers; none if the engine does not
  /// distribute tables.
  func distributionSQL(_ table: String, _ placement: Placement) -> [SQL]

  /// Whether conditions on the records of to-many relations become correlated or uncorrelated
  /// subqueries.
  var relationTest: RelationTest { get }

  /// Whether a query that reads most records of a schema tests related records with one subquery
  /// that is executed once, instead of a subquery that is executed for each record. PostgreSQL
  /// itself chooses the faster way, but SQLite does not.
  ///
  /// This has an effect only if `relationTest` is `correlated`.
  var testsRelatedRecordsOnce: Bool { get }

  /// Whether a query searches an index for the related records of each queried record. If not, it
  /// reads all related records once. The search is faster, except if there are few related records;
  /// see `FromClause.linkSample`.
  ///
  /// This matters only for conditions that at least one related record must satisfy. In addition,
  /// `testsRelatedRecordsOnce` must be true, and an index must contain all fields that the
  /// condition reads.
  var searchesLinks: Bool { get }

  /// How the engine enforces unique fields.
  var uniqueness: Uniqueness { get }

  /// The clause of a `select` statement that locks the selected rows before they are deleted, such
  /// as `for update`. It is empty if the engine has no such clause.
  var deletionLockClause: SQL { get }

  /// The clause of a `select` statement that locks a row. It is empty if all writers wait for each
  /// other.
  var lockClause: SQL { get }

  /// Returns an expression for the hexadecimal digits of a column of bytes, as text.
  func hexadecimal(_ column: SQL) -> SQL

  /// Returns an expression for the minimum of a column. False is less than true, and JSON values
  /// are compared as in sorting.
  func minimum(_ column: SQL, of type: FieldType) -> SQL
  /// Returns an expression for the maximum of a column. Its values are compared as in `minimum`.
  func maximum(_ column: SQL, of type: FieldType) -> SQL
}

package import DataModel

/// What keeps the values of a unique field apart.
package enum Uniqueness: Sendable {
  /// An index of the table.
  case index
  /// A table beside it, of each value and the id of the record that has it: where an index reaches
  /// only over those records that lie on one server.
  case sideTable
}

/// Where the rows of a table lie, if they are spread over several servers.
package enum Placement: Sendable {
  /// Beside the records whose ids stand in a column.
  case besideRecords(by: String)
  /// By the values of a column, whatever lies beside them.
  case apart(by: String)
}

/// What engines that speak SQL say in words of their own where questions are asked.
///
/// Questions are compiled once for all of them; an engine answers here for what the others do not
/// understand, or what it would not do in the way that the model means.
package protocol Dialect: Sendable {
  /// A column to order by; null, if there may be one, comes first going up and last going down.
  func ordered(_ column: SQL, isDescending: Bool, mayBeNull: Bool) -> SQL

  /// A column whose groups are made from records as they lie, where others of their columns are
  /// summed up: to follow an index would look each record up.
  func grouped(_ column: SQL) -> SQL

  /// A test that few records meet, so that an index is worth its search.
  func rare(_ test: SQL) -> SQL

  /// A comparison of a column with a value, both of types that compare.
  func compares(
    _ column: SQL, of type: FieldType, _ comparison: Comparison, with value: Value
  ) -> SQL

  /// A comparison of two columns, of types that compare.
  func compares(
    _ column: SQL, of type: FieldType, _ comparison: Comparison, with other: SQL,
    of otherType: FieldType
  ) -> SQL

  /// Whether a column has one of many values of its type.
  func isOne(of values: [Value], _ column: SQL, of type: FieldType, _ wanted: Wanted) -> SQL

  /// Whether a column of text matches a pattern, which no index could help with.
  func isLike(_ pattern: LikePattern, _ column: SQL, _ wanted: Wanted) -> SQL

  /// Whether a column of text has a part.
  func contains(_ part: String, _ column: SQL, _ wanted: Wanted) -> SQL

  /// Whether a column of an array is as wanted, where that is more than null or empty.
  func test(array column: SQL, of element: ElementType, _ wanted: Wanted) -> SQL

  /// The array without an element, beside which a column is compared.
  var emptyArray: SQL { get }

  /// Whether what stands under keys in a column of JSON is as wanted.
  func test(json column: SQL, under keys: [String], _ wanted: Wanted) -> SQL

  /// Whether a place's cell lies in one of some ranges, of which each is a search in the index.
  func isNear(_ cells: [ClosedRange<Int64>], _ source: Scope.Source, _ slot: Int) -> SQL

  /// Whether a point is as wanted: within a circle, or one of many.
  func test(latitude: SQL, longitude: SQL, _ wanted: Wanted) -> SQL

  /// The ids of a to-many relation as a list, in their order.
  func list(in link: SQL, from source: SQL) -> SQL

  /// A part of a file's reference.
  func part(_ part: Route.Part, ofFile column: SQL) -> SQL

  /// The sum of a column, or the average: such as `RunningSum` gives.
  func sum(_ column: SQL, of type: FieldType) -> SQL
  func average(_ column: SQL, of type: FieldType) -> SQL

  /// The greater of two values that are not null.
  func greater(_ first: SQL, _ second: SQL) -> SQL

  /// What the type of a column is called.
  func columnType(_ type: FieldType) -> SQL

  /// A table that only the transaction sees, and what makes it anew.
  func temporary(_ table: String) -> SQL
  func making(temporary table: String, _ columns: SQL) -> [SQL]

  /// What empties such a table in the end, where it would outlast the transaction.
  func clearing(temporary table: String) -> [SQL]

  /// The rows of a table where they are joined with others by something else than their key. An
  /// engine that spreads its tables over several servers has to fetch them before.
  func fetched(_ table: SQL, _ columns: SQL) -> SQL

  /// Has the rows of a table lie at a place, where they are spread over several servers.
  func placing(_ table: String, _ placement: Placement) -> [SQL]

  /// What keeps the values of unique fields apart.
  var uniqueness: Uniqueness { get }

  /// What keeps others from changing the rows of a selection, if rows can be held.
  var holding: SQL { get }

  /// The least and the greatest of a column's values.
  func least(_ column: SQL, of type: FieldType) -> SQL
  func greatest(_ column: SQL, of type: FieldType) -> SQL
}

package import DataModel

/// A transaction in which a plan changes tables, with the operations that differ between engines.
package protocol PlanTransaction: SQLTransaction, ~Copyable {
  /// The foreign objects in the store, such as views and triggers of other tools, as they were
  /// before the plan.
  associatedtype ForeignObjects

  /// Locks the catalog against changes by other transactions, and throws `schemaChanged` if it has
  /// another version.
  borrowing func lockCatalog(at version: Int64) throws(DataError)

  /// Waits for transactions that save records of the schema, and blocks new ones.
  borrowing func lock(exclusively schema: Schema) throws(DataError)

  borrowing func catalog(_ coding: SchemaCoding) throws(DataError) -> StoredCatalog
  borrowing func schema(
    named name: String, _ coding: SchemaCoding
  ) throws(DataError) -> Schema?

  borrowing func foreignObjects(excluding catalog: Catalog) throws(DataError) -> ForeignObjects

  /// Throws an error if the plan dropped or broke a foreign object.
  borrowing func check(_ foreignObjects: ForeignObjects, excluding catalog: Catalog)
    throws(DataError)

  /// Executes a statement that changes tables or their metadata.
  ///
  /// An engine may enqueue the statement until the next query. Throws an error that names a foreign
  /// object if one prevents the change.
  borrowing func alter(_ sql: SQL) throws(DataError)

  borrowing func dropColumn(_ column: String, of table: SQL) throws(DataError)

  /// The statements that create the tables and indexes of a schema.
  borrowing func creationSQL(_ layout: TableLayout) -> [SQL]

  /// The statements that create the link table of a to-many relation, and its indexes.
  borrowing func linkCreationSQL(_ slot: Int, of layout: TableLayout) -> [SQL]

  /// The statements that add the columns of a slot to the existing table.
  borrowing func addColumnsSQL(of slot: Int, to layout: TableLayout) -> [SQL]

  /// Whether the engine can rename indexes and keys; if not, indexes are dropped and created again.
  var renamesIndexes: Bool { get }

  /// Reads the rows that a statement selects, in groups of at most `limit` rows; all at once if it
  /// is nil.
  borrowing func read(
    _ sql: SQL, as selectList: SelectList, fetchSize limit: Int?,
    _ body: (Rows) throws(DataError) -> Void
  ) throws(DataError)

  /// Inserts the values of the given columns; `table` includes the list of target columns.
  borrowing func insert(
    _ rows: Rows, _ columns: [TableLayout.Column], into table: SQL
  ) throws(DataError)

  /// Replaces the values of columns by converted ones, and gives the columns their new types.
  borrowing func replace(
    _ columns: [TableLayout.Column], of layout: TableLayout, by values: ConvertedValues
  ) throws(DataError)

  /// Makes a to-many relation refer to another schema, keeping its ids.
  borrowing func retarget(_ slot: Int, of layout: TableLayout) throws(DataError)

  /// Creates the log table in a store from a version without it.
  borrowing func createLogTable() throws(DataError)
}

extension PlanTransaction where Self: ~Copyable {
  package borrowing func dropColumn(_ column: String, of table: SQL) throws(DataError) {
    try alter("alter table \(table) drop column \(name: column)")
  }
}

/// The log of applied plans, in the table `_changes`.
extension SQLTransaction where Self: ~Copyable {
  package borrowing func log() throws(DataError) -> [AppliedPlan] {
    var plans: [AppliedPlan] = []
    try forEachRow(
      "select time, \(name: "user"), program, steps from \(table: "_changes") order by number",
      [.datetime, .text, .text, .text]
    ) { values in
      guard case .datetime(let time) = values[0], case .text(let program) = values[2],
        case .text(let steps) = values[3]
      else { return }
      var user: String?
      if case .text(let text) = values[1] { user = text }
      plans.append(AppliedPlan(time: time, user: user, program: program, steps: steps))
    }
    return plans
  }
}

extension PlanTransaction where Self: ~Copyable {
  /// Adds an applied plan to the log.
  borrowing func addToLog(_ plan: AppliedPlan) throws(DataError) {
    try createLogTable()
    try alter(
      """
      insert into \(table: "_changes") (number, time, \(name: "user"), program, steps) select \
      coalesce(max(number), 0) + 1, \(.datetime(plan.time)), \
      cast(\(plan.user.map(Value.text) ?? .null) as text), \(.text(plan.program)), \
      \(.text(plan.steps)) from \(table: "_changes")
      """)
  }
}

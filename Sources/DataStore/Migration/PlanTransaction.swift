package import DataModel

/// A transaction that executes a plan, with the operations that differ between engines.
package protocol PlanTransaction: SQLTransaction, ~Copyable {
  /// The state of the views, triggers and other database objects that datactl did not create. An
  /// engine reads the state before a migration, to detect afterward whether the migration has
  /// damaged these objects.
  associatedtype ForeignObjects

  /// Locks the catalog, so that no other transaction can change schemas. Throws `schemaChanged` if
  /// the catalog does not have the given version.
  borrowing func lockCatalog(at version: Int64) throws(DataError)

  /// Sets the format of the store to the newest one, unless it has this format already.
  borrowing func upgradeToNewestFormat() throws(DataError)

  /// Sets the format of the store, when it becomes an unfinished copy or a finished one.
  borrowing func setFormat(_ format: Int64) throws(DataError)

  /// Returns the stored format, or nil if it is missing.
  borrowing func storedFormat() throws(DataError) -> Int64?

  /// Locks a schema exclusively: waits until all transactions that save its records have ended, and
  /// blocks new ones.
  borrowing func lock(exclusively schema: Schema) throws(DataError)

  borrowing func catalog(_ coding: SchemaCoding) throws(DataError) -> StoredCatalog
  borrowing func schema(
    named name: String, _ coding: SchemaCoding
  ) throws(DataError) -> Schema?

  borrowing func foreignObjects(excluding catalog: Catalog) throws(DataError) -> ForeignObjects

  /// Throws an error if the migration dropped or invalidated a database object that datactl did not
  /// create.
  ///
  /// - Parameter catalog: The schemas after the migration. datactl created their tables.
  borrowing func check(_ foreignObjects: ForeignObjects, excluding catalog: Catalog)
    throws(DataError)

  /// Executes a statement of a migration, such as `alter table`, `drop index`, or an `update` of
  /// the stored records.
  ///
  /// An engine may delay the statement until the next query. If a database object that datactl did
  /// not create prevents the change, the error names that object.
  borrowing func alter(_ sql: SQL) throws(DataError)

  borrowing func dropColumn(_ column: String, of table: SQL) throws(DataError)

  /// Returns the statements that create the tables and indexes of a schema.
  borrowing func creationSQL(_ layout: TableLayout) -> [SQL]

  /// Returns the statements that create the link table of a to-many relation and the indexes of
  /// this table.
  borrowing func linkCreationSQL(_ slot: Int, of layout: TableLayout) -> [SQL]

  /// Returns the statements that add the columns of a slot to an existing table.
  borrowing func addColumnsSQL(of slot: Int, to layout: TableLayout) -> [SQL]

  /// Whether the engine can rename indexes, including the indexes of primary keys. If it cannot, a
  /// migration that renames a schema or a field drops the affected indexes and creates them again.
  var renamesIndexes: Bool { get }

  /// Reads the rows that a statement selects, and passes them to the body in chunks. A chunk has at
  /// most `limit` rows; if `limit` is nil, there is only one chunk.
  borrowing func read(
    _ sql: SQL, as selectList: SelectList, fetchSize limit: Int?,
    _ body: (Rows) throws(DataError) -> Void
  ) throws(DataError)

  /// Inserts the values that the rows have in the given columns.
  ///
  /// - Parameter table: The name of the table, followed by the names of its columns in parentheses.
  borrowing func insert(
    _ rows: Rows, _ columns: [TableLayout.Column], into table: SQL
  ) throws(DataError)

  /// Replaces the values of the given columns with converted values, and changes the columns to
  /// their new types.
  borrowing func replace(
    _ columns: [TableLayout.Column], of layout: TableLayout, by values: ConvertedValues
  ) throws(DataError)

  /// Makes the link table of a to-many relation refer to another target schema. The ids in the
  /// table are kept.
  borrowing func retarget(_ slot: Int, of layout: TableLayout) throws(DataError)

  /// Creates the log table if the store was created by a version of datactl that had no log.
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

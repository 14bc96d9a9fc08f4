package import DataModel

/// A transaction in which a plan changes tables: what each engine does in its own way.
package protocol PlanTransaction: SQLTransaction, ~Copyable {
  /// What others than datactl have added to the store, as it was before a plan.
  associatedtype Strangers

  /// Keeps others from changing the schemas, and refuses to go on if they are of another version.
  borrowing func holdCatalog(at version: Int64) throws(DataError)

  /// Waits for those who save records of a schema, and lets no other begin.
  borrowing func hold(exclusively schema: Schema) throws(DataError)

  borrowing func catalog(_ coding: SchemaCoding) throws(DataError) -> StoredCatalog
  borrowing func schema(
    named name: String, _ coding: SchemaCoding
  ) throws(DataError) -> Schema?

  borrowing func strangers(beside catalog: Catalog) throws(DataError) -> Strangers

  /// Refuses what has taken away or broken something of a stranger's.
  borrowing func check(_ strangers: Strangers, beside catalog: Catalog) throws(DataError)

  /// Changes tables, or what is kept beside them; what strangers have added may be in the way. It can
  /// wait until something is asked of the store.
  borrowing func alter(_ sql: SQL) throws(DataError)

  borrowing func dropColumn(_ column: String, of table: SQL) throws(DataError)

  /// Makes a table with all that belongs to it.
  borrowing func making(_ layout: TableLayout) -> [SQL]

  /// Makes the table of a to-many relation with all that belongs to it.
  borrowing func makingLink(_ slot: Int, of layout: TableLayout) -> [SQL]

  /// Adds the columns of a slot to the table that is there.
  borrowing func addingColumns(of slot: Int, to layout: TableLayout) -> [SQL]

  /// Whether indexes and keys can be given other names; where not, indexes are made anew.
  var renamesIndexes: Bool { get }

  /// Reads the rows that a statement selects: all at once, or no more than a number.
  borrowing func read(
    _ sql: SQL, as selection: Selection, atOnce most: Int?,
    _ body: (Rows) throws(DataError) -> Void
  ) throws(DataError)

  /// Inserts the values of these columns into columns of a table, which stand behind its name.
  borrowing func insert(
    _ rows: Rows, _ columns: [TableLayout.Column], into table: SQL
  ) throws(DataError)

  /// Puts converted values in place of those that columns have, which get the type of the layout.
  borrowing func replace(
    _ columns: [TableLayout.Column], of layout: TableLayout, by values: ConvertedValues
  ) throws(DataError)

  /// Lets a to-many relation, whose ids stay, refer to the records of another schema.
  borrowing func redirect(_ slot: Int, of layout: TableLayout) throws(DataError)

  /// Makes the log in a store that was made before there was one.
  borrowing func makeLog() throws(DataError)
}

extension PlanTransaction where Self: ~Copyable {
  package borrowing func dropColumn(_ column: String, of table: SQL) throws(DataError) {
    try alter("alter table \(table) drop column \(name: column)")
  }
}

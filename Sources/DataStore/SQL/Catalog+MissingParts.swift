package import DataModel

extension Catalog {
  /// Returns the first table or column of the records that a store does not have, in words, or nil
  /// if the store has all of them. Another program must have dropped or renamed it.
  ///
  /// - Parameter columns: The names of the columns of each table in the store.
  package func missingPart(in columns: [String: Set<String>]) -> String? {
    for schema in all {
      let layout = TableLayout(schema)
      for table in layout.tableNames where columns[table] == nil {
        return "the table \(table) is missing"
      }
      for column in layout.columns where columns[schema.name]?.contains(column.name) != true {
        return "the table \(schema.name) has no column \(column.name)"
      }
    }
    return nil
  }
}

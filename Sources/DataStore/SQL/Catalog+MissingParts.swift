package import DataModel

extension Catalog {
  /// Returns a description of the first table or column that the schemas require but the store does
  /// not have. Returns nil if none is missing. A missing table or column must have been dropped or
  /// renamed by another program.
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

package import DataModel
import DataStore

extension SQLiteStore {
  /// Returns the SQL that creates the tables and indexes of schemas.
  package static func definition(of schemas: [Schema]) -> String {
    schemas.map { schema in
      TableLayout(schema).creationSQL(separator: ",\n  ").map { RenderedSQL($0).text + ";\n" }
        .joined()
    }.joined(separator: "\n")
  }
}

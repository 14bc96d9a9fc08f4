package import DataModel
import DataStore

extension PostgresStore {
  /// Returns the statements that create the tables and indexes of schemas in the standard
  /// namespace.
  package static func definition(of schemas: [Schema]) -> String {
    let dialect = PostgresDialect(engine: .postgres, namespace: standardNamespace)
    let tables = schemas.map { schema in
      TableLayout(schema).creationSQL(in: dialect).map {
        RenderedSQL($0, in: standardNamespace).text + ";\n"
      }
      .joined()
    }
    return (["create schema if not exists \(standardNamespace);\n"] + tables)
      .joined(separator: "\n")
  }
}

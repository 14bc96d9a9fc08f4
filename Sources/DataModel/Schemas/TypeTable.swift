/// The table of field types and their equivalents in other systems and languages.
package struct TypeTable {
  /// A field type and its equivalents in other systems.
  package struct Row: Sendable {
    package let type: String
    package let json: String
    package let swift: String
    package let sqlite: String
    package let postgres: String
    package let telerik: String
    package let stackMob: String
    package let backendless: String
    package let coreData: String

    /// The cells of the row, in the order of the columns.
    package var cells: [String] {
      [type, json, swift, sqlite, postgres, telerik, stackMob, backendless, coreData]
    }
  }

  /// The titles of the columns of the table.
  package static let columns = [
    "type", "JSON", "Swift", "SQLite", "PostgreSQL", "Telerik", "StackMob", "Backendless",
    "Core Data",
  ]

  /// Groups of terms that have the same meaning in datactl and in other systems, such as schema,
  /// entity and table.
  package static let synonyms = [
    ["schema", "entity", "table"], ["field", "attribute", "column"],
    ["relation", "relationship", "reference column"],
  ]

  package static let lines: [Row] = [
    Row(
      type: "id", json: "string", swift: "String", sqlite: "TEXT", postgres: "text C",
      telerik: "Id", stackMob: "String, primary key", backendless: "STRING_ID", coreData: "String"),
    Row(
      type: "text", json: "string", swift: "String", sqlite: "TEXT", postgres: "text C",
      telerik: "Text", stackMob: "String", backendless: "STRING, TEXT", coreData: "String"),
    Row(
      type: "integer", json: "number", swift: "Int64", sqlite: "INTEGER", postgres: "bigint",
      telerik: "Number", stackMob: "Integer", backendless: "INT", coreData: "Integer 64"),
    Row(
      type: "number", json: "number", swift: "Double", sqlite: "REAL",
      postgres: "double precision", telerik: "Number", stackMob: "Float", backendless: "DOUBLE",
      coreData: "Double"),
    Row(
      type: "boolean", json: "true, false", swift: "Bool", sqlite: "INTEGER 0, 1",
      postgres: "boolean", telerik: "Yes/No", stackMob: "Boolean", backendless: "BOOLEAN",
      coreData: "Boolean"),
    Row(
      type: "date", json: "\"2026-11-20\"", swift: "CalendarDate", sqlite: "TEXT", postgres: "date",
      telerik: "Date and Time", stackMob: "String", backendless: "DATETIME", coreData: "Date"),
    Row(
      type: "datetime", json: "\"2026-11-20T03:05:00.000Z\"", swift: "Timestamp",
      sqlite: "INTEGER, µs", postgres: "timestamptz", telerik: "Date and Time",
      stackMob: "Integer, ms", backendless: "DATETIME", coreData: "Date"),
    Row(
      type: "geopoint", json: "{\"lat\":…,\"lon\":…}", swift: "GeoPoint",
      sqlite: "two REAL, INTEGER",
      postgres: "two double precision", telerik: "GeoPoint", stackMob: "GeoPoint",
      backendless: "POINT", coreData: "Transformable"),
    Row(
      type: "file", json: "{\"name\",\"type\",\"size\",\"sha256\"}", swift: "FileReference",
      sqlite: "own table", postgres: "own table", telerik: "File", stackMob: "Binary",
      backendless: "FILE_REF", coreData: "Binary"),
    Row(
      type: "json", json: "any value", swift: "JSONValue", sqlite: "TEXT", postgres: "json",
      telerik: "Object", stackMob: "–", backendless: "JSON", coreData: "Transformable"),
    Row(
      type: "password", json: "write only", swift: "–", sqlite: "TEXT", postgres: "text",
      telerik: "(user)", stackMob: "(user)", backendless: "(user)", coreData: "–"),
    Row(
      type: "relation", json: "an id", swift: "Reference", sqlite: "TEXT", postgres: "text",
      telerik: "Relation", stackMob: "Relationship", backendless: "DATA_REF 1:1",
      coreData: "To-one"),
    Row(
      type: "relation, many", json: "[id…]", swift: "[Reference]", sqlite: "link table",
      postgres: "link table", telerik: "Relation (multiple)", stackMob: "Relationship",
      backendless: "DATA_REF 1:N", coreData: "To-many"),
    Row(
      type: "[text], [integer], [number], [boolean], [date], [datetime]", json: "array",
      swift: "[T]",
      sqlite: "TEXT", postgres: "jsonb", telerik: "Array", stackMob: "Array", backendless: "–",
      coreData: "Transformable"),
  ]
}

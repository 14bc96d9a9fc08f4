package import DataModel

/// The names of tables, columns and indexes in an SQL store.
package enum PhysicalNames {
  /// The maximum length of a name in bytes, which is PostgreSQL's.
  static let longest = 63

  /// The system columns of PostgreSQL, which every table has.
  private static let reserved: Set = ["xmin", "xmax", "cmin", "cmax", "ctid", "tableoid"]

  /// The column of a field with a single column.
  package static func column(_ field: String) -> String {
    reserved.contains(field) ? "\(field):field" : field
  }

  /// The link table of a to-many relation.
  package static func link(_ schema: String, _ field: String) -> String {
    shortened("\(schema).\(field)")
  }

  /// The primary key constraint of a table, which shares a namespace with tables in PostgreSQL.
  package static func key(_ table: String) -> String { shortened("\(table):key") }

  /// The latitude column of a geopoint.
  package static func latitude(_ field: String) -> String { shortened("\(field).lat") }

  /// The longitude column of a geopoint.
  package static func longitude(_ field: String) -> String { shortened("\(field).lon") }

  /// The cell column of a geopoint, which is indexed.
  package static func cell(_ field: String) -> String { shortened("\(field).cell") }

  /// The index of a geopoint's cell column.
  package static func cells(_ schema: String, _ field: String) -> String {
    shortened("\(schema).\(field):cell")
  }

  /// The index of a unique field. The colon distinguishes it from an index whose last field is
  /// named `unique`.
  package static func unique(_ schema: String, _ field: String) -> String {
    shortened("\(schema).\(field):unique")
  }

  /// An index declared by the schema.
  package static func index(_ schema: String, _ index: Schema.Index) -> String {
    shortened("\(schema)." + index.terms.map(\.text).joined(separator: "."))
  }

  /// The index of a relation, which finds the records that refer to a target.
  package static func reference(_ schema: String, _ field: String) -> String {
    shortened("\(schema).\(field):reference")
  }

  /// Whether the name can be that of a primary key or a unique index: these contain a colon, unless
  /// they are shortened.
  package static func mayBeUniqueConstraint(_ name: String) -> Bool {
    name.utf8.contains(UInt8(ascii: ":")) || name.utf8.count == longest
  }

  /// The name, or a prefix of it followed by eight digits of its SHA-256 if it is too long.
  static func shortened(_ name: String) -> String {
    guard name.utf8.count > longest else { return name }
    var digest = SHA256()
    digest.update(name.utf8.span)
    return String(decoding: name.utf8.prefix(longest - 9), as: UTF8.self) + "_"
      + digest.hexadecimal().prefix(8)
  }
}

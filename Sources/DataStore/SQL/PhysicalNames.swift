package import DataModel

/// The names of tables, columns and indexes in an SQL store.
package enum PhysicalNames {
  /// The maximum length of a name in bytes, which is the limit of PostgreSQL.
  static let longest = 63

  /// The names of PostgreSQL's system columns, which cannot be the names of other columns.
  private static let reserved = ["xmin", "xmax", "cmin", "cmax", "ctid", "tableoid"]

  /// Returns the name of the column for a field that is stored in a single column.
  package static func column(_ field: String) -> String {
    reserved.contains(field) ? "\(field):field" : field
  }

  /// Returns the name of the link table of a to-many relation.
  package static func link(_ schema: String, _ field: String) -> String {
    shortened("\(schema).\(field)")
  }

  /// Returns the name of a table's primary key constraint, such as `item:key`. The colon
  /// distinguishes it from the names of tables: PostgreSQL gives the index of the constraint the
  /// same name, and an index cannot have the name of a table.
  package static func key(_ table: String) -> String { shortened("\(table):key") }

  /// Returns the name of the latitude column of a geopoint.
  package static func latitude(_ field: String) -> String { shortened("\(field).lat") }

  /// Returns the name of the longitude column of a geopoint.
  package static func longitude(_ field: String) -> String { shortened("\(field).lon") }

  /// Returns the name of the column for the grid cell of a geopoint.
  package static func cell(_ field: String) -> String { shortened("\(field).cell") }

  /// Returns the name of the index on the column for the grid cells of a geopoint field.
  package static func geopointIndex(_ schema: String, _ field: String) -> String {
    shortened("\(schema).\(field):cell")
  }

  /// Returns the name of the index of a unique field, such as `item.code:unique`. The colon
  /// distinguishes it from the name of an index that the schema declares, such as
  /// `item.code.unique`.
  package static func unique(_ schema: String, _ field: String) -> String {
    shortened("\(schema).\(field):unique")
  }

  /// Returns the name of an index that the schema declares.
  package static func index(_ schema: String, _ index: Schema.Index) -> String {
    shortened("\(schema)." + index.terms.map(\.text).joined(separator: "."))
  }

  /// Returns the name of the index on a relation, which finds the records that refer to a given
  /// record.
  package static func reference(_ schema: String, _ field: String) -> String {
    shortened("\(schema).\(field):reference")
  }

  /// Returns whether a name can be the name of a primary key constraint or of a unique index. These
  /// names contain a colon, unless they were shortened.
  package static func mayBeUniqueConstraint(_ name: String) -> Bool {
    name.utf8.contains(UInt8(ascii: ":")) || name.utf8.count == longest
  }

  /// Returns the name unchanged, or a shortened form if the name is too long: a prefix, followed by
  /// eight digits of the name's SHA-256.
  static func shortened(_ name: String) -> String {
    guard name.utf8.count > longest else { return name }
    var digest = SHA256()
    digest.update(name.utf8.span)
    return String(decoding: name.utf8.prefix(longest - 9), as: UTF8.self) + "_"
      + digest.hexadecimal().prefix(8)
  }
}

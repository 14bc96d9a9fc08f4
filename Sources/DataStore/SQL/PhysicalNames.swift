package import DataModel

/// What tables, columns and indexes are called inside a store that speaks SQL.
package enum PhysicalNames {
  /// The longest name that every engine takes, in bytes.
  static let longest = 63

  /// What an engine calls columns of its own, in every table.
  private static let taken: Set = ["xmin", "xmax", "cmin", "cmax", "ctid", "tableoid"]

  /// The column of a field that has one.
  package static func column(_ field: String) -> String {
    taken.contains(field) ? "\(field):field" : field
  }

  /// The table of a to-many relation.
  package static func link(_ schema: String, _ field: String) -> String {
    shortened("\(schema).\(field)")
  }

  /// The key of a table, which an engine may keep among the names of tables.
  package static func key(_ table: String) -> String { shortened("\(table):key") }

  /// The column of a geopoint's latitude.
  package static func latitude(_ field: String) -> String { shortened("\(field).lat") }

  /// The column of a geopoint's longitude.
  package static func longitude(_ field: String) -> String { shortened("\(field).lon") }

  /// The column of the number of a geopoint's cell.
  package static func cell(_ field: String) -> String { shortened("\(field).cell") }

  /// The index that finds the records near a place.
  package static func cells(_ schema: String, _ field: String) -> String {
    shortened("\(schema).\(field):cell")
  }

  /// The index of a unique field; the colon keeps it apart from an index that ends with a field
  /// of this name.
  package static func unique(_ schema: String, _ field: String) -> String {
    shortened("\(schema).\(field):unique")
  }

  /// An index that the schema declares.
  package static func index(_ schema: String, _ index: Schema.Index) -> String {
    shortened("\(schema)." + index.terms.map(\.text).joined(separator: "."))
  }

  /// The index that finds the records which refer to one.
  package static func reference(_ schema: String, _ field: String) -> String {
    shortened("\(schema).\(field):reference")
  }

  /// Whether a key or a unique index may be called so: there is a colon in their names, unless they
  /// had to be shortened.
  package static func mayBeUnique(_ name: String) -> Bool {
    name.utf8.contains(UInt8(ascii: ":")) || name.utf8.count == longest
  }

  /// The name itself, or its beginning with eight digits of its SHA-256 if it is too long.
  static func shortened(_ name: String) -> String {
    guard name.utf8.count > longest else { return name }
    var digest = SHA256()
    digest.update(name.utf8.span)
    return String(decoding: name.utf8.prefix(longest - 9), as: UTF8.self) + "_"
      + digest.hexadecimal().prefix(8)
  }
}

import DataModel

/// Queries for the contents of files, which are stored in pieces in the table `_file`.
extension TableLayout {
  /// Selects the file reference of a record and the first piece of the file; no row if the record
  /// has no file.
  package func firstPiece(ofFile slot: Int, of id: SQL) -> SQL {
    """
    select record.\(column(slot)), file.bytes from \(table) as record \
    left join \(table: "_file") as file on file.schema = \(.text(schema.name)) \
    and file.record = record.\(key) and file.field = \(.text(schema.name(of: slot))) \
    and file.piece = 0 where record.\(key) = \(id) and record.\(column(slot)) is not null
    """
  }

  /// Selects one piece of a file.
  package func piece(_ number: SQL, ofFile slot: Int, of id: SQL) -> SQL {
    """
    select bytes from \(table: "_file") where schema = \(.text(schema.name)) \
    and record = \(id) and field = \(.text(schema.name(of: slot))) and piece = \(number)
    """
  }
}

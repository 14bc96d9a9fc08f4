import DataModel

/// What reads the files of records, whose bytes stand piece by piece in a table of their own.
extension TableLayout {
  /// Selects what a record says of its file, and the file's first piece; no row without a file.
  package func beginning(ofFile slot: Int, of id: SQL) -> SQL {
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

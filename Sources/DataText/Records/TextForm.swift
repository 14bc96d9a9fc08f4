/// The form of a text with records: its format, and what its columns mean. What is nil is detected
/// from the first bytes of the text.
package struct TextForm: Sendable {
  /// Where the names of the columns of a table come from.
  package enum Header: Hashable, Sendable {
    /// The first row contains the names.
    case firstRow
    /// The columns are the fields of the schema in their order, but with the primary key first. The
    /// first row is a record.
    case fields
    /// The columns have these names. The first row is a record.
    case names([String])
  }

  package var format: RecordFormat?
  package var encoding: TextEncoding?
  /// The character between the cells of a table.
  package var separator: UInt8?
  package var header = Header.firstRow
  /// What columns and keys mean that do not have the names of their fields.
  package var columns = ColumnRules()
  /// Whether times without UTC offset are accepted, so that they are inferred as datetimes.
  package var assumesZone = false
  /// JSON keys that are not in the schema, but that records may contain with the value null.
  package var emptyKeys: [String] = []
  /// What keys with the names of system fields refer to.
  package var systemKeys = SystemKeys.system

  /// Creates a form of which only the format is known, or nothing.
  package init(_ format: RecordFormat? = nil) {
    self.format = format
  }

  /// Returns the separator that a text consists of, or nil if it cannot be one.
  package static func separator(_ text: String) -> UInt8? {
    guard text.utf8.count == 1, let byte = text.utf8.first, byte != 0, byte != UInt8(ascii: "\""),
      byte != 0x0A, byte != 0x0D
    else { return nil }
    return byte
  }
}

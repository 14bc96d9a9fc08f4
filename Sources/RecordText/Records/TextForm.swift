package import DataModel

/// How records are represented in a text: its format and encoding, and the meaning of its columns.
/// Properties that are nil are detected from the first bytes of the text.
package struct TextForm: Sendable {
  /// Where the names of the columns of CSV come from.
  package enum Header: Hashable, Sendable {
    /// The first row is a header with the names.
    case firstRow
    /// The columns are the fields of the schema in their order, but with the primary key first. The
    /// first row is a record.
    case fields
    /// The user has given these names for the columns. The first row is a record.
    case names([String])
    /// The columns are named `column_1`, `column_2` and so on. The first row is a record.
    case numbers

    /// Returns the names that the user has given for the columns, or numbered names such as
    /// `column_1`. Returns nil if the first row contains the names, or if the columns are the
    /// fields of the schema.
    ///
    /// - Parameter count: The number of cells in the first row.
    package func names(forCells count: Int) -> [String]? {
      switch self {
      case .firstRow, .fields: nil
      case .names(let names): names
      case .numbers: (0..<count).map { "column_\($0 + 1)" }
      }
    }
  }

  package var format: RecordFormat?
  package var encoding: TextEncoding?
  /// The character between the cells of CSV.
  package var separator: UInt8?
  package var header = Header.firstRow
  /// Whether cells at the end of a row can be missing.
  package var isRagged = false
  /// The text with which the lines begin that are no rows of CSV. Empty if there are no such lines.
  package var comment: [UInt8] = []
  /// Rules for renaming, skipping and joining columns or JSON keys.
  package var columns = ColumnRules()
  /// Whether times without a UTC offset are accepted, because the user has given a time zone for
  /// them. If so, schema inference treats such times as datetimes.
  package var assumesZone = false
  /// The formats of other programs that are accepted for booleans, numbers and times; nil if there
  /// are none. Schema inference treats texts such as `yes` and `1'234.5` as booleans and numbers.
  package var lenience: Lenience?
  /// Keys that are not in the schema, but are allowed if the value is null.
  package var emptyKeys: [String] = []
  /// How keys with the names of system fields are interpreted.
  package var systemKeys = SystemKeys.system

  /// An option that was given and applies only to tables; nil if there is none.
  package var tableOption: String? {
    if isRagged { return "--ragged" }
    if !comment.isEmpty { return "--comment" }
    return columns.tableOption
  }

  /// Creates a form with the given format and default values for the other properties.
  package init(_ format: RecordFormat? = nil) {
    self.format = format
  }

  /// Parses a delimiter. Returns nil if the text is not a single ASCII character, or if it is a
  /// quotation mark, a line break or the null character.
  package static func separator(_ text: String) -> UInt8? {
    guard text.utf8.count == 1, let byte = text.utf8.first, byte != 0, byte != UInt8(ascii: "\""),
      byte != 0x0A, byte != 0x0D
    else { return nil }
    return byte
  }
}

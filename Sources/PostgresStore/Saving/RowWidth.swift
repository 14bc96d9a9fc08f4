import DataModel
import DataStore

/// Computes an upper bound for the size of a row. PostgreSQL stores each row in one page of 8 KB.
/// Long values are moved to a separate table, and the row contains only pointers to them.
///
/// If the upper bound of a row does not exceed the size of a page, the row is certain to fit.
/// Whether any other row fits depends on how well its values can be compressed, which only the
/// server knows.
struct RowWidth {
  /// The maximum size of a row in bytes.
  private static let maxWidth = 8_160
  /// The maximum number of bytes that a value of variable length takes in a row, including
  /// alignment. PostgreSQL moves longer values to a separate table if the row would be too large.
  private static let maxTextWidth = 27
  private static let maxNumberWidth = 8

  private let columns: [TableLayout.Column]
  /// The size of the row header and the null bitmap in bytes.
  private let headerWidth: Int
  /// Whether every possible row of the table is certain to be small enough for a page. If so,
  /// single rows need no check.
  let alwaysFits: Bool

  init(_ layout: TableLayout) {
    columns = layout.columns
    headerWidth = 32 + columns.count / 8
    alwaysFits =
      headerWidth + columns.reduce(0) { $0 + Self.maxWidth(of: $1.type) } <= Self.maxWidth
  }

  fileprivate static func maxWidth(of type: FieldType) -> Int {
    // A decimal of 18 digits has at most eleven bytes, with its header.
    type.descriptor.scale != nil
      ? 16 : type.descriptor.storage == .bytes ? maxTextWidth : maxNumberWidth
  }

  /// Returns whether a row is certain to fit into a page. If not, only the server can determine
  /// whether it fits.
  func fits(_ row: Int, of rows: Rows) -> Bool {
    if alwaysFits { return true }
    var width = headerWidth
    for column in columns {
      let cell = rows[row, column.slot]
      guard cell.hasValue else { continue }
      let maxWidth = Self.maxWidth(of: column.type)
      width += maxWidth == Self.maxTextWidth ? min(Int(cell.length) + 2, maxWidth) : maxWidth
    }
    return width <= Self.maxWidth
  }
}

extension Problem {
  /// Returns the problem for a record that is too large for a PostgreSQL page.
  ///
  /// - Parameter count: The number of values in the record.
  static func tooWide(_ count: Int, of schema: Schema, id: String, line: Int?) -> Problem {
    Problem(
      .invalid,
      "the \(count) values of the record exceed the 8 KB that PostgreSQL allows for a row",
      hint: "move some of the fields to another schema: see datactl help databases",
      schema: schema.name, id: id, line: line)
  }
}

extension DataError {
  /// Returns the error to report if a record is too large for a PostgreSQL page, but the server has
  /// not reported which record it is.
  ///
  /// - Parameter widest: The id of the record that takes the most space in a page, if it is known.
  static func tooWide(
    _ code: ErrorCode, _ schema: Schema? = nil, widest: String? = nil
  ) -> DataError {
    let suffix = widest.map { ": the widest is \(Excerpt.quoted($0))" } ?? ""
    return DataError(
      Problem(
        code,
        "the values of a record exceed the 8 KB that PostgreSQL allows for a row\(suffix)",
        hint: "move some of the fields to another schema: see datactl help databases",
        schema: schema?.name))
  }
}

extension Connection {
  /// Returns the id of the record that takes the most space in a page, or nil if there are no
  /// records.
  func widest(of layout: TableLayout) throws(DataError) -> String? {
    let widths = layout.columns.map { column -> SQL in
      let maxWidth = Int64(RowWidth.maxWidth(of: column.type))
      // `least` ignores null and would return the maximum for it, so null needs a separate case.
      return """
        case when \(name: column.name) is not null \
        then least(pg_column_size(\(name: column.name)), \(number: maxWidth)) end
        """
    }
    let resultSet = try run(
      """
      select \(layout.key) from \(layout.table) order by \
      (select sum(width) from unnest(array[\(SQL.list(widths))]) as width) desc, 1 limit 1
      """)
    return resultSet.count > 0 ? resultSet.text(0, 0) : nil
  }
}

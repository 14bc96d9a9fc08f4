import DataModel
import DataStore

/// How much of a page a row takes: PostgreSQL keeps a row in one, and of long values only where they
/// are.
///
/// It can be told which rows surely fit. Whether another one does depends on how well its values are
/// compressed, which only the server knows.
struct RowWidth {
  /// The most that a row can take of a page.
  private static let most = 8_160
  /// The most that a value takes, long as it may be, with the space before it.
  private static let mostOfText = 27
  private static let mostOfNumber = 8

  private let columns: [TableLayout.Column]
  /// What stands before the values.
  private let head: Int
  /// Whether no row of the table can be too wide.
  let alwaysFits: Bool

  init(_ layout: TableLayout) {
    columns = layout.columns
    head = 32 + columns.count / 8
    alwaysFits =
      head + columns.reduce(0) { $0 + Self.most(of: $1.type) } <= Self.most
  }

  private static func most(of type: FieldType) -> Int {
    switch WireType(type) {
    case .boolean, .bigint, .double, .timestamp, .integer: mostOfNumber
    case .unknown, .bytes, .text, .json, .varchar, .numeric, .jsonb, .booleans, .texts, .bigints,
      .doubles, .timestamps, .jsons, .jsonbs:
      mostOfText
    }
  }

  /// Whether a row surely fits.
  func fits(_ row: Int, of rows: Rows) -> Bool {
    if alwaysFits { return true }
    var width = head
    for column in columns {
      let cell = rows[row, column.slot]
      guard cell.hasValue else { continue }
      let most = Self.most(of: column.type)
      width += most == Self.mostOfText ? min(Int(cell.length) + 2, most) : most
    }
    return width <= Self.most
  }
}

extension Problem {
  /// A record has more values than fit into a page.
  static func tooWide(_ count: Int, of schema: Schema, id: String, line: Int?) -> Problem {
    Problem(
      .invalid, "its \(count) values take more than the 8 KB that PostgreSQL has for a record",
      hint: "move some of the fields into a schema of their own: datactl help stores",
      schema: schema.name, id: id, line: line)
  }
}

extension DataError {
  /// Some record of a schema has more values than fit into a page.
  static func tooWide(_ schema: Schema) -> DataError {
    tooWide(.invalid, schema.name)
  }

  /// Some record would have more values than fit into a page, if a plan were carried out.
  static func tooWide(_ plan: SchemaPlan) -> DataError {
    let changed = plan.stages.compactMap { stage in
      if case .change(let alteration) = stage { alteration.to.name } else { nil as String? }
    }
    return tooWide(.misfit, changed.count == 1 ? changed[0] : nil)
  }

  private static func tooWide(_ code: ErrorCode, _ schema: String?) -> DataError {
    DataError(
      Problem(
        code, "a record has more values than the 8 KB that PostgreSQL has for one can hold",
        hint: "move some of the fields into a schema of their own: datactl help stores",
        schema: schema))
  }
}

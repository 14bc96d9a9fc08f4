package import DataModel

/// Where statements run one after the other and hold together: what several engines do in the same
/// words, they do through this.
package protocol SQLTransaction: ~Copyable {
  var dialect: any Dialect { get }

  /// Whether something that is not datactl's may keep rows that are to go.
  var mayKeepRows: Bool { get }

  /// Runs a statement, and tells how many rows it inserted, changed or deleted.
  @discardableResult
  borrowing func change(_ sql: SQL) throws(DataError) -> Int

  /// Runs a statement and gives each of its rows, whose columns are of these types.
  borrowing func each(
    _ sql: SQL, _ types: [FieldType], _ body: ([Value]) -> Void
  ) throws(DataError)
}

extension SQLTransaction where Self: ~Copyable {
  package var mayKeepRows: Bool { false }

  /// The integer that a statement gives.
  package borrowing func count(_ sql: SQL) throws(DataError) -> Int {
    var count: Int64 = 0
    try each(sql, [.integer]) { values in
      if case .integer(let integer) = values[0] { count = integer }
    }
    return Int(count)
  }
}

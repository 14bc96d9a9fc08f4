import DataModel
import DataStore

/// A criterion, and what stands beside it where it compares with another path: what makes a test of
/// a column.
struct Wanted {
  /// The other side of a comparison.
  struct Other {
    let comparison: Comparison
    let column: SQL
    let type: FieldType
  }

  var criterion: Criterion
  private(set) var other: Other?
  /// Whether a range without a second end should be searched, too.
  ///
  /// SQLite takes it for a quarter of all rows, and then would rather read all of them in the order
  /// of their ids than search and sort.
  var prefersSearch = false
  /// Whether it stands among so many tests that it may bind only a few values.
  var isCrowded = false

  init(_ criterion: Criterion) {
    self.criterion = criterion
  }

  init(_ criterion: Criterion, _ comparison: Comparison, with column: SQL, of type: FieldType) {
    self.criterion = criterion
    other = Other(comparison: comparison, column: column, type: type)
  }

  /// The test of one column that holds one value of a type, or null.
  func test(column: SQL, of type: FieldType) -> SQL {
    switch criterion {
    case .isNull: return "\(column) is null"
    case .isEmpty, .withinCircle, .withinBox: return "0"
    case .compare(let comparison, let value):
      guard type.holds(value), let words = comparison.among(type) else { return "0" }
      let test: SQL = "\(column)\(words)\(value)"
      return prefersSearch && comparison != .equal ? "likelihood(\(test), 0.01)" : test
    case .comparePath:
      guard let other, type.compares(with: other.type) else { return "0" }
      return "\(column)\(other.comparison.sql)\(other.column)"
    case .isIn(let values): return isOne(of: values.filter(type.holds), column, type)
    case .between(let low, let high):
      guard type.holds(low), type.holds(high), type.isOrdered else { return "0" }
      return "(\(column) >= \(low) and \(column) <= \(high))"
    case .like(let pattern): return type.isText ? isLike(pattern, column) : "0"
    case .contains(let part):
      guard type.isText, case .text(let text) = part else { return "0" }
      // SQLite tries every place anew: a long part takes the way that never goes back.
      return text.utf8.count > 64 ? meets(column, .text) : "instr(\(column), \(part)) > 0"
    }
  }

  /// A test that the model's own code makes of a column's value.
  func meets(_ column: SQL, _ type: FieldType, keys: [String] = []) -> SQL {
    let test = StoredTest(criterion, of: type, keys: keys, beside: other?.type)
    guard let other else { return "_meets(\(test), \(column))" }
    return "_meets(\(test), \(column), \(other.column))"
  }

  /// Many values are bound as one text; SQLite does not read every double as the nearest, so that
  /// numbers are looked for by our own code.
  private func isOne(of values: [Value], _ column: SQL, _ type: FieldType) -> SQL {
    if values.isEmpty { return "0" }
    if values.count <= (isCrowded ? 3 : 100) {
      return "\(column) in (\(SQL.list(values.map { "\($0)" })))"
    }
    switch type {
    case .number, .file: return meets(column, type)
    case .id, .text, .integer, .boolean, .datetime, .geopoint, .json, .password, .relation, .array:
      return "\(column) in (select value from json_each(\(Value.list(values.map(\.stored)))))"
    }
  }

  private func isLike(_ pattern: LikePattern, _ column: SQL) -> SQL {
    let items = pattern.items
    let prefix = pattern.prefix
    guard pattern.letters == .exact, !prefix.isEmpty else { return meets(column, .text) }
    let rest = items.dropFirst(prefix.unicodeScalars.count)
    if rest.isEmpty { return "\(column) = \(.text(prefix))" }
    var range: SQL = "\(column) >= \(.text(prefix))"
    if let end = prefix.followed { range += " and \(column) < \(.text(end))" }
    return rest == [.anyText] ? "(\(range))" : "(\(range) and \(meets(column, .text)))"
  }
}

extension Comparison {
  var sql: SQL {
    switch self {
    case .equal: " = "
    case .less: " < "
    case .lessOrEqual: " <= "
    case .greater: " > "
    case .greaterOrEqual: " >= "
    }
  }

  /// The comparison of values of a type; those without an order are the same or compare in no way.
  func among(_ type: FieldType) -> SQL? {
    if type.isOrdered { return sql }
    switch self {
    case .equal, .lessOrEqual, .greaterOrEqual: return " = "
    case .less, .greater: return nil
    }
  }
}

extension Value {
  /// The value as it stands in a column that is no text.
  fileprivate var stored: Value {
    switch self {
    case .boolean(let boolean): .integer(boolean ? 1 : 0)
    case .datetime(let time): .integer(time.microseconds)
    case .null, .text, .integer, .number, .geopoint, .file, .json, .list: self
    }
  }
}

extension String {
  /// The least text above all that begin with this one; nil if there is none.
  fileprivate var followed: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      return String(String.UnicodeScalarView(scalars + [scalar]))
    }
    return nil
  }
}

import DataModel
import DataStore
import JSONText

/// A statement as SQL text with `?` placeholders, and the values to bind to these placeholders.
struct RenderedSQL {
  /// The SQL text as UTF-8. Building bytes instead of a `String` saves 1/50 of the time of a short
  /// command.
  private(set) var bytes: [UInt8] = []
  /// The values to bind when the statement is prepared, each with the index of its parameter.
  private(set) var values: [(index: Int32, value: Value)] = []
  /// The bytes to bind when the statement is prepared, each with the index of its parameter.
  private(set) var blobs: [(index: Int32, bytes: [UInt8])] = []
  /// The predicates to bind as arguments of the SQL function `_meets` when the statement is
  /// prepared, each with the index of its parameter.
  private(set) var tests: [(index: Int32, test: SQLFunctionTest)] = []
  /// The expressions to bind as arguments of the SQL function `_compute` when the statement is
  /// prepared, each with the index of its parameter.
  private(set) var expressions: [(index: Int32, expression: ResolvedExpression)] = []
  /// The indices of the parameters that are bound before each execution, in order. All other
  /// parameters are bound when the statement is prepared.
  private(set) var parameters: [Int32] = []

  var text: String { String(decoding: bytes, as: UTF8.self) }

  init(definition: String) {
    bytes = Array(definition.utf8)
  }

  init(_ sql: SQL) {
    // SQLite compares each constant of a statement with all earlier ones, but not subqueries.
    let isLong = sql.segments.count > Self.maxShortSegmentCount
    var index: Int32 = 0
    bytes.reserveCapacity(512)
    for segment in sql.segments {
      switch segment {
      case .literal(let literal): bytes.append(copying: literal.utf8.span)
      case .name(let name), .table(let name): appendQuoted(name)
      case .value(let value):
        index += 1
        bytes.append(copying: (isLong ? "(select ?)" : "?").utf8.span)
        values.append((index, value))
      case .bytes(let blob):
        index += 1
        bytes.append(Self.placeholder)
        blobs.append((index, blob))
      case .values(let many, _):
        index += 1
        bytes.append(Self.placeholder)
        values.append((index, .list(many.map(\.stored))))
      case .test(let test):
        index += 1
        bytes.append(Self.placeholder)
        tests.append((index, test))
      case .expression(let expression):
        index += 1
        bytes.append(Self.placeholder)
        expressions.append((index, expression))
      case .parameter:
        index += 1
        bytes.append(Self.placeholder)
        parameters.append(index)
      }
    }
  }

  /// Appends an identifier in double quotes. This function quotes all names in generated
  /// statements.
  private mutating func appendQuoted(_ name: String) {
    bytes.append(Self.quote)
    for byte in name.utf8 {
      if byte == Self.quote { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(Self.quote)
  }

  private static let quote = UInt8(ascii: "\"")
  private static let placeholder = UInt8(ascii: "?")
  private static let maxShortSegmentCount = 1_000
}

extension Value {
  /// The value in the form in which SQLite stores it: booleans, datetimes and decimals are
  /// integers, and dates are text.
  var stored: Value {
    if case .boolean(let boolean) = self { return .integer(boolean ? 1 : 0) }
    if case .datetime(let time) = self { return .integer(time.microseconds) }
    if case .decimal(let decimal) = self, let integer = Int64(exactly: decimal.coefficient) {
      return .integer(integer)
    }
    if case .date = self { return .text(text) }
    return self
  }
}

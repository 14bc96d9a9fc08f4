import DataModel

/// Statistics of the values under one key.
struct FieldStatistics: Sendable {
  /// An example value with its line.
  struct Example: Hashable, Sendable {
    var text: String
    var line: Int
  }

  let key: String
  let keyBytes: [UInt8]
  var nulls = 0
  var values = KindStatistics()
  /// The elements of the arrays that contain only scalars.
  var elements = KindStatistics()
  var ids: IDStatistics?
  /// The decimal places of the numbers in CSV cells.
  var decimals = DecimalPlaces()
  /// Statistics of the nested objects (at most one entry), if they become a schema of their own.
  var nested: [RecordStatistics]
  /// The first value of each kind.
  private var examples: [Example?] = Array(repeating: nil, count: InferredKind.allCases.count)

  init(_ key: [UInt8], mayBeKey: Bool, nested: RecordStatistics?) {
    keyBytes = key
    self.key = String(decoding: key, as: UTF8.self)
    ids = mayBeKey ? IDStatistics() : nil
    self.nested = nested.map { [$0] } ?? []
  }

  /// The number of records that have the key.
  var count: Int { nulls + values.total }

  func example(_ kind: InferredKind) -> Example? { examples[kind.rawValue] }

  /// The first value of any kind.
  var firstExample: Example? {
    examples.compactMap(\.self).min { $0.line < $1.line }
  }

  mutating func show(_ kind: InferredKind, line: Int, _ text: () -> String) {
    if examples[kind.rawValue] == nil {
      examples[kind.rawValue] = Example(text: text(), line: line)
    }
  }

  static func excerpt(_ text: Span<UInt8>) -> String {
    let quoted = Excerpt.quoted(text)
    return String(quoted.dropFirst().dropLast())
  }
}

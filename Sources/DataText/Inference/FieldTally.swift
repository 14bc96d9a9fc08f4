import DataModel

/// What is known of the values under one key.
struct FieldTally: Sendable {
  /// A value as it is shown, and the line on which it stands.
  struct Example: Hashable, Sendable {
    var text: String
    var line: Int
  }

  let key: String
  let keyBytes: [UInt8]
  var nulls = 0
  var values = KindTally()
  /// The elements of the arrays that hold scalars alone.
  var elements = KindTally()
  var ids: IDTally?
  /// How the numbers in cells write their fractions.
  var decimals = Decimals()
  /// The objects among the values, or in their arrays, if they are to be a schema of their own.
  var nested: [RecordTally]
  /// The first value of each kind.
  private var examples: [Example?] = Array(repeating: nil, count: FoundKind.allCases.count)

  init(_ key: [UInt8], mayBeKey: Bool, nested: RecordTally?) {
    keyBytes = key
    self.key = String(decoding: key, as: UTF8.self)
    ids = mayBeKey ? IDTally() : nil
    self.nested = nested.map { [$0] } ?? []
  }

  /// How many records have the key.
  var count: Int { nulls + values.total }

  func example(_ kind: FoundKind) -> Example? { examples[kind.rawValue] }

  /// The first value of all.
  var firstExample: Example? {
    examples.compactMap(\.self).min { $0.line < $1.line }
  }

  mutating func show(_ kind: FoundKind, line: Int, _ text: () -> String) {
    if examples[kind.rawValue] == nil {
      examples[kind.rawValue] = Example(text: text(), line: line)
    }
  }

  static func excerpt(_ text: Span<UInt8>) -> String {
    let quoted = Excerpt.quoted(text)
    return String(quoted.dropFirst().dropLast())
  }
}

import DataModel

/// Says which of two records comes first: null before every value, texts by their bytes.
struct RecordOrder {
  private let terms: [OrderRoute]
  private let state: MemoryState

  init(_ terms: [OrderRoute], in state: MemoryState) {
    self.terms = terms
    self.state = state
  }

  /// The records, each of one row, in the order.
  func sorted(_ records: [Rows]) -> [Rows] {
    let keyed = records.map { (record: $0, key: key(of: $0)) }
    return keyed.sorted { precedes($0.key, $1.key) }.map(\.record)
  }

  /// What a record has for the terms.
  func key(of record: Rows) -> [Value] {
    terms.map { $0.route.value(from: record, 0, state.row) }
  }

  /// Whether what one record has for the terms comes before what another has.
  func precedes(_ first: [Value], _ second: [Value]) -> Bool {
    for (place, term) in terms.enumerated() {
      let (left, right) = (first[place], second[place])
      if left == right { continue }
      return left.isLess(than: right) != term.isDescending
    }
    return false
  }
}

extension Value {
  /// Whether it comes before another value of its type going up; null does, before all.
  func isLess(than other: Value) -> Bool {
    other != .null && (self == .null || order(beside: other) == .before)
  }
}

import DataModel

/// Orders records: null before all values, and text by its bytes.
struct RecordOrder {
  private let terms: [ResolvedOrder]
  private let state: MemoryState

  init(_ terms: [ResolvedOrder], in state: MemoryState) {
    self.terms = terms
    self.state = state
  }

  /// Returns the records, of one row each, sorted.
  func sorted(_ records: [Rows]) -> [Rows] {
    let keyed = records.map { (record: $0, key: key(of: $0)) }
    return keyed.sorted { precedes($0.key, $1.key) }.map(\.record)
  }

  /// The values of a record for the terms.
  func key(of record: Rows) -> [Value] {
    terms.map { $0.resolvedPath.value(from: record, 0, state.row) }
  }

  /// Whether the first key orders before the second.
  func precedes(_ first: [Value], _ second: [Value]) -> Bool {
    for (index, term) in terms.enumerated() {
      let (left, right) = (first[index], second[index])
      if left == right { continue }
      return left.isLess(than: right) != term.isDescending
    }
    return false
  }
}

extension Value {
  /// Whether the value orders before another value of its type, ascending; null orders before all
  /// values.
  func isLess(than other: Value) -> Bool {
    other != .null && (self == .null || order(comparedTo: other) == .before)
  }
}

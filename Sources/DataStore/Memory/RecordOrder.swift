import DataModel

/// Says which of two records comes first: null before every value, texts by their bytes.
struct RecordOrder {
  private var terms: [(route: Route, isDescending: Bool)] = []
  private let state: MemoryState

  /// Follows the paths of an order, which lead through relations to one record.
  init(_ terms: [OrderTerm], of schema: Schema, in state: MemoryState) throws(DataError) {
    self.state = state
    for term in terms {
      do throws(PathFault) {
        let route = try state.catalog.route(FieldPath(dotted: term.field), from: schema)
        self.terms.append((route, term.isDescending))
      } catch {
        throw DataError(error)
      }
    }
  }

  /// The records, each of one row, in the order.
  func sorted(_ records: [Rows]) -> [Rows] {
    let keyed = records.map { record in
      (record: record, key: terms.map { $0.route.value(from: record, 0, state.row) })
    }
    return keyed.sorted { precedes($0.key, $1.key) }.map(\.record)
  }

  private func precedes(_ first: [Value], _ second: [Value]) -> Bool {
    for (place, term) in terms.enumerated() {
      let (left, right) = (first[place], second[place])
      if left == right { continue }
      let isLess = left == .null || left.order(beside: right) == .before
      return isLess != term.isDescending
    }
    return false
  }
}

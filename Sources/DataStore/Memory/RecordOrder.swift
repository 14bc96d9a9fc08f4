import DataModel

/// Says which of two records comes first: null before every value, texts by their bytes.
struct RecordOrder {
  private var terms: [(slot: Int, type: FieldType, isDescending: Bool)]

  init(_ terms: [OrderTerm], of schema: Schema) {
    self.terms = terms.compactMap { term in
      schema.slot(named: term.field).map { slot in
        (slot: slot, type: schema.type(of: slot), isDescending: term.isDescending)
      }
    }
  }

  /// Whether the first record comes before the second.
  func precedes(_ first: Rows, _ second: Rows) -> Bool {
    for term in terms {
      let left = first.value(first[0, term.slot], of: term.type)
      let right = second.value(second[0, term.slot], of: term.type)
      if left == right { continue }
      return isLess(left, right) != term.isDescending
    }
    return false
  }

  private func isLess(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.null, _): true
    case (_, .null): false
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.integer(let left), .integer(let right)): left < right
    case (.number(let left), .number(let right)): left < right
    case (.boolean(let left), .boolean(let right)): !left && right
    case (.datetime(let left), .datetime(let right)): left < right
    case (.text, _), (.integer, _), (.number, _), (.boolean, _), (.datetime, _), (.geopoint, _),
      (.file, _), (.json, _), (.list, _):
      false
    }
  }
}

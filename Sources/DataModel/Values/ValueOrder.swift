/// The result of comparing two values: whether the first one is sorted before or after the second,
/// or is equal to it.
package enum ValueOrder: Hashable, Sendable {
  case before
  case same
  case after

  init<Ordered: Comparable>(_ first: Ordered, _ second: Ordered) {
    self = first < second ? .before : first == second ? .same : .after
  }
}

extension Value {
  /// Returns how this value is sorted relative to another one. Text is compared by its UTF-8 bytes,
  /// and numbers by value. If a date is compared with a datetime, the date means midnight UTC.
  ///
  /// Returns nil for null, for lists, and for values of types that cannot be compared with each
  /// other. Points, files, and JSON have no order: for them, the result is `.same` if they are
  /// equal, and nil if they differ.
  package func order(comparedTo other: Value) -> ValueOrder? {
    switch (self, other) {
    case (.text(let first), .text(let second)): Self.byteOrder(first, second)
    case (.integer(let first), .integer(let second)): ValueOrder(first, second)
    case (.number(let first), .number(let second)): ValueOrder(first, second)
    case (.integer(let first), .number(let second)): Self.order(first, second)
    case (.number(let first), .integer(let second)): Self.order(second, first).reversed
    case (.decimal(let first), .decimal(let second)): ValueOrder(first, second)
    case (.decimal(let first), .integer(let second)): ValueOrder(first, DecimalValue(second))
    case (.integer(let first), .decimal(let second)): ValueOrder(DecimalValue(first), second)
    case (.decimal(let first), .number(let second)): Self.order(first, second)
    case (.number(let first), .decimal(let second)): Self.order(second, first).reversed
    case (.boolean(let first), .boolean(let second)): ValueOrder(first ? 1 : 0, second ? 1 : 0)
    case (.date(let first), .date(let second)): ValueOrder(first, second)
    case (.datetime(let first), .datetime(let second)): ValueOrder(first, second)
    case (.date(let first), .datetime(let second)): ValueOrder(first.start, second)
    case (.datetime(let first), .date(let second)): ValueOrder(first, second.start)
    case (.geopoint, .geopoint), (.json, .json), (.file, .file): self == other ? .same : nil
    case (_, _): nil
    }
  }

  private static func byteOrder(_ first: String, _ second: String) -> ValueOrder {
    if first.utf8.elementsEqual(second.utf8) { return .same }
    return first.utf8.lexicographicallyPrecedes(second.utf8) ? .before : .after
  }

  /// Compares a decimal with a double without rounding.
  private static func order(_ decimal: DecimalValue, _ number: Double) -> ValueOrder {
    guard let floor = DecimalValue.floor(of: number, scale: decimal.scale) else {
      return number < 0 ? .after : .before
    }
    let order = ValueOrder(decimal.coefficient, floor.coefficient)
    return order == .same && !floor.isExact ? .before : order
  }

  /// Compares an integer with a double without rounding, because not every 64-bit integer can be
  /// represented exactly as a double.
  private static func order(_ integer: Int64, _ number: Double) -> ValueOrder {
    if number >= 0x1p63 { return .before }
    if number < -0x1p63 { return .after }
    let truncated = number.rounded(.towardZero)
    let order = ValueOrder(integer, Int64(truncated))
    return order == .same ? ValueOrder(truncated, number) : order
  }
}

extension ValueOrder {
  /// The result of the comparison if the two values are swapped.
  package var reversed: ValueOrder {
    switch self {
    case .before: .after
    case .same: .same
    case .after: .before
    }
  }
}

/// The set of scalars that a character class matches.
struct ScalarSet {
  private let ranges: [ClosedRange<UInt32>]
  private let categories: ScalarCategories
  private let isNegated: Bool

  /// Creates a set from ranges and categories. The ranges may overlap and be in any order. A
  /// negated set contains all scalars except these.
  init(ranges: [ClosedRange<UInt32>], categories: ScalarCategories = [], isNegated: Bool = false) {
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    self.ranges = merged
    self.categories = categories
    self.isNegated = isNegated
  }

  /// The set that a dot matches: all scalars except line feed and carriage return.
  static let dot = ScalarSet(ranges: [0x0A...0x0A, 0x0D...0x0D], isNegated: true)

  func contains(_ value: UInt32) -> Bool {
    (isInRange(value) || isInCategory(value)) != isNegated
  }

  private func isInRange(_ value: UInt32) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(value)
  }

  private func isInCategory(_ value: UInt32) -> Bool {
    guard !categories.isEmpty, let scalar = Unicode.Scalar(value) else { return false }
    return categories.contains(ScalarCategories(of: scalar))
  }
}

/// A set of Unicode general categories.
struct ScalarCategories: OptionSet {
  let rawValue: UInt32

  init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Creates the set of categories that a name in `\p{…}` selects: `Lu` is one category, and `L` is
  /// all categories whose names begin with L. Returns nil if the name is unknown.
  init?(named name: String) {
    guard !name.isEmpty, name != "Cs" else { return nil }
    rawValue = Self.table.enumerated().reduce(0) { bits, entry in
      entry.element.name.hasPrefix(name) ? bits | 1 << UInt32(entry.offset) : bits
    }
    guard rawValue != 0 else { return nil }
  }

  /// Creates the set that contains only the general category of the given scalar.
  init(of scalar: Unicode.Scalar) {
    let category = scalar.properties.generalCategory
    let index = Self.table.firstIndex { $0.category == category }
    rawValue = index.map { 1 << UInt32($0) } ?? 0
  }

  static let all = ScalarCategories(rawValue: 1 << UInt32(table.count) - 1)

  private static let table: [(name: String, category: Unicode.GeneralCategory)] = [
    ("Lu", .uppercaseLetter), ("Ll", .lowercaseLetter), ("Lt", .titlecaseLetter),
    ("Lm", .modifierLetter), ("Lo", .otherLetter),
    ("Mn", .nonspacingMark), ("Mc", .spacingMark), ("Me", .enclosingMark),
    ("Nd", .decimalNumber), ("Nl", .letterNumber), ("No", .otherNumber),
    ("Pc", .connectorPunctuation), ("Pd", .dashPunctuation), ("Ps", .openPunctuation),
    ("Pe", .closePunctuation), ("Pi", .initialPunctuation), ("Pf", .finalPunctuation),
    ("Po", .otherPunctuation),
    ("Sm", .mathSymbol), ("Sc", .currencySymbol), ("Sk", .modifierSymbol), ("So", .otherSymbol),
    ("Zs", .spaceSeparator), ("Zl", .lineSeparator), ("Zp", .paragraphSeparator),
    ("Cc", .control), ("Cf", .format), ("Cs", .surrogate), ("Co", .privateUse), ("Cn", .unassigned),
  ]
}

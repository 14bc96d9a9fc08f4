/// A set of Unicode general categories.
struct ScalarCategories: OptionSet {
  let rawValue: UInt32

  init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Creates the set for a name in `\p{…}`: `Lu` is one category, `L` all categories that begin
  /// with it.
  init?(named name: String) {
    guard !name.isEmpty, name != "Cs" else { return nil }
    rawValue = Self.table.enumerated().reduce(0) { bits, entry in
      entry.element.name.hasPrefix(name) ? bits | 1 << UInt32(entry.offset) : bits
    }
    guard rawValue != 0 else { return nil }
  }

  /// Creates the set that contains the category of the scalar.
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

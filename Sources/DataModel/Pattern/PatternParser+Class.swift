extension PatternParser {
  /// The meaning of an escape sequence or of a plain character.
  enum Escape {
    case scalar(UInt32)
    case categories(ScalarCategories)
  }

  mutating func escape() throws(Pattern.Fault) -> Escape {
    let start = place
    place += 1
    guard let scalar = next else { throw fault(.unfinishedEscape, at: start) }
    place += 1
    switch scalar {
    case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}":
      return .scalar(scalar.value)
    case "n": return .scalar(0x0A)
    case "r": return .scalar(0x0D)
    case "t": return .scalar(0x09)
    case "p": return .categories(try categories(from: start))
    case "P": return .categories(.all.subtracting(try categories(from: start)))
    default: throw fault(.unknownEscape(scalar), at: start)
    }
  }

  private mutating func categories(from start: Int) throws(Pattern.Fault) -> ScalarCategories {
    guard take("{") else { throw fault(.unknownCategory, at: start) }
    var name = ""
    while let next, next != "}", name.unicodeScalars.count < 2 {
      name.unicodeScalars.append(next)
      place += 1
    }
    guard take("}"), let categories = ScalarCategories(named: name) else {
      throw fault(.unknownCategory, at: start)
    }
    return categories
  }

  mutating func characterClass() throws(Pattern.Fault) -> ScalarSet {
    let start = place
    place += 1
    let isNegated = take("^")
    guard next != "]" else { throw fault(.emptyClass, at: start) }
    var ranges: [ClosedRange<UInt32>] = []
    var categories: ScalarCategories = []
    if take("-") { ranges.append(0x2D...0x2D) }
    while !take("]") {
      let memberStart = place
      switch try classMember(of: start) {
      case .categories(let named): categories.formUnion(named)
      case .scalar(let first):
        let last = try endOfRange(from: first, at: memberStart, of: start)
        ranges.append(first...last)
      }
    }
    return ScalarSet(ranges: ranges, categories: categories, isNegated: isNegated)
  }

  private mutating func classMember(of start: Int) throws(Pattern.Fault) -> Escape {
    guard let scalar = next else { throw fault(.classNotClosed, at: start) }
    switch scalar {
    case "\\": return try escape()
    case "[": throw fault(.mustBeEscaped("["))
    case "-":
      guard place + 1 == scalars.count || scalars[place + 1] == "]" else {
        throw fault(.hyphenInClass)
      }
      place += 1
      return .scalar(scalar.value)
    default:
      place += 1
      return .scalar(scalar.value)
    }
  }

  /// Parses the rest of a range if a hyphen and a second scalar follow, and returns its last
  /// scalar.
  private mutating func endOfRange(
    from first: UInt32, at memberStart: Int, of start: Int
  ) throws(Pattern.Fault) -> UInt32 {
    guard next == "-", place + 1 < scalars.count, scalars[place + 1] != "]" else { return first }
    let hyphen = place
    place += 1
    guard next != "-" else { throw fault(.hyphenInClass) }
    guard case .scalar(let last) = try classMember(of: start) else {
      throw fault(.hyphenInClass, at: hyphen)
    }
    guard first <= last else { throw fault(.reversedRange, at: memberStart) }
    return last
  }
}

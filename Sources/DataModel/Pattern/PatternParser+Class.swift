extension PatternParser {
  /// The meaning of an escape sequence or of a plain character.
  enum Escape {
    case scalar(UInt32)
    case categories(ScalarCategories)
  }

  mutating func escape() throws(Pattern.ParseError) -> Escape {
    let start = offset
    offset += 1
    guard let scalar = next else { throw parseError(.unfinishedEscape, at: start) }
    offset += 1
    switch scalar {
    case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}":
      return .scalar(scalar.value)
    case "n": return .scalar(0x0A)
    case "r": return .scalar(0x0D)
    case "t": return .scalar(0x09)
    case "p": return .categories(try categories(from: start))
    case "P": return .categories(.all.subtracting(try categories(from: start)))
    default: throw parseError(.unknownEscape(scalar), at: start)
    }
  }

  private mutating func categories(from start: Int) throws(Pattern.ParseError) -> ScalarCategories {
    guard consume("{") else { throw parseError(.unknownCategory, at: start) }
    var name = ""
    while let next, next != "}", name.unicodeScalars.count < 2 {
      name.unicodeScalars.append(next)
      offset += 1
    }
    guard consume("}"), let categories = ScalarCategories(named: name) else {
      throw parseError(.unknownCategory, at: start)
    }
    return categories
  }

  mutating func characterClass() throws(Pattern.ParseError) -> ScalarSet {
    let start = offset
    offset += 1
    let isNegated = consume("^")
    guard next != "]" else { throw parseError(.emptyClass, at: start) }
    var ranges: [ClosedRange<UInt32>] = []
    var categories: ScalarCategories = []
    if consume("-") { ranges.append(0x2D...0x2D) }
    while !consume("]") {
      let memberStart = offset
      switch try classMember(of: start) {
      case .categories(let named): categories.formUnion(named)
      case .scalar(let first):
        let last = try endOfRange(from: first, at: memberStart, of: start)
        ranges.append(first...last)
      }
    }
    return ScalarSet(ranges: ranges, categories: categories, isNegated: isNegated)
  }

  private mutating func classMember(of start: Int) throws(Pattern.ParseError) -> Escape {
    guard let scalar = next else { throw parseError(.classNotClosed, at: start) }
    switch scalar {
    case "\\": return try escape()
    case "[": throw parseError(.mustBeEscaped("["))
    case "-":
      guard offset + 1 == scalars.count || scalars[offset + 1] == "]" else {
        throw parseError(.hyphenInClass)
      }
      offset += 1
      return .scalar(scalar.value)
    default:
      offset += 1
      return .scalar(scalar.value)
    }
  }

  /// Parses the rest of a range if a hyphen and a second scalar follow, and returns its last
  /// scalar.
  private mutating func endOfRange(
    from first: UInt32, at memberStart: Int, of start: Int
  ) throws(Pattern.ParseError) -> UInt32 {
    guard next == "-", offset + 1 < scalars.count, scalars[offset + 1] != "]" else { return first }
    let hyphen = offset
    offset += 1
    guard next != "-" else { throw parseError(.hyphenInClass) }
    guard case .scalar(let last) = try classMember(of: start) else {
      throw parseError(.hyphenInClass, at: hyphen)
    }
    guard first <= last else { throw parseError(.reversedRange, at: memberStart) }
    return last
  }
}

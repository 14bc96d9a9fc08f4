/// A parser for regular expressions in I-Regexp syntax (RFC 9485).
struct PatternParser {
  /// The maximum nesting depth of groups.
  static let depthLimit = 100

  /// The sets of scalars in the pattern. The nodes of the syntax tree refer to them by index.
  private(set) var sets: [ScalarSet] = []

  let scalars: [Unicode.Scalar]
  var offset = 0
  private var depth = 0

  init(_ source: String) {
    scalars = Array(source.unicodeScalars)
  }

  mutating func parse() throws(Pattern.ParseError) -> PatternNode {
    guard scalars.count <= PatternProgram.limit else {
      throw parseError(.tooLarge, at: PatternProgram.limit)
    }
    let node = try choice()
    guard offset == scalars.count else { throw parseError(.unmatchedParenthesis) }
    return node
  }

  private mutating func choice() throws(Pattern.ParseError) -> PatternNode {
    var branches = [try branch()]
    while consume("|") { branches.append(try branch()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func branch() throws(Pattern.ParseError) -> PatternNode {
    var pieces: [PatternNode] = []
    while let next, next != "|", next != ")" {
      let atom = try atom(next)
      pieces.append(try quantified(atom))
    }
    return pieces.count == 1 ? pieces[0] : .sequence(pieces)
  }

  private mutating func atom(_ scalar: Unicode.Scalar) throws(Pattern.ParseError) -> PatternNode {
    switch scalar {
    case "*", "+", "?", "{": throw parseError(.nothingToRepeat)
    case "}", "]": throw parseError(.mustBeEscaped(scalar))
    case "(": return try group()
    case "[": return add(try characterClass())
    case "\\":
      switch try escape() {
      case .scalar(let value): return .scalar(value)
      case .categories(let categories): return add(ScalarSet(ranges: [], categories: categories))
      }
    case ".":
      offset += 1
      return add(.dot)
    default:
      offset += 1
      return .scalar(scalar.value)
    }
  }

  private mutating func add(_ set: ScalarSet) -> PatternNode {
    sets.append(set)
    return .set(sets.count - 1)
  }

  private mutating func group() throws(Pattern.ParseError) -> PatternNode {
    let start = offset
    offset += 1
    depth += 1
    guard depth <= Self.depthLimit else { throw parseError(.tooDeep, at: start) }
    let node = try choice()
    guard consume(")") else { throw parseError(.groupNotClosed, at: start) }
    depth -= 1
    return node
  }
}

extension PatternParser {
  private mutating func quantified(_ atom: PatternNode) throws(Pattern.ParseError) -> PatternNode {
    let start = offset
    if consume("*") { return .repeated(atom, minimum: 0, maximum: nil, offset: start) }
    if consume("+") { return .repeated(atom, minimum: 1, maximum: nil, offset: start) }
    if consume("?") { return .repeated(atom, minimum: 0, maximum: 1, offset: start) }
    guard consume("{") else { return atom }
    let minimum = try count()
    var maximum: Int? = minimum
    if consume(",") { maximum = next == "}" ? nil : try count() }
    guard consume("}") else { throw parseError(.malformedQuantifier) }
    if let maximum, maximum < minimum { throw parseError(.reversedQuantifier, at: start) }
    return .repeated(atom, minimum: minimum, maximum: maximum, offset: start)
  }

  /// Parses a repetition count, such as 5 in `{5}`. A count above the size limit for patterns is
  /// returned as the limit plus 1, so that it cannot overflow.
  private mutating func count() throws(Pattern.ParseError) -> Int {
    let start = offset
    var count = 0
    while let next, let digit = digit(next) {
      count = min(count * 10 + digit, PatternProgram.limit + 1)
      offset += 1
    }
    guard offset > start else { throw parseError(.malformedQuantifier) }
    return count
  }

  private func digit(_ scalar: Unicode.Scalar) -> Int? {
    scalar >= "0" && scalar <= "9" ? Int(scalar.value - 48) : nil
  }
}

extension PatternParser {
  var next: Unicode.Scalar? {
    offset < scalars.count ? scalars[offset] : nil
  }

  mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    offset += 1
    return true
  }

  func parseError(_ reason: Pattern.Reason, at offset: Int? = nil) -> Pattern.ParseError {
    Pattern.ParseError(reason: reason, offset: offset ?? self.offset)
  }
}

extension PatternParser {
  /// The meaning of an escape sequence or of a member of a character class: one scalar, or all
  /// scalars in a set of Unicode categories.
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

  /// Parses the rest of a range such as `a-z` after its first scalar: the hyphen and the last
  /// scalar. Returns the last scalar, or `first` if there is no range.
  ///
  /// - Parameters:
  ///   - first: The first scalar.
  ///   - memberStart: The offset of the first scalar, for error messages.
  ///   - start: The offset of the character class, for error messages.
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

/// A node of a pattern's syntax tree.
indirect enum PatternNode {
  /// A single Unicode scalar.
  case scalar(UInt32)
  /// Any scalar of the set with this index in `PatternParser.sets`.
  case set(Int)
  /// Patterns that match in sequence.
  case sequence([PatternNode])
  /// Any one of the alternatives.
  case choice([PatternNode])
  /// A repeated pattern. `maximum` is nil if the number of repetitions is unlimited. `offset` is
  /// the position of the quantifier in the source text of the pattern.
  case repeated(PatternNode, minimum: Int, maximum: Int?, offset: Int)
}

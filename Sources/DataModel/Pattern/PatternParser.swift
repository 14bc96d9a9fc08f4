/// Reads the text of a pattern by the grammar of RFC 9485.
struct PatternParser {
  /// The most groups that stand within each other.
  static let depthLimit = 100

  /// The sets that the pattern's nodes name by number.
  private(set) var sets: [ScalarSet] = []

  private let scalars: [Unicode.Scalar]
  private var place = 0
  private var depth = 0

  init(_ source: String) {
    scalars = Array(source.unicodeScalars)
  }

  mutating func parse() throws(Pattern.Fault) -> PatternNode {
    guard scalars.count <= PatternProgram.limit else {
      throw fault(.tooLarge, at: PatternProgram.limit)
    }
    let node = try choice()
    guard place == scalars.count else { throw fault(.unmatchedParenthesis) }
    return node
  }

  private mutating func choice() throws(Pattern.Fault) -> PatternNode {
    var branches = [try branch()]
    while take("|") { branches.append(try branch()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func branch() throws(Pattern.Fault) -> PatternNode {
    var pieces: [PatternNode] = []
    while let next, next != "|", next != ")" {
      let atom = try atom(next)
      pieces.append(try quantified(atom))
    }
    return pieces.count == 1 ? pieces[0] : .sequence(pieces)
  }

  private mutating func atom(_ scalar: Unicode.Scalar) throws(Pattern.Fault) -> PatternNode {
    switch scalar {
    case "*", "+", "?", "{": throw fault(.nothingToRepeat)
    case "}", "]": throw fault(.mustBeEscaped(scalar))
    case "(": return try group()
    case "[": return add(try characterClass())
    case "\\":
      switch try escape() {
      case .scalar(let value): return .scalar(value)
      case .categories(let categories): return add(ScalarSet(ranges: [], categories: categories))
      }
    case ".":
      place += 1
      return add(.dot)
    default:
      place += 1
      return .scalar(scalar.value)
    }
  }

  private mutating func add(_ set: ScalarSet) -> PatternNode {
    sets.append(set)
    return .set(sets.count - 1)
  }

  private mutating func group() throws(Pattern.Fault) -> PatternNode {
    let start = place
    place += 1
    depth += 1
    guard depth <= Self.depthLimit else { throw fault(.tooDeep, at: start) }
    let node = try choice()
    guard take(")") else { throw fault(.groupNotClosed, at: start) }
    depth -= 1
    return node
  }
}

extension PatternParser {
  private mutating func quantified(_ atom: PatternNode) throws(Pattern.Fault) -> PatternNode {
    let start = place
    if take("*") { return .repeated(atom, least: 0, most: nil, place: start) }
    if take("+") { return .repeated(atom, least: 1, most: nil, place: start) }
    if take("?") { return .repeated(atom, least: 0, most: 1, place: start) }
    guard take("{") else { return atom }
    let least = try count()
    var most: Int? = least
    if take(",") { most = next == "}" ? nil : try count() }
    guard take("}") else { throw fault(.malformedQuantifier) }
    if let most, most < least { throw fault(.reversedQuantifier, at: start) }
    return .repeated(atom, least: least, most: most, place: start)
  }

  /// Reads a count, which stops growing where every pattern is too large.
  private mutating func count() throws(Pattern.Fault) -> Int {
    let start = place
    var count = 0
    while let next, let digit = digit(next) {
      count = min(count * 10 + digit, PatternProgram.limit + 1)
      place += 1
    }
    guard place > start else { throw fault(.malformedQuantifier) }
    return count
  }

  private func digit(_ scalar: Unicode.Scalar) -> Int? {
    scalar >= "0" && scalar <= "9" ? Int(scalar.value - 48) : nil
  }
}

extension PatternParser {
  private enum Escape {
    case scalar(UInt32)
    case categories(ScalarCategories)
  }

  private mutating func escape() throws(Pattern.Fault) -> Escape {
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

  private mutating func characterClass() throws(Pattern.Fault) -> ScalarSet {
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

  /// Reads what follows a member of a class: a hyphen and a second scalar make a range of it.
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

extension PatternParser {
  private var next: Unicode.Scalar? {
    place < scalars.count ? scalars[place] : nil
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    place += 1
    return true
  }

  private func fault(_ reason: Pattern.Reason, at place: Int? = nil) -> Pattern.Fault {
    Pattern.Fault(reason: reason, place: place ?? self.place)
  }
}

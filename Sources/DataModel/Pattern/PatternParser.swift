/// A parser for the grammar of RFC 9485.
struct PatternParser {
  /// The maximum nesting depth of groups.
  static let depthLimit = 100

  /// The sets of scalars, which nodes refer to by index.
  private(set) var sets: [ScalarSet] = []

  let scalars: [Unicode.Scalar]
  var place = 0
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

  /// Parses a repetition count, which saturates above the size limit for patterns.
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
  var next: Unicode.Scalar? {
    place < scalars.count ? scalars[place] : nil
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    place += 1
    return true
  }

  func fault(_ reason: Pattern.Reason, at place: Int? = nil) -> Pattern.Fault {
    Pattern.Fault(reason: reason, place: place ?? self.place)
  }
}

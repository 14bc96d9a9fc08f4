extension Pattern {
  /// An error in the syntax of a pattern, and its position.
  public struct Fault: Error, Hashable, Sendable {
    /// The kind of error.
    public let reason: Reason

    /// The number of Unicode scalars before the error.
    public let place: Int
  }

  /// The kinds of errors in a pattern.
  public enum Reason: Hashable, Sendable {
    case classNotClosed
    case emptyClass
    case groupNotClosed
    case hyphenInClass
    case malformedQuantifier
    case mustBeEscaped(Unicode.Scalar)
    case nothingToRepeat
    case reversedQuantifier
    case reversedRange
    case tooDeep
    case tooLarge
    case unknownCategory
    case unknownEscape(Unicode.Scalar)
    case unmatchedParenthesis
    case unfinishedEscape
  }
}

extension Pattern.Fault: CustomStringConvertible {
  /// The position, starting at 1, and the error message.
  public var description: String {
    "character \(place + 1): \(reason)"
  }
}

extension Pattern.Reason: CustomStringConvertible {
  /// The error message.
  public var description: String {
    switch self {
    case .classNotClosed: "this [ has no ]"
    case .emptyClass:
      "the class holds no character; a bracket or ^ in a class is written \\] or \\^"
    case .groupNotClosed: "this ( has no )"
    case .hyphenInClass: "a hyphen stands first or last in a class, or is written \\-"
    case .malformedQuantifier: "a count is written {2}, {2,} or {2,5}"
    case .mustBeEscaped(let scalar): "\(scalar) itself is written \\\(scalar)"
    case .nothingToRepeat:
      "there is nothing to repeat; the character itself is written with \\ before it"
    case .reversedQuantifier: "the first count is larger than the second"
    case .reversedRange: "the range's first character comes after its last"
    case .tooDeep: "more than \(PatternParser.depthLimit) groups stand within each other"
    case .tooLarge: "the pattern needs more than \(PatternProgram.limit) steps"
    case .unknownCategory: "a category is written \\p{L}, \\p{Lu}, \\P{Nd} and so on"
    case .unknownEscape(let scalar): "\\\(scalar) means nothing in an I-Regexp"
    case .unmatchedParenthesis: "this ) has no ("
    case .unfinishedEscape: "nothing follows this \\; the character itself is written \\\\"
    }
  }
}

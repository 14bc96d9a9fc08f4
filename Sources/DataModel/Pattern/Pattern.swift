/// A regular expression in I-Regexp syntax (RFC 9485), matched against the whole text.
///
/// Matching does not backtrack. For every pattern, it takes time proportional to the length of the
/// text.
public struct Pattern: Sendable {
  /// The source text of the pattern.
  public let source: String

  let program: PatternProgram

  /// Parses a pattern. Throws an error with the position of the problem if the syntax is invalid or
  /// the pattern is too large.
  public init(_ source: String) throws(ParseError) {
    var parser = PatternParser(source)
    let node = try parser.parse()
    self.source = source
    program = try PatternProgram(node, sets: parser.sets)
  }

  /// Returns whether the whole UTF-8 text matches the pattern. To match many strings, create a
  /// `Matcher` once and reuse it, because it caches its states.
  public func matches(_ text: Span<UInt8>) -> Bool {
    var matcher = Matcher(self)
    return matcher.matches(text)
  }
}

extension Pattern: Hashable {
  public static func == (first: Pattern, second: Pattern) -> Bool {
    first.source.utf8.elementsEqual(second.source.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    for byte in source.utf8 { hasher.combine(byte) }
  }
}

extension Pattern {
  /// The error for an invalid pattern: the kind of error and its position.
  public struct ParseError: Error, Hashable, Sendable {
    package let reason: Reason

    /// The number of Unicode scalars in the pattern before the position of the error.
    public let offset: Int
  }

  /// The kinds of errors in a pattern.
  package enum Reason: Hashable, Sendable {
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

extension Pattern.ParseError: CustomStringConvertible {
  /// The position of the error, as a character number starting at 1, and the error message.
  public var description: String {
    "character \(offset + 1): \(reason)"
  }
}

extension Pattern.Reason: CustomStringConvertible {
  /// The error message, without the position.
  package var description: String {
    switch self {
    case .classNotClosed: #"unclosed "[""#
    case .emptyClass:
      "the character class is empty: to include ] or ^, write \\] or \\^"
    case .groupNotClosed: #"unclosed "(""#
    case .hyphenInClass: "misplaced hyphen: write it first or last in a class, or as \\-"
    case .malformedQuantifier: "invalid count: write {2}, {2,} or {2,5}"
    case .mustBeEscaped(let scalar):
      #"unescaped "\#(scalar)": write a literal \#(scalar) as \\#(scalar)"#
    case .nothingToRepeat:
      "nothing to repeat: to match this character itself, write \\ before it"
    case .reversedQuantifier: "the first count is greater than the second"
    case .reversedRange: "the first character of the range comes after the last"
    case .tooDeep: "more than \(PatternParser.depthLimit) nested groups"
    case .tooLarge: "the pattern is too large: it has more than \(PatternProgram.limit) states"
    case .unknownCategory: "unknown category: write it as \\p{L}, \\p{Lu} or \\P{Nd}, for example"
    case .unknownEscape(let scalar): "\\\(scalar) has no meaning in an I-Regexp"
    case .unmatchedParenthesis: #"unmatched ")""#
    case .unfinishedEscape: "unfinished escape: write a literal \\ as \\\\"
    }
  }
}

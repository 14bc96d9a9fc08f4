/// A regular expression in I-Regexp syntax (RFC 9485), matched against the whole text.
///
/// Matching takes time proportional to the length of the text for every pattern, because it does
/// not backtrack.
public struct Pattern: Sendable {
  /// The source text of the pattern.
  public let source: String

  let program: PatternProgram

  /// Parses a pattern, or throws the error and its position.
  public init(_ source: String) throws(ParseError) {
    var parser = PatternParser(source)
    let node = try parser.parse()
    self.source = source
    program = try PatternProgram(node, sets: parser.sets)
  }

  /// Returns whether the UTF-8 text matches. Use a `Matcher` to match many texts.
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

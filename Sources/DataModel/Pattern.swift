/// An I-Regexp (RFC 9485), which a text matches as a whole or not at all.
///
/// Matching takes time in proportion to the text, whatever the pattern: nothing is tried twice.
public struct Pattern: Sendable {
  /// The pattern as it was written.
  public let source: String

  let program: PatternProgram

  /// Reads a pattern, or says what is wrong with it and where.
  public init(_ source: String) throws(Fault) {
    var parser = PatternParser(source)
    let node = try parser.parse()
    self.source = source
    program = try PatternProgram(node, sets: parser.sets)
  }

  /// Tells whether one text, which is UTF-8, matches; for many texts keep a `Matcher`.
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

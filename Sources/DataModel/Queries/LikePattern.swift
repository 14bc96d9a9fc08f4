/// A pattern for the operator `like`: `%` matches any text, `_` matches one Unicode scalar, and `\`
/// escapes the next character.
///
/// Matching takes one pass over the text for every pattern, because all possible positions in the
/// pattern are tracked at once in a bit set.
package struct LikePattern: Hashable, Sendable {
  package enum ParseError: Error, Hashable, Sendable {
    /// The pattern ends with an unfinished escape.
    case endsInEscape
    /// The pattern has more than `maxLength` Unicode scalars.
    case tooLong
  }

  /// The case sensitivity of a pattern.
  package enum Letters: Hashable, Sendable {
    case exact
    /// The letters A to Z match a to z, and vice versa.
    case folded
  }

  /// The maximum number of Unicode scalars in a pattern, which keeps the bit sets small.
  package static let maxLength = 1_000

  /// The source text of the pattern.
  package let source: String
  package let letters: Letters

  package init(_ source: String, _ letters: Letters = .exact) throws(ParseError) {
    guard source.unicodeScalars.count <= Self.maxLength else { throw .tooLong }
    self.source = source
    self.letters = letters
    var isEscaped = false
    for scalar in source.unicodeScalars { isEscaped = !isEscaped && scalar == "\\" }
    if isEscaped { throw .endsInEscape }
  }

  package static func == (first: LikePattern, second: LikePattern) -> Bool {
    first.letters == second.letters && first.source.utf8.elementsEqual(second.source.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(letters)
    for byte in source.utf8 { hasher.combine(byte) }
  }

  /// An element of a pattern.
  package enum Item: Hashable, Sendable {
    case scalar(Unicode.Scalar)
    case anyScalar
    case anyText
  }

  package var items: [Item] {
    var items: [Item] = []
    var isEscaped = false
    for scalar in source.unicodeScalars {
      if isEscaped {
        items.append(.scalar(scalar))
        isEscaped = false
      } else {
        switch scalar {
        case "\\": isEscaped = true
        case "%": items.append(.anyText)
        case "_": items.append(.anyScalar)
        default: items.append(.scalar(scalar))
        }
      }
    }
    return items
  }

  /// The literal prefix of all matches, with which an engine can search an index.
  package var prefix: String {
    var prefix = String.UnicodeScalarView()
    for item in items {
      guard case .scalar(let scalar) = item else { break }
      prefix.append(scalar)
    }
    return String(prefix)
  }

  /// Returns whether the whole UTF-8 text matches.
  package func matches(_ text: Span<UInt8>) -> Bool { Matcher(self).matches(text) }
}

/// A pattern of `like`: `%` stands for any text, `_` for one Unicode scalar, `\` takes away the
/// meaning of what follows it.
///
/// It is matched in one pass over the text, with all the places where the pattern may stand kept as
/// bits: no pattern makes it slow.
package struct LikePattern: Hashable, Sendable {
  package enum Fault: Error, Hashable, Sendable {
    /// It ends in a `\` that nothing follows.
    case endsInEscape
    /// It has more than `longest` characters.
    case tooLong
  }

  /// Which letters are the same.
  package enum Letters: Hashable, Sendable {
    case exact
    /// A to Z are the same as a to z.
    case folded
  }

  /// The most characters that a pattern has, so that its places fit into a few machine words.
  package static let longest = 1_000

  /// The pattern as it was written.
  package let source: String
  package let letters: Letters

  package init(_ source: String, _ letters: Letters = .exact) throws(Fault) {
    guard source.unicodeScalars.count <= Self.longest else { throw .tooLong }
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

  /// What a pattern is made of.
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

  /// The text that every match begins with, for an engine that can search an index for it.
  package var prefix: String {
    var prefix = String.UnicodeScalarView()
    for item in items {
      guard case .scalar(let scalar) = item else { break }
      prefix.append(scalar)
    }
    return String(prefix)
  }

  /// Tells whether a whole text matches.
  package func matches(_ text: Span<UInt8>) -> Bool { Matcher(self).matches(text) }
}

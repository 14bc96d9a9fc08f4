/// A syntax error in JSON or CSV, with the byte offset at which it was found.
@usableFromInline
package struct ScanError: Error, BitwiseCopyable {
  @usableFromInline
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// The text is valid but incomplete. More bytes may follow.
    case needsMore
    case unexpectedEnd
    case notUTF8
    case controlCharacter
    case invalidEscape
    case loneSurrogate
    case invalidNumber
    case invalidLiteral
    case expectedKey
    case trailingComma
    case expectedColon
    case expectedValue
    case expectedCommaOrBrace
    case expectedCommaOrBracket
    case tooDeep
    case tooDeepDocument
    case trailingContent
    case expectedRecord
    case nul
    case duplicateKey
    case bareQuote
    case textAfterQuote
    case unclosedQuote
    case bareCarriageReturn
    case rawNUL
    case tooManyKeys
    case duplicateColumn
    case wrongCellCount
  }

  @usableFromInline package var kind: Kind
  @usableFromInline package var position: Int

  @inlinable
  package init(_ kind: Kind, _ position: Int) {
    self.kind = kind
    self.position = position
  }
}

extension ScanError {
  /// Returns the line and column (in bytes) of the error, both counted from 1.
  package func lineAndColumn(in text: Span<UInt8>) -> (line: Int, column: Int) {
    var line = 1
    var lineStart = 0
    for index in 0..<min(position, text.count) where text[index] == 0x0A {
      line += 1
      lineStart = index + 1
    }
    return (line, position - lineStart + 1)
  }
}

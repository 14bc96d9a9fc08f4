package import JSONText

extension ScanError.Kind {
  /// The error message, without the position of the error.
  package var message: String {
    switch self {
    case .needsMore, .unexpectedEnd: "unexpected end of input in a value"
    case .notUTF8: "invalid UTF-8"
    case .controlCharacter: "unescaped control character in text: use an escape, such as \\n"
    case .invalidEscape: "invalid escape"
    case .loneSurrogate: "unpaired surrogate"
    case .invalidNumber: "invalid number"
    case .invalidLiteral: "expected true, false or null"
    case .expectedKey: "expected a key in double quotes"
    case .trailingComma: "trailing comma"
    case .expectedColon: "expected a colon after the key"
    case .expectedValue: "expected a value"
    case .expectedCommaOrBrace: #"expected a comma or "}""#
    case .expectedCommaOrBracket: #"expected a comma or "]""#
    case .tooDeep: "nested deeper than \(JSONScanner.maxDepth) levels"
    case .tooDeepDocument: "nested deeper than \(JSONScanner.maxDocumentDepth) levels"
    case .trailingContent: "text after the end of the JSON value"
    case .expectedRecord: "expected a record: an object in braces"
    case .nul: "\\u0000 is not allowed in text"
    case .duplicateKey: "duplicate key in an object"
    case .bareQuote: "quote in an unquoted cell"
    case .textAfterQuote: "expected a separator or the end of the line after the closing quote"
    case .unclosedQuote: "unterminated quote"
    case .bareCarriageReturn: "carriage return without a line feed"
    case .rawNUL: "NUL is not allowed in text"
    case .tooManyKeys:
      "more keys than the \(Schema.maxFields) fields that a schema may have"
    case .duplicateColumn: "two columns with the same name"
    case .wrongCellCount: "wrong number of cells"
    }
  }
}

extension ScanError.Kind {
  /// A hint on how to fix the input, if the message does not make it obvious.
  package var hint: String? {
    switch self {
    case .tooManyKeys:
      "if the keys are data, convert each key to a record: jq -c 'to_entries[]'"
    case .rawNUL: "if the input is UTF-16, pass its encoding: --encoding utf-16le"
    case .notUTF8: "if the input has another encoding, pass it: --encoding windows-1252"
    case .needsMore, .unexpectedEnd, .controlCharacter, .invalidEscape, .loneSurrogate,
      .invalidNumber, .invalidLiteral, .expectedKey, .trailingComma, .expectedColon,
      .expectedValue, .expectedCommaOrBrace, .expectedCommaOrBracket, .tooDeep, .tooDeepDocument,
      .trailingContent, .expectedRecord, .nul, .duplicateKey, .bareQuote, .textAfterQuote,
      .unclosedQuote, .bareCarriageReturn, .duplicateColumn, .wrongCellCount:
      nil
    }
  }
}

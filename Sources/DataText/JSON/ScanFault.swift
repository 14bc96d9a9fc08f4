import DataModel

/// A syntax error in JSON or CSV, with the offset of the byte where it was found.
struct ScanFault: Error, BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// The text is valid so far but incomplete; more bytes may follow.
    case needsMore
    case endsInside
    case notUTF8
    case control
    case badEscape
    case loneSurrogate
    case badNumber
    case badLiteral
    case expectedKey
    case trailingComma
    case expectedColon
    case expectedValue
    case expectedCommaOrBrace
    case expectedCommaOrBracket
    case tooDeep
    case leftOver
    case expectedRecords
    case nul
    case duplicateKey
    case bareQuote
    case textBehindQuote
    case openQuote
    case loneReturn
    case rawNUL
    case tooManyKeys
    case repeatedColumn
    case otherCellCount
  }

  var kind: Kind
  var place: Int

  init(_ kind: Kind, _ place: Int) {
    self.kind = kind
    self.place = place
  }
}

extension ScanFault.Kind {
  /// The error message.
  var message: String {
    switch self {
    case .needsMore, .endsInside: "unexpected end of input in a value"
    case .notUTF8: "invalid UTF-8"
    case .control: "unescaped control character in a text; use an escape, such as \\n"
    case .badEscape: "invalid escape"
    case .loneSurrogate: "unpaired surrogate"
    case .badNumber: "invalid number"
    case .badLiteral: "expected true, false or null"
    case .expectedKey: "expected a key in double quotes"
    case .trailingComma: "trailing comma"
    case .expectedColon: "expected a colon after the key"
    case .expectedValue: "expected a value"
    case .expectedCommaOrBrace: "expected a comma or }"
    case .expectedCommaOrBracket: "expected a comma or ]"
    case .tooDeep: "nested deeper than \(JSONScanner.deepest) levels"
    case .leftOver: "text after the end of the JSON value"
    case .expectedRecords: "expected a record: an object in braces"
    case .nul: "\\u0000, which no store can save"
    case .duplicateKey: "duplicate key in an object"
    case .bareQuote: "quote in an unquoted cell"
    case .textBehindQuote: "expected a comma or the end of the line after the closing quote"
    case .openQuote: "unterminated quote"
    case .loneReturn: "carriage return without a line feed"
    case .rawNUL: "NUL, which a text cannot contain"
    case .tooManyKeys:
      "more keys than the \(Schema.mostFields) fields that a schema may have"
    case .repeatedColumn: "two columns with the same name"
    case .otherCellCount: "wrong number of cells"
    }
  }
}

extension ScanFault.Kind {
  /// A hint on how to fix the input, if the message does not make it obvious.
  var hint: String? {
    self == .tooManyKeys
      ? "if the keys are data, make a record of each: jq -c 'to_entries[]'" : nil
  }
}

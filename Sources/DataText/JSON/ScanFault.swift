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
    case .needsMore, .endsInside: "the text ends in the middle of a value"
    case .notUTF8: "not valid UTF-8"
    case .control: "a control character in a text; JSON writes it as an escape, such as \\n"
    case .badEscape: "no escape that JSON has"
    case .loneSurrogate: "half of a surrogate pair, which is no character"
    case .badNumber: "no number as JSON writes it"
    case .badLiteral: "expected true, false or null"
    case .expectedKey: "expected a key in double quotes"
    case .trailingComma: "a comma before the end"
    case .expectedColon: "expected a colon after the key"
    case .expectedValue: "expected a value"
    case .expectedCommaOrBrace: "expected a comma or }"
    case .expectedCommaOrBracket: "expected a comma or ]"
    case .tooDeep: "nested deeper than \(JSONScanner.deepest) levels"
    case .leftOver: "something is left over behind the end"
    case .expectedRecords: "expected a record: an object in braces"
    case .nul: "\\u0000, which no store can keep"
    case .duplicateKey: "the same key twice in one object"
    case .bareQuote: "a quote within a cell that does not begin with one"
    case .textBehindQuote: "expected a comma or the end of the line behind the closing quote"
    case .openQuote: "a quote that is never closed"
    case .loneReturn: "a carriage return without a line feed"
    case .rawNUL: "a NUL, which no text may have"
    case .tooManyKeys:
      "one key more than the \(Schema.mostFields) fields that a schema has at most"
    case .repeatedColumn: "two columns of one name"
    case .otherCellCount: "another number of cells than in the header"
    }
  }
}

extension ScanFault.Kind {
  /// A hint on how to fix the input, if the message does not make it obvious.
  var hint: String? {
    self == .tooManyKeys
      ? "if the keys are data themselves, make a record of each: jq -c 'to_entries[]'" : nil
  }
}

/// Advances from one record to the next in JSON text of any layout.
struct JSONRecordWalk: Sendable {
  /// The layout of the text, or within an array, what may come next.
  enum Form: BitwiseCopyable {
    case undecided
    /// A sequence of objects.
    case sequence
    /// The first element of an array, or its end.
    case arrayStart
    /// An element after a comma.
    case element
    /// A comma or the end of the array.
    case elementEnd
    case behindArray
  }

  enum Step {
    case record
    /// A value that is not a record; the error has its position.
    case misfit(ScanFault)
    /// The end of the text, with no record incomplete.
    case end
  }

  /// A position to which the scanner can return.
  struct Mark: BitwiseCopyable, Sendable {
    var place: Int
    var line: Int
    var lineStart: Int
    var form: Form
  }

  var form = Form.undecided
  /// The start of the record or value that is being scanned.
  private(set) var beginning = Mark(place: 0, line: 1, lineStart: 0, form: .undecided)

  /// Returns a mark at the current position of a scanner.
  func mark(of json: JSONScanner) -> Mark {
    Mark(place: json.place, line: json.line, lineStart: json.lineStart, form: form)
  }

  /// Resets a scanner to a mark.
  mutating func go(back mark: Mark, _ json: inout JSONScanner) {
    json.place = mark.place
    json.line = mark.line
    json.lineStart = mark.lineStart
    form = mark.form
  }

  /// Advances to the next record, and detects the layout at the first one.
  mutating func step(
    _ json: inout JSONScanner, _ text: Span<UInt8>
  ) throws(ScanFault) -> Step {
    guard var byte = json.passSpace(text) else {
      switch form {
      case .undecided, .sequence, .behindArray: return .end
      case .arrayStart, .element, .elementEnd:
        guard json.isLast else { return .end }
        beginning = mark(of: json)
        throw ScanFault(.endsInside, text.count)
      }
    }
    beginning = mark(of: json)
    switch form {
    case .undecided:
      form = .sequence
      if byte == UInt8(ascii: "[") {
        json.place &+= 1
        form = .arrayStart
        return try step(&json, text)
      }
    case .sequence: break
    case .arrayStart:
      if byte == UInt8(ascii: "]") { return try endArray(&json, text) }
    case .element:
      if byte == UInt8(ascii: "]") { throw ScanFault(.trailingComma, json.place) }
    case .elementEnd:
      if byte == UInt8(ascii: "]") { return try endArray(&json, text) }
      guard byte == UInt8(ascii: ",") else {
        throw ScanFault(.expectedCommaOrBracket, json.place)
      }
      json.place &+= 1
      form = .element
      guard let next = json.passSpace(text) else { return try step(&json, text) }
      byte = next
      beginning = mark(of: json)
      if byte == UInt8(ascii: "]") { throw ScanFault(.trailingComma, json.place) }
    case .behindArray: throw ScanFault(.leftOver, json.place)
    }
    if form != .sequence { form = .elementEnd }
    guard byte == UInt8(ascii: "{") else {
      let fault = ScanFault(.expectedRecords, json.place)
      _ = try json.passValue(text)
      return .misfit(fault)
    }
    return .record
  }

  private mutating func endArray(
    _ json: inout JSONScanner, _ text: Span<UInt8>
  ) throws(ScanFault) -> Step {
    json.place &+= 1
    form = .behindArray
    return try step(&json, text)
  }
}

/// Goes from one record of a text of JSON to the next, whatever form they come in.
struct JSONRecordWalk: Sendable {
  /// What may come next.
  enum Form: BitwiseCopyable {
    case undecided
    /// Objects one after the other.
    case sequence
    /// The first element of an array, or its end.
    case arrayStart
    /// An element behind a comma.
    case element
    /// A comma or the array's end.
    case elementEnd
    case behindArray
  }

  enum Step {
    case record
    /// A value that is no record; the fault says where.
    case misfit(ScanFault)
    /// The text is at its end, and nothing is begun.
    case end
  }

  /// A place to which the scanner can go back.
  struct Mark: BitwiseCopyable, Sendable {
    var place: Int
    var line: Int
    var lineStart: Int
    var form: Form
  }

  var form = Form.undecided
  /// Where the record or the value begins that is being scanned.
  private(set) var beginning = Mark(place: 0, line: 1, lineStart: 0, form: .undecided)

  /// Where a scanner stands now.
  func mark(of json: JSONScanner) -> Mark {
    Mark(place: json.place, line: json.line, lineStart: json.lineStart, form: form)
  }

  /// Takes a scanner back to a place.
  mutating func go(back mark: Mark, _ json: inout JSONScanner) {
    json.place = mark.place
    json.line = mark.line
    json.lineStart = mark.lineStart
    form = mark.form
  }

  /// Goes to the next record and decides the form on the way.
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

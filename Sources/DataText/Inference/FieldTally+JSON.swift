import DataModel

/// JSON values.
extension FieldTally {
  /// Counts the value whose first byte is at the scanner's position.
  mutating func take(
    _ byte: UInt8, _ json: inout JSONScanner, _ text: Span<UInt8>
  ) throws(ScanFault) {
    let (start, line) = (json.place, json.line)
    switch byte {
    case UInt8(ascii: "n"):
      try json.pass(.null, text)
      nulls += 1
    case UInt8(ascii: "\""):
      if let range = try json.string(text) {
        take(text: text.extracting(range), line: line)
      } else {
        let copy = json.unescaped
        take(text: copy.span, line: line)
      }
    case UInt8(ascii: "["): try takeArray(&json, text)
    case UInt8(ascii: "{"): try takeObject(&json, text)
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      try json.pass(byte == UInt8(ascii: "t") ? .yes : .no, text)
      values.add(.boolean)
      show(.boolean, line: line) { byte == UInt8(ascii: "t") ? "true" : "false" }
      ids?.take(misfit: "a boolean", line: line)
    default:
      let number = text.extracting(try json.number(text))
      let kind = values.add(number: number)
      show(kind, line: line) { Self.excerpt(number) }
      guard ids != nil else { break }
      if let integer = try? NumberText.integer(number) {
        ids?.take("\(integer)".utf8.span, line: line)
      } else {
        ids?.take(misfit: Self.excerpt(number), line: line)
      }
    }
    if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
      ids?.take(misfit: Self.excerpt(text.extracting(start..<json.place)), line: line)
    }
  }

  private mutating func take(text: Span<UInt8>, line: Int) {
    let kind = values.add(text: text)
    show(kind, line: line) { Excerpt.quoted(text) }
    ids?.take(text, line: line)
  }

  private mutating func takeArray(
    _ json: inout JSONScanner, _ text: Span<UInt8>
  ) throws(ScanFault) {
    let (beginning, end) = try Self.pass(&json, text)
    var found = KindTally()
    var isLoose = false
    var next = try json.passOpening(text, closing: UInt8(ascii: "]"))
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        if let range = try json.string(text) {
          _ = found.add(text: text.extracting(range))
        } else {
          _ = found.add(text: json.unescaped.span)
        }
      case UInt8(ascii: "t"), UInt8(ascii: "f"):
        _ = try json.passValue(text)
        found.add(.boolean)
      case UInt8(ascii: "{") where !nested.isEmpty:
        found.add(.object)
        isLoose = true
        try nested[0].take(&json, text)
      case UInt8(ascii: "n"), UInt8(ascii: "["), UInt8(ascii: "{"):
        _ = try json.passValue(text)
        found.add(.looseArray)
        isLoose = true
      default: _ = found.add(number: text.extracting(try json.number(text)))
      }
      next = try json.passElementEnd(text)
    }
    let kind = isLoose ? FoundKind.looseArray : .array
    values.add(kind)
    elements.add(found)
    show(kind, line: beginning.line) {
      Self.excerpt(text.extracting(beginning.place..<end.place))
    }
  }

  private mutating func takeObject(
    _ json: inout JSONScanner, _ text: Span<UInt8>
  ) throws(ScanFault) {
    let (beginning, end) = try Self.pass(&json, text)
    let kind = try Self.isGeoPoint(&json, text) ? FoundKind.geopoint : .object
    values.add(kind)
    show(kind, line: beginning.line) {
      Self.excerpt(text.extracting(beginning.place..<end.place))
    }
    var walk = JSONRecordWalk()
    if kind == .object && !nested.isEmpty {
      walk.go(back: beginning, &json)
      try nested[0].take(&json, text)
    } else {
      walk.go(back: end, &json)
    }
  }

  /// Skips a value that fits a `json` field and returns to its start.
  private static func pass(
    _ json: inout JSONScanner, _ text: Span<UInt8>
  ) throws(ScanFault) -> (beginning: JSONRecordWalk.Mark, end: JSONRecordWalk.Mark) {
    var walk = JSONRecordWalk()
    let beginning = walk.mark(of: json)
    if let misfit = try json.passValue(text).misfit { throw misfit }
    let end = walk.mark(of: json)
    walk.go(back: beginning, &json)
    return (beginning, end)
  }

  /// Whether an object is `{"lat": …, "lon": …}` with valid coordinates.
  private static func isGeoPoint(
    _ json: inout JSONScanner, _ text: Span<UInt8>
  ) throws(ScanFault) -> Bool {
    var latitude: Double?
    var longitude: Double?
    var next = try json.passOpening(text, closing: UInt8(ascii: "}"))
    while next != nil {
      guard let range = try json.string(text) else { return false }
      let byte = try json.passColon(text)
      guard byte == UInt8(ascii: "-") || JSONScanner.isDigit(byte) else { return false }
      let number = text.extracting(try json.number(text))
      guard NumberText.holder(of: number) != .text else { return false }
      let name = text.extracting(range)
      if name.isEqual(to: "lat".utf8.span) {
        latitude = try? NumberText.double(number)
      } else if name.isEqual(to: "lon".utf8.span) {
        longitude = try? NumberText.double(number)
      } else {
        return false
      }
      next = try json.passMemberEnd(text)
    }
    guard let latitude, let longitude else { return false }
    return (try? GeoPoint(latitude: latitude, longitude: longitude)) != nil
  }
}

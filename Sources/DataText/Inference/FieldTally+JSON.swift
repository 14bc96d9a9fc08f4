import DataModel

/// JSON values.
extension FieldStatistics {
  /// Counts the value whose first byte is at the scanner's position.
  mutating func add(
    _ byte: UInt8, _ json: inout JSONScanner, _ text: Span<UInt8>
  ) throws(ScanError) {
    let (start, line) = (json.position, json.line)
    switch byte {
    case UInt8(ascii: "n"):
      try json.skip(.null, text)
      nulls += 1
    case UInt8(ascii: "\""):
      if let range = try json.string(text) {
        add(text: text.extracting(range), line: line)
      } else {
        let copy = json.unescaped
        add(text: copy.span, line: line)
      }
    case UInt8(ascii: "["): try addArray(&json, text)
    case UInt8(ascii: "{"): try addObject(&json, text)
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      try json.skip(byte == UInt8(ascii: "t") ? .yes : .no, text)
      values.add(.boolean)
      show(.boolean, line: line) { byte == UInt8(ascii: "t") ? "true" : "false" }
      ids?.add(violation: "a boolean", line: line)
    default:
      let number = text.extracting(try json.number(text))
      let kind = values.add(number: number)
      show(kind, line: line) { Self.excerpt(number) }
      guard ids != nil else { break }
      if let integer = try? NumberText.integer(number) {
        ids?.add("\(integer)".utf8.span, line: line)
      } else {
        ids?.add(violation: Self.excerpt(number), line: line)
      }
    }
    if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
      ids?.add(violation: Self.excerpt(text.extracting(start..<json.position)), line: line)
    }
  }

  private mutating func add(text: Span<UInt8>, line: Int) {
    let kind = values.add(text: text)
    show(kind, line: line) { Excerpt.quoted(text) }
    ids?.add(text, line: line)
  }

  private mutating func addArray(
    _ json: inout JSONScanner, _ text: Span<UInt8>
  ) throws(ScanError) {
    let (beginning, end) = try Self.skip(&json, text)
    var found = KindStatistics()
    var isMixed = false
    var next = try json.skipOpening(text, closing: UInt8(ascii: "]"))
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        if let range = try json.string(text) {
          _ = found.add(text: text.extracting(range))
        } else {
          _ = found.add(text: json.unescaped.span)
        }
      case UInt8(ascii: "t"), UInt8(ascii: "f"):
        _ = try json.skipValue(text)
        found.add(.boolean)
      case UInt8(ascii: "{") where !nested.isEmpty:
        found.add(.object)
        isMixed = true
        try nested[0].add(&json, text)
      case UInt8(ascii: "n"), UInt8(ascii: "["), UInt8(ascii: "{"):
        _ = try json.skipValue(text)
        found.add(.mixedArray)
        isMixed = true
      default: _ = found.add(number: text.extracting(try json.number(text)))
      }
      next = try json.skipElementEnd(text)
    }
    let kind = isMixed ? InferredKind.mixedArray : .array
    values.add(kind)
    elements.add(found)
    show(kind, line: beginning.line) {
      Self.excerpt(text.extracting(beginning.position..<end.position))
    }
  }

  private mutating func addObject(
    _ json: inout JSONScanner, _ text: Span<UInt8>
  ) throws(ScanError) {
    let (beginning, end) = try Self.skip(&json, text)
    let kind = try Self.isGeoPoint(&json, text) ? InferredKind.geopoint : .object
    values.add(kind)
    show(kind, line: beginning.line) {
      Self.excerpt(text.extracting(beginning.position..<end.position))
    }
    var iterator = JSONRecordIterator()
    if kind == .object && !nested.isEmpty {
      iterator.reset(to: beginning, &json)
      try nested[0].add(&json, text)
    } else {
      iterator.reset(to: end, &json)
    }
  }

  /// Skips a value that fits a `json` field and returns to its start.
  private static func skip(
    _ json: inout JSONScanner, _ text: Span<UInt8>
  ) throws(ScanError) -> (beginning: JSONRecordIterator.Mark, end: JSONRecordIterator.Mark) {
    var iterator = JSONRecordIterator()
    let beginning = iterator.mark(of: json)
    if let violation = try json.skipValue(text).violation { throw violation }
    let end = iterator.mark(of: json)
    iterator.reset(to: beginning, &json)
    return (beginning, end)
  }

  /// Whether an object is `{"lat": …, "lon": …}` with valid coordinates.
  private static func isGeoPoint(
    _ json: inout JSONScanner, _ text: Span<UInt8>
  ) throws(ScanError) -> Bool {
    var latitude: Double?
    var longitude: Double?
    var next = try json.skipOpening(text, closing: UInt8(ascii: "}"))
    while next != nil {
      guard let range = try json.string(text) else { return false }
      let byte = try json.skipColon(text)
      guard byte == UInt8(ascii: "-") || JSONScanner.isDigit(byte) else { return false }
      let number = text.extracting(try json.number(text))
      guard NumberText.losslessType(of: number) != .text else { return false }
      let name = text.extracting(range)
      if name.isEqual(to: "lat".utf8.span) {
        latitude = try? NumberText.double(number)
      } else if name.isEqual(to: "lon".utf8.span) {
        longitude = try? NumberText.double(number)
      } else {
        return false
      }
      next = try json.skipMemberEnd(text)
    }
    guard let latitude, let longitude else { return false }
    return (try? GeoPoint(latitude: latitude, longitude: longitude)) != nil
  }
}

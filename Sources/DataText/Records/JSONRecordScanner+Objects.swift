import DataModel

/// Objects with a special meaning: list and number operations, and points.
extension JSONRecordScanner {
  /// Parses `{"$add": n}` or `{"$append": […], "$remove": […]}`.
  mutating func operation(
    _ slot: Int, _ text: Span<UInt8>, into changes: inout Changes
  ) throws(ScanFault) {
    var taken: Set<String> = []
    var isObject = false
    try members(text) { (scanner, key, byte) throws(ScanFault) in
      if key.utf8.first != UInt8(ascii: "$") {
        isObject = true
      } else if taken.contains(key) {
        changes.report(slot, "duplicate key \(Excerpt.cut(key))")
      } else if !taken.isEmpty && (key == "$add" || taken.contains("$add")) {
        changes.report(slot, "$add cannot be combined with another operation")
      } else {
        taken.insert(key)
        return try scanner.operand(slot, key, byte, text, into: &changes)
      }
      _ = try scanner.json.passValue(text)
    }
    if isObject || taken.isEmpty { reportObject(slot, into: &changes) }
  }

  private mutating func operand(
    _ slot: Int, _ key: String, _ byte: UInt8, _ text: Span<UInt8>, into changes: inout Changes
  ) throws(ScanFault) {
    switch key {
    case "$add":
      if byte == UInt8(ascii: "-") || JSONScanner.isDigit(byte) {
        let range = try json.number(text)
        return changes.set(slot, adding: text.extracting(range))
      }
      changes.report(slot, "expected a number to add, found \(Self.kind(byte))")
    case "$append", "$remove":
      if byte == UInt8(ascii: "[") {
        return try list(slot, as: key == "$append" ? .append : .remove, text, into: &changes)
      }
      changes.report(slot, "expected an array after \(key), found \(Self.kind(byte))")
    default:
      let nearest = nearest(key, among: ["$add", "$append", "$remove"])
      changes.report(
        slot, "unknown operation \(Excerpt.cut(key))",
        hint: nearest.map { "did you mean \($0)?" }
          ?? "use $add, $append or $remove")
    }
    _ = try json.passValue(text)
  }

  private func reportObject(_ slot: Int, into changes: inout Changes) {
    guard kinds[slot] == .reference || kinds[slot] == .references else {
      return changes.reportMismatch(slot, found: "an object")
    }
    changes.report(
      slot, "expected an id, found an object",
      hint: "save the other record separately, and use its id here")
  }

  /// Parses `{"lat": 47.37, "lon": 8.54}`.
  mutating func geopoint(
    _ slot: Int, _ text: Span<UInt8>, into changes: inout Changes
  ) throws(ScanFault) {
    var coordinates: [String: Double] = [:]
    var isSound = true
    try members(text) { (scanner, key, byte) throws(ScanFault) in
      guard key == "lat" || key == "lon" else {
        changes.report(
          slot, "a geopoint has lat and lon, not \(Excerpt.cut(key))")
        isSound = false
        _ = try scanner.json.passValue(text)
        return
      }
      guard coordinates[key] == nil else {
        changes.report(slot, "duplicate key \(key)")
        isSound = false
        _ = try scanner.json.passValue(text)
        return
      }
      guard byte == UInt8(ascii: "-") || JSONScanner.isDigit(byte) else {
        changes.report(slot, "expected a number as \(key), found \(Self.kind(byte))")
        isSound = false
        _ = try scanner.json.passValue(text)
        return
      }
      let range = try scanner.json.number(text)
      guard let coordinate = try? NumberText.double(text.extracting(range)) else {
        changes.report(slot, "\(key) exceeds the range of a number")
        isSound = false
        return
      }
      coordinates[key] = coordinate
    }
    guard isSound else { return }
    guard let latitude = coordinates["lat"], let longitude = coordinates["lon"] else {
      return changes.report(slot, "expected both lat and lon")
    }
    changes.set(slot, latitude: latitude, longitude: longitude)
  }

  /// Calls `take` for each member of an object, with the key and the first byte of the value.
  mutating func members(
    _ text: Span<UInt8>,
    _ take: (inout Self, _ key: String, _ byte: UInt8) throws(ScanFault) -> Void
  ) throws(ScanFault) {
    var next = try json.passOpening(text, closing: UInt8(ascii: "}"))
    while let quote = next {
      guard quote == UInt8(ascii: "\"") else { throw ScanFault(.expectedKey, json.place) }
      let range = try json.string(text)
      let key =
        range.map { String(decoding: text.extracting($0)) }
        ?? String(decoding: json.unescaped.span)
      let byte = try json.passColon(text)
      try take(&self, key, byte)
      next = try json.passMemberEnd(text)
    }
  }

  /// A description of the kind of value that starts with `byte`, for error messages.
  static func kind(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "\""): "a text"
    case UInt8(ascii: "{"): "an object"
    case UInt8(ascii: "["): "an array"
    case UInt8(ascii: "t"): "true"
    case UInt8(ascii: "f"): "false"
    case UInt8(ascii: "n"): "null"
    default: "a number"
    }
  }
}

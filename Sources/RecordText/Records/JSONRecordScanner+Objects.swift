import DataModel
import JSONText

/// Parsing of objects with a special meaning: operations on lists and numbers, and geographic
/// points.
extension JSONRecordScanner {
  /// Parses the operations `{"$add": n}` or `{"$append": […], "$remove": […]}` on a field.
  mutating func operation(
    _ slot: Int, _ text: Span<UInt8>, into changes: inout RowChanges,
    nesting: inout some RecordNesting
  ) throws(ScanError) {
    var seen: Set<String> = []
    var isObject = false
    try members(text) { (scanner, key, byte) throws(ScanError) in
      if key.utf8.first != UInt8(ascii: "$") {
        isObject = true
      } else if seen.contains(key) {
        changes.report(slot, "duplicate key \(Excerpt.truncated(key))")
      } else if !seen.isEmpty && (key == "$add" || seen.contains("$add")) {
        changes.report(slot, "$add cannot be combined with another operation")
      } else {
        seen.insert(key)
        return try scanner.operand(slot, key, byte, text, into: &changes, nesting: &nesting)
      }
      _ = try scanner.json.skipValue(text)
    }
    if isObject || seen.isEmpty { reportObject(slot, into: &changes) }
  }

  private mutating func operand(
    _ slot: Int, _ key: String, _ byte: UInt8, _ text: Span<UInt8>, into changes: inout RowChanges,
    nesting: inout some RecordNesting
  ) throws(ScanError) {
    switch key {
    case "$add":
      if byte == UInt8(ascii: "-") || JSONScanner.isDigit(byte) {
        let range = try json.number(text)
        return changes.set(slot, adding: text.extracting(range))
      }
      changes.report(
        slot, "expected a number to add, found \(Self.kind(byte))",
        hint: byte == UInt8(ascii: "[") ? "to append elements to an array, use $append" : nil)
    case "$append", "$remove":
      if byte == UInt8(ascii: "[") {
        let role: RowChanges.ListRole = key == "$append" ? .append : .remove
        return try list(slot, as: role, text, into: &changes, nesting: &nesting)
      }
      changes.report(slot, "expected an array after \(key), found \(Self.kind(byte))")
    default:
      let nearest = nearest(key, among: ["$add", "$append", "$remove"])
      changes.report(
        slot, "unknown operation \(Excerpt.truncated(key))",
        hint: nearest.map { "did you mean \($0)?" }
          ?? "use $add, $append or $remove")
    }
    _ = try json.skipValue(text)
  }

  private func reportObject(_ slot: Int, into changes: inout RowChanges) {
    guard kinds[slot] == .reference else {
      let hint = kinds[slot] == .references ? "write it in an array: [{…}]" : nil
      return changes.reportMismatch(slot, found: "an object", hint: hint)
    }
    changes.report(slot, "expected an id, found an object", hint: Self.hintForNestedRecord)
  }

  static let hintForNestedRecord =
    "save both records with --deep, or save the other record first and use its id here"

  /// Parses a geographic point, such as `{"lat": 47.37, "lon": 8.54}`, and sets the field to it.
  mutating func geopoint(
    _ slot: Int, _ text: Span<UInt8>, into changes: inout RowChanges
  ) throws(ScanError) {
    var coordinates: [String: Double] = [:]
    var isValid = true
    try members(text) { (scanner, key, byte) throws(ScanError) in
      guard key == "lat" || key == "lon" else {
        changes.report(
          slot, "expected lat or lon in a geopoint, found \(Excerpt.truncated(key))")
        isValid = false
        _ = try scanner.json.skipValue(text)
        return
      }
      guard coordinates[key] == nil else {
        changes.report(slot, "duplicate key \(key)")
        isValid = false
        _ = try scanner.json.skipValue(text)
        return
      }
      guard byte == UInt8(ascii: "-") || JSONScanner.isDigit(byte) else {
        changes.report(slot, "expected a number as \(key), found \(Self.kind(byte))")
        isValid = false
        _ = try scanner.json.skipValue(text)
        return
      }
      let range = try scanner.json.number(text)
      guard let coordinate = try? NumberText.double(text.extracting(range)) else {
        changes.report(slot, "\(key) exceeds the range of a number")
        isValid = false
        return
      }
      coordinates[key] = coordinate
    }
    guard isValid else { return }
    guard let latitude = coordinates["lat"], let longitude = coordinates["lon"] else {
      return changes.report(slot, "expected both lat and lon")
    }
    changes.set(slot, latitude: latitude, longitude: longitude)
  }

  /// Calls `body` for each member of an object, with the key and the first byte of the value.
  /// `body` must scan or skip the value.
  mutating func members(
    _ text: Span<UInt8>,
    _ body: (inout Self, _ key: String, _ byte: UInt8) throws(ScanError) -> Void
  ) throws(ScanError) {
    var next = try json.skipOpening(text, closing: UInt8(ascii: "}"))
    while let quote = next {
      guard quote == UInt8(ascii: "\"") else { throw ScanError(.expectedKey, json.position) }
      let range = try json.string(text)
      let key =
        range.map { String(decoding: text.extracting($0)) }
        ?? String(decoding: json.unescaped.span)
      let byte = try json.skipColon(text)
      try body(&self, key, byte)
      next = try json.skipMemberEnd(text)
    }
  }

  /// Returns a description of the kind of value that starts with `byte`, for error messages.
  static func kind(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "\""): "text"
    case UInt8(ascii: "{"): "an object"
    case UInt8(ascii: "["): "an array"
    case UInt8(ascii: "t"): "true"
    case UInt8(ascii: "f"): "false"
    case UInt8(ascii: "n"): "null"
    default: "a number"
    }
  }
}

/// Parsing of file objects, such as `{"name": "a.png", "type": "image/png", "data": "…"}`.
extension JSONRecordScanner {
  mutating func file(
    _ slot: Int, _ text: Span<UInt8>, into changes: inout RowChanges
  ) throws(ScanError) {
    var file = FileMembers()
    try members(text) { (scanner, key, byte) throws(ScanError) in
      guard FileMembers.keys.contains(key) else {
        file.reportUnknown(key)
        _ = try scanner.json.skipValue(text)
        return
      }
      guard file.seen.insert(key).inserted else {
        file.problems.append("duplicate key \(key)")
        _ = try scanner.json.skipValue(text)
        return
      }
      if key == "size" && (byte == UInt8(ascii: "-") || JSONScanner.isDigit(byte)) {
        let range = try scanner.json.number(text)
        file.assignSize(text.extracting(range))
      } else if key != "size" && byte == UInt8(ascii: "\"") {
        if let range = try scanner.json.string(text) {
          file.assign(key, text.extracting(range))
        } else {
          file.assign(key, scanner.json.unescaped.span)
        }
      } else {
        let expected = key == "size" ? "a number" : "text"
        file.problems.append("expected \(expected) as \(key), found \(Self.kind(byte))")
        _ = try scanner.json.skipValue(text)
      }
    }
    file.set(slot, into: &changes)
  }
}

/// The members of a file object that have been parsed so far.
private struct FileMembers {
  static let keys = ["name", "type", "size", "sha256", "data"]

  private static let form =
    "the keys of a file are name, type and data (base64); size and sha256 refer to stored data"

  var seen: Set<String> = []
  var problems: [String] = []
  var hint: String?
  private var hasUnknownKey = false
  private var name: String?
  private var type = "application/octet-stream"
  private var size: Int64?
  private var sha256: String?
  private var data: [UInt8]?

  /// Reports an unknown key. After that, missing keys are not reported, because the unknown key may
  /// be a misspelling of one of them.
  mutating func reportUnknown(_ key: String) {
    let nearest = nearest(key, among: Self.keys)
    problems.append("a file has no key \(Excerpt.quoted(key))")
    hint = nearest.map { "did you mean \($0)?" } ?? Self.form
    hasUnknownKey = true
  }

  mutating func assignSize(_ number: Span<UInt8>) {
    if let integer = try? NumberText.integer(number), integer >= 0 {
      size = integer
    } else {
      problems.append("expected an integer of at least 0 as size")
    }
  }

  mutating func assign(_ key: String, _ text: Span<UInt8>) {
    switch key {
    case "name":
      name = String(decoding: text)
      if !FileReference.isName(name ?? "") {
        problems.append(
          "expected a file name without folders and control characters, "
            + "found \(Excerpt.quoted(text))")
      }
    case "type":
      type = String(decoding: text)
      if !FileReference.isMediaType(text) {
        problems.append("expected a media type, such as image/png, as type")
      }
    case "sha256":
      sha256 = String(decoding: text)
      if text.count != 64 || !isHexadecimal(text) {
        problems.append("expected 64 lowercase hexadecimal digits as sha256")
      }
    default:
      data = Base64.bytes(text)
      if data == nil { problems.append("expected base64 with padding as data") }
    }
  }

  /// Sets the field to the file that has been parsed. If problems were found in the members of the
  /// file object, reports the problems instead.
  mutating func set(_ slot: Int, into changes: inout RowChanges) {
    if !hasUnknownKey && !seen.contains("name") { problems.append("a file needs a name") }
    var reference = FileReference(
      name: name ?? "", type: type, size: size ?? 0, sha256: sha256 ?? "")
    if let data {
      reference.size = Int64(data.count)
      var digest = SHA256()
      digest.update(data.span)
      reference.sha256 = digest.hexadecimal()
      if let size, size != reference.size {
        problems.append("size is \(size), but data has \(reference.size) bytes")
      }
      if let sha256, sha256 != reference.sha256 {
        problems.append("sha256 does not match data, whose hash is \(reference.sha256)")
      }
    } else if !hasUnknownKey && !seen.contains("data")
      && (!seen.contains("size") || !seen.contains("sha256"))
    {
      problems.append("a file needs data in base64, or the size and sha256 of stored data")
    }
    for problem in problems { changes.report(slot, problem, hint: hint) }
    if problems.isEmpty {
      changes.set(slot, file: reference, content: data.map(FileContent.bytes))
    }
  }

  private func isHexadecimal(_ text: Span<UInt8>) -> Bool {
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): break
      default: return false
      }
    }
    return true
  }
}

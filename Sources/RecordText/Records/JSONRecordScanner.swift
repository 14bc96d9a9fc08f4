package import DataModel
import JSONText

/// Scans one record, a JSON object, and sets its values in a `RowChanges`.
///
/// A slot is the index of a field or system field in `Schema.slots`.
package struct JSONRecordScanner: Sendable {
  var json = JSONScanner()
  package let kinds: [Slot.Kind]
  private var names: KeyPredictor
  /// For each field, given by its slot, the offset of its most recent value. If the offset is
  /// before the start of the current record, this record has no value for the field yet.
  private var valuePositions: [Int]
  /// The offsets of the record's keys that are not in the schema.
  private var unknownPositions: [Int] = []
  /// A key of the current record that is not in the schema, and whose value is an array of objects.
  private var listKey: String?
  /// The slot (position in a row) of the field whose value is being scanned; nil between values.
  private(set) var openSlot: Int?
  /// Whether only a part of the current record has been scanned.
  private var isOpen = false
  private let systemKeys: SystemKeyResolver
  /// Whether the record has the keys of all system fields, or nil if this is not known yet.
  private var hasAllSystemKeys: Bool?
  private(set) var start = 0
  private var startLine = 1
  private var startLineStart = 0
  /// How the values of the record are stored: as references to the scanned text, if `RowChanges`
  /// keeps this text, or as copies.
  package enum Source {
    case kept
    case copied
  }

  package var source = Source.kept
  /// Keys that are not in the schema, but are allowed if the value is null.
  private let emptyKeys: Set<[UInt8]>
  private let rules: ColumnRules
  private var parts: RecordParts
  /// The keys that have occurred in the input. They are collected only if options such as
  /// `--rename` contain names of keys. A name that does not occur is then reported.
  private var seenKeys: Set<[UInt8]> = []
  /// Whether numbers in JSON syntax were text in the input, in which a comma is the decimal mark.
  var hasDecimalCommas = false
  /// A buffer for bytes that differ from the text, such as a JSON value without whitespace.
  var scratch: [UInt8] = []

  package init(_ schema: Schema, _ form: TextForm = TextForm()) {
    kinds = schema.slots.map(\.kind)
    emptyKeys = Set(form.emptyKeys.map { Array($0.utf8) })
    systemKeys = SystemKeyResolver(form.systemKeys, of: schema)
    rules = form.columns
    hasDecimalCommas = form.format == .xml && form.lenience?.hasDecimalCommas == true
    parts = RecordParts(rules, of: schema)
    let ruled = Set(rules.names)
    let predictsSystemKeys = systemKeys.isTrivial
    names = KeyPredictor(schema) { slot in
      (predictsSystemKeys || slot < schema.fields.count) && !ruled.contains(schema.name(of: slot))
        && !schema.hiddenSlots.contains(slot)
    }
    valuePositions = Array(repeating: -1, count: schema.width)
  }

  /// Prepares for a new text. Resets the stored offsets, because they refer to the previous text.
  mutating func beginText() {
    for slot in valuePositions.indices { valuePositions[slot] = -1 }
  }

  /// Scans the record whose opening brace is at the current position, after the caller has begun a
  /// record in `changes`.
  mutating func scan(
    _ text: Span<UInt8>, into changes: inout RowChanges, nesting: inout some RecordNesting
  ) throws(ScanError) {
    start = json.position
    startLine = json.line
    startLineStart = json.lineStart
    unknownPositions.removeAll(keepingCapacity: true)
    openSlot = nil
    listKey = nil
    hasAllSystemKeys = nil
    isOpen = true
    var previous = names.start
    var next = try json.skipOpening(text, closing: UInt8(ascii: "}"))
    while let quote = next {
      guard quote == UInt8(ascii: "\"") else { throw ScanError(.expectedKey, json.position) }
      try member(text, after: &previous, into: &changes, nesting: &nesting)
      next = try json.skipMemberEnd(text)
    }
    if !parts.isEmpty {
      parts.finish(&changes)
      parts.removeAll()
    }
    isOpen = false
  }

  /// Scans the id at the current position, in place of a record, after the caller has begun a record
  /// in `changes`.
  mutating func scanID(
    _ text: Span<UInt8>, into changes: inout RowChanges
  ) throws(ScanError) {
    start = json.position
    unknownPositions.removeAll(keepingCapacity: true)
    listKey = nil
    let byte = text[start]
    guard [UInt8(ascii: "\""), UInt8(ascii: "-")].contains(byte) || JSONScanner.isDigit(byte) else {
      _ = try json.skipValue(text)
      return changes.report(
        changes.schema.keySlot, "expected a record or an id, found \(Self.kind(byte))")
    }
    valuePositions[changes.schema.keySlot] = start
    var none = NoNesting()
    try value(changes.schema.keySlot, byte, text, into: &changes, nesting: &none)
  }

  /// Returns the offset of the field's value in the current record, or nil if the record does not
  /// have the field.
  func valuePosition(of slot: Int) -> Int? {
    valuePositions[slot] < start ? nil : valuePositions[slot]
  }

  /// Whether the current record has the key of the given field, and no other keys.
  func hasOnly(_ slot: Int) -> Bool {
    unknownPositions.isEmpty
      && valuePositions.indices.allSatisfy { ($0 == slot) == (valuePositions[$0] >= start) }
  }

  /// Abandons the current record if only a part of it has been scanned. Returns false if there is
  /// no such record.
  mutating func giveUp() -> Bool {
    parts.removeAll()
    guard isOpen else { return false }
    isOpen = false
    // The next record may start before the end of the abandoned one, whose values must not count as
    // values of the next record.
    beginText()
    return true
  }

  @inline(__always)
  private mutating func member(
    _ text: Span<UInt8>, after previous: inout Int, into changes: inout RowChanges,
    nesting: inout some RecordNesting
  ) throws(ScanError) {
    let keyPosition = json.position
    if let found = names.expected(after: previous, in: text, at: keyPosition &+ 1) {
      json.position = keyPosition &+ 1 &+ found.length
      let byte = try json.skipColon(text)
      guard valuePositions[found.slot] < start else {
        return try repeated(found.slot, text, at: keyPosition, into: &changes)
      }
      valuePositions[found.slot] = json.position
      openSlot = found.slot
      try value(found.slot, byte, text, into: &changes, nesting: &nesting)
      previous = found.slot
    } else {
      try unpredictedMember(text, after: &previous, into: &changes, nesting: &nesting)
    }
    openSlot = nil
  }

  /// Scans a member whose key differs from the predicted one, and finds its field by the key.
  private mutating func unpredictedMember(
    _ text: Span<UInt8>, after previous: inout Int, into changes: inout RowChanges,
    nesting: inout some RecordNesting
  ) throws(ScanError) {
    let keyPosition = json.position
    let range = try json.string(text)
    if !rules.isEmpty,
      try ruledMember(text, range, at: keyPosition, into: &changes, nesting: &nesting)
    {
      return
    }
    var found =
      if let range {
        changes.schema.slot(named: text.extracting(range))
      } else {
        changes.schema.slot(named: json.unescaped.span)
      }
    if let system = found, system >= changes.schema.fields.count, !systemKeys.isTrivial {
      found = systemKeys.slot(
        for: system, hasAllSystemKeys: try hasAllSystemKeys(text, of: changes.schema))
    }
    guard let slot = found else {
      let name =
        range.map { String(decoding: text.extracting($0)) }
        ?? String(decoding: json.unescaped.span)
      let byte = try json.skipColon(text)
      let (isInverse, problem) = try nesting.skipInverse(name, text, &json)
      if let problem { changes.report(inverse: name, problem) }
      if isInverse { return }
      return try unknownMember(name, byte, text, at: keyPosition, into: &changes)
    }
    let byte = try json.skipColon(text)
    guard valuePositions[slot] < start else {
      return try repeated(slot, text, at: keyPosition, into: &changes)
    }
    valuePositions[slot] = json.position
    openSlot = slot
    try value(slot, byte, text, into: &changes, nesting: &nesting)
    names.note(slot, after: previous)
    previous = slot
  }

  /// Scans the value of a member whose key is not the name of a field. If the key is the name of a
  /// coordinate, such as `place.lat`, sets this coordinate of the point. For any other key, reports
  /// an unknown field, unless the value is null and `emptyKeys` contains the key.
  ///
  /// - Parameter byte: The first byte of the value.
  private mutating func unknownMember(
    _ name: String, _ byte: UInt8, _ text: Span<UInt8>, at keyPosition: Int,
    into changes: inout RowChanges
  ) throws(ScanError) {
    if let (slot, coordinate) = RecordParts.coordinate(
      named: Array(name.utf8), in: changes.schema)
    {
      return try self.coordinate(coordinate, of: slot, text, into: &changes)
    }
    if byte != UInt8(ascii: "n") || !emptyKeys.contains(Array(name.utf8)) {
      let isList = beginsObjects(text)
      if isList { listKey = name }
      changes.reportUnknownField(
        name,
        hint: isList
          ? "if its elements are the records, extract them: "
            + Self.extraction(of: name) : nil)
      if unknownPositions.count < RowChanges.maxProblems { unknownPositions.append(keyPosition) }
    }
    _ = try json.skipValue(text)
  }

  /// Returns a command that extracts the elements of the array under a key.
  package static func extraction(of key: String) -> String {
    var quoted: [UInt8] = []
    JSONQuote.append(key.utf8.span, to: &quoted)
    return "jq -c '.[\(String(decoding: quoted, as: UTF8.self))][]'"
  }

  /// Returns a hint for an object that only encloses an array of records under the given key.
  package static func unwrappingHint(for key: String) -> String {
    let name = key.split(separator: ".", omittingEmptySubsequences: false).joined(separator: "\\.")
    var path: [UInt8] = []
    JSONQuote.append("\(name)[]".utf8.span, to: &path)
    return "extract the records: \(extraction(of: key)), or pass --map with a map that contains "
      + "\"records\": \(String(decoding: path, as: UTF8.self))"
  }

  /// If the current record sets no field, but has an array of objects, returns the problem that
  /// this array seems to contain the records. The other problems follow from this one.
  func wrappingProblem(among problems: [Problem]) -> Problem? {
    guard let listKey, valuePositions.allSatisfy({ $0 < start }) else { return nil }
    var problem = problems.first { problem in
      problem.code == .unknownField && problem.field == Excerpt.truncated(listKey)
    }
    problem?.hint = Self.unwrappingHint(for: listKey)
    return problem
  }

  /// Whether the value at the current position is an array whose first element is an object.
  private func beginsObjects(_ text: Span<UInt8>) -> Bool {
    guard json.position < text.count, text[json.position] == UInt8(ascii: "[") else { return false }
    let rest = json.position + 1..<text.count
    let first = rest.first { ![0x20, 0x0A, 0x0D, 0x09].contains(text[$0]) }
    return first.map { text[$0] == UInt8(ascii: "{") } ?? false
  }

  /// Scans the value of a member whose key is renamed (`--rename`), skipped (`--skip`) or a part of
  /// the id (`--key`). Returns false without scanning the value if the key is read as usual.
  private mutating func ruledMember(
    _ text: Span<UInt8>, _ range: Range<Int>?, at keyPosition: Int, into changes: inout RowChanges,
    nesting: inout some RecordNesting
  ) throws(ScanError) -> Bool {
    var key = json.unescaped
    if let range {
      key.removeAll()
      key.append(copying: text.extracting(range))
    }
    rules.note(key, in: &seenKeys)
    let name = rules.fieldName(of: key)
    let part = parts.keyPart(key)
    let skips = rules.skips(key)
    guard part != nil || skips || !name.utf8.elementsEqual(key) else { return false }
    var slot = skips ? nil : changes.schema.slot(named: name)
    if part != nil, slot == changes.schema.keySlot { slot = nil }
    let byte = try json.skipColon(text)
    let start = json.position
    if let slot {
      guard valuePositions[slot] < self.start else {
        try repeated(slot, text, at: keyPosition, into: &changes)
        return true
      }
      valuePositions[slot] = start
      openSlot = slot
      try value(slot, byte, text, into: &changes, nesting: &nesting)
    } else if !skips, part == nil {
      try unknownMember(name, byte, text, at: keyPosition, into: &changes)
    } else {
      _ = try json.skipValue(text)
    }
    if let part {
      if valuePositions[changes.schema.keySlot] < self.start {
        valuePositions[changes.schema.keySlot] = start
      }
      try setKeyPart(part, text, start..<json.position, into: &changes)
    }
    return true
  }

  /// Sets a part of an id that is joined from several keys (`--key`). The value of the key has
  /// already been scanned.
  ///
  /// - Parameters:
  ///   - part: The index of the part in the id.
  ///   - range: The byte range of the value in the text.
  private mutating func setKeyPart(
    _ part: Int, _ text: Span<UInt8>, _ range: Range<Int>, into changes: inout RowChanges
  ) throws(ScanError) {
    var id: [UInt8]? = []
    switch text[range.lowerBound] {
    case UInt8(ascii: "n"): id = nil
    case UInt8(ascii: "\""):
      var value = json
      value.position = range.lowerBound
      if let range = try value.string(text) {
        id?.append(copying: text.extracting(range))
      } else {
        id = value.unescaped
      }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard let integer = try? NumberText.integer(text.extracting(range)) else { fallthrough }
      id = Array("\(integer)".utf8)
    default:
      return parts.reportKeyPart(
        part, found: Self.kind(text[range.lowerBound]), on: &changes)
    }
    parts.setKeyPart(part, id, on: &changes)
  }

  /// Scans one coordinate of a geographic point whose coordinates are under separate keys, such as
  /// `place.lat` and `place.lon`.
  private mutating func coordinate(
    _ coordinate: RecordParts.Coordinate, of slot: Int, _ text: Span<UInt8>,
    into changes: inout RowChanges
  ) throws(ScanError) {
    let start = json.position
    if valuePositions[slot] < self.start { valuePositions[slot] = start }
    _ = try json.skipValue(text)
    if text[start] == UInt8(ascii: "n") {
      parts.set(coordinate, of: slot, nil, on: &changes)
    } else {
      parts.set(coordinate, of: slot, text.extracting(start..<json.position), on: &changes)
    }
  }

  /// Returns a problem for each key that is named in an option, such as `--rename`, but does not
  /// occur in any record.
  func problemsOfUnusedRules(_ schema: Schema) -> [Problem] {
    rules.problems(
      ofUnused: seenKeys, others: schema.knownFieldNames, schema: schema.name, line: json.line)
  }

  /// Returns whether the record has the keys of all system fields. Malformed text is not reported,
  /// because the scan that follows reports it.
  private mutating func hasAllSystemKeys(
    _ text: Span<UInt8>, of schema: Schema
  ) throws(ScanError) -> Bool {
    if let hasAllSystemKeys { return hasAllSystemKeys }
    var keys = json
    keys.position = start
    var found: Set<Int> = []
    do throws(ScanError) {
      var next = try keys.skipOpening(text, closing: UInt8(ascii: "}"))
      while next == UInt8(ascii: "\"") {
        let slot =
          if let range = try keys.string(text) {
            schema.slot(named: text.extracting(range))
          } else {
            schema.slot(named: keys.unescaped.span)
          }
        if let slot, slot >= schema.fields.count { found.insert(slot) }
        _ = try keys.skipColon(text)
        _ = try keys.skipValue(text)
        next = try keys.skipMemberEnd(text)
      }
    } catch {
      if error.kind == .needsMore { throw error }
    }
    hasAllSystemKeys = found.count == SystemField.allCases.count
    return found.count == SystemField.allCases.count
  }

  private mutating func repeated(
    _ slot: Int, _ text: Span<UInt8>, at keyPosition: Int, into changes: inout RowChanges
  ) throws(ScanError) {
    let first = Self.key(in: text, before: valuePositions[slot])
    let second = Self.key(in: text, before: json.position)
    changes.report(
      slot,
      first == second
        ? "duplicate field in a record" : "\(first) and \(second) are the same field in a record")
    valuePositions[slot] = keyPosition
    _ = try json.skipValue(text)
  }

  /// Returns a key, given the offset of the colon or of the value after it. The key is the text
  /// between the two quotation marks before this offset, because names of fields contain no
  /// quotation marks.
  private static func key(in text: Span<UInt8>, before position: Int) -> String {
    func quote(before position: Int) -> Int {
      var index = position - 1
      while index > 0, text[index] != UInt8(ascii: "\"") { index -= 1 }
      return max(index, 0)
    }
    let end = quote(before: position)
    return Excerpt.truncated(
      String(decoding: text.extracting(min(quote(before: end) + 1, end)..<end)))
  }

  /// Adds to each problem the line and the column of the invalid value or the unknown key, and
  /// returns the problems.
  func located(_ problems: [Problem], in text: Span<UInt8>, schema: Schema) -> [Problem] {
    let beginning = CSVChunkScanner.Mark(
      position: start, line: startLine, lineStart: startLineStart)
    var mark = beginning
    var unknown = unknownPositions.makeIterator()
    return problems.map { problem in
      var located = problem
      let position: Int?
      if problem.code == .unknownField {
        position = unknown.next()
      } else {
        position = problem.field.flatMap(schema.slot(named:)).map { valuePositions[$0] }
      }
      if let position, position >= start {
        let found = TextLocation(
          of: position, in: text, from: position < mark.position ? beginning : mark)
        mark = found.mark(at: position)
        (located.line, located.column) = (found.line, found.column)
      }
      return located
    }
  }
}

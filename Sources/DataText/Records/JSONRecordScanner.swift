import DataModel

/// Scans one record, a JSON object, directly into the slots of its schema.
struct JSONRecordScanner: Sendable {
  var json = JSONScanner()
  let kinds: [Slot.Kind]
  private var names: FieldNames
  /// The offset of each slot's value. Offsets before `start` belong to earlier records.
  private var valuePlaces: [Int]
  /// The offsets of keys that the schema does not have.
  private var unknownPlaces: [Int] = []
  /// The slot whose value is being scanned.
  private(set) var openSlot: Int?
  /// Whether a record is only partly scanned.
  private var isOpen = false
  private(set) var start = 0
  private var startLine = 1
  private var startLineStart = 0
  /// Whether the text is kept together with the changes, so that they can refer to it.
  enum Source {
    case kept
    case copied
  }

  var source = Source.kept
  /// Keys that are allowed with the value null although the schema does not have them.
  var emptyKeys: Set<[UInt8]> = []
  /// A buffer for bytes that differ from the text, such as a JSON value without whitespace.
  var scratch: [UInt8] = []

  init(_ schema: Schema) {
    kinds = schema.slots.map(\.kind)
    names = FieldNames(schema)
    valuePlaces = Array(repeating: -1, count: schema.width)
  }

  /// Resets the stored offsets, because they refer to the previous text.
  mutating func beginText() {
    for slot in valuePlaces.indices { valuePlaces[slot] = -1 }
  }

  /// Scans the record whose opening brace is at the current position.
  mutating func scan(
    _ text: Span<UInt8>, into changes: inout Changes
  ) throws(ScanFault) {
    start = json.place
    startLine = json.line
    startLineStart = json.lineStart
    unknownPlaces.removeAll(keepingCapacity: true)
    openSlot = nil
    isOpen = true
    changes.beginRecord(line: startLine)
    var previous = names.start
    var next = try json.passOpening(text, closing: UInt8(ascii: "}"))
    while let quote = next {
      guard quote == UInt8(ascii: "\"") else { throw ScanFault(.expectedKey, json.place) }
      try member(text, after: &previous, into: &changes)
      next = try json.passMemberEnd(text)
    }
    isOpen = false
  }

  /// Abandons the open record, if any. Returns whether there was one.
  mutating func giveUp() -> Bool {
    defer { isOpen = false }
    return isOpen
  }

  @inline(__always)
  private mutating func member(
    _ text: Span<UInt8>, after previous: inout Int, into changes: inout Changes
  ) throws(ScanFault) {
    let keyPlace = json.place
    if let found = names.expected(after: previous, in: text, at: keyPlace &+ 1) {
      json.place = keyPlace &+ 1 &+ found.length
      let byte = try json.passColon(text)
      guard valuePlaces[found.slot] < start else {
        return try repeated(found.slot, text, at: keyPlace, into: &changes)
      }
      valuePlaces[found.slot] = json.place
      openSlot = found.slot
      try value(found.slot, byte, text, into: &changes)
      previous = found.slot
    } else {
      try searchedMember(text, after: &previous, into: &changes)
    }
    openSlot = nil
  }

  /// Scans a member whose key is not the predicted one, and looks the key up by name.
  private mutating func searchedMember(
    _ text: Span<UInt8>, after previous: inout Int, into changes: inout Changes
  ) throws(ScanFault) {
    let keyPlace = json.place
    let range = try json.string(text)
    let slot =
      if let range {
        changes.schema.slot(named: text.extracting(range))
      } else {
        changes.schema.slot(named: json.unescaped.span)
      }
    guard let slot else {
      let name =
        range.map { String(decoding: text.extracting($0)) }
        ?? String(decoding: json.unescaped.span)
      let byte = try json.passColon(text)
      if byte != UInt8(ascii: "n") || !emptyKeys.contains(Array(name.utf8)) {
        changes.reportUnknownField(name)
        if unknownPlaces.count < Changes.mostProblems { unknownPlaces.append(keyPlace) }
      }
      _ = try json.passValue(text)
      return
    }
    let byte = try json.passColon(text)
    guard valuePlaces[slot] < start else {
      return try repeated(slot, text, at: keyPlace, into: &changes)
    }
    valuePlaces[slot] = json.place
    openSlot = slot
    try value(slot, byte, text, into: &changes)
    names.note(slot, after: previous)
    previous = slot
  }

  private mutating func repeated(
    _ slot: Int, _ text: Span<UInt8>, at keyPlace: Int, into changes: inout Changes
  ) throws(ScanFault) {
    changes.report(slot, "duplicate field in a record")
    valuePlaces[slot] = keyPlace
    _ = try json.passValue(text)
  }

  /// Returns the problems with the line and column of the values that they concern.
  func placed(_ problems: [Problem], in text: Span<UInt8>, schema: Schema) -> [Problem] {
    let beginning = CSVBatchScanner.Mark(
      place: start, line: startLine, lineStart: startLineStart)
    var mark = beginning
    var unknown = unknownPlaces.makeIterator()
    return problems.map { problem in
      var placed = problem
      let place: Int?
      if problem.code == .unknownField {
        place = unknown.next()
      } else {
        place = problem.field.flatMap(schema.slot(named:)).map { valuePlaces[$0] }
      }
      if let place, place >= start {
        let found = TextPlace(of: place, in: text, from: place < mark.place ? beginning : mark)
        mark = found.mark(at: place)
        (placed.line, placed.column) = (found.line, found.column)
      }
      return placed
    }
  }
}

import DataModel
import JSONText
import RecordText

/// Statistics of the values that records have under one key. The type of a field is inferred from
/// these statistics.
struct FieldStatistics: Sendable {
  /// An example value, with the file and the line in which it was found.
  struct Example: Hashable, Sendable {
    var text: String
    var location: InferenceLocation
  }

  let key: String
  let keyBytes: [UInt8]
  var nulls = 0
  /// The location of the first null under the key. It is stored only if the values may be ids.
  private(set) var firstNull: InferenceLocation?
  var values = KindStatistics()
  /// Statistics of the elements of arrays.
  var elements = KindStatistics()
  var ids: IDStatistics?
  /// How many decimal places the numbers in CSV cells and XML texts have.
  var decimals = DecimalPlaces()
  /// Whether the cells of the column contain several elements (`--split-cells`).
  private(set) var isSplit = false
  /// The number of CSV cells with a number that has a decimal comma, such as `4,50`.
  private var decimalCommas = 0
  /// Whether the format represents every scalar as text, as XML does.
  private let hasOnlyText: Bool
  /// The number of empty XML elements. An empty element can be an empty string or an empty list.
  /// Only the other values show which of the two is meant, so empty elements are classified after
  /// the last record.
  private var emptyElements = 0
  /// The statistics of the nested objects, as an array with one element. The array is empty if the
  /// objects do not become records of a separate schema. An optional is not possible, because a
  /// struct cannot contain an instance of itself.
  var nested: [RecordStatistics]
  /// Whether a map describes the records.
  let isMapped: Bool
  /// The declaration of the field in the map, or nil if there is none.
  let declaration: DeclaredField?
  /// Whether a time without a UTC offset counts as a datetime. If not, it counts as text.
  let assumesZone: Bool
  /// Statistics of the texts that lenient conversions accept as other types, or nil if the
  /// conversions are not lenient.
  private(set) var lenient: LenientTexts?
  /// The file that is being read.
  private var file: InferenceFile
  /// The first value of each kind, indexed by the raw value of the kind.
  private var examples: [Example?] = Array(repeating: nil, count: InferredKind.allCases.count)

  init(
    _ key: [UInt8], mayBeKey: Bool, hasOnlyText: Bool, nested: RecordStatistics?,
    isMapped: Bool, declaration: DeclaredField?, assumesZone: Bool,
    lenient: LenientTexts?, file: InferenceFile
  ) {
    self.lenient = lenient
    self.file = file
    self.isMapped = isMapped
    self.declaration = declaration
    self.assumesZone = assumesZone
    keyBytes = key
    self.hasOnlyText = hasOnlyText
    self.key = String(decoding: key, as: UTF8.self)
    ids = mayBeKey ? IDStatistics(file: file) : nil
    self.nested = nested.map { [$0] } ?? []
  }

  /// Sets the file that is being read.
  mutating func beginFile(_ file: InferenceFile) {
    self.file = file
    ids?.file = file
    for index in nested.indices { nested[index].beginFile(file) }
  }

  /// Whether the only value is an array with at least one element, and all elements are objects.
  var isOneArrayOfObjects: Bool {
    values[.mixedArray] == 1 && elements.total == elements[.object]
  }

  /// The number of records that have the key, including those with a null.
  var count: Int { nulls + values.total }

  func example(_ kind: InferredKind) -> Example? { examples[kind.rawValue] }

  /// The first value that was found, of any kind.
  var firstExample: Example? {
    examples.compactMap(\.self).min { $0.location < $1.location }
  }

  private mutating func addNull(line: Int) {
    nulls += 1
    if ids != nil, firstNull == nil { firstNull = InferenceLocation(file, line) }
  }

  mutating func show(_ kind: InferredKind, line: Int, _ text: () -> String) {
    if examples[kind.rawValue] == nil {
      examples[kind.rawValue] = Example(text: text(), location: InferenceLocation(file, line))
    }
  }

  static func excerpt(_ text: Span<UInt8>) -> String {
    let quoted = Excerpt.quoted(text)
    return String(quoted.dropFirst().dropLast())
  }
}

/// Statistics of JSON values.
extension FieldStatistics {
  /// Counts the value that begins at the scanner's position, and moves the scanner past it.
  ///
  /// - Parameter byte: The first byte of the value.
  mutating func add(
    _ byte: UInt8, _ json: inout JSONScanner, _ text: Span<UInt8>
  ) throws(ScanError) {
    let (start, line) = (json.position, json.line)
    switch byte {
    case UInt8(ascii: "n"):
      try json.skip(.null, text)
      addNull(line: line)
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
      if hasOnlyText, lenient?.hasDecimalMark == true { return add(text: number, line: line) }
      let kind = values.add(number: number)
      lenient?.add(number: number)
      if hasOnlyText { decimals.add(number) }
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
    if hasOnlyText, text.isEmpty {
      emptyElements += 1
      lenient?.add(text, .text)
      show(.text, line: line) { Excerpt.quoted(text) }
      ids?.add(text, line: line)
      return
    }
    if hasOnlyText, let number = lenient?.number(text) {
      return add(markedNumber: number, text, line: line)
    }
    let kind = values.add(text: text)
    lenient?.add(text, kind)
    show(kind, line: line) { Excerpt.quoted(text) }
    ids?.add(text, line: line)
  }

  /// Counts a text that is a number with the given decimal mark.
  private mutating func add(markedNumber number: [UInt8], _ text: Span<UInt8>, line: Int) {
    let kind = values.add(number: number.span)
    lenient?.add(number: number.span)
    decimals.add(number.span)
    show(kind, line: line) { Self.excerpt(text) }
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
      case UInt8(ascii: "{"):
        _ = try json.skipValue(text)
        found.add(.object)
        isMixed = true
      case UInt8(ascii: "n"), UInt8(ascii: "["):
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

  /// Validates a value, and returns the positions of its start and its end. The scanner remains at
  /// the start of the value.
  ///
  /// - Throws: An error if the value is not valid JSON or cannot be stored in a `json` field.
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

  /// Returns whether an object has exactly the members `lat` and `lon`, with valid coordinates.
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

extension FieldStatistics {
  /// Counts the empty XML elements as empty lists if all other values are lists, and as empty
  /// strings if they are not. Call this after the last record.
  mutating func countEmptyElements() {
    let isList = values.total > 0 && values[.array] + values[.mixedArray] == values.total
    for _ in 0..<emptyElements { values.add(isList ? .array : .text) }
    emptyElements = 0
    for index in nested.indices { nested[index].countEmptyElements() }
  }
}

/// Statistics of CSV cells.
extension FieldStatistics {
  /// Counts a cell, given without its quotes. An empty cell is null unless it was quoted in the
  /// file.
  mutating func add(cell: Span<UInt8>, isQuoted: Bool, line: Int) throws(ScanError) {
    guard !cell.isEmpty || isQuoted else { return addNull(line: line) }
    if cell.isEqual(to: "true".utf8.span) || cell.isEqual(to: "false".utf8.span) {
      values.add(.boolean)
      show(.boolean, line: line) { Self.excerpt(cell) }
    } else if let number = lenient?.number(cell) {
      return add(markedNumber: number, cell, line: line)
    } else if ScalarText.isPlainNumber(cell), lenient?.hasDecimalMark != true {
      let kind = values.add(number: cell)
      lenient?.add(number: cell)
      decimals.add(cell)
      show(kind, line: line) { Self.excerpt(cell) }
    } else if let first = cell.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      (try? JSONScanner.compactValue(cell)) != nil
    {
      var json = JSONScanner()
      json.line = line
      try add(first, &json, cell)
      return
    } else {
      let kind = values.add(text: cell)
      lenient?.add(cell, kind)
      if DecimalPlaces.hasDecimalComma(cell) { decimalCommas += 1 }
      show(kind, line: line) { Excerpt.quoted(cell) }
    }
    ids?.add(cell, line: line)
  }

  /// Counts a cell that contains several elements.
  mutating func add(
    elementsOf cell: Span<UInt8>, isQuoted: Bool, separatedBy separator: [UInt8], line: Int
  ) {
    isSplit = true
    guard !cell.isEmpty || isQuoted else { return addNull(line: line) }
    var copy: [UInt8] = []
    copy.append(copying: cell)
    for range in CellElements.ranges(in: copy, separatedBy: separator) {
      let element = copy.span.extracting(range)
      if element.isEqual(to: "true".utf8.span) || element.isEqual(to: "false".utf8.span) {
        elements.add(.boolean)
      } else if ScalarText.isPlainNumber(element) {
        _ = elements.add(number: element)
        decimals.add(element)
      } else {
        _ = elements.add(text: element)
      }
    }
    values.add(.array)
    show(.array, line: line) { Excerpt.quoted(cell) }
    ids?.add(violation: Self.excerpt(cell), line: line)
  }

  /// Whether all texts of the column are numbers with a decimal comma.
  var hasDecimalCommas: Bool { decimalCommas > 0 && decimalCommas == values[.text] }
}

extension Span<UInt8> {
  fileprivate var first: UInt8? { isEmpty ? nil : self[0] }
}

import DataModel
import JSONText

/// A column of the output: which cell of a row contains its value, and how the value is serialized.
struct RecordColumn: BitwiseCopyable, Sendable {
  let slot: Int
  let storage: Storage
  /// Which values are written as JSON strings.
  private(set) var quotes: Quotes
  /// Which values are written as JSON strings if numbers are written as text.
  private let numberQuotes: Quotes
  let kind: Slot.Kind
  /// The number of digits after the point of a scaled integer.
  let scale: Int8
  /// The type of the elements if the values are arrays; it has no meaning for other values.
  let element: ElementType
  /// Whether a value is checked before its record is serialized as JSON. If not, the value is
  /// checked while it is serialized, as the canonical form of an array of texts.
  let isCheckedBefore: Bool
  let prefixStart: Int
  let prefixEnd: Int
  let nullEnd: Int

  enum Quotes: BitwiseCopyable, Sendable {
    case never
    case always
    /// Only integers that a double cannot represent exactly, also in lists.
    case ofLongIntegers
  }

  init(_ slot: Int, _ type: FieldType, prefixStart: Int, prefixEnd: Int, nullEnd: Int) {
    self.slot = slot
    storage = type.descriptor.storage
    quotes = type.descriptor.textForm == .quoted ? .always : .never
    kind = type.descriptor.kind
    scale = storage == .integer ? Int8(type.descriptor.scale ?? 0) : 0
    element = type.elementType
    let isInteger = storage == .integer || kind == .array && element == .integer
    numberQuotes =
      type.descriptor.scale != nil ? .always : isInteger ? .ofLongIntegers : quotes
    let isTextArray = kind == .array && element == .text
    isCheckedBefore = storage == .bytes && quotes == .never && !isTextArray
    self.prefixStart = prefixStart
    self.prefixEnd = prefixEnd
    self.nullEnd = nullEnd
  }

  /// Whether all values are written as JSON strings.
  var isQuoted: Bool { quotes == .always }

  /// Writes the values as JSON strings if they are numbers that other programs may round.
  mutating func quoteNumbers() { quotes = numberQuotes }

  /// Returns the maximum length of a cell in a JSON object, including the key and the colon.
  @inline(__always)
  func longestJSON(_ cell: Cell) -> Int {
    let bytes = Int(cell.length)
    return switch storage {
    case .bytes:
      isQuoted
        ? nullEnd &- prefixStart &+ bytes &* JSONQuote.maxExpansion &+ 2
        : nullEnd &- prefixStart &+ bytes &* (quotes == .never ? 1 : 2)
    case .date: nullEnd &- prefixStart &+ bytes &+ 2
    case .integer, .number, .boolean, .datetime: nullEnd &- prefixStart &+ Self.longestScalar
    case .point: nullEnd &- prefixStart &+ 3 &* Self.longestScalar
    }
  }

  /// Appends the value of a cell as JSON. The value must be valid, and not null.
  func appendJSON(_ cell: Cell, of rows: Rows, to output: inout [UInt8]) {
    switch storage {
    case .bytes where quotes == .never: appendBytes(cell, of: rows, to: &output)
    case .bytes where isQuoted:
      if cell.kind == .input {
        JSONQuote.append(rows.input.span.extracting(cell.range), to: &output)
      } else {
        JSONQuote.append(rows.arena.span.extracting(cell.range), to: &output)
      }
    case .bytes, .integer, .number, .boolean, .date, .datetime, .point:
      output.append(addingCapacity: longestJSON(cell)) { output in
        _ = rows.withBytes(of: cell) { output.append(cell, with: $0, in: self) }
      }
    }
  }

  /// Appends the value of a cell as CSV. Nothing is appended for null, and quotes are appended for
  /// empty text.
  func appendCSV(_ cell: Cell, of rows: Rows, separator: UInt8, to output: inout [UInt8]) {
    guard cell.hasValue else { return }
    switch storage {
    case .bytes, .date:
      if cell.kind == .input {
        CSVCell.append(
          rows.input.span.extracting(cell.range), separator: separator, to: &output)
      } else {
        CSVCell.append(
          rows.arena.span.extracting(cell.range), separator: separator, to: &output)
      }
    case .point:
      var point: [UInt8] = []
      appendJSON(cell, of: rows, to: &point)
      CSVCell.append(point.span, separator: separator, to: &output)
    case .datetime: Timestamp(microseconds: cell.integer)?.write(to: &output)
    case .integer where scale == 0 && cell.kind == .integer:
      NumberText.write(cell.integer, to: &output)
    case .integer, .number, .boolean: appendJSON(cell, of: rows, to: &output)
    }
  }

  /// Appends the bytes of the cell without any escaping.
  func appendBytes(_ cell: Cell, of rows: Rows, to output: inout [UInt8]) {
    if cell.kind == .input {
      output.append(copying: rows.input.span.extracting(cell.range))
    } else {
      output.append(copying: rows.arena.span.extracting(cell.range))
    }
  }

  /// The maximum length of a number, or of a timestamp with its quotes.
  private static var longestScalar: Int {
    max(NumberText.maxTextLength, Timestamp.maxTextLength + 2)
  }
}

extension OutputSpan<UInt8> {
  /// Appends the value of a cell as JSON. Returns true if the value is certainly valid. If the
  /// result is false, the caller must check the value, and the appended bytes may be incomplete or
  /// missing.
  ///
  /// The value must not be null, and the span must have enough free capacity. If
  /// `column.isCheckedBefore` is true, the caller must have checked the value, and the result is
  /// true. For a list of strings, the result is true only if the list is in canonical form and
  /// contains no escape sequences.
  ///
  /// - Parameter bytes: The bytes of the cell, if it has any.
  mutating func append(_ cell: Cell, with bytes: Span<UInt8>, in column: RecordColumn) -> Bool {
    switch column.storage {
    case .bytes:
      switch column.quotes {
      case .always: return append(quoting: bytes)
      case .never: append(copying: bytes)
      case .ofLongIntegers: append(integers: bytes)
      }
      return column.isCheckedBefore || ListText.isPlain(bytes)
    case .integer:
      guard cell.kind == .integer else { return false }
      if column.scale == 0, column.quotes == .never {
        append(integer: cell.integer)
      } else {
        append(decimalOrQuoted: cell.integer, in: column)
      }
    case .number:
      guard cell.number.isFinite else { return false }
      append(number: cell.number)
    case .boolean:
      guard cell.integer == 0 || cell.integer == 1 else { return false }
      append(word: cell.integer == 0 ? "false" : "true")
    case .date:
      append(UInt8(ascii: "\""))
      append(copying: bytes)
      append(UInt8(ascii: "\""))
      return (try? CalendarDate(parsing: bytes)) != nil
    case .datetime:
      var last: (microseconds: Int64, range: Range<Int>)?
      return append(time: cell, &last)
    case .point:
      guard let point = GeoPoint(bytes: bytes) else { return false }
      append(word: "{\"lat\":")
      append(number: point.latitude)
      append(word: ",\"lon\":")
      append(number: point.longitude)
      append(UInt8(ascii: "}"))
    }
    return true
  }

  /// Appends a time as JSON, and returns whether it is valid.
  ///
  /// - Parameter last: The time that was appended last, and the range of its text. If the new time
  ///   is the same, this text is copied.
  @inline(__always)
  mutating func append(
    time cell: Cell, _ last: inout (microseconds: Int64, range: Range<Int>)?
  ) -> Bool {
    if let last, last.microseconds == cell.integer {
      append(copyOf: last.range)
      return true
    }
    guard let time = Timestamp(microseconds: cell.integer) else { return false }
    let start = count
    append(UInt8(ascii: "\""))
    append(time: time)
    append(UInt8(ascii: "\""))
    last = (cell.integer, start..<count)
    return true
  }

  /// Appends a copy of bytes that have been appended before. The free capacity must be sufficient.
  private mutating func append(copyOf range: Range<Int>) {
    precondition(range.upperBound <= count && range.count <= freeCapacity)
    unsafe withUnsafeMutableBufferPointer { memory, count in
      guard let start = memory.baseAddress else { return }
      unsafe (start + count).initialize(from: start + range.lowerBound, count: range.count)
      count += range.count
    }
  }

  private mutating func append(decimalOrQuoted coefficient: Int64, in column: RecordColumn) {
    let isQuoted =
      column.quotes == .always || column.quotes == .ofLongIntegers && Self.isLong(coefficient)
    if isQuoted { append(UInt8(ascii: "\"")) }
    if column.scale > 0 {
      append(decimal: coefficient, scale: Int(column.scale))
    } else {
      append(integer: coefficient)
    }
    if isQuoted { append(UInt8(ascii: "\"")) }
  }

  /// Returns whether a double cannot represent an integer and all integers near it exactly.
  private static func isLong(_ integer: Int64) -> Bool {
    integer.magnitude > JSONForm.maxExactInteger.magnitude
  }

  /// Appends a list of integers, of which those are quoted that a double cannot represent exactly.
  private mutating func append(integers list: Span<UInt8>) {
    var start = 0
    for end in list.indices {
      switch list[end] {
      case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","):
        let number = list.extracting(start..<end)
        let isLong = (try? NumberText.integer(number)).map(Self.isLong) ?? false
        if isLong { append(UInt8(ascii: "\"")) }
        append(copying: number)
        if isLong { append(UInt8(ascii: "\"")) }
        append(list[end])
        start = end + 1
      default: break
      }
    }
  }

  private mutating func append(word: String) {
    append(copying: word.utf8.span)
  }
}

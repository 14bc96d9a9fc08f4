package import DataModel
import JSONText

/// Finds stored values that are invalid for the type of their field.
///
/// Other tools can store such values, because SQL constraints cannot check everything. Printing
/// them would make the output invalid.
package struct StoredValueCheck: Sendable {
  private let columns: [RecordColumn]
  /// The columns whose values are not checked while they are serialized as JSON. `invalidTextSlot`
  /// checks them before a record is serialized.
  private let texts: [RecordColumn]
  private var json = JSONScanner()

  init(_ columns: [RecordColumn]) {
    self.columns = columns
    texts = columns.filter(\.isCheckedBefore)
  }

  /// Creates a check of the values of output columns.
  package init(_ columns: [RecordWriter.Column]) {
    self.init(RecordWriter(columns, format: .ndjson).columns)
  }

  /// Creates a check of all fields that are read from a store.
  package init(of schema: Schema) {
    self.init(RecordWriter(schema, format: .ndjson).columns)
  }

  /// Returns a problem for the first invalid value of a row, or nil if all values are valid.
  package mutating func problem(in rows: Rows, _ row: Int, of schema: Schema) -> Problem? {
    guard let slot = invalidSlot(in: rows, row) else { return nil }
    return .invalidStoredValue(
      of: schema.name(of: slot), id: rows.text(rows[row, schema.keySlot]), schema: schema.name)
  }

  /// Returns the slot (position in the row) of the first invalid value, or nil if all values are
  /// valid.
  package mutating func invalidSlot(in rows: Rows, _ row: Int) -> Int? {
    invalidSlot(of: columns, in: rows, row)
  }

  /// Checks only the values that are not checked while they are serialized as JSON. Returns the
  /// slot (position in the row) of the first invalid value, or nil if there is none.
  mutating func invalidTextSlot(in rows: Rows, _ row: Int) -> Int? {
    texts.isEmpty ? nil : invalidSlot(of: texts, in: rows, row)
  }

  private mutating func invalidSlot(
    of columns: [RecordColumn], in rows: Rows, _ row: Int
  ) -> Int? {
    for column in columns {
      let cell = rows[row, column.slot]
      if cell.hasValue, !isValid(cell, of: rows, in: column) { return column.slot }
    }
    return nil
  }

  private mutating func isValid(_ cell: Cell, of rows: Rows, in column: RecordColumn) -> Bool {
    switch column.storage {
    case .integer: cell.kind == .integer
    case .number: cell.number.isFinite
    case .boolean: cell.integer == 0 || cell.integer == 1
    case .date: rows.withBytes(of: cell) { try? CalendarDate(parsing: $0) } != nil
    case .datetime: Timestamp(microseconds: cell.integer) != nil
    case .point: rows.withBytes(of: cell) { GeoPoint(bytes: $0) } != nil
    case .bytes: rows.withBytes(of: cell) { isValid($0, in: column) }
    }
  }

  private mutating func isValid(_ text: Span<UInt8>, in column: RecordColumn) -> Bool {
    switch column.kind {
    case .json: isJSON(text)
    case .file: UTF8Check.isValid(text) && FileReference(canonicalText: text) != nil
    case .array:
      column.element == .text && ListText.isPlain(text) || isList(text, of: column.element)
    // The engine generated the list of a to-many relation, so its JSON is valid.
    case .key, .text, .scalar, .geopoint, .password, .reference, .references, .system:
      UTF8Check.isValid(text)
    }
  }

  /// Returns whether a text is a JSON value in one line.
  private mutating func isJSON(_ text: Span<UInt8>) -> Bool {
    do throws(ScanError) {
      if try json.isPlainValue(text) { return true }
      json.position = 0
      json.line = 1
      let notes = try json.skipValue(text)
      return notes.violation == nil && json.skipWhitespace(text) == nil && json.line == 1
    } catch {
      return false
    }
  }

  /// Returns whether a text is a JSON array in one line, with elements of the given type.
  private mutating func isList(_ text: Span<UInt8>, of type: ElementType) -> Bool {
    do throws(ScanError) {
      json.position = 0
      json.line = 1
      guard try json.next(text) == UInt8(ascii: "[") else { return false }
      var next = try json.skipOpening(text, closing: UInt8(ascii: "]"))
      while let byte = next {
        guard try isElement(byte, text, of: type) else { return false }
        next = try json.skipElementEnd(text)
      }
      return json.skipWhitespace(text) == nil && json.line == 1
    } catch {
      return false
    }
  }

  private mutating func isElement(
    _ byte: UInt8, _ text: Span<UInt8>, of type: ElementType
  ) throws(ScanError) -> Bool {
    let descriptor = type.fieldType.descriptor
    if byte == UInt8(ascii: "\"") {
      guard descriptor.textForm == .quoted else { return false }
      let range = try json.string(text)
      if type == .text { return range != nil || !json.unescaped.contains(0) }
      return range.map { (try? descriptor.parse(text.extracting($0))) != nil } ?? false
    }
    guard descriptor.textForm == .bare else { return false }
    let start = json.position
    switch byte {
    case UInt8(ascii: "t"): try json.skip(.yes, text)
    case UInt8(ascii: "f"): try json.skip(.no, text)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try json.number(text)
    default: return false
    }
    return (try? descriptor.parse(text.extracting(start..<json.position))) != nil
  }
}

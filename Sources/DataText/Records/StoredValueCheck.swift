package import DataModel

/// Finds stored values that the type of their field does not allow.
///
/// The engines check only what SQL can check, so another tool can write such values. Printing them
/// would make the output invalid.
package struct StoredValueCheck: Sendable {
  private enum Kind {
    case text
    case number
    case boolean
    case datetime
    case geopoint
    case file
    case json
    case list(ElementType)
  }

  /// A column to check: the slot of its cells, and the kind of value that they must contain.
  private struct Target {
    var slot: Int
    var kind: Kind
    var column: Int
  }

  private let schema: Schema
  private let names: [String]
  private var values: [Target] = []
  /// The columns whose cells contain text. Their bytes must be valid UTF-8.
  private var texts: [Target] = []
  private var json = JSONScanner()
  /// Whether all bytes of the rows are valid UTF-8, so that the texts need not be checked.
  private var isUTF8 = false

  /// Creates a check of the given columns of a schema's records. The columns can include fields of
  /// related records.
  package init(_ columns: [RecordWriter.Column], of schema: Schema) {
    self.schema = schema
    names = columns.map(\.name)
    for (index, column) in columns.enumerated() {
      let kind: Kind? =
        switch column.type {
        // The engines generate the list of a to-many relation.
        case .id, .text, .relation: .text
        case .number: .number
        case .boolean: .boolean
        case .datetime: .datetime
        case .geopoint: .geopoint
        case .file: .file
        case .json: .json
        case .array(let element): .list(element)
        case .integer, .password: nil
        }
      guard let kind else { continue }
      let target = Target(slot: column.slot, kind: kind, column: index)
      switch kind {
      case .text: texts.append(target)
      case .file, .json, .list:
        values.append(target)
        texts.append(target)
      case .number, .boolean, .datetime, .geopoint: values.append(target)
      }
    }
  }

  /// Creates a check of all fields that are read from a store.
  package init(of schema: Schema) {
    self.init(
      (0..<schema.width).filter { $0 != schema.passwordSlot }.map { schema.column($0) }, of: schema)
  }

  /// Prepares for checking all rows of a chunk, which takes less time than checking some of them.
  package mutating func begin(_ rows: Rows) {
    isUTF8 = UTF8Check.firstInvalidOffset(in: rows.arena.span) == nil
  }

  /// Returns a problem for the first invalid value of a row, or nil if all values are valid.
  package mutating func problem(in rows: Rows, _ row: Int) -> Problem? {
    for target in values {
      let cell = rows[row, target.slot]
      if cell.hasValue, !isValid(cell, of: rows, as: target.kind) {
        return problem(target, in: rows, row)
      }
    }
    if isUTF8 { return nil }
    for target in texts {
      let cell = rows[row, target.slot]
      if cell.hasValue, !isText(cell, of: rows) { return problem(target, in: rows, row) }
    }
    return nil
  }

  private func problem(_ target: Target, in rows: Rows, _ row: Int) -> Problem {
    .invalidStoredValue(
      of: names[target.column], id: rows.text(rows[row, schema.keySlot]), schema: schema.name)
  }

  private mutating func isValid(_ cell: Cell, of rows: Rows, as kind: Kind) -> Bool {
    switch kind {
    case .number: cell.number.isFinite
    case .boolean: cell.integer == 0 || cell.integer == 1
    case .datetime: Timestamp(microseconds: cell.integer) != nil
    case .geopoint: rows.withBytes(of: cell) { GeoPoint(bytes: $0) } != nil
    case .text: isText(cell, of: rows)
    case .file: rows.withBytes(of: cell) { FileReference(canonicalText: $0) } != nil
    case .json: rows.withBytes(of: cell) { isJSON($0) }
    case .list(let element): rows.withBytes(of: cell) { isList($0, of: element) }
    }
  }

  private func isText(_ cell: Cell, of rows: Rows) -> Bool {
    rows.withBytes(of: cell) { UTF8Check.firstInvalidOffset(in: $0) } == nil
  }

  /// Returns whether a text is a JSON value in one line.
  private mutating func isJSON(_ text: Span<UInt8>) -> Bool {
    do throws(ScanError) {
      json.position = 0
      json.line = 1
      let notes = try json.skipValue(text)
      return notes.violation == nil && json.skipWhitespace(text) == nil && json.line == 1
    } catch {
      return false
    }
  }

  /// Returns whether a text is a JSON array in one line, with elements of a type.
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
    switch type {
    case .text, .datetime:
      guard byte == UInt8(ascii: "\"") else { return false }
      let range = try json.string(text)
      guard type == .datetime else { return range != nil || !json.unescaped.contains(0) }
      return range.map { (try? Timestamp(parsing: text.extracting($0))) != nil } ?? false
    case .integer, .number:
      guard byte == UInt8(ascii: "-") || JSONScanner.isDigit(byte) else { return false }
      let number = text.extracting(try json.number(text))
      return type == .integer
        ? (try? NumberText.integer(number)) != nil : (try? NumberText.double(number)) != nil
    case .boolean:
      guard byte == UInt8(ascii: "t") || byte == UInt8(ascii: "f") else { return false }
      try json.skip(byte == UInt8(ascii: "t") ? .yes : .no, text)
      return true
    }
  }
}

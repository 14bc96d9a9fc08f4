package import DataModel
import JSONText

/// Parses the cells of a row and sets the fields of their columns.
struct CSVRecordScanner: Sendable {
  var header: CSVHeader
  private let schema: Schema
  private var parts: RecordParts
  private var values: JSONRecordScanner
  private var unquoted: [UInt8] = []

  init(_ schema: Schema, _ form: TextForm) {
    self.schema = schema
    parts = RecordParts(form.columns, of: schema)
    header = CSVHeader(schema, form, joining: parts)
    values = JSONRecordScanner(schema)
    values.source = .copied
    values.hasDecimalCommas = form.lenience?.hasDecimalCommas == true
  }

  /// Sets the fields of the record being built in `changes` to the cells of a row.
  mutating func scan(
    _ cells: [CSVRowScanner.Cell], _ text: Span<UInt8>, into changes: inout RowChanges
  ) {
    if !header.parts.isEmpty { return scanParts(cells, text, into: &changes) }
    for (slot, cell) in zip(header.slots, cells) {
      if !cell.isQuoted && cell.start == cell.end {
        changes.setNull(slot)
      } else if cell.hasDoubledQuotes {
        cell.unquote(from: text, into: &unquoted)
        let copy = unquoted
        values.set(slot, cell: copy.span, at: nil, into: &changes)
      } else {
        let value = text.extracting(cell.start..<cell.end)
        values.set(slot, cell: value, at: cell.start, into: &changes)
      }
    }
  }

  /// Sets the fields of a record to the cells of a row. Some columns of the row are skipped, contain
  /// only a part of a value, or contain several elements.
  private mutating func scanParts(
    _ cells: [CSVRowScanner.Cell], _ text: Span<UInt8>, into changes: inout RowChanges
  ) {
    parts.removeAll()
    for (column, cell) in cells.enumerated() {
      let isNull = !cell.isQuoted && cell.start == cell.end
      cell.unquote(from: text, into: &unquoted)
      let copy = unquoted
      let part = header.parts[column]
      if let keyPart = part.keyPart {
        parts.setKeyPart(keyPart, isNull ? nil : copy, on: &changes)
      }
      if let (slot, coordinate) = part.coordinate {
        if isNull {
          parts.set(coordinate, of: slot, nil, on: &changes)
        } else {
          parts.set(coordinate, of: slot, copy.span, on: &changes)
        }
      }
      let slot = header.slots[column]
      guard slot >= 0 else { continue }
      if !header.separators.isEmpty, let separator = header.separators[column] {
        values.set(slot, elements: isNull ? nil : copy, separatedBy: separator, into: &changes)
      } else if isNull {
        changes.setNull(slot)
      } else {
        values.set(slot, cell: copy.span, at: nil, into: &changes)
      }
    }
    parts.finish(&changes)
  }

  /// Adds to each problem the line and the column of the cell in which it was found, and returns
  /// the problems. A problem that no cell has caused is returned unchanged.
  ///
  /// - Parameters:
  ///   - cells: The cells of the row.
  ///   - mark: The start of the row.
  func located(
    _ problems: [Problem], _ cells: [CSVRowScanner.Cell], in text: Span<UInt8>,
    from mark: CSVChunkScanner.Mark
  ) -> [Problem] {
    var result: [Problem] = []
    for var problem in problems {
      if let slot = problem.field.flatMap({ schema.slot(named: $0) }),
        let column = header.column(of: slot), column < cells.count
      {
        let position = TextLocation(of: cells[column].start, in: text, from: mark)
        (problem.line, problem.column) = (position.line, position.column)
      }
      result.append(problem)
    }
    return result
  }
}

extension JSONRecordScanner {
  /// Parses a cell according to the type of its field. The cells of geographic points, files, lists
  /// and `json` fields are parsed as JSON.
  ///
  /// - Parameter offset: The offset of the cell in the scanned text, or nil if the cell is a copy.
  package mutating func set(
    _ slot: Int, cell: Span<UInt8>, at offset: Int?, into changes: inout RowChanges
  ) {
    switch kinds[slot] {
    case .scalar where changes.schema.slots[slot].textForm == .bare: set(slot, bare: cell, &changes)
    case .system where slot == changes.schema.slot(.revision): set(slot, bare: cell, &changes)
    case .key, .text, .scalar, .password, .reference, .system:
      changes.set(slot, text: cell, at: offset)
    case .geopoint where Self.beginsNumber(cell): changes.set(slot, text: cell)
    case .geopoint, .file, .references, .array:
      if cell.isEmpty, changes.conversions.isLenient { return changes.setNull(slot) }
      set(slot, json: cell, into: &changes)
    case .json: set(slot, json: cell, into: &changes)
    }
  }

  /// Sets a field to a number, `true` or `false`, or to other text.
  private func set(_ slot: Int, bare cell: Span<UInt8>, _ changes: inout RowChanges) {
    if changes.schema.slots[slot].storage == .boolean {
      if cell.isEqual(toBytes: Self.yes) { return changes.set(slot, boolean: true) }
      if cell.isEqual(toBytes: Self.no) { return changes.set(slot, boolean: false) }
    } else if !hasDecimalCommas, NumberText.isJSONNumber(cell) {
      return changes.set(slot, number: cell)
    }
    changes.set(slot, text: cell)
  }

  /// Sets an array or a to-many relation to the elements in a cell, each of which is read by the type
  /// of the elements.
  ///
  /// - Parameter cell: The cell, or nil if it is null. A to-many relation then has no elements.
  mutating func set(
    _ slot: Int, elements cell: [UInt8]?, separatedBy separator: [UInt8],
    into changes: inout RowChanges
  ) {
    if cell == nil, kinds[slot] != .references { return changes.setNull(slot) }
    let text = cell ?? []
    changes.openList(slot)
    for range in CellElements.ranges(in: text, separatedBy: separator) {
      let element = text.span.extracting(range)
      switch changes.schema.type(of: slot) {
      case .array(.boolean) where element.isEqual(toBytes: Self.yes): changes.append(boolean: true)
      case .array(.boolean) where element.isEqual(toBytes: Self.no): changes.append(boolean: false)
      case .array(.integer), .array(.number):
        if !hasDecimalCommas, NumberText.isJSONNumber(element) {
          changes.append(number: element)
        } else {
          changes.append(text: element)
        }
      default: changes.append(text: element)
      }
    }
    changes.closeList()
  }

  /// Parses text that contains exactly one JSON value, and sets the field to the value.
  package mutating func set(_ slot: Int, json value: Span<UInt8>, into changes: inout RowChanges) {
    if reportUnquoted(slot, value, into: &changes) { return }
    json = JSONScanner()
    do throws(ScanError) {
      let byte = try json.next(value)
      var nesting = NoNesting()
      try self.value(slot, byte, value, into: &changes, nesting: &nesting)
      if json.skipWhitespace(value) != nil { throw ScanError(.trailingContent, json.position) }
    } catch {
      changes.report(
        slot, "expected JSON: \(error.kind.message), at byte \(error.position + 1)", code: .syntax)
    }
  }

  /// Returns whether a cell begins with a number. Such a cell contains the coordinates of a point
  /// (`LAT,LON`), not JSON.
  private static func beginsNumber(_ cell: Span<UInt8>) -> Bool {
    !cell.isEmpty && (cell[0] == UInt8(ascii: "-") || JSONScanner.isDigit(cell[0]))
  }

  /// Reports a problem if the value of an array, a to-many relation or a geographic point is plain
  /// text, such as `town` or `47.3,8.5`, and not JSON. Returns whether a problem was reported.
  private func reportUnquoted(
    _ slot: Int, _ value: Span<UInt8>, into changes: inout RowChanges
  ) -> Bool {
    guard [.array, .references, .geopoint].contains(kinds[slot]) else { return false }
    var scanner = JSONScanner()
    let first = scanner.skipWhitespace(value)
    if first == UInt8(ascii: "[") || first == UInt8(ascii: "{") { return false }
    if (try? JSONScanner.compactValue(value)) != nil { return false }
    if kinds[slot] == .geopoint {
      changes.reportMismatch(slot, found: Excerpt.quoted(value))
      return true
    }
    let example =
      changes.schema.type(of: slot).descriptor.element?.example ?? "[\(Excerpt.quoted(value))]"
    changes.report(slot, "expected an array as JSON, such as \(example)", code: .syntax)
    return true
  }

  private static let yes = Array("true".utf8)
  private static let no = Array("false".utf8)
}

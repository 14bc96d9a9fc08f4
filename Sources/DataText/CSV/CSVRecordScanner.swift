import DataModel

/// Parses the cells of a row and assigns them to the fields that the header names.
struct CSVRecordScanner: Sendable {
  private let schema: Schema
  /// The slot (index in `Schema.slots`) of the field in each column.
  private(set) var slots: [Int] = []
  private let systemKeys: SystemKeyResolver
  private var values: JSONRecordScanner
  private var unquoted: [UInt8] = []

  init(_ schema: Schema, systemKeys: SystemKeys) {
    self.schema = schema
    self.systemKeys = SystemKeyResolver(systemKeys, of: schema)
    values = JSONRecordScanner(schema)
    values.source = .copied
  }

  /// Maps the columns of the header to fields, and returns the problems of columns that cannot be
  /// mapped.
  mutating func mapHeader(
    _ cells: [CSVRowScanner.Cell], _ text: Span<UInt8>, _ mark: CSVChunkScanner.Mark, isGiven: Bool
  ) -> [Problem] {
    var problems: [Problem] = []
    var mark = mark
    let hint = isGiven ? nil : InputLimitError.formatHint
    let names = cells.map { cell in
      Self.unquote(cell, text, into: &unquoted)
      return String(decoding: unquoted.span)
    }
    let hasAllSystemKeys = SystemField.allCases.allSatisfy { names.contains($0.name) }
    for (cell, name) in zip(cells, names) {
      let position = TextLocation(of: cell.start, in: text, from: mark)
      mark = position.mark(at: cell.start)
      var found = schema.slot(named: name)
      if let system = found, system >= schema.fields.count {
        found = systemKeys.slot(for: system, hasAllSystemKeys: hasAllSystemKeys)
      }
      guard let slot = found else {
        let nearest = nearest(name, among: schema.fields.map(\.name))
        problems.append(
          Problem(
            .unknownField, "\(schema.name) has no field \(Excerpt.truncated(name))",
            hint: nearest.map { "did you mean \($0)?" } ?? hint
              ?? "the first line names the fields; see datactl schema show \(schema.name)",
            schema: schema.name, field: Excerpt.truncated(name), line: position.line,
            column: position.column))
        continue
      }
      if slots.contains(slot) {
        problems.append(
          Problem(
            .syntax, "two columns set the same field", schema: schema.name,
            field: schema.name(of: slot), line: position.line, column: position.column))
      }
      slots.append(slot)
    }
    return problems
  }

  /// Sets the fields of the record being built in `changes` to the cells of a row.
  mutating func scan(
    _ cells: [CSVRowScanner.Cell], _ text: Span<UInt8>, into changes: inout RowChanges
  ) {
    for (slot, cell) in zip(slots, cells) {
      if !cell.isQuoted && cell.start == cell.end {
        changes.setNull(slot)
      } else if cell.hasDoubledQuotes {
        Self.unquote(cell, text, into: &unquoted)
        let copy = unquoted
        values.set(slot, cell: copy.span, at: nil, into: &changes)
      } else {
        let value = text.extracting(cell.start..<cell.end)
        values.set(slot, cell: value, at: cell.start, into: &changes)
      }
    }
  }

  /// Copies the text of a cell to `unquoted` and replaces each doubled quote with a single quote.
  static func unquote(
    _ cell: CSVRowScanner.Cell, _ text: Span<UInt8>, into unquoted: inout [UInt8]
  ) {
    unquoted.removeAll(keepingCapacity: true)
    var skipsQuote = false
    for index in cell.start..<cell.end {
      let byte = text[index]
      skipsQuote = cell.hasDoubledQuotes && byte == UInt8(ascii: "\"") && !skipsQuote
      if !skipsQuote { unquoted.append(byte) }
    }
  }

  /// Returns the problems, and adds to each one the line and column of the cell that it concerns.
  func located(
    _ problems: [Problem], _ cells: [CSVRowScanner.Cell], in text: Span<UInt8>,
    from mark: CSVChunkScanner.Mark
  ) -> [Problem] {
    var result: [Problem] = []
    for var problem in problems {
      if let slot = problem.field.flatMap({ schema.slot(named: $0) }),
        let column = slots.firstIndex(of: slot)
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
  /// Parses a cell according to the type of its field. Geographic points, files, JSON and lists are
  /// written as JSON.
  ///
  /// - Parameter offset: The offset of the cell in the scanned text, or nil if the cell is a copy.
  mutating func set(
    _ slot: Int, cell: Span<UInt8>, at offset: Int?, into changes: inout RowChanges
  ) {
    switch kinds[slot] {
    case .integer, .number:
      if NumberText.isJSONNumber(cell) {
        changes.set(slot, number: cell)
      } else {
        changes.set(slot, text: cell, at: offset)
      }
    case .system:
      if slot == changes.schema.slot(.revision), NumberText.isJSONNumber(cell) {
        changes.set(slot, number: cell)
      } else {
        changes.set(slot, text: cell, at: offset)
      }
    case .boolean:
      if cell.isEqual(toBytes: Self.yes) {
        changes.set(slot, boolean: true)
      } else if cell.isEqual(toBytes: Self.no) {
        changes.set(slot, boolean: false)
      } else {
        changes.set(slot, text: cell)
      }
    case .id, .text, .datetime, .password, .reference:
      changes.set(slot, text: cell, at: offset)
    case .geopoint, .file, .json, .references, .array:
      set(slot, json: cell, into: &changes)
    }
  }

  /// Parses text that contains exactly one JSON value, and sets the field to the value.
  mutating func set(_ slot: Int, json value: Span<UInt8>, into changes: inout RowChanges) {
    if reportUnquoted(slot, value, into: &changes) { return }
    json = JSONScanner()
    do throws(ScanError) {
      let byte = try json.next(value)
      try self.value(slot, byte, value, into: &changes)
      if json.skipWhitespace(value) != nil { throw ScanError(.trailingContent, json.position) }
    } catch {
      changes.report(
        slot, "expected JSON: \(error.kind.message), at byte \(error.position + 1)", code: .syntax)
    }
  }

  /// Reports a value of an array, a to-many relation or a geopoint that is text instead of JSON,
  /// such as `town` or `47.3,8.5`. Returns false if the value may be JSON of the right type.
  private func reportUnquoted(
    _ slot: Int, _ value: Span<UInt8>, into changes: inout RowChanges
  ) -> Bool {
    switch kinds[slot] {
    case .array, .references, .geopoint: break
    case .id, .text, .integer, .number, .boolean, .datetime, .json, .password, .reference, .file,
      .system:
      return false
    }
    var scanner = JSONScanner()
    let first = scanner.skipWhitespace(value)
    if first == UInt8(ascii: "[") || first == UInt8(ascii: "{") { return false }
    if (try? JSONScanner.compactValue(value)) != nil { return false }
    if kinds[slot] == .geopoint {
      changes.reportMismatch(slot, found: Excerpt.quoted(value))
      return true
    }
    let example =
      switch changes.schema.type(of: slot) {
      case .array(.integer), .array(.number): "[1, 2]"
      case .array(.boolean): "[true, false]"
      case .array(.datetime): "[\"2026-11-20T12:00:00Z\"]"
      case .array(.text), .id, .text, .integer, .number, .boolean, .datetime, .geopoint, .file,
        .json, .password, .relation:
        "[\(Excerpt.quoted(value))]"
      }
    changes.report(slot, "expected an array as JSON, such as \(example)", code: .syntax)
    return true
  }

  private static let yes = Array("true".utf8)
  private static let no = Array("false".utf8)
}

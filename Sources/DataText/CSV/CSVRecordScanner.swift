import DataModel

/// Parses the cells of a row and sets the fields that their columns are mapped to.
struct CSVRecordScanner: Sendable {
  private let schema: Schema
  /// For each column, the slot of its field, which is an index in `Schema.slots`. It is -1 for a
  /// column without a field.
  private(set) var slots: [Int] = []
  private let rules: ColumnRules
  /// For each column, whether it contains only a part of a value. Empty if every column contains
  /// the whole value of a field.
  private var roles: [Role] = []
  private var parts: RecordParts
  private let systemKeys: SystemKeyResolver
  private var values: JSONRecordScanner
  private var unquoted: [UInt8] = []

  /// What a column contains if it contains only a part of a value: a part of the id, or one
  /// coordinate of a geographic point. Both properties are nil for all other columns.
  private struct Role {
    /// The index of the column among the columns that are joined to form the id. Nil if the column
    /// does not contain a part of the id.
    var keyPart: Int?
    var coordinate: (slot: Int, coordinate: RecordParts.Coordinate)?
  }

  init(_ schema: Schema, _ form: TextForm) {
    self.schema = schema
    rules = form.columns
    parts = RecordParts(rules, of: schema)
    systemKeys = SystemKeyResolver(form.systemKeys, of: schema)
    values = JSONRecordScanner(schema)
    values.source = .copied
  }

  /// Determines the field of each column from the names in the header. Returns the problems of
  /// columns that have no field.
  mutating func mapHeader(
    _ cells: [CSVRowScanner.Cell], _ text: Span<UInt8>, _ mark: CSVChunkScanner.Mark, isGiven: Bool
  ) -> [Problem] {
    var mark = mark
    let names = cells.map { cell in
      Self.unquote(cell, text, into: &unquoted)
      return String(decoding: unquoted.span)
    }
    let positions = cells.map { cell in
      let position = TextLocation(of: cell.start, in: text, from: mark)
      mark = position.mark(at: cell.start)
      return position
    }
    return map(
      names, at: positions,
      hint: isGiven
        ? "the first line names the fields; see datactl schema show \(schema.name)"
        : InputLimitError.formatHint)
  }

  /// Determines the field of each column by its position: the first column belongs to the primary
  /// key, and the others belong to the remaining fields in their order. Returns a problem if there
  /// are more columns than fields.
  mutating func mapFields(count: Int, line: Int) -> [Problem] {
    let others = schema.knownFieldSlots.filter { $0 != schema.keySlot }
    let names = ([schema.keySlot] + others).map { schema.name(of: $0) }
    guard count <= names.count else {
      return [
        Problem(
          .syntax, "found \(count) cells, but \(schema.name) has only \(names.count) fields",
          schema: schema.name, line: line)
      ]
    }
    return map(Array(names[..<count]))
  }

  /// Determines the fields of columns with the given names. Returns the problems of columns that
  /// have no field.
  ///
  /// - Parameters:
  ///   - positions: The locations of the names in the input, or nil if the input does not contain
  ///     the names.
  ///   - hint: A hint for a name that is not similar to the name of a field.
  mutating func map(
    _ names: [String], at positions: [TextLocation]? = nil, hint: String? = nil
  ) -> [Problem] {
    var problems: [Problem] = []
    let hasAllSystemKeys = SystemField.allCases.allSatisfy { names.contains($0.name) }
    var hasRoles = false
    for (column, given) in names.enumerated() {
      let position = positions?[column]
      let bytes = Array(given.utf8)
      var role = Role(keyPart: parts.keyPart(bytes))
      let name = rules.fieldName(of: bytes)
      var found = schema.slot(named: name)
      if found == nil {
        role.coordinate = RecordParts.coordinate(named: Array(name.utf8), in: schema)
      }
      if rules.skips(bytes) { (found, role.coordinate) = (nil, nil) }
      if found == schema.keySlot, role.keyPart != nil { found = nil }
      let hasNoField = rules.skips(bytes) || found == nil && role.keyPart != nil
      hasRoles = hasRoles || hasNoField || role.keyPart != nil || role.coordinate != nil
      roles.append(role)
      if hasNoField || role.coordinate != nil {
        slots.append(-1)
        continue
      }
      if let system = found, system >= schema.fields.count {
        found = systemKeys.slot(for: system, hasAllSystemKeys: hasAllSystemKeys)
      }
      guard let slot = found else {
        let nearest = schema.suggestedName(for: name)
        problems.append(
          Problem(
            .unknownField, "\(schema.name) has no field \(Excerpt.truncated(name))",
            hint: nearest.map { "did you mean \($0)?" }
              ?? (slots.contains { $0 >= 0 }
                ? "to save the records without this column, pass --skip \(Self.argument(given))"
                : hint) ?? "see datactl schema show \(schema.name)",
            schema: schema.name, field: Excerpt.truncated(name), line: position?.line,
            column: position?.column))
        continue
      }
      if let first = slots.firstIndex(of: slot) {
        problems.append(
          Problem(
            .syntax,
            "the columns \(Excerpt.truncated(names[first])) and \(Excerpt.truncated(name)) set the "
              + "same field", schema: schema.name,
            field: schema.name(of: slot), line: position?.line, column: position?.column))
      }
      slots.append(slot)
    }
    if !hasRoles { roles = [] }
    return problems
      + rules.problems(
        ofUnused: Set(names.map { Array($0.utf8) }), schema: schema.name,
        line: positions?.first?.line ?? 1)
  }

  /// Returns a column name as an argument in a shell command.
  private static func argument(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      JSONScanner.isDigit(byte) || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
    }
    let shown = Excerpt.truncated(name)
    return isPlain && !name.isEmpty ? shown : "'\(shown)'"
  }

  /// Sets the fields of the record being built in `changes` to the cells of a row.
  mutating func scan(
    _ cells: [CSVRowScanner.Cell], _ text: Span<UInt8>, into changes: inout RowChanges
  ) {
    if !roles.isEmpty { return scanRoles(cells, text, into: &changes) }
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

  /// Sets the fields of a record to the cells of a row. Some columns of the row are skipped or
  /// contain only a part of a value.
  private mutating func scanRoles(
    _ cells: [CSVRowScanner.Cell], _ text: Span<UInt8>, into changes: inout RowChanges
  ) {
    parts.removeAll()
    for (column, cell) in cells.enumerated() {
      let isNull = !cell.isQuoted && cell.start == cell.end
      Self.unquote(cell, text, into: &unquoted)
      let copy = unquoted
      let role = roles[column]
      if let part = role.keyPart {
        parts.setKeyPart(part, isNull ? nil : copy, on: &changes)
      }
      if let (slot, coordinate) = role.coordinate {
        if isNull {
          parts.set(coordinate, of: slot, nil, on: &changes)
        } else {
          parts.set(coordinate, of: slot, copy.span, on: &changes)
        }
      }
      guard slots[column] >= 0 else { continue }
      if isNull {
        changes.setNull(slots[column])
      } else {
        values.set(slots[column], cell: copy.span, at: nil, into: &changes)
      }
    }
    parts.finish(&changes)
  }

  /// Copies the text of a cell to `unquoted`, and replaces each pair of double quotes (`""`) with
  /// one (`"`).
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

  /// Returns the index of the first column that contains a part of a field's value: a part of the
  /// id, or a coordinate of a geographic point. Returns nil if there is no such column.
  private func column(ofPartOf slot: Int) -> Int? {
    roles.firstIndex { role in
      slot == schema.keySlot ? role.keyPart != nil : role.coordinate?.slot == slot
    }
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
        let column = slots.firstIndex(of: slot) ?? column(ofPartOf: slot)
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
    case .id, .text, .date, .datetime, .password, .reference:
      changes.set(slot, text: cell, at: offset)
    case .geopoint where Self.beginsNumber(cell): changes.set(slot, text: cell)
    case .geopoint, .file, .references, .array:
      if cell.isEmpty, changes.conversions.isLenient { return changes.setNull(slot) }
      set(slot, json: cell, into: &changes)
    case .json: set(slot, json: cell, into: &changes)
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
    switch kinds[slot] {
    case .array, .references, .geopoint: break
    case .id, .text, .integer, .number, .boolean, .date, .datetime, .json, .password, .reference,
      .file,
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
      case .array(.date): "[\"2026-11-20\"]"
      case .array(.datetime): "[\"2026-11-20T12:00:00Z\"]"
      case .array(.text), .id, .text, .integer, .number, .boolean, .date, .datetime, .geopoint,
        .file,
        .json, .password, .relation:
        "[\(Excerpt.quoted(value))]"
      }
    changes.report(slot, "expected an array as JSON, such as \(example)", code: .syntax)
    return true
  }

  private static let yes = Array("true".utf8)
  private static let no = Array("false".utf8)
}

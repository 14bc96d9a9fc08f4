import DataModel
import JSONText

/// A column whose name is no name of a field, and the field to which its name was converted.
package struct MatchedColumn: Sendable {
  package let name: String
  package let field: String
}

/// The columns of CSV, each with the field that it sets.
struct CSVHeader: Sendable {
  /// What a column contains if it contains only a part of a value: a part of the id, or one
  /// coordinate of a geographic point. Both properties are nil for all other columns.
  struct Part: Sendable {
    /// The index of the column among the columns that are joined to form the id. Nil if the column
    /// does not contain a part of the id.
    var keyPart: Int?
    var coordinate: (slot: Int, coordinate: RecordParts.Coordinate)?
  }

  /// For each column, the slot of its field, which is an index in `Schema.slots`. It is -1 for a
  /// column without a field.
  private(set) var slots: [Int] = []
  /// For each column, whether it contains only a part of a value. Empty if every column contains
  /// the whole value of a field.
  private(set) var parts: [Part] = []
  /// For each column, the separator of the elements in its cells, or nil. Empty if no cell contains
  /// several elements.
  private(set) var separators: [[UInt8]?] = []
  /// The number of cells that a row needs in order to contain the id.
  private(set) var leastCells = 0
  /// The columns whose names are no names of fields, each with the field to which the rule for names
  /// of columns leads.
  private(set) var matches: [MatchedColumn] = []
  private let schema: Schema
  private let rules: ColumnRules
  private let joinedColumns: RecordParts
  private let systemKeys: SystemKeyResolver

  init(_ schema: Schema, _ form: TextForm, joining joinedColumns: RecordParts) {
    self.schema = schema
    rules = form.columns
    self.joinedColumns = joinedColumns
    systemKeys = SystemKeyResolver(form.systemKeys, of: schema)
  }

  /// Determines the field of each column from the names in the first row. Returns the problems of
  /// columns that have no field.
  ///
  /// - Parameters:
  ///   - cells: The cells of the first row.
  ///   - mark: The start of the first row.
  ///   - isGiven: Whether the caller specified the format.
  mutating func map(
    _ cells: [CSVRowScanner.Cell], _ text: Span<UInt8>, _ mark: CSVChunkScanner.Mark, isGiven: Bool
  ) -> [Problem] {
    var mark = mark
    var unquoted: [UInt8] = []
    let names = cells.map { cell in
      cell.unquote(from: text, into: &unquoted)
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
  mutating func map(count: Int, line: Int) -> [Problem] {
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
    var hasParts = false
    for (column, given) in names.enumerated() {
      let position = positions?[column]
      let bytes = Array(given.utf8)
      let name = rules.fieldName(of: bytes)
      let isSkipped = rules.skips(bytes)
      var part = Part(keyPart: joinedColumns.keyPart(bytes))
      var found = isSkipped ? nil : schema.slot(named: name)
      if found == nil, !isSkipped {
        part.coordinate = RecordParts.coordinate(named: Array(name.utf8), in: schema)
      }
      var match: MatchedColumn?
      if found == nil, !isSkipped, part.coordinate == nil, name.utf8.elementsEqual(given.utf8) {
        let field = Names.field(forColumn: name, number: column + 1)
        found = schema.slot(named: field)
        match = MatchedColumn(name: name, field: field)
      }
      if found == schema.keySlot, part.keyPart != nil { found = nil }
      if found != nil, let match { matches.append(match) }
      let hasNoField = isSkipped || found == nil && part.keyPart != nil
      hasParts = hasParts || hasNoField || part.keyPart != nil || part.coordinate != nil
      if part.keyPart != nil || found == schema.keySlot { leastCells = column + 1 }
      let separator = isSkipped ? nil : rules.separator(of: bytes)
      separators.append(separator)
      if separator != nil, let found, !schema.type(of: found).isList {
        problems.append(
          Problem(
            .usage,
            "--split-cells: \(schema.name(of: found)) is \(schema.type(of: found).name), not a list",
            schema: schema.name, field: schema.name(of: found), line: position?.line,
            column: position?.column))
      }
      parts.append(part)
      if hasNoField || part.coordinate != nil {
        slots.append(-1)
        continue
      }
      if let system = found, system >= schema.fields.count {
        found = systemKeys.slot(for: system, hasAllSystemKeys: hasAllSystemKeys)
      }
      guard let slot = found else {
        problems.append(unknownColumn(given, name, at: position, hint: hint))
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
    if separators.allSatisfy({ $0 == nil }) { separators = [] }
    if !hasParts, separators.isEmpty { parts = [] }
    return problems
      + rules.problems(
        ofUnused: Set(names.map { Array($0.utf8) }), schema: schema.name,
        line: positions?.first?.line ?? 1)
  }

  /// Returns the problem of a column that has no field. If the field of an earlier column is known,
  /// the hint says how to skip this column.
  ///
  /// - Parameters:
  ///   - given: The name of the column in the input.
  ///   - name: The name of the column after renaming.
  ///   - hint: The hint if no earlier column has a field.
  private func unknownColumn(
    _ given: String, _ name: String, at position: TextLocation?, hint: String?
  ) -> Problem {
    let skipHint = "to save the records without this column, pass --skip \(Self.argument(given))"
    return Problem(
      .unknownField, "\(schema.name) has no field \(Excerpt.truncated(name))",
      hint: schema.suggestedName(for: name).map { "did you mean \($0)?" }
        ?? (slots.contains { $0 >= 0 } ? skipHint : hint)
          ?? "see datactl schema show \(schema.name)",
      schema: schema.name, field: Excerpt.truncated(name), line: position?.line,
      column: position?.column)
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

  /// Returns the index of the column that sets a field, or the index of the first column that
  /// contains a part of its value. Returns nil if there is no such column.
  func column(of slot: Int) -> Int? {
    slots.firstIndex(of: slot)
      ?? parts.firstIndex { part in
        slot == schema.keySlot ? part.keyPart != nil : part.coordinate?.slot == slot
      }
  }
}

package import DataModel
package import RecordText

/// Writes what a save changes: one line of JSON for each record, or text for a terminal.
package struct DiffPrinter: Sendable {
  /// An error that names the invalid stored values; nil if there are none. Records with such values
  /// are not printed.
  package private(set) var damage: DataError?
  private let schema: Schema
  private let includesSystemFields: Bool
  /// Whether the records are nested in other records. If so, the name of their schema is printed
  /// too.
  private var isInside = false
  /// The slots (positions in a row) of the fields that are compared and printed.
  private let slots: [Int]
  private var values: RecordWriter
  private var check: StoredValueCheck
  private let terminal: TerminalStyle?
  private let numbers: RecordWriter.NumberStyle

  /// Creates a printer of changes to the records of a schema.
  ///
  /// - Parameter includesSystemFields: Whether changes of system fields are printed.
  package init(
    _ schema: Schema, includesSystemFields: Bool, on terminal: TerminalStyle?,
    numbers: RecordWriter.NumberStyle
  ) {
    self.schema = schema
    self.includesSystemFields = includesSystemFields
    self.terminal = terminal
    self.numbers = numbers
    slots = schema.printedSlots.filter { slot in
      slot != schema.keySlot && (includesSystemFields || slot < schema.fields.count)
    }
    values = RecordWriter(schema, format: .ndjson)
    values.write(numbersAs: numbers)
    check = StoredValueCheck(of: schema)
  }

  /// Returns a printer with the same settings for nested records of a schema.
  package func inside(_ schema: Schema) -> DiffPrinter {
    var printer = DiffPrinter(
      schema, includesSystemFields: includesSystemFields, on: terminal, numbers: numbers)
    printer.isInside = true
    return printer
  }

  /// Writes how a save changed the records of a chunk. Records that the save did not create or
  /// change are skipped.
  package mutating func write(
    _ changes: RowChanges, _ outcomes: [Outcome], to output: inout [UInt8]
  ) {
    for (row, outcome) in outcomes.enumerated() {
      switch outcome {
      case .created: write(.create, nil, (changes.rows, row), to: &output)
      case .changed:
        guard let old = changes.oldIndexes[row] else { continue }
        write(.change, (changes.oldRecords, old), (changes.rows, row), to: &output)
      case .same, .refused: break
      }
    }
  }

  /// Writes the deletion of each of the given records.
  package mutating func write(deleted records: Rows, to output: inout [UInt8]) {
    for row in 0..<records.count { write(.delete, (records, row), nil, to: &output) }
  }

  private typealias Record = (rows: Rows, row: Int)

  private enum Verb: String {
    case create
    case change
    case delete

    var color: TextColor {
      switch self {
      case .create: .green
      case .change: .yellow
      case .delete: .red
      }
    }
  }

  private mutating func write(
    _ verb: Verb, _ old: Record?, _ new: Record?, to output: inout [UInt8]
  ) {
    for record in [old, new] {
      guard let record,
        let problem = check.problem(in: record.rows, record.row, of: schema)
      else { continue }
      return damage.add(problem)
    }
    let changes = slots.map { slot in
      (
        slot: slot, old: old.map { json($0, slot) } ?? Self.null,
        new: new.map { json($0, slot) } ?? Self.null
      )
    }.filter { $0.old != $0.new }
    guard let record = new ?? old else { return }
    if let terminal {
      return writeText(verb, old, new, changes.map(\.slot), id: record, terminal, to: &output)
    }
    output.append(UInt8(ascii: "{"))
    if isInside { output += Array("\"schema\":\"\(schema.name)\",".utf8) }
    appendName(of: schema.keySlot, to: &output)
    output += json(record, schema.keySlot)
    output += Array(",\"did\":\"\(verb.rawValue)\",\"changes\":{".utf8)
    for (index, change) in changes.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      appendName(of: change.slot, to: &output)
      output.append(UInt8(ascii: "["))
      output += change.old
      output.append(UInt8(ascii: ","))
      output += change.new
      output.append(UInt8(ascii: "]"))
    }
    output += Array("}}\n".utf8)
  }

  private func writeText(
    _ verb: Verb, _ old: Record?, _ new: Record?, _ changed: [Int], id: Record,
    _ terminal: TerminalStyle, to output: inout [UInt8]
  ) {
    let owner = isInside ? "\(schema.name) " : ""
    var lines = ["\(verb.rawValue) \(owner)\(text(id, schema.keySlot))"]
    if let new {
      lines += changed.map { slot in
        let before = old.map { "\(text($0, slot)) -> " } ?? ""
        return "  \(schema.name(of: slot)): \(before)\(text(new, slot))"
      }
    }
    for (index, line) in lines.enumerated() {
      let line = line.cut(at: terminal.columns)
      output += Array("\(terminal.colored(line, index == 0 ? verb.color : nil))\n".utf8)
    }
  }

  private func appendName(of slot: Int, to output: inout [UInt8]) {
    ListText.append(.text(schema.name(of: slot)), to: &output)
    output.append(UInt8(ascii: ":"))
  }

  /// Returns the value of a field as JSON.
  private func json(_ record: Record, _ slot: Int) -> [UInt8] {
    values.json(record.rows, record.row, slot: slot) ?? Self.null
  }

  /// Returns the value of a field as text for a terminal.
  private func text(_ record: Record, _ slot: Int) -> String {
    let value = record.rows.value(record.rows[record.row, slot], of: schema.type(of: slot))
    if value == .null { return "null" }
    let text = value.cell
    // With quotation marks, an empty text can be seen, and the text `null` differs from null.
    return ["", "null"].contains(text) ? "\"\(text)\"" : Excerpt.escaped(text)
  }

  private static let null = Array("null".utf8)
}

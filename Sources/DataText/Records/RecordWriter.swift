package import DataModel

/// Writes records as text, straight from their cells.
///
/// A record's keys come in one order: the primary key, the fields as declared, the system fields. A
/// password is never among them.
package struct RecordWriter: Sendable {
  package enum Format: Sendable {
    /// An array, a record a line; `[]` if there is none.
    case json
    /// An object a line.
    case ndjson
    /// RFC 4180: a header, lines that end with CR and LF, and quotes only where they are needed.
    case csv
    /// An id a line.
    case ids
  }

  package enum FileContents: Sendable {
    case left
    /// File objects have `"data"`, whose base64 the caller inserts.
    case inserted
  }

  /// A place in the output where the base64 of a file's content belongs.
  package struct Insertion: Hashable, Sendable {
    package var offset: Int
    package var slot: Int
  }

  private let format: Format
  private let files: FileContents
  private let columns: [RecordColumn]
  /// What stands before each value, and what stands there if it is null: `,"title":null`.
  private let prefixes: [UInt8]
  private let header: [UInt8]
  private var count = 0
  private var insertions: [Insertion] = []

  /// Takes the slots to write, or all; the key comes along in any case.
  package init(
    _ schema: Schema, slots: [Int]? = nil, format: Format, files: FileContents = .left
  ) {
    self.format = format
    self.files = files
    let wanted = slots.map(Set.init)
    var order = Array(0..<schema.width).filter { slot in
      slot != schema.keySlot && slot != schema.passwordSlot && wanted?.contains(slot) ?? true
    }
    order.insert(schema.keySlot, at: 0)
    if format == .ids { order = [schema.keySlot] }
    var prefixes: [UInt8] = []
    var header: [UInt8] = []
    columns = order.map { slot in
      let start = prefixes.count
      let name = schema.name(of: slot)
      if format == .csv || format == .ids {
        if slot != schema.keySlot { prefixes.append(UInt8(ascii: ",")) }
        header += prefixes[start...] + Array(name.utf8)
      } else {
        prefixes += Array("\(slot == schema.keySlot ? "{" : ",")\"\(name)\":".utf8)
      }
      let end = prefixes.count
      if format == .json || format == .ndjson { prefixes += Array("null".utf8) }
      return RecordColumn(
        slot: slot, form: RecordColumn.Form(schema.type(of: slot)), prefixStart: start,
        prefixEnd: end, nullEnd: prefixes.count)
    }
    self.prefixes = prefixes
    self.header = header + [0x0D, 0x0A]
  }

  /// Appends what stands before the first record.
  package func begin(to output: inout [UInt8]) {
    if format == .csv { output += header }
  }

  /// Appends a record.
  package mutating func write(_ rows: Rows, _ row: Int, to output: inout [UInt8]) {
    switch format {
    case .json:
      output.append(
        contentsOf: count == 0 ? [UInt8(ascii: "["), 0x0A] : [UInt8(ascii: ","), 0x0A])
      writeObject(rows, row, to: &output)
    case .ndjson:
      writeObject(rows, row, to: &output)
      output.append(0x0A)
    case .csv:
      writeLine(rows, row, to: &output)
      output.append(0x0D)
      output.append(0x0A)
    case .ids:
      columns[0].appendBytes(rows[row, columns[0].slot], of: rows, to: &output)
      output.append(0x0A)
    }
    count += 1
  }

  /// Appends what stands behind the last record.
  package func end(to output: inout [UInt8]) {
    guard format == .json else { return }
    output += Array((count == 0 ? "[]\n" : "\n]\n").utf8)
  }

  /// Appends one record by itself, as an object on a line.
  package mutating func writeAlone(_ rows: Rows, _ row: Int, to output: inout [UInt8]) {
    writeObject(rows, row, to: &output)
    output.append(0x0A)
  }

  /// The places that have come up since the last call, in the order of the output.
  package mutating func takeInsertions() -> [Insertion] {
    defer { insertions.removeAll() }
    return insertions
  }

  /// How long an object may be at most to be written at once.
  private static let longestAtOnce = 64 << 10

  private mutating func writeObject(_ rows: Rows, _ row: Int, to output: inout [UInt8]) {
    let start = row * rows.width
    var longest = 1
    for column in columns { longest += column.longestJSON(rows.cells[start + column.slot]) }
    guard longest <= Self.longestAtOnce, files == .left else {
      return writeParts(rows, start, to: &output)
    }
    // Room is made once a record: asked for with each value, it took a fifth of a listing's time.
    let (input, arena, prefixes) = (rows.input.span, rows.arena.span, prefixes.span)
    output.append(addingCapacity: longest) { output in
      for column in columns {
        let cell = rows.cells[start + column.slot]
        let prefixEnd = cell.hasValue ? column.prefixEnd : column.nullEnd
        output.append(copying: prefixes.extracting(column.prefixStart..<prefixEnd))
        switch cell.kind {
        case .missing, .null: break
        case .integer, .number:
          output.append(cell, with: input.extracting(0..<0), as: column.form)
        case .input: output.append(cell, with: input.extracting(cell.range), as: column.form)
        case .arena: output.append(cell, with: arena.extracting(cell.range), as: column.form)
        }
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  /// Writes an object value by value: one that is long, or has places for files.
  private mutating func writeParts(_ rows: Rows, _ start: Int, to output: inout [UInt8]) {
    for column in columns {
      let cell = rows.cells[start + column.slot]
      guard cell.hasValue else {
        output.append(copying: prefixes.span.extracting(column.prefixStart..<column.nullEnd))
        continue
      }
      output.append(copying: prefixes.span.extracting(column.prefixStart..<column.prefixEnd))
      if column.form == .file && files == .inserted {
        column.appendBytes(cell, of: rows, to: &output)
        insert(column.slot, quote: [UInt8(ascii: "\"")], to: &output)
      } else {
        column.appendJSON(cell, of: rows, to: &output)
      }
    }
    output.append(UInt8(ascii: "}"))
  }

  private mutating func writeLine(_ rows: Rows, _ row: Int, to output: inout [UInt8]) {
    for column in columns {
      output.append(copying: prefixes.span.extracting(column.prefixStart..<column.prefixEnd))
      let cell = rows[row, column.slot]
      column.appendCSV(cell, of: rows, to: &output)
      if column.form == .file && files == .inserted && cell.hasValue {
        output.removeLast()
        insert(column.slot, quote: Array("\"\"".utf8), to: &output)
        output.append(UInt8(ascii: "\""))
      }
    }
  }

  /// Replaces the closing brace of a file object by its data, and notes where that goes.
  private mutating func insert(_ slot: Int, quote: [UInt8], to output: inout [UInt8]) {
    output.removeLast()
    output += [UInt8(ascii: ",")] + quote + Array("data".utf8) + quote + [UInt8(ascii: ":")] + quote
    insertions.append(Insertion(offset: output.count, slot: slot))
    output += quote + [UInt8(ascii: "}")]
  }
}

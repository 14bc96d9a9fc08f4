package import DataModel
import JSONText

/// Serializes records directly from the cells of rows.
///
/// The columns of a schema are in this order: the primary key, the fields as declared, the system
/// fields. Passwords are not included.
package struct RecordWriter: Sendable {
  package enum Format: Sendable {
    /// An array with one record per line, or `[]` if there are no records.
    case json
    /// One object per line.
    case ndjson
    /// CSV as specified in RFC 4180: a header, lines that end with CR LF, and quotes only where
    /// necessary.
    case csv
    /// CSV with tabs in place of commas, and lines that end with LF.
    case tsv
    /// The id of each record on its own line.
    case ids

    /// The character between the cells of a table; nil for other formats.
    var separator: UInt8? {
      switch self {
      case .csv: UInt8(ascii: ",")
      case .tsv: UInt8(ascii: "\t")
      case .json, .ndjson, .ids: nil
      }
    }

    /// The bytes that end a line of a table.
    fileprivate var lineEnd: [UInt8] { self == .csv ? [0x0D, 0x0A] : [0x0A] }
  }

  /// How decimals, and integers that a double cannot represent exactly, are written in JSON.
  package enum NumberStyle: String, CaseIterable, Sendable {
    case number
    /// As strings, so that no program rounds them.
    case text
  }

  package enum FileContents: Sendable {
    case left
    /// File objects have a `"data"` member with an empty string, in which the caller inserts the
    /// content of the file in Base64.
    case inserted
  }

  /// An offset in the output at which the caller must insert the content of a file in Base64.
  package struct Insertion: Hashable, Sendable {
    package var offset: Int
    package var slot: Int

    package init(offset: Int, slot: Int) {
      self.offset = offset
      self.slot = slot
    }
  }

  /// A column of the output: its name, its type, and the cells that contain its values.
  package struct Column: Sendable {
    package var name: String
    package var type: FieldType
    /// The slot (index in a row) of the cells in the column.
    package var slot: Int
    /// Whether the column includes the contents of its files. This has an effect only if the writer
    /// is created with `FileContents.inserted`.
    package var hasContent: Bool

    package init(_ name: String, _ type: FieldType, slot: Int, hasContent: Bool = false) {
      self.name = name
      self.type = type
      self.slot = slot
      self.hasContent = hasContent
    }
  }

  /// Writes the bytes of the output to their destination, and removes them.
  package typealias Flush = (inout [UInt8]) -> Void

  private let format: Format
  private(set) var columns: [RecordColumn]
  /// Finds values that are invalid for the type of their field.
  private(set) var check: StoredValueCheck
  /// The slots (positions in a row) of the file fields whose content the caller inserts into the
  /// output. The writer only reports the offsets, as `Insertion`.
  private let contents: Set<Int>
  /// For each column, the bytes before its value, such as `,"title":`. In JSON, they are followed
  /// by `null`, so that the key and the null of an empty cell are copied at once. At the end, there
  /// are eight additional bytes, because the bytes are copied eight at a time.
  private let prefixes: [UInt8]
  private let header: [UInt8]
  private var count = 0
  private var insertions: [Insertion] = []
  /// The related records that are written in place of ids. The keys of the dictionary are the slots
  /// of the relations (positions in a row).
  private(set) var expansions: [Int: ExpandedRecords] = [:]
  private var numbers = NumberStyle.number

  /// Creates a writer for the fields in the given slots (positions in a row), or for all fields if
  /// `slots` is nil. The primary key is always included.
  package init(
    _ schema: Schema, slots: [Int]? = nil, format: Format, files: FileContents = .left
  ) {
    let included = slots.map(Set.init)
    let order =
      [schema.keySlot]
      + schema.knownSlots.filter { slot in
        slot != schema.keySlot && slot != schema.passwordSlot && included?.contains(slot) ?? true
      }
    self.init(order.map { schema.column($0) }, format: format, files: files)
  }

  /// Creates a writer for the given columns. With the format `ids`, only the first column is
  /// written.
  package init(_ columns: [Column], format: Format, files: FileContents = .left) {
    self.format = format
    var prefixes: [UInt8] = []
    var header: [UInt8] = []
    let written = format == .ids ? Array(columns.prefix(1)) : columns
    let recordColumns = written.enumerated().map { index, column in
      let start = prefixes.count
      if format.separator != nil || format == .ids {
        if index > 0, let separator = format.separator { prefixes.append(separator) }
        header += prefixes[start...] + Array(column.name.utf8)
      } else {
        prefixes.append(UInt8(ascii: index == 0 ? "{" : ","))
        JSONQuote.append(column.name.utf8.span, to: &prefixes)
        prefixes.append(UInt8(ascii: ":"))
      }
      let end = prefixes.count
      if format == .json || format == .ndjson { prefixes += Array("null".utf8) }
      return RecordColumn(
        column.slot, column.type, prefixStart: start,
        prefixEnd: end, nullEnd: prefixes.count)
    }
    self.columns = recordColumns
    check = StoredValueCheck(recordColumns)
    contents = files == .left ? [] : Set(written.filter(\.hasContent).map(\.slot))
    self.prefixes = prefixes + Array(repeating: 0, count: 8)
    self.header = header + format.lineEnd
  }

  /// Sets the related records of a relation. From then on, these records are written in place of
  /// their ids.
  ///
  /// - Parameter slot: The slot of the relation (its position in a row).
  package mutating func expand(_ slot: Int, into records: ExpandedRecords) {
    expansions[slot] = records
    if numbers == .text { expansions[slot]?.quoteNumbers() }
  }

  /// Sets how numbers are written, also in related records.
  package mutating func write(numbersAs style: NumberStyle) {
    guard style == .text else { return }
    numbers = style
    for slot in expansions.keys { expansions[slot]?.quoteNumbers() }
    guard format.separator == nil else { return }
    for index in columns.indices { columns[index].quoteNumbers() }
  }

  /// An error with a problem for each invalid record among the related records that are written in
  /// place of their ids. Nil if there are none.
  var expansionDamage: DataError? {
    var damage: DataError?
    for records in expansions.values {
      for problem in records.damage?.problems ?? [] { damage.add(problem) }
    }
    return damage
  }

  /// Appends the text that precedes the first record.
  package func begin(to output: inout [UInt8]) {
    if format.separator != nil { output += header }
  }

  /// Appends a record in the format of the writer.
  ///
  /// - Parameter flush: If given, it is called to write a long record with related records in
  ///   pieces, in JSON and NDJSON. The offsets of insertions are then not valid.
  /// - Returns: Nil if all values are valid. If a value is invalid, appends nothing and returns the
  ///   slot of its field (the position in a row).
  package mutating func write(
    _ rows: Rows, _ row: Int, to output: inout [UInt8], flush: Flush? = nil
  ) -> Int? {
    switch format {
    case .json:
      let start = output.count
      output.append(
        contentsOf: count == 0 ? [UInt8(ascii: "["), 0x0A] : [UInt8(ascii: ","), 0x0A])
      if let slot = writeObject(rows, row, to: &output, flush: flush) {
        output.removeLast(output.count - start)
        return slot
      }
    case .ndjson:
      if let slot = writeObject(rows, row, to: &output, flush: flush) { return slot }
      output.append(0x0A)
    case .csv, .tsv:
      if let slot = check.invalidSlot(in: rows, row) { return slot }
      writeLine(rows, row, to: &output)
      output += format.lineEnd
    case .ids:
      if let slot = check.invalidSlot(in: rows, row) { return slot }
      columns[0].appendBytes(rows[row, columns[0].slot], of: rows, to: &output)
      output.append(0x0A)
    }
    count += 1
    return nil
  }

  /// Continues an output that already contains `count` records and the text before them.
  package mutating func continueOutput(after count: Int) { self.count = count }

  /// Appends the text that follows the last record.
  package func end(to output: inout [UInt8]) {
    guard format == .json else { return }
    output += Array((count == 0 ? "[]\n" : "\n]\n").utf8)
  }

  /// Returns the offsets at which the caller must insert the contents of files, in ascending order.
  /// Each offset is returned only once.
  package mutating func takeInsertions() -> [Insertion] {
    defer { insertions.removeAll() }
    return insertions
  }

  /// The maximum length of an object that is written with a single capacity reservation.
  private static let maxReservation = 64 << 10

  /// Appends a record as a JSON object.
  ///
  /// - Returns: Nil if all values are valid. If a value is invalid, appends nothing and returns the
  ///   slot of its field (the position in a row).
  package mutating func writeObject(
    _ rows: Rows, _ row: Int, to output: inout [UInt8], flush: Flush? = nil
  ) -> Int? {
    let start = row * rows.width
    // One byte for the closing brace, and eight bytes that may be written after a prefix, because
    // prefixes are copied in words.
    var longest = 9
    for column in columns { longest += column.longestJSON(rows.cells[start + column.slot]) }
    guard longest <= Self.maxReservation, contents.isEmpty, expansions.isEmpty else {
      if let slot = check.invalidSlot(in: rows, row) { return slot }
      writeByValue(rows, start, to: &output, flush)
      return nil
    }
    if let slot = check.invalidTextSlot(in: rows, row) { return slot }
    let end = output.count
    let isValid = Self.append(
      columns, prefixes.span, of: rows, start, reserving: longest, to: &output)
    if isValid { return nil }
    output.removeLast(output.count - end)
    // A list may be valid even if this could not be determined while it was appended.
    if let slot = check.invalidSlot(in: rows, row) { return slot }
    writeByValue(rows, start, to: &output, flush)
    return nil
  }

  /// Returns a value of a record as JSON, or nil if it is null. The value must be valid.
  package func json(_ rows: Rows, _ row: Int, slot: Int) -> [UInt8]? {
    let cell = rows[row, slot]
    guard cell.hasValue, let column = columns.first(where: { $0.slot == slot }) else { return nil }
    var json: [UInt8] = []
    column.appendJSON(cell, of: rows, to: &json)
    return json
  }

  /// The maximum result of `minimumSize`. It prevents an overflow if sizes are added.
  static var greatestSize: Int { 1 << 50 }

  /// Returns a lower bound of the size of a record as JSON, including the related records.
  func minimumSize(_ rows: Rows, _ row: Int) -> Int {
    var size = 1
    for column in columns {
      let cell = rows[row, column.slot]
      size += column.prefixEnd - column.prefixStart
      switch cell.kind {
      case .missing, .null: size += 4
      case .integer, .number: size += 1
      case .input, .arena:
        let related = expansions.isEmpty ? nil : expansions[column.slot]
        size += related?.minimumSize(of: cell, in: rows) ?? cell.range.count
      }
    }
    return min(size, Self.greatestSize)
  }

  /// Appends a record as an object of at most `longest` bytes. Returns whether all of its values
  /// are certainly valid.
  ///
  /// Capacity is reserved once for the whole object, because reserving it for each value is slow.
  /// The method is static, because a call of an instance method would copy the writer.
  @inline(__always)
  private static func append(
    _ columns: [RecordColumn], _ prefixes: Span<UInt8>, of rows: Rows, _ start: Int,
    reserving longest: Int, to output: inout [UInt8]
  ) -> Bool {
    let (input, arena) = (rows.input.span, rows.arena.span)
    var isRowValid = true
    // Most records were never changed, so the same time is often written twice.
    var lastTime: (microseconds: Int64, range: Range<Int>)?
    output.append(addingCapacity: longest) { output in
      for column in columns {
        let cell = rows.cells[start + column.slot]
        let prefixEnd = cell.hasValue ? column.prefixEnd : column.nullEnd
        output.append(copyingWords: column.prefixStart..<prefixEnd, of: prefixes)
        let isValid =
          switch (cell.kind, column.storage) {
          case (.missing, _), (.null, _): true
          case (.integer, .datetime): output.append(time: cell, &lastTime)
          case (.integer, _), (.number, _):
            output.append(cell, with: input.extracting(0..<0), in: column)
          case (.input, _): output.append(cell, with: input.extracting(cell.range), in: column)
          case (.arena, _): output.append(cell, with: arena.extracting(cell.range), in: column)
          }
        guard isValid else {
          isRowValid = false
          return
        }
      }
      output.append(UInt8(ascii: "}"))
    }
    return isRowValid
  }

  /// Appends a record as an object, and reserves capacity for each value separately. Long objects,
  /// and objects with file contents or related records, are written in this way. All values must be
  /// valid.
  private mutating func writeByValue(
    _ rows: Rows, _ start: Int, to output: inout [UInt8], _ flush: Flush?
  ) {
    for column in columns {
      let cell = rows.cells[start + column.slot]
      guard cell.hasValue else {
        output.append(copying: prefixes.span.extracting(column.prefixStart..<column.nullEnd))
        continue
      }
      output.append(copying: prefixes.span.extracting(column.prefixStart..<column.prefixEnd))
      if !expansions.isEmpty, let records = expansions[column.slot] {
        records.append(cell, of: rows, to: &output, flush: flush)
      } else if column.kind == .file && contents.contains(column.slot) {
        column.appendBytes(cell, of: rows, to: &output)
        insert(column.slot, quote: [UInt8(ascii: "\"")], to: &output)
      } else {
        column.appendJSON(cell, of: rows, to: &output)
      }
    }
    output.append(UInt8(ascii: "}"))
  }

  private mutating func writeLine(_ rows: Rows, _ row: Int, to output: inout [UInt8]) {
    let separator = format.separator ?? UInt8(ascii: ",")
    for column in columns {
      output.append(copying: prefixes.span.extracting(column.prefixStart..<column.prefixEnd))
      let cell = rows[row, column.slot]
      if !expansions.isEmpty, let records = expansions[column.slot], cell.hasValue {
        var text: [UInt8] = []
        records.append(cell, of: rows, to: &text)
        CSVCell.append(text.span, separator: separator, to: &output)
        continue
      }
      column.appendCSV(cell, of: rows, separator: separator, to: &output)
      if column.kind == .file && contents.contains(column.slot) && cell.hasValue {
        // In TSV, the object is not quoted, because it does not begin with a quote.
        if format == .tsv {
          insert(column.slot, quote: Array("\"".utf8), to: &output)
          continue
        }
        output.removeLast()
        insert(column.slot, quote: Array("\"\"".utf8), to: &output)
        output.append(UInt8(ascii: "\""))
      }
    }
  }

  /// Adds an empty `data` member before the closing brace of a file object, and stores the offset
  /// at which the content must be inserted.
  ///
  /// - Parameter quote: A quotation mark, doubled if the object is in a CSV cell.
  private mutating func insert(_ slot: Int, quote: [UInt8], to output: inout [UInt8]) {
    output.removeLast()
    output += [UInt8(ascii: ",")] + quote + Array("data".utf8) + quote + [UInt8(ascii: ":")] + quote
    insertions.append(Insertion(offset: output.count, slot: slot))
    output += quote + [UInt8(ascii: "}")]
  }
}

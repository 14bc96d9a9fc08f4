import JSONText
package import RecordText

/// Writes JSON and CSV documents according to a map.
package struct MappedTextWriter: Sendable {
  /// Whether the output is a document with all records, a document with one record, or one line for
  /// each record.
  package enum Arrangement: Sendable {
    /// One document that contains all records at the path that the map specifies.
    case document
    /// One document that contains a single record at the path that the map specifies. The record is
    /// not in an array.
    case single
    /// NDJSON: one line for each record, without the objects that enclose records in a document.
    case lines
  }

  private let writer: MappedRecordWriter
  private let arrangement: Arrangement
  private var count = 0
  private var insertions: [RecordWriter.Insertion] = []
  private var map: DataMap { writer.layout.map }

  package init(_ writer: MappedRecordWriter, _ arrangement: Arrangement) {
    self.writer = writer
    self.arrangement = arrangement
  }

  /// Appends the text that precedes the first record.
  package func begin(to output: inout [UInt8]) {
    switch (map.format, arrangement) {
    case (.csv, _):
      CSVCell.appendRow(writer.columns, separator: map.separator, to: &output)
    case (.json, .lines), (.xml, _): break
    case (.json, .document), (.json, .single):
      var frame = writer.layout.frame
      for name in map.records.names {
        output.append(UInt8(ascii: "{"))
        guard case .object(let members) = frame.content else { continue }
        var inner = ForeignValue(.object([]))
        for member in members {
          if member.isNamed(name) {
            inner = member.value
            continue
          }
          JSONQuote.append(member.name.utf8.span, to: &output)
          output.append(UInt8(ascii: ":"))
          output += member.value.json
          output.append(UInt8(ascii: ","))
        }
        JSONQuote.append(name.utf8.span, to: &output)
        output.append(UInt8(ascii: ":"))
        frame = inner
      }
    }
  }

  /// Appends a record and the necessary separator, such as a comma or a newline.
  package mutating func write(_ record: MappedRecordWriter.Output, to output: inout [UInt8]) {
    defer { count += 1 }
    guard map.format == .json else {
      guard case .object(let members) = record.value.content else { return }
      let cells = writer.columns.map { column in
        column.flatMap { name in members.first { $0.isNamed(name) } }.flatMap { $0.value.cellText }
      }
      return CSVCell.appendRow(cells, separator: map.separator, to: &output)
    }
    if arrangement == .document {
      let opening = UInt8(ascii: map.hasEntries ? "{" : "[")
      output.append(contentsOf: [count == 0 ? opening : UInt8(ascii: ","), 0x0A])
    }
    if arrangement != .lines, let entry = record.entry {
      if arrangement == .single { output.append(UInt8(ascii: "{")) }
      JSONQuote.append(entry.utf8.span, to: &output)
      output.append(UInt8(ascii: ":"))
    }
    record.value.appendJSON(to: &output, &insertions)
    if arrangement == .single, record.entry != nil { output.append(UInt8(ascii: "}")) }
    if arrangement == .lines { output.append(0x0A) }
  }

  /// Appends the text that follows the last record.
  package func end(to output: inout [UInt8]) {
    guard map.format == .json, arrangement != .lines else { return }
    if arrangement == .document {
      let brackets = map.hasEntries ? "{}" : "[]"
      output.append(contentsOf: (count == 0 ? brackets : "\n" + brackets.suffix(1)).utf8)
    } else if count == 0 {
      output.append(contentsOf: "null".utf8)
    }
    for _ in map.records.names { output.append(UInt8(ascii: "}")) }
    output.append(0x0A)
  }

  /// Returns the offsets in the output at which the caller must insert the contents of files in
  /// base64. Each offset is returned only once.
  package mutating func takeInsertions() -> [RecordWriter.Insertion] {
    defer { insertions.removeAll() }
    return insertions
  }
}

extension ForeignValue {
  /// The text of a CSV cell. Arrays and objects are serialized as JSON.
  fileprivate var cellText: String? {
    switch content {
    case .array, .object: String(decoding: json.span)
    case .null, .boolean, .number, .text, .fileContent, .markup: scalarText
    }
  }
}

extension CSVCell {
  /// Appends a CSV row. A nil cell is written as an empty cell.
  fileprivate static func appendRow(
    _ cells: [String?], separator: UInt8, to output: inout [UInt8]
  ) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { output.append(separator) }
      if let cell { append(cell.utf8.span, separator: separator, to: &output) }
    }
    output.append(contentsOf: [0x0D, 0x0A])
  }
}

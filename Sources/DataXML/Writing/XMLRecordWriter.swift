package import DataModel
import JSONText
package import RecordText

/// Serializes records as XML, directly from the cells of rows.
///
/// The primary key and the system fields are attributes, and the other fields are elements.
package struct XMLRecordWriter: Sendable {
  /// A column, which is written as an attribute or as an element.
  private struct Column: Sendable {
    let name: String
    let slot: Int
    let type: FieldType
    let isAttribute: Bool
    /// Whether the column contains files whose contents are printed. The caller inserts the
    /// contents into the output at the offsets that `takeInsertions` returns.
    let hasContent: Bool
    /// The bytes before the value: ` name="` for an attribute, or the start tag without the closing
    /// `>` for an element.
    let beginning: [UInt8]
    let end: [UInt8]
  }

  /// The related records that are written in place of ids, and the writer for them.
  private struct Expansion: Sendable {
    let records: ExpandedRecords
    let writer: XMLRecordWriter
  }

  private let schema: Schema
  private let attributes: [Column]
  private let elements: [Column]
  private var check: StoredValueCheck
  private var expansions: [Int: Expansion] = [:]
  private var insertions: [RecordWriter.Insertion] = []

  /// Creates a writer for the given columns of a schema's records. The columns can include fields
  /// of related records.
  package init(
    _ columns: [RecordWriter.Column], of schema: Schema, files: RecordWriter.FileContents = .left
  ) {
    self.schema = schema
    check = StoredValueCheck(columns)
    let columns = columns.map { column in
      let isAttribute =
        column.slot == schema.keySlot
        || column.slot >= schema.fields.count && column.slot < schema.width
      return Column(
        name: column.name, slot: column.slot, type: column.type, isAttribute: isAttribute,
        hasContent: files == .inserted && column.hasContent,
        beginning: Array((isAttribute ? " \(column.name)=\"" : "<\(column.name)").utf8),
        end: Array((isAttribute ? "\"" : "</\(column.name)>").utf8))
    }
    attributes = columns.filter(\.isAttribute)
    elements = columns.filter { !$0.isAttribute }
  }

  /// Sets the related records that are written in place of the ids of a relation. `slot` is the
  /// position of the relation's cell in a row.
  package mutating func expand(_ slot: Int, into records: ExpandedRecords) {
    var writer = XMLRecordWriter(records.columns, of: records.schema)
    for (slot, nested) in records.nested { writer.expand(slot, into: nested) }
    expansions[slot] = Expansion(records: records, writer: writer)
  }

  /// Appends the text that precedes the first record.
  package func begin(to output: inout [UInt8]) {
    XMLText.append("<records schema=\"\(schema.name)\">\n", to: &output)
  }

  /// Appends the text that follows the last record.
  package func end(to output: inout [UInt8]) {
    XMLText.append("</records>\n", to: &output)
  }

  /// Appends a record on its own line. If a stored value is invalid, or if XML cannot represent it,
  /// appends nothing and returns the problem.
  package mutating func write(_ rows: Rows, _ row: Int, to output: inout [UInt8]) -> Problem? {
    if let problem = check.problem(in: rows, row, of: schema) { return problem }
    let (start, insertionCount) = (output.count, insertions.count)
    var problem: Problem?
    writeRecord(rows, row, &problem, &insertions, to: &output)
    guard problem != nil else {
      output.append(0x0A)
      return nil
    }
    output.removeSubrange(start...)
    insertions.removeSubrange(insertionCount...)
    return problem
  }

  /// Returns the offsets in the output at which the caller must insert the contents of files in
  /// base64. Each offset is returned only once.
  package mutating func takeInsertions() -> [RecordWriter.Insertion] {
    defer { insertions.removeAll() }
    return insertions
  }
}

extension XMLRecordWriter {
  /// Appends a record. Sets `problem` if XML cannot represent one of its values.
  private func writeRecord(
    _ rows: Rows, _ row: Int, _ problem: inout Problem?,
    _ insertions: inout [RecordWriter.Insertion], to output: inout [UInt8]
  ) {
    output.append(UInt8(ascii: "<"))
    output.append(contentsOf: schema.name.utf8)
    var hasNulls = false
    var invalid: Column?
    for column in attributes {
      let cell = rows[row, column.slot]
      guard cell.hasValue else {
        hasNulls = true
        continue
      }
      output.append(contentsOf: column.beginning)
      if !append(cell, of: rows, column, in: .attribute, to: &output) { invalid = column }
      output.append(contentsOf: column.end)
    }
    output.append(UInt8(ascii: ">"))
    for column in hasNulls ? attributes : [] where !rows[row, column.slot].hasValue {
      XMLText.append("<\(column.name) null=\"true\"/>", to: &output)
    }
    for column in elements {
      let cell = rows[row, column.slot]
      output.append(contentsOf: column.beginning)
      if !cell.hasValue {
        XMLText.append(" null=\"true\"/>", to: &output)
      } else if let expansion = expansions[column.slot] {
        write(expansion, cell, of: rows, column, &problem, to: &output)
      } else if !appendElement(cell, of: rows, column, &insertions, to: &output) {
        invalid = column
      }
    }
    XMLText.append("</\(schema.name)>", to: &output)
    guard let invalid, problem == nil else { return }
    let id = rows.text(rows[row, schema.keySlot])
    problem = Problem(
      .invalid,
      "XML cannot contain control characters, U+FFFE or U+FFFF; found in \(Excerpt.quoted(id))",
      hint: "print the record as JSON: -o json", schema: schema.name, id: id, field: invalid.name)
  }

  /// Appends the content and the end tag of a relation's element, including the related records.
  private func write(
    _ expansion: Expansion, _ cell: Cell, of rows: Rows, _ column: Column,
    _ problem: inout Problem?, to output: inout [UInt8]
  ) {
    let isMany = column.type.relation?.isMany ?? false
    var hasContent = false
    var insertions: [RecordWriter.Insertion] = []
    expansion.records.forEachRecord(of: cell, in: rows) { row, keptID in
      if !hasContent, isMany || row != nil || keptID != nil { output.append(UInt8(ascii: ">")) }
      guard let row else {
        if let keptID {
          hasContent = true
          if isMany { XMLText.append("<item>", to: &output) }
          _ = XMLText.append(keptID.span, in: .element, to: &output)
          if isMany { XMLText.append("</item>", to: &output) }
        } else if isMany {
          XMLText.append("<item null=\"true\"/>", to: &output)
          hasContent = true
        }
        return
      }
      hasContent = true
      if isMany { XMLText.append("<item>", to: &output) }
      expansion.writer.writeRecord(
        expansion.records.rows, row, &problem, &insertions, to: &output)
      if isMany { XMLText.append("</item>", to: &output) }
    }
    if hasContent {
      output.append(contentsOf: column.end)
    } else {
      XMLText.append(isMany ? "/>" : " null=\"true\"/>", to: &output)
    }
  }

  /// Appends the content and the end tag of a field's element. Returns false if XML cannot contain
  /// the value.
  private func appendElement(
    _ cell: Cell, of rows: Rows, _ column: Column, _ insertions: inout [RecordWriter.Insertion],
    to output: inout [UInt8]
  ) -> Bool {
    switch column.type.descriptor.kind {
    case .geopoint:
      guard let point = rows.withBytes(of: cell, { GeoPoint(bytes: $0) }) else { return false }
      XMLText.append(" lat=\"", to: &output)
      NumberText.write(point.latitude, to: &output)
      XMLText.append("\" lon=\"", to: &output)
      NumberText.write(point.longitude, to: &output)
      XMLText.append("\"/>", to: &output)
      return true
    case .file: return append(file: cell, of: rows, column, &insertions, to: &output)
    case .array, .references: return append(list: cell, of: rows, column, to: &output)
    case .text where cell.length == 0:
      XMLText.append("/>", to: &output)
      return true
    case .key, .text, .scalar, .json, .password, .reference, .system:
      output.append(UInt8(ascii: ">"))
      let isValid = append(cell, of: rows, column, in: .element, to: &output)
      output.append(contentsOf: column.end)
      return isValid
    }
  }

  /// Appends a file as attributes of its element, such as its name and type. If the content is
  /// printed, the caller inserts it as the text of the element.
  private func append(
    file cell: Cell, of rows: Rows, _ column: Column,
    _ insertions: inout [RecordWriter.Insertion], to output: inout [UInt8]
  ) -> Bool {
    guard let file = rows.withBytes(of: cell, { FileReference(canonicalText: $0) }) else {
      return false
    }
    XMLText.append(" name=\"", to: &output)
    var isValid = XMLText.append(file.name.utf8.span, in: .attribute, to: &output)
    XMLText.append("\" type=\"", to: &output)
    if !XMLText.append(file.type.utf8.span, in: .attribute, to: &output) { isValid = false }
    XMLText.append("\" size=\"\(file.size)\" sha256=\"\(file.sha256)\"", to: &output)
    guard column.hasContent else {
      XMLText.append("/>", to: &output)
      return isValid
    }
    output.append(UInt8(ascii: ">"))
    insertions.append(RecordWriter.Insertion(offset: output.count, slot: column.slot))
    output.append(contentsOf: column.end)
    return isValid
  }

  private func append(
    list cell: Cell, of rows: Rows, _ column: Column, to output: inout [UInt8]
  ) -> Bool {
    let type = column.type.elementType
    let values = rows.withBytes(of: cell) { ListText.values(in: $0, of: type) } ?? []
    if values.isEmpty {
      XMLText.append("/>", to: &output)
      return true
    }
    var isValid = true
    output.append(UInt8(ascii: ">"))
    for value in values {
      XMLText.append("<item>", to: &output)
      if case .text(let text) = value {
        if !XMLText.append(text.utf8.span, in: .element, to: &output) { isValid = false }
      } else {
        value.appendText(to: &output)
      }
      XMLText.append("</item>", to: &output)
    }
    output.append(contentsOf: column.end)
    return isValid
  }

  /// Appends a scalar value. Returns false if XML cannot contain it, for example because of a
  /// control character.
  private func append(
    _ cell: Cell, of rows: Rows, _ column: Column, in place: XMLText.Place,
    to output: inout [UInt8]
  ) -> Bool {
    switch column.type.descriptor.storage {
    case .integer: rows.value(cell, of: column.type).appendText(to: &output)
    case .number: NumberText.write(cell.number, to: &output)
    case .boolean: XMLText.append(cell.integer == 0 ? "false" : "true", to: &output)
    case .datetime: Timestamp(microseconds: cell.integer)?.write(to: &output)
    case .bytes, .date, .point:
      return rows.withBytes(of: cell) { XMLText.append($0, in: place, to: &output) }
    }
    return true
  }
}

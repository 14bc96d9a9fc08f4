import DataModel
import JSONText

/// The records that are edited, and their text.
struct EditedRecords {
  /// The maximum number of records that are edited at once.
  static let maxCount = 100
  private static let errorMark = "// error: "

  /// A record in a text.
  private struct Element {
    let value: JSONValue
    let node: JSONNode

    var range: Range<Int> { node.range }
  }

  /// The text before it is edited.
  let text: [UInt8]
  private let schema: EditedSchema
  /// Whether the records are new.
  private let isCreating: Bool
  /// The records in `text` by their ids as bytes, because ids with the same letters can differ.
  private let originals: [[UInt8]: JSONValue]

  /// Creates the text for stored records, of which each is written once.
  ///
  /// - Parameter output: The records as JSON.
  init(_ output: [UInt8], of schema: EditedSchema, _ names: [String]) throws(DataError) {
    // The text of the values is kept, because a `json` field keeps its escapes.
    let records = try Self.elements(in: output).map { ($0.value, json: output[$0.range]) }
    self.init(records, of: schema, names, isCreating: false)
  }

  /// Creates the text for new records with the given ids, or for one without an id.
  init(creating ids: [String], of schema: EditedSchema, _ names: [String]) {
    let ids: [String?] = ids.isEmpty ? [nil] : ids
    let records = ids.map { id in
      let record = schema.template(id: id, names)
      return (record, json: ArraySlice(record.description.utf8))
    }
    self.init(records, of: schema, names, isCreating: true)
  }

  private init(
    _ records: [(JSONValue, json: ArraySlice<UInt8>)], of schema: EditedSchema, _ names: [String],
    isCreating: Bool
  ) {
    self.schema = schema
    self.isCreating = isCreating
    var originals: [[UInt8]: JSONValue] = [:]
    var text = Array(schema.comments(for: names).map { $0 + "\n" }.joined().utf8)
    for (record, json) in records
    where originals.updateValue(record, forKey: Array(schema.id(of: record).utf8)) == nil {
      text += [0x0A]
      JSONLayout.indent(json.span, to: &text)
      text += [0x0A]
    }
    self.originals = originals
    self.text = text
  }

  /// Returns the records that differ from their original state, as a text in which they have the
  /// same lines and columns. Of a stored record, the text contains the changed fields, the primary
  /// key and `revision`: other fields may have been changed by another program. Returns nil if there
  /// are no changes.
  func changes(in text: [UInt8]) throws(DataError) -> [UInt8]? {
    let json = Self.withoutComments(text)
    var changes: [UInt8] = json.map { $0 == 0x0A ? 0x0A : 0x20 }
    var error: DataError?
    var isChanged = false
    for element in try Self.elements(in: json) {
      let id = schema.id(of: element.value)
      let original = originals[Array(id.utf8)]
      if original == element.value { continue }
      if !isCreating, original == nil {
        let line = LineStarts(text).line(of: element.range.lowerBound)
        error.add(
          Problem(
            .invalid, "this record is not being edited",
            hint: "the id of a record cannot be changed; edit --create creates records",
            schema: schema.name, id: id, line: line))
      }
      isChanged = true
      if let original, !isCreating {
        copyChanges(of: element.node, over: original, json, to: &changes)
      } else {
        changes.replaceSubrange(element.range, with: json[element.range])
      }
    }
    if let error { throw error }
    return isChanged ? changes : nil
  }

  /// Copies the changed fields of a record, its primary key and `revision` to the same positions.
  private func copyChanges(
    of record: JSONNode, over original: JSONValue, _ json: [UInt8], to changes: inout [UInt8]
  ) {
    guard case .object(let members) = record.content else { return }
    var isFirst = true
    changes[record.range.lowerBound] = UInt8(ascii: "{")
    changes[record.range.upperBound - 1] = UInt8(ascii: "}")
    for member in members
    where [schema.key, "revision"].contains(member.name)
      || original[member.name] != JSONValue(member.value, of: json.span)
    {
      let range = member.position..<member.value.range.upperBound
      changes.replaceSubrange(range, with: json[range])
      let comma = UInt8(ascii: ",")
      if !isFirst, let index = json[..<range.lowerBound].lastIndex(of: comma) {
        changes[index] = comma
      }
      isFirst = false
    }
  }

  /// Returns the text with each problem as a comment above its record. The comments of earlier
  /// problems are removed.
  func annotated(_ text: [UInt8], with error: DataError) -> [UInt8] {
    let starts = LineStarts(text)
    let records = ((try? Self.elements(in: Self.withoutComments(text))) ?? []).map {
      (line: starts.line(of: $0.range.lowerBound), id: schema.id(of: $0.value))
    }
    var comments: [Int: [String]] = [:]
    for problem in error.problems {
      var line = problem.line ?? records.first { $0.id == problem.id }?.line ?? 1
      line = records.last { $0.line <= line }?.line ?? line
      var shown = problem
      (shown.file, shown.line, shown.column) = (nil, nil, nil)
      comments[line, default: []] += DataError(shown).lines()
    }
    let count = error.problems.count
    let notice =
      "\(Self.errorMark)nothing was saved: \(count.counted("error")), shown above the record"
    var lines = [ArraySlice(notice.utf8)]
    for (index, line) in Self.lines(of: text).enumerated() {
      lines += (comments[index + 1] ?? []).map { ArraySlice("\(Self.errorMark)\($0)".utf8) }
      if !line.starts(with: Self.errorMark.utf8) { lines.append(line) }
    }
    return Array(lines.joined(separator: [0x0A]))
  }

  /// Parses the records in a text without comments: objects, or arrays of objects.
  private static func elements(in json: [UInt8]) throws(DataError) -> [Element] {
    if json.allSatisfy({ $0 <= 0x20 }) { return [] }
    do throws(ScanError) {
      var elements: [Element] = []
      for node in try JSONNode.parseAll(json.span) {
        let records = if case .array(let records) = node.content { records } else { [node] }
        for record in records {
          elements.append(Element(value: JSONValue(record, of: json.span), node: record))
        }
      }
      return elements
    } catch {
      let (line, column) = error.lineAndColumn(in: json.span)
      throw DataError(
        Problem(
          .syntax, error.kind.message, hint: error.kind.hint, line: line, column: column))
    }
  }

  /// Returns the text with spaces in place of the lines that begin with `//`.
  private static func withoutComments(_ text: [UInt8]) -> [UInt8] {
    var lines = Self.lines(of: text)
    for index in lines.indices
    where lines[index].drop(while: { $0 == 0x20 || $0 == 0x09 }).starts(with: "//".utf8) {
      lines[index] = ArraySlice(repeatElement(0x20, count: lines[index].count))
    }
    return Array(lines.joined(separator: [0x0A]))
  }

  private static func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    text.split(separator: 0x0A, omittingEmptySubsequences: false)
  }
}

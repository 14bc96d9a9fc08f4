import DataModel
import JSONText

/// The records that are edited, and their text.
struct EditedRecords {
  /// The maximum number of records that are edited at once.
  static let maxCount = 100
  private static let errorMark = "// error: "
  private static let revision = "revision"
  private static let creation = "created_at"

  /// A record in a text.
  private struct Element {
    let value: JSONValue
    let node: JSONNode

    var range: Range<Int> { node.range }
  }

  /// A record as it was read.
  private struct Original {
    /// The record without `created_at`, which the text does not contain.
    let value: JSONValue
    /// The members that identify the version of a stored record.
    let version: [JSONValue.Member]

    init(_ record: JSONValue) {
      guard case .object(let members) = record else {
        (value, version) = (record, [])
        return
      }
      value = .object(members.filter { $0.name != EditedRecords.creation })
      version = members.filter {
        [EditedRecords.creation, EditedRecords.revision].contains($0.name)
      }
    }
  }

  /// The text before it is edited.
  let text: [UInt8]
  private let schema: EditedSchema
  /// Whether the records are new.
  let isCreating: Bool
  /// Whether stored records that are deleted meanwhile are created again.
  let isRestoring: Bool
  /// The records in `text` by their ids as bytes, because ids with the same letters can differ.
  private let originals: [[UInt8]: Original]

  /// Creates the text for stored records, or for new ones. Each is written once.
  ///
  /// - Parameters:
  ///   - json: The records, which all have the same fields. Stored records also have `created_at`
  ///     and `revision`.
  ///   - isRestoring: Whether stored records that are deleted meanwhile are created again.
  /// - Throws: An error if the text contains no records.
  init(
    _ json: [UInt8], of schema: EditedSchema, restoring isRestoring: Bool = false
  ) throws(DataError) {
    self.schema = schema
    let elements = try Self.elements(in: json)
    let areStored = elements.allSatisfy {
      $0.value[Self.revision] != nil && !schema.id(of: $0.value).isEmpty
    }
    guard !elements.isEmpty, areStored || elements.allSatisfy({ schema.isTemplate($0.value) })
    else { throw DataError(.failed, "the records cannot be read") }
    isCreating = !areStored
    self.isRestoring = isRestoring
    var text = Array(schema.comments(for: elements.first?.value.names ?? []).utf8)
    var originals: [[UInt8]: Original] = [:]
    for element in elements {
      let original = Original(element.value)
      let id = Array(schema.id(of: element.value).utf8)
      guard originals.updateValue(original, forKey: id) == nil else { continue }
      text += [0x0A]
      // The text of the values is kept, because a `json` field keeps its escapes.
      var shown = json[element.range]
      if let range = element.node.rangeBeforeNextMember(named: Self.creation) {
        shown.removeSubrange(range)
      }
      JSONLayout.indent(shown.span, to: &text)
      text += [0x0A]
    }
    self.originals = originals
    self.text = text
  }

  /// Whether a text has lines that were typed: those that remain of the original text or of another
  /// text are in their order, because a line that is new in a record can be known from another one.
  /// Ignores empty lines, and spaces around lines.
  func hasNewLines(_ text: [UInt8], besides other: [UInt8] = []) -> Bool {
    let lines = Self.lines(of: text).map(Self.trimmed).filter { !$0.isEmpty }
    return [self.text, other].allSatisfy { known in
      var rest = lines[...]
      for line in Self.lines(of: known) where rest.first == Self.trimmed(line) {
        rest.removeFirst()
      }
      return !rest.isEmpty
    }
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let rest = line.drop { $0 <= 0x20 }
    return rest.prefix(upTo: rest.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? rest.startIndex)
  }

  /// Returns the records that differ from their original state, as a text in which they have the
  /// same lines. Of a stored record, the text contains the changed fields, the primary key,
  /// `revision` and `created_at`: other fields may have been changed by another program. Returns nil
  /// if there are no changes.
  func changes(in text: [UInt8]) throws(DataError) -> [UInt8]? {
    let json = Self.withoutComments(text)
    let elements = try Self.elements(in: json)
    try check(elements, in: text)
    let changed = elements.filter { original(of: $0)?.value != $0.value }
    if changed.isEmpty { return nil }
    var changes: [UInt8] = json.map { $0 == 0x0A ? 0x0A : 0x20 }
    // The last one first, because the members that are added to a record shift the next one.
    for element in changed.reversed() {
      if let original = original(of: element), !isCreating {
        copyChanges(of: element.node, over: original, json, to: &changes)
      } else {
        changes.replaceSubrange(element.range, with: json[element.range])
      }
    }
    return changes
  }

  private func original(of element: Element) -> Original? {
    originals[Array(schema.id(of: element.value).utf8)]
  }

  /// Checks that each value is a record that is being edited, and that it is in the text once.
  private func check(_ elements: [Element], in text: [UInt8]) throws(DataError) {
    var error: DataError?
    var ids: Set<[UInt8]> = []
    for element in elements {
      let id = schema.id(of: element.value)
      var problem: Problem?
      if case .object = element.node.content {
        if !isCreating, original(of: element) == nil {
          problem = Problem(
            .invalid, "this record is not being edited",
            hint: "the id of a record cannot be changed; edit --create creates records")
        } else if !ids.insert(Array(id.utf8)).inserted, !id.isEmpty {
          problem = Problem(
            .invalid, "this record is in the text twice", hint: "remove one of them")
        } else if let field = changedSystemField(of: element) {
          problem = Problem(.invalid, "this field cannot be changed", field: field)
        }
      } else {
        problem = Problem(.invalid, "expected an object, found \(element.node.kind)")
      }
      guard var problem else { continue }
      (problem.schema, problem.id) = (schema.name, id.isEmpty ? nil : id)
      problem.line = LineStarts(text).line(of: element.range.lowerBound)
      error.add(problem)
    }
    if let error { throw error }
  }

  /// Returns a field that the store maintains, if its value in a stored record is changed.
  private func changedSystemField(of element: Element) -> String? {
    guard !isCreating, let original = original(of: element) else { return nil }
    return element.value.names.first { name in
      SystemField(named: name) != nil && name != Self.revision
        && !original.version.contains { $0.name == name && $0.value == element.value[name] }
    }
  }

  /// Copies the changed fields of a record and its primary key to the same positions, and adds what
  /// identifies its version if it is missing. Copies all fields of a record that may have to be
  /// created again.
  private func copyChanges(
    of record: JSONNode, over original: Original, _ json: [UInt8], to changes: inout [UInt8]
  ) {
    guard case .object(let members) = record.content else { return }
    let end = record.range.upperBound - 1
    var isFirst = true
    changes[record.range.lowerBound] = UInt8(ascii: "{")
    changes[end] = UInt8(ascii: "}")
    // The save rejects keys that occur twice, so all of them are copied.
    for member in members
    where isRestoring || [schema.key, Self.revision].contains(member.name)
      || original.value[member.name] != JSONValue(member.value, of: json.span)
      || members.count(where: { $0.name == member.name }) > 1
    {
      let range = member.position..<member.value.range.upperBound
      changes.replaceSubrange(range, with: json[range])
      let comma = UInt8(ascii: ",")
      if !isFirst, let index = json[..<range.lowerBound].lastIndex(of: comma) {
        changes[index] = comma
      }
      isFirst = false
    }
    let missing = original.version.filter { known in !members.contains { $0.name == known.name } }
    let added = missing.map { ",\"\($0.name)\":\($0.value)" }.joined()
    changes.insert(contentsOf: added.utf8, at: end)
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

extension JSONValue {
  fileprivate var names: [String] {
    guard case .object(let members) = self else { return [] }
    return members.map(\.name)
  }
}

extension JSONNode {
  /// Returns the range from the beginning of a member to that of the next one, or nil if there are no
  /// such members.
  fileprivate func rangeBeforeNextMember(named name: String) -> Range<Int>? {
    guard case .object(let members) = content,
      let index = members.firstIndex(where: { $0.name == name }), index + 1 < members.count
    else { return nil }
    return members[index].position..<members[index + 1].position
  }
}

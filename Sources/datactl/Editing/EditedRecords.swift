import DataModel
import JSONText

/// The records that are edited, and their text.
struct EditedRecords {
  /// The maximum number of records that are edited at once.
  static let maxCount = 100
  private static let errorMark = "// error: "
  static let revision = "revision"
  private static let creation = "created_at"

  /// A record in a text.
  struct Element {
    let value: JSONValue
    let node: JSONNode

    var range: Range<Int> { node.range }
  }

  /// The schema and the id of a record. The id is bytes, because ids with the same letters can
  /// differ.
  struct Key: Hashable {
    let schema: String
    let id: [UInt8]

    init(_ record: JSONValue, of schema: EditedSchema) {
      self.schema = schema.name
      id = Array(schema.id(of: record).utf8)
    }
  }

  /// The text before it is edited.
  let text: [UInt8]
  let schema: EditedSchema
  /// Whether the records are new.
  let isCreating: Bool
  /// Whether stored records that are deleted meanwhile are created again.
  let isRestoring: Bool
  /// The records that can be edited: those that are not nested in others.
  let outer: Set<Key>
  /// All records as they were read. A record can be nested in several others, with different
  /// expansions, and outer records are here both with and without `created_at`, which the text does
  /// not contain.
  let originals: [Key: [JSONValue]]

  /// Creates the text for stored records, or for new ones. Each is written once.
  ///
  /// - Parameters:
  ///   - original: The records, which all have the same fields. Stored records also have
  ///     `created_at` and `revision`.
  ///   - isRestoring: Whether stored records that are deleted meanwhile are created again.
  /// - Throws: An error if the text contains no records.
  init(
    _ original: [UInt8], of schema: EditedSchema, restoring isRestoring: Bool = false
  ) throws(DataError) {
    self.schema = schema
    let json = Self.withoutComments(original)
    let elements = try Self.elements(in: json)
    let areStored = elements.allSatisfy {
      $0.value[Self.revision] != nil && !schema.id(of: $0.value).isEmpty
    }
    guard !elements.isEmpty, areStored || elements.allSatisfy({ schema.isTemplate($0.value) })
    else { throw DataError(.failed, "the records cannot be read") }
    isCreating = !areStored
    self.isRestoring = isRestoring
    var text = Array(schema.comments(for: elements.first?.value.names ?? []).utf8)
    var outer: Set<Key> = []
    var originals: [Key: [JSONValue]] = [:]
    for element in elements {
      let key = Key(element.value, of: schema)
      guard outer.insert(key).inserted else { continue }
      Self.collect(element.value, of: schema, in: schema, to: &originals)
      if case .object(let members) = element.value {
        originals[key]?.append(.object(members.filter { $0.name != Self.creation }))
      }
      text += [0x0A]
      // The text of the values is kept, because a `json` field keeps its escapes.
      var shown = json[element.range]
      if let range = element.node.rangeBeforeNextMember(named: Self.creation) {
        shown.removeSubrange(range)
      }
      JSONLayout.indent(shown.span, to: &text)
      text += [0x0A]
    }
    self.outer = outer
    self.originals = originals
    self.text = text
  }

  /// Adds the records in a value, and those that are nested in them.
  private static func collect(
    _ value: JSONValue, of schema: EditedSchema, in root: EditedSchema,
    to records: inout [Key: [JSONValue]]
  ) {
    switch value {
    case .array(let elements):
      for element in elements { collect(element, of: schema, in: root, to: &records) }
    case .object(let members):
      records[Key(value, of: schema), default: []].append(value)
      for member in members {
        guard let nested = root.nested(in: member.name, of: schema) else { continue }
        collect(member.value, of: nested, in: root, to: &records)
      }
    case .null, .boolean, .number, .text: break
    }
  }

  /// The condition that selects the records that are edited.
  var condition: String {
    let ids = outer.map { "'\(String(decoding: $0.id, as: UTF8.self).replacing("'", with: "''"))'" }
    return "\"\(schema.key)\" in (\(ids.sorted().joined(separator: ",")))"
  }

  /// The members of a record that identify the version that was read.
  func version(of key: Key) -> [JSONValue.Member] {
    guard !isCreating, case .object(let members)? = originals[key]?.first else { return [] }
    return members.filter { [Self.creation, Self.revision].contains($0.name) }
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
  ///
  /// - Parameter stored: The stored records, as JSON with the same nested records. Can be omitted if
  ///   there are no nested records, and no records are created again.
  func changes(in text: [UInt8], stored: [UInt8] = []) throws(DataError) -> [UInt8]? {
    let json = Self.withoutComments(text)
    let elements = try Self.elements(in: json)
    var records: [Key: [JSONValue]] = [:]
    for record in try Self.elements(in: stored) {
      Self.collect(record.value, of: schema, in: schema, to: &records)
    }
    var changes = EditedChanges(of: json, from: self, to: records)
    try changes.check(elements)
    let changed = elements.filter {
      originals[Key($0.value, of: schema)]?.contains($0.value) != true
    }
    if changed.isEmpty { return nil }
    for element in changed { changes.copy(element.node) }
    return changes.text
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

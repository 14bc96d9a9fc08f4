import DataModel
import JSONText

/// The changes in an edited text, as a text in which the records have the same lines.
struct EditedChanges {
  private typealias Key = EditedRecords.Key

  /// The edited text without its comments.
  private let json: [UInt8]
  private let records: EditedRecords
  /// The records as they are stored now, or an empty dictionary if they were not read again.
  private let stored: [EditedRecords.Key: [JSONValue]]
  private var bytes: [UInt8]
  /// What identifies the version of a record, by its position.
  private var insertions: [Int: String] = [:]

  init(
    of json: [UInt8], from records: EditedRecords, to stored: [EditedRecords.Key: [JSONValue]]
  ) {
    (self.json, self.records, self.stored) = (json, records, stored)
    bytes = json
    clear(json.indices)
  }

  var text: [UInt8] {
    var text = bytes
    // The last one first, because an insertion shifts the next one.
    for (position, insertion) in insertions.sorted(by: { $0.key > $1.key }) {
      text.insert(contentsOf: insertion.utf8, at: position)
    }
    return text
  }

  private mutating func clear(_ range: Range<Int>) {
    for index in range where bytes[index] != 0x0A { bytes[index] = 0x20 }
  }

  /// Copies an outer record: what has changed of a stored record, and a new one as a whole.
  mutating func copy(_ record: JSONNode) {
    if records.isCreating {
      bytes.replaceSubrange(record.range, with: json[record.range])
    } else {
      copyChanges(of: record, records.schema, isNested: false)
    }
  }

  /// Copies the primary key of a record and its changed fields to the same positions, and adds what
  /// identifies its version if it is missing. A nested record that is not changed becomes a
  /// reference. Copies all fields of a record that has to be created again.
  private mutating func copyChanges(
    of record: JSONNode, _ schema: EditedSchema, isNested: Bool
  ) {
    guard case .object(let members) = record.content else { return }
    let key = Key(JSONValue(record, of: json.span), of: schema)
    let isGone = records.isRestoring && stored[key] == nil
    var names = members.filter { isGone || isChanged($0, of: key, in: members) }.map(\.name)
    var version = records.version(of: key)
    if isNested, !isGone, names.allSatisfy({ $0 == EditedRecords.revision }) {
      (names, version) = ([], [])
    }
    names += [schema.key] + version.map(\.name)
    clear(record.range)
    let end = record.range.upperBound - 1
    var isFirst = true
    bytes[record.range.lowerBound] = UInt8(ascii: "{")
    bytes[end] = UInt8(ascii: "}")
    for member in members where names.contains(member.name) {
      let range = member.position..<member.value.range.upperBound
      bytes.replaceSubrange(range, with: json[range])
      if let nested = records.schema.nested(in: member.name, of: schema) {
        for node in member.value.elements { copyChanges(of: node, nested, isNested: true) }
      }
      let comma = UInt8(ascii: ",")
      if !isFirst, let index = json[..<range.lowerBound].lastIndex(of: comma) {
        bytes[index] = comma
      }
      isFirst = false
    }
    let missing = version.filter { known in !members.contains { $0.name == known.name } }
    insertions[end] = missing.map { ",\"\($0.name)\":\($0.value)" }.joined()
  }

  /// Whether a member differs from the one that was read. The save rejects keys that occur twice, so
  /// all of them are changes.
  private func isChanged(
    _ member: JSONNode.Member, of key: EditedRecords.Key, in members: [JSONNode.Member]
  ) -> Bool {
    let value = JSONValue(member.value, of: json.span)
    return records.originals[key]?.contains { $0[member.name] == value } != true
      || members.count { $0.name == member.name } > 1
  }
}

extension EditedChanges {
  /// Checks that each value is a record that is being edited, that it is in the text once, and that
  /// only what can be saved is changed.
  func check(_ elements: [EditedRecords.Element]) throws(DataError) {
    var error: DataError?
    var ids: Set<EditedRecords.Key> = []
    for element in elements {
      let key = Key(element.value, of: records.schema)
      var problem: Problem?
      if case .object = element.node.content {
        if !records.isCreating, !records.outer.contains(key) {
          problem = Problem(
            .invalid, "this record is not being edited",
            hint: "the id of a record cannot be changed; edit --create creates records")
        } else if !ids.insert(key).inserted, !key.id.isEmpty {
          problem = Problem(
            .invalid, "this record is in the text twice", hint: "remove one of them")
        } else if !records.isCreating {
          checkMembers(of: element.node, records.schema, &error)
        }
      } else {
        problem = Problem(.invalid, "expected an object, found \(element.node.kind)")
      }
      if let problem { error.add(located(problem, key, at: element.node)) }
    }
    if let error { throw error }
  }

  private func located(_ problem: Problem, _ key: EditedRecords.Key, at node: JSONNode) -> Problem {
    var problem = problem
    problem.schema = key.schema
    problem.id = key.id.isEmpty ? nil : String(decoding: key.id, as: UTF8.self)
    problem.line = LineStarts(json).line(of: node.range.lowerBound)
    return problem
  }

  /// Checks the members of a record and of the records that are nested in it.
  private func checkMembers(of record: JSONNode, _ schema: EditedSchema, _ error: inout DataError?)
  {
    guard case .object(let members) = record.content else { return }
    let key = Key(JSONValue(record, of: json.span), of: schema)
    let known = records.originals[key]
    for member in members where isChanged(member, of: key, in: members) {
      let nested = records.schema.nested(in: member.name, of: schema)
      var problem: Problem?
      if SystemField(named: member.name) != nil, known == nil {
        problem = Problem(
          .invalid, "this record is not being edited",
          hint: "the id of a record cannot be changed; a new record has no \(member.name)")
      } else if SystemField(named: member.name) != nil, member.name != EditedRecords.revision {
        problem = Problem(.invalid, "this field cannot be changed", field: member.name)
      } else if nested != nil, let known, !known.contains(where: { $0[member.name] != nil }),
        schema.isInverse(member.name)
      {
        problem = Problem(
          .invalid, "this list is not being edited",
          hint: "name it in --expand, so that its records are shown", field: member.name)
      } else if let nested {
        problem = otherChange(of: member, to: nested, in: members, of: key, schema)
        for node in member.value.elements { checkMembers(of: node, nested, &error) }
      }
      if let problem {
        error.add(located(problem, key, at: record))
        if known == nil { return }
      }
    }
  }

  /// Returns a problem if another program has added or removed related records, which the text would
  /// undo. Only a record whose revision was set can be saved then, so other records are not checked.
  private func otherChange(
    of member: JSONNode.Member, to target: EditedSchema, in members: [JSONNode.Member],
    of key: EditedRecords.Key, _ schema: EditedSchema
  ) -> Problem? {
    func ids(_ value: JSONValue) -> [[UInt8]] {
      switch value {
      case .text(let id): [Array(id.utf8)]
      case .object: [Key(value, of: target).id]
      case .array(let elements): elements.flatMap(ids)
      case .null, .boolean, .number: []
      }
    }
    func first(_ versions: [JSONValue]?) -> [[UInt8]]? {
      versions?.compactMap { $0[member.name] }.first.map(ids)
    }
    guard let revision = members.first(where: { $0.name == EditedRecords.revision }),
      isChanged(revision, of: key, in: members), let old = first(records.originals[key]),
      let new = first(stored[key])
    else { return nil }
    let typed = ids(JSONValue(member.value, of: json.span))
    let isInverse = schema.isInverse(member.name)
    // The ids in a field are a value like others: it can be replaced.
    if !isInverse, typed != old { return nil }
    let added = new.filter { !old.contains($0) && !typed.contains($0) }
    let removed = old.filter { !new.contains($0) && typed.contains($0) }
    let isRestored = isInverse && records.isRestoring
    guard !added.isEmpty || !(removed.isEmpty || isRestored) else { return nil }
    let changes = [("added", added), ("removed", removed)].filter { !$0.1.isEmpty }.map {
      let ids = $0.1.prefix(3).map { Excerpt.quoted(String(decoding: $0, as: UTF8.self)) }
      return "\($0.0) \(ids.joined(separator: ", "))\($0.1.count > 3 ? ", …" : "")"
    }
    let restoring = "to create it again, add --create to the command that opens this text again"
    return Problem(
      .changed, "another program has \(changes.joined(separator: " and "))",
      hint: "make the same change in the text, or give up and edit the record again"
        + (isInverse && !removed.isEmpty && !isRestored ? "\n\(restoring)" : ""),
      field: member.name)
  }
}

extension JSONNode {
  /// The elements of an array, or else the value itself.
  fileprivate var elements: [JSONNode] {
    if case .array(let elements) = content { elements } else { [self] }
  }
}

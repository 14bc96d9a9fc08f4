import DataModel
import JSONText
import RecordText

/// Parses the declaration of one field in a schema file.
struct FieldReader {
  private(set) var field: Field
  /// The previous name of the field, or nil if the field is not renamed.
  private(set) var was: String?

  init(name: String) {
    field = Field(name, .text)
  }

  /// The keys of a field declaration, in the order in which they are written.
  static let keys = FieldKey.allCases.map(\.rawValue)

  mutating func read(_ node: JSONNode, _ file: inout SchemaFileReader) {
    guard case .object(let members) = node.content else {
      file.isTyped = false
      return file.report(
        "expected a declaration such as {\"type\": \"text\"}, found \(node.kind)", node.range,
        field: field.name)
    }
    let known = file.unique(members, among: Self.keys, of: "a field", field: field.name)
    readType(known, node, &file)
    for member in known {
      switch member.name {
      case "required": field.isRequired = file.boolean(member, field: field.name)
      case "unique": field.isUnique = file.boolean(member, field: field.name)
      case "was": was = file.text(member, field: field.name)
      case "doc": field.doc = file.text(member, field: field.name)
      case "pattern": readPattern(member, &file)
      case "default":
        // The text `:user` is written with an escape.
        let isUser = file.bytes[member.value.range].elementsEqual("\"\(Field.userDefault)\"".utf8)
        if isUser, field.type != .json {
          field.defaultsToUser = true
        } else {
          field.defaultValue = value(member.value, of: defaultType, "default", &file)
        }
      case "min": field.minimum = value(member.value, of: boundType, "min", &file)
      case "max": field.maximum = value(member.value, of: boundType, "max", &file)
      case "one_of": readChoices(member, &file)
      case "access":
        for entry in file.accessEntries(member, of: ["read", "write"], field: field.name) {
          let rules = file.accessRules(entry, field: field.name)
          if entry.name == "read" { field.access.read = rules } else { field.access.write = rules }
        }
      default: break
      }
    }
  }

  private mutating func readType(
    _ members: [JSONNode.Member], _ node: JSONNode, _ file: inout SchemaFileReader
  ) {
    guard let member = members.first(where: { $0.name == "type" }) else {
      file.isTyped = false
      return file.report("\"type\" is missing", node.range, field: field.name)
    }
    guard let word = file.choice(member, of: FieldType.names, field: field.name) else {
      file.isTyped = false
      return
    }
    for extra in members {
      guard let owner = FieldKey.named(extra.name)?.owner, owner != word else { continue }
      file.report(
        "only \(owner)s can have \"\(extra.name)\"",
        extra.position..<extra.value.range.upperBound, field: field.name)
    }
    if let type = FieldType(word) {
      field.type = type
    } else if let integers = FieldType.sample(word)?.integers {
      guard let type = readIntegers(integers, of: word, members, node, &file) else {
        file.isTyped = false
        return
      }
      field.type = type
    } else {
      readRelation(members, node, &file)
    }
  }

  private mutating func readIntegers(
    _ integers: TypeDescriptor.Integers, of type: String, _ members: [JSONNode.Member],
    _ node: JSONNode, _ file: inout SchemaFileReader
  ) -> FieldType? {
    var given: [Int] = []
    for key in integers.keys.map(\.name) {
      guard let member = members.first(where: { $0.name == key }) else {
        file.report("\"\(key)\" is missing: a \(type) needs it", node.range, field: field.name)
        continue
      }
      if case .integer(let integer)? = value(member.value, of: .integer, key, &file) {
        given.append(Int(integer))
      }
    }
    guard given.count == integers.keys.count else { return nil }
    let declared = integers.type(given)
    if declared == nil { file.report(integers.rule, node.range, field: field.name) }
    return declared
  }

  private mutating func readRelation(
    _ members: [JSONNode.Member], _ node: JSONNode, _ file: inout SchemaFileReader
  ) {
    var relation = Relation(to: "")
    for member in members {
      switch member.name {
      case "to": relation.target = file.text(member, field: field.name) ?? ""
      case "many": relation.isMany = file.boolean(member, field: field.name)
      case "on_delete":
        let choices = Relation.OnDelete.allCases.map(\.rawValue)
        let word = file.choice(member, of: choices, field: field.name)
        relation.onDelete = word.flatMap(Relation.OnDelete.init) ?? .nullify
      case "inverse": relation.inverse = inverse(member, &file)
      case "owned": relation.isOwned = file.boolean(member, field: field.name)
      case "position": relation.position = file.text(member, field: field.name)
      default: break
      }
    }
    if !members.contains(where: { $0.name == "to" }) {
      file.report("\"to\" is missing: a relation needs a target", node.range, field: field.name)
    }
    if relation.isOwned {
      let keys = members.map(\.name)
      if !keys.contains("on_delete") { relation.onDelete = .cascade }
      if !keys.contains("required") { field.isRequired = relation.target != file.draft.name }
    }
    field.type = .relation(relation)
  }

  private func inverse(_ member: JSONNode.Member, _ file: inout SchemaFileReader) -> String? {
    guard let name = file.text(member, field: field.name) else { return nil }
    if !Names.isValid(name, as: .field) {
      file.report(
        "inverse: \(Excerpt.quoted(name)) is not a valid name: use lowercase letters, digits and _",
        member.value.range, field: field.name)
    }
    return name
  }

  private mutating func readPattern(
    _ member: JSONNode.Member, _ file: inout SchemaFileReader
  ) {
    guard let source = file.text(member, field: field.name) else { return }
    do throws(Pattern.ParseError) {
      field.pattern = try Pattern(source)
    } catch {
      file.report(
        "pattern: \(error)", member.value.range, field: field.name)
    }
  }

  private mutating func readChoices(
    _ member: JSONNode.Member, _ file: inout SchemaFileReader
  ) {
    guard case .array(let nodes) = member.value.content else {
      return file.report(
        "\"one_of\": expected an array of values, found \(member.value.kind)", member.value.range,
        field: field.name)
    }
    if nodes.isEmpty {
      file.report(
        "expected at least one value in \"one_of\"", member.value.range, field: field.name)
    }
    for node in nodes {
      if let value = value(node, of: choiceType, "one_of", &file) { field.oneOf.append(value) }
    }
  }

  /// The type of the default value. Nil if the field cannot have a default value. Schema validation
  /// then reports the default value.
  private var defaultType: FieldType? {
    field.type.descriptor.rules.hasDefault ? field.type : nil
  }

  private var boundType: FieldType? {
    switch field.type.descriptor.rules.bounds {
    case .values: field.type
    case .lengths, .passwordLength: .integer
    case .none: nil
    }
  }

  private var choiceType: FieldType? {
    guard field.type.descriptor.rules.hasChoices else { return nil }
    return field.type.isArray ? field.type.elementType.fieldType : field.type
  }

  /// Parses a value with the scanner for records, so that schema files and records accept the same
  /// syntax for values. Returns nil if a problem was reported.
  private func value(
    _ node: JSONNode, of type: FieldType?, _ key: String, _ file: inout SchemaFileReader
  ) -> Value? {
    guard let type else { return .null }
    var draft = SchemaDraft(name: "sample")
    draft.fields = [Field("sample_id", .id), Field("value", type)].map {
      SchemaDraft.FieldDraft($0)
    }
    guard let schema = try? Schema(checking: draft) else { return nil }
    var changes = RowChanges(for: schema)
    var values = JSONRecordScanner(schema)
    values.source = .copied
    changes.beginRecord(line: 1)
    changes.set(0, text: "sample".utf8.span)
    values.set(1, json: file.bytes.span.extracting(node.range), into: &changes)
    let problems = changes.endRecord()
    for problem in problems {
      file.report("\(key): \(problem.message)", node.range, field: field.name)
    }
    guard problems.isEmpty else { return nil }
    let cell = changes.rows[0, 1]
    guard cell.operation == .set else {
      file.report("\(key): expected a value, found an object", node.range, field: field.name)
      return nil
    }
    return changes.rows.value(cell, of: type)
  }
}

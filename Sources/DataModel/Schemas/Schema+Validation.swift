extension Schema {
  /// The maximum size of a record in bytes, without the content of its files. The limit is the same
  /// for all engines.
  package static let maxRecordSize = 16 << 20
  /// The maximum length of a password in bytes.
  package static let maxPasswordLength = 4_096
  /// The maximum size of an index entry in bytes. The limit is the same for all engines.
  package static let maxIndexEntrySize = 2_400
  /// The maximum number of fields in an index, not counting the id that the store adds.
  package static let maxIndexFields = 31
  /// The maximum number of records in a chain of owners and parts.
  package static let maxOwners = 32
  /// The maximum number of fields in a schema.
  package static let maxFields = 500

  /// Creates a schema from a draft. Validates the draft, and throws one error with all its
  /// problems.
  package init(checking draft: SchemaDraft) throws(DataError) {
    var check = SchemaCheck(draft)
    check.checkName()
    check.checkFieldCount()
    if draft.fields.count > Schema.maxFields, let error = DataError(check.problems) { throw error }
    check.checkFields()
    let keySlot = check.checkKey()
    check.checkOwnership()
    check.checkIndexes()
    check.checkProperties()
    check.checkAccess()
    check.problems += draft.formerNameProblems
    if let error = DataError(check.problems) { throw error }
    self.init(
      name: draft.name, doc: draft.doc, kind: draft.kind, fields: draft.fields.map(\.field),
      indexes: draft.indexes.map { Index(terms: $0.terms) },
      properties: draft.properties.map { (name: $0.name, field: $0.field) }, keySlot: keySlot,
      access: draft.access, roles: draft.roles, disabled: draft.disabled)
  }
}

/// Validates a draft and collects its problems.
private struct SchemaCheck {
  let draft: SchemaDraft
  var problems: [Problem] = []

  init(_ draft: SchemaDraft) {
    self.draft = draft
  }

  mutating func report(
    _ message: String, hint: String? = nil, field: String? = nil, line: Int? = nil
  ) {
    problems.append(
      Problem(
        .invalidSchema, message, hint: hint, schema: draft.name, field: field, file: draft.file,
        line: line ?? draft.line))
  }

  mutating func checkName() {
    if let message = Names.problem(ofSchema: draft.name) {
      report(message)
    } else if Schema.isReserved(draft.name) {
      report("\(draft.name) is a reserved name")
    } else if draft.name.hasPrefix("sqlite_") {
      report("names that begin with sqlite_ are reserved")
    }
  }

  mutating func checkFieldCount() {
    if draft.fields.count > Schema.maxFields {
      report(
        "\(draft.fields.count) fields, including the primary key; a schema can have at most "
          + "\(Schema.maxFields)")
    }
  }

  mutating func checkFields() {
    for (position, entry) in draft.fields.enumerated() {
      let field = entry.field
      if let message = Names.problem(ofField: field.name) {
        // If no primary key is declared, its name is derived from the invalid name of the schema.
        if field.name == draft.name + "_id", Names.problem(ofSchema: draft.name) != nil { continue }
        report(message, field: field.name, line: entry.line)
      } else if SystemField.allCases.contains(where: { $0.name == field.name }) {
        report(
          "this is a system field of every record and cannot be declared",
          field: field.name, line: entry.line)
      } else if draft.fields[..<position].contains(where: { $0.field.name == field.name }) {
        report("declared twice", field: field.name, line: entry.line)
      }
      for message in field.problems {
        report(message, field: field.name, line: entry.line)
      }
    }
  }

  /// Checks the primary key and the password, and returns the position of the primary key among the
  /// fields. If the primary key is missing, reports a problem and returns 0.
  mutating func checkKey() -> Int {
    let keys = draft.fields.indices.filter { draft.fields[$0].field.type == .id }
    let passwords = draft.fields.filter { $0.field.type == .password }
    let ownName = draft.name + "_id"
    switch draft.kind {
    case .user:
      if keys.isEmpty {
        report(
          "no primary key", hint: "add \"username\": {\"type\": \"id\"} to \"fields\"",
          field: "username")
      }
      if passwords.isEmpty {
        report(
          "a user schema must have exactly one field of type password",
          hint: "add \"password\": {\"type\": \"password\"} to \"fields\"", field: "password")
      }
      for extra in passwords.dropFirst() {
        report(
          "a user schema must have exactly one field of type password", field: extra.field.name,
          line: extra.line)
      }
    case .records:
      if keys.isEmpty {
        report(
          "no primary key", hint: "add \"\(ownName)\": {\"type\": \"id\"} to \"fields\"",
          field: ownName)
      }
      for key in keys.prefix(1) where draft.fields[key].field.name != ownName {
        report(
          "the primary key of \(draft.name) must be named \(ownName)",
          field: draft.fields[key].field.name, line: draft.fields[key].line)
      }
      for entry in passwords {
        report(
          "only a user schema can have a password", hint: "set \"kind\": \"user\"",
          field: entry.field.name, line: entry.line)
      }
    }
    for key in keys.dropFirst() {
      report(
        "a schema must have exactly one field of type id; use a relation to refer to a record",
        field: draft.fields[key].field.name, line: draft.fields[key].line)
    }
    return keys.first ?? 0
  }

  /// Checks the relation to the record that owns a record, and the field with the position.
  mutating func checkOwnership() {
    let entries = draft.fields.filter { $0.field.type.isOwned }
    for entry in entries {
      guard let relation = entry.field.type.relation else { continue }
      let (field, line) = (entry.field.name, entry.line)
      if relation.isMany { report("a to-many relation cannot be owned", field: field, line: line) }
      if relation.inverse == nil {
        report(
          "an owned relation must have an inverse",
          hint: "name the list of the parts, for example \"inverse\": \"\(draft.name)s\"",
          field: field, line: line)
      }
      if draft.kind == .user {
        report("a user cannot be a part of a record", field: field, line: line)
      }
      if relation.onDelete != .cascade {
        report(
          "an owned relation cannot have on_delete \(relation.onDelete.rawValue)",
          hint: "remove \"on_delete\": parts are deleted with their owner", field: field, line: line
        )
      }
      // In a schema that owns itself, the records without an owner are the roots.
      let isRequired = relation.target != draft.name
      if !relation.isMany, entry.field.isRequired != isRequired {
        report(
          isRequired
            ? "an owned relation is always required"
            : "the root of a tree has no owner, so the relation cannot be required",
          hint: "remove \"required\"", field: field, line: line)
      }
      if let position = relation.position { check(position, of: entry) }
    }
    for extra in entries.dropFirst() {
      report(
        "a record can have only one owner, and \(entries[0].field.name) is also owned",
        field: extra.field.name, line: extra.line)
    }
    for entry in draft.fields where entry.field.type.relation?.position != nil {
      if entry.field.type.isOwned { continue }
      report(
        "only an owned relation can have a position", hint: "add \"owned\": true",
        field: entry.field.name, line: entry.line)
    }
  }

  /// Checks the field that orders the parts of a whole.
  private mutating func check(_ position: String, of entry: SchemaDraft.FieldDraft) {
    guard let field = draft.fields.first(where: { $0.field.name == position })?.field else {
      return reportUnknown(position, of: "\"position\"", line: entry.line)
    }
    let one = Value.integer(1)
    let takesOne =
      !(field.minimum?.isGreater(than: one) ?? false)
      && !(field.maximum.map(one.isGreater) ?? false)
      && (field.oneOf.isEmpty || field.oneOf.contains(one))
    if field.type != .integer || field.isUnique || !takesOne {
      report(
        "position: \(position) must be an integer that is not unique and can be 1",
        field: entry.field.name, line: entry.line)
    }
  }

  mutating func checkIndexes() {
    let keys = draft.fields.filter { $0.field.type == .id }.map(\.field.name)
    let texts = draft.indexes.map { $0.terms.map(\.text).joined(separator: "\0") }
    let order = texts.indices.sorted { (texts[$0], $0) < (texts[$1], $1) }
    var isRepeated = texts.map { _ in false }
    for (first, second) in zip(order, order.dropFirst()) where texts[first] == texts[second] {
      isRepeated[second] = true
    }
    for (position, index) in draft.indexes.enumerated() {
      if isRepeated[position] { report("the same index is declared twice", line: index.line) }
      if index.terms.isEmpty { report("an index must have at least one field", line: index.line) }
      let count = index.terms.count { !keys.contains($0.field) }
      if count > Schema.maxIndexFields {
        report(
          "\(count) fields in an index; the limit is \(Schema.maxIndexFields), not counting the id",
          line: index.line)
      }
      var seen: [String] = []
      for term in index.terms.prefix(Schema.maxFields) {
        if seen.contains(term.field) {
          report("used twice in one index", field: term.field, line: index.line)
        }
        seen.append(term.field)
        guard let field = draft.fields.first(where: { $0.field.name == term.field })?.field else {
          reportUnknown(term.field, of: "the index", line: index.line)
          continue
        }
        if !field.type.isOrdered {
          report(
            "\(field.type.name) has no order, so it cannot be indexed", field: field.name,
            line: index.line)
        }
      }
    }
  }

  mutating func checkProperties() {
    // Every schema is validated when it is read. Swift searches all protocol conformances of the
    // program to create the type of a dictionary, so most schemas need none.
    if draft.properties.isEmpty { return }
    var mapped: Set<String> = []
    var names: Set<String> = []
    let fieldNames = Set(draft.fields.map(\.field.name))
    // The fields that have each name, or whose properties would have it. Two of them are enough.
    var owners: [String: [String]] = [:]
    for name in draft.fields.map(\.field.name) {
      for taken in [name, Names.property(for: name)] where owners[taken, default: []].count < 2 {
        if owners[taken]?.first != name { owners[taken, default: []].append(name) }
      }
    }
    // More properties than fields have a problem among the first ones.
    for property in draft.properties.prefix(draft.fields.count + 1) {
      guard fieldNames.contains(property.field) else {
        reportUnknown(property.field, of: "property \(property.name)", line: property.line)
        continue
      }
      if !mapped.insert(property.field).inserted {
        report("the field has two properties", field: property.field, line: property.line)
      }
      let isTaken = owners[property.name, default: []].contains { $0 != property.field }
      if SystemField.allCases.contains(where: { $0.name == property.name }) {
        report(
          "\(property.name) is a system field of every record; a property cannot have its name",
          field: property.field, line: property.line)
      } else {
        if !names.insert(property.name).inserted || isTaken {
          report(
            "property \(property.name) already maps to another field", field: property.field,
            line: property.line)
        }
      }
      if !Names.isProperty(property.name) {
        report(
          "property \(property.name) is not a valid name: use letters, digits and underscores",
          field: property.field, line: property.line)
      }
    }
  }

  /// Checks the access rules, except for the conditions. These can refer to other schemas, so they
  /// are validated together with the whole catalog.
  mutating func checkAccess() {
    for verb in AccessVerb.allCases {
      let problems = (draft.access[verb] ?? []).compactMap { rule in
        verb == .history ? rule.wordProblem : rule.roleProblem
      }
      for message in problems { report("access.\(verb.rawValue): \(message)") }
    }
    if let roles = draft.roles {
      checkFieldOfUsers(
        roles, of: "roles", type: .array(.text), "the roles of a user must be a list of text")
    }
    if let disabled = draft.disabled {
      checkFieldOfUsers(
        disabled, of: "disabled", type: .boolean, "the field of disabled users must be a boolean")
    }
  }

  /// Checks a key of the schema that names a field of a user schema.
  private mutating func checkFieldOfUsers(
    _ name: String, of key: String, type: FieldType, _ rule: String
  ) {
    guard draft.kind == .user else {
      return report("only a user schema can have \(key)", hint: "set \"kind\": \"user\"")
    }
    guard let entry = draft.fields.first(where: { $0.field.name == name }) else {
      return reportUnknown(name, of: "\"\(key)\"", line: draft.line)
    }
    if entry.field.type != type {
      report(
        "\(rule), but \(name) is \(entry.field.type.nameWithArticle)",
        hint: "declare \"\(name)\": {\"type\": \"\(type.name)\"}", field: name, line: entry.line)
    }
  }

  private mutating func reportUnknown(_ name: String, of owner: String, line: Int?) {
    // Only the first problems are shown, and a search among many names takes time.
    let nearest =
      problems.count < DataError.maxProblems
      ? nearest(name, among: draft.fields.map(\.field.name)) : nil
    report(
      "\(owner) names a field that is not declared", hint: nearest.map { "did you mean \($0)?" },
      field: name, line: line)
  }
}

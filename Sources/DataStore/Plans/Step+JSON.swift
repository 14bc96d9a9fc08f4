import DataModel

extension SchemaPlan.Step {
  /// The step as a JSON object. Keys may be added in later versions, but are never removed.
  package var json: String {
    var object = JSONObjectWriter()
    object.add("step", text: kind)
    addMembers(to: &object)
    object.add("text", text: self.text)
    if validatesRecords { object.add("needs_fit", json: "true") }
    if let loss { object.add("loses", text: loss) }
    if !consequences.isEmpty { object.add("prints", texts: consequences) }
    return object.text
  }

  /// Returns the steps as a JSON array.
  package static func json(_ steps: [SchemaPlan.Step]) -> String {
    "[\(steps.map(\.json).joined(separator: ","))]"
  }

  /// The name of the step in JSON.
  package var kind: String {
    switch self {
    case .dropField: "drop_field"
    case .dropSchema: "drop_schema"
    case .renameSchema: "rename_schema"
    case .renameField: "rename_field"
    case .createSchema: "create_schema"
    case .addField: "add_field"
    case .changeType: "change_type"
    case .changeRules: "change_rules"
    case .dropIndex: "drop_index"
    case .addIndex: "add_index"
    case .changeProperties: "change_properties"
    case .changeDoc: "change_doc"
    case .reorderFields: "reorder_fields"
    }
  }

  private func addMembers(to object: inout JSONObjectWriter) {
    switch self {
    case .dropField(let schema, let field):
      object.add("schema", text: schema)
      object.add("field", text: field)
    case .dropSchema(let schema): object.add("schema", text: schema)
    case .renameSchema(let old, let new, let oldKey, let newKey):
      object.add("schema", text: new)
      object.add("from", text: old)
      object.add("to", text: new)
      object.add("key_from", text: oldKey)
      object.add("key_to", text: newKey)
    case .renameField(let schema, let old, let new, _):
      object.add("schema", text: schema)
      object.add("field", text: new)
      object.add("from", text: old)
      object.add("to", text: new)
    case .createSchema(let schema): object.add("schema", text: schema.name)
    case .addField(let schema, let field):
      object.add("schema", text: schema)
      object.add("field", text: field.name)
      object.add("type", text: field.type.displayName)
    case .changeType(let schema, let field, let old, let new, _):
      object.add("schema", text: schema)
      object.add("field", text: field)
      object.add("from", text: old.displayName)
      object.add("to", text: new.displayName)
    case .changeRules(let schema, let field, let changes, let filling):
      object.add("schema", text: schema)
      object.add("field", text: field)
      object.add("rules", json: "[\(changes.map(\.json).joined(separator: ","))]")
      if let filling { object.add("fills", json: filling.jsonText) }
    case .dropIndex(let schema, let index), .addIndex(let schema, let index):
      object.add("schema", text: schema)
      object.add("index", texts: index.terms.map(\.text))
    case .changeProperties(let schema, let old, let new):
      object.add("schema", text: schema)
      object.add("from", texts: old)
      object.add("to", texts: new)
    case .changeDoc(let schema, let old, let new):
      object.add("schema", text: schema)
      object.add("from", text: old)
      object.add("to", text: new)
    case .reorderFields(let schema, let old, let new):
      object.add("schema", text: schema)
      object.add("from", texts: old)
      object.add("to", texts: new)
    }
  }
}

extension RuleChange {
  fileprivate var json: String {
    var object = JSONObjectWriter()
    object.add("rule", text: rule.rawValue)
    object.add("from", json: from ?? "null")
    object.add("to", json: to ?? "null")
    return object.text
  }
}

/// Builds a JSON object, member by member.
private struct JSONObjectWriter {
  private var bytes: [UInt8] = []

  var text: String { String(decoding: bytes, as: UTF8.self) + "}" }

  mutating func add(_ key: String, json: String) {
    bytes.append(UInt8(ascii: bytes.isEmpty ? "{" : ","))
    JSONQuote.append(key.utf8.span, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: json.utf8)
  }

  mutating func add(_ key: String, text: String?) {
    add(key, json: text.map { Value.text($0).jsonText } ?? "null")
  }

  mutating func add(_ key: String, texts: [String]) {
    add(key, json: "[\(texts.map { Value.text($0).jsonText }.joined(separator: ","))]")
  }
}

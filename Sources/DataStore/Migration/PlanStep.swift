package import DataModel
import JSONText

extension SchemaPlan {
  /// One change of a plan, as shown to users as text and to scripts as JSON.
  package enum Step: Hashable, Sendable {
    case dropField(schema: String, field: String)
    case dropSchema(String)
    case renameSchema(from: String, to: String, keyFrom: String, keyTo: String)
    /// Renames a field. `isHidden` is true for the password of a user schema, which commands do not
    /// print and do not accept in conditions.
    case renameField(schema: String, from: String, to: String, isHidden: Bool = false)
    case createSchema(Schema)
    case addField(schema: String, Field)
    /// Converts a field to another type. `hasRules` is true if the field has constraints, such as a
    /// maximum, that the converted values must satisfy.
    case changeType(
      schema: String, field: String, from: FieldType, to: FieldType, hasRules: Bool = false)
    /// Changes the constraints of a field. `filling` is the value that records without a value
    /// receive; nil if they receive none.
    case changeRules(schema: String, field: String, [RuleChange], filling: Value? = nil)
    case dropIndex(schema: String, Schema.Index)
    case addIndex(schema: String, Schema.Index)
    case changeProperties(schema: String, from: [String], to: [String])
    case changeDoc(schema: String, from: String?, to: String?)
    /// Changes the access rules of an operation such as `read`. If `rule` is `roles` or `disabled`,
    /// changes which field contains the roles of users, or disables them. `from` and `to` are JSON,
    /// or nil if there is no rule.
    case changeAccess(schema: String, rule: String, from: String?, to: String?)
    case reorderFields(schema: String, from: [String], to: [String])
  }
}

extension SchemaPlan.Stage {
  /// The changes that this stage makes, as the steps that `schema plan` prints.
  var steps: [SchemaPlan.Step] {
    switch self {
    case .dropFields(let slots, let schema, _):
      slots.map { .dropField(schema: schema.name, field: schema.fields[$0].name) }
    case .dropSchema(let schema): [.dropSchema(schema.name)]
    case .rename(let renamings): renamings.flatMap(\.steps)
    case .create(let schema): [.createSchema(schema)]
    case .change(let alteration): alteration.steps
    }
  }
}

extension SchemaPlan.Renaming {
  fileprivate var steps: [SchemaPlan.Step] {
    var steps: [SchemaPlan.Step] = []
    let (oldKey, newKey) = (before.key.name, after.key.name)
    let isRenamed = before.name != after.name
    if isRenamed {
      steps.append(
        .renameSchema(from: before.name, to: after.name, keyFrom: oldKey, keyTo: newKey))
    }
    for slot in before.fields.indices where !(isRenamed && slot == before.keySlot) {
      let (old, new) = (before.fields[slot].name, after.fields[slot].name)
      guard old != new else { continue }
      steps.append(
        .renameField(
          schema: after.name, from: old, to: new, isHidden: slot == before.passwordSlot))
    }
    return steps
  }
}

extension Alteration {
  fileprivate var steps: [SchemaPlan.Step] {
    var steps: [SchemaPlan.Step] = added.map { .addField(schema: to.name, to.fields[$0]) }
    for slot in to.fields.indices {
      guard let origin = origin(of: slot) else { continue }
      let (old, new) = (from.fields[origin], to.fields[slot])
      if old.type.hasOtherValues(than: new.type) {
        steps.append(
          .changeType(
            schema: to.name, field: new.name, from: old.type, to: new.type, hasRules: new.hasRules))
      }
      let changes = old.ruleChanges(to: new).filter {
        !$0.rule.isOfRelations || new.type.relation != nil
      }
      if !changes.isEmpty {
        steps.append(
          .changeRules(schema: to.name, field: new.name, changes, filling: fill(of: slot)))
      }
    }
    steps += from.indexes.filter { !to.indexes.contains($0) }.map {
      .dropIndex(schema: to.name, $0)
    }
    steps += to.indexes.filter { !from.indexes.contains($0) }.map {
      .addIndex(schema: to.name, $0)
    }
    if from.propertyTexts != to.propertyTexts {
      steps.append(
        .changeProperties(schema: to.name, from: from.propertyTexts, to: to.propertyTexts))
    }
    if from.doc != to.doc {
      steps.append(.changeDoc(schema: to.name, from: from.doc, to: to.doc))
    }
    steps += accessSteps
    if let orders = fieldOrders { steps.append(orders) }
    return steps
  }

  private var accessSteps: [SchemaPlan.Step] {
    let (old, new) = (from.accessTexts, to.accessTexts)
    return zip(old, new).compactMap { old, new in
      old.json == new.json
        ? nil : .changeAccess(schema: to.name, rule: new.rule, from: old.json, to: new.json)
    }
  }

  /// The step that reorders the fields; nil if the existing fields keep their relative order.
  private var fieldOrders: SchemaPlan.Step? {
    let new = to.fields.map(\.name)
    let names = from.fields.map(\.name)
    guard new.filter(names.contains) != names else { return nil }
    return .reorderFields(schema: to.name, from: names, to: new)
  }
}

extension Field {
  fileprivate var hasRules: Bool {
    minimum != nil || maximum != nil || !oneOf.isEmpty || pattern != nil
  }
}

extension Schema {
  fileprivate var propertyTexts: [String] { properties.map { "\($0.name): \($0.field)" } }

  /// The access rules of each operation, such as `read`, as JSON; nil if an operation has none. The
  /// first elements are `roles` and `disabled`, which contain the names of fields of users.
  fileprivate var accessTexts: [(rule: String, json: String?)] {
    [("roles", roles), ("disabled", disabled)].map { key, field in
      (key, field.map { Value.text($0).jsonText })
    } + AccessVerb.allCases.map { ($0.rawValue, access[$0]?.jsonText) }
  }
}

extension SchemaPlan.Step {
  /// The name that the user must pass to `--allow-loss` before the step may be executed: a schema,
  /// or a field such as `todo.note`. Nil if the step cannot lose values.
  package var loss: String? {
    switch self {
    case .dropField(let schema, let field): "\(schema).\(field)"
    case .dropSchema(let schema): schema
    case .changeType(let schema, let field, let old, let new, _):
      Conversion(old, new)?.effect == .lossy ? "\(schema).\(field)" : nil
    case .renameSchema, .renameField, .createSchema, .addField, .changeRules, .dropIndex,
      .addIndex, .changeProperties, .changeDoc, .changeAccess, .reorderFields:
      nil
    }
  }

  /// Whether executing the step validates the existing records, and fails if any of them is
  /// invalid.
  package var validatesRecords: Bool {
    switch self {
    case .addField(_, let field):
      field.isRequired && field.initialValue == .null || field.isUnique && field.defaultValue != nil
    case .changeType(_, _, let old, let new, let hasRules):
      hasRules || Conversion(old, new)?.effect != .lossless
    case .changeRules(_, _, let changes, _): changes.contains(where: \.isStricter)
    case .dropField, .dropSchema, .renameSchema, .renameField, .createSchema, .dropIndex,
      .addIndex, .changeProperties, .changeDoc, .changeAccess, .reorderFields:
      false
    }
  }
}

extension SchemaPlan.Step {
  /// The step as a line of text, for example `drop field todo.note`.
  package var text: String {
    switch self {
    case .dropField(let schema, let field): "drop field \(schema).\(field)"
    case .dropSchema(let schema): "drop schema \(schema)"
    case .renameSchema(let old, let new, let oldKey, let newKey):
      "rename schema \(old) to \(new)" + (oldKey == newKey ? "" : ", \(oldKey) to \(newKey)")
    case .renameField(let schema, let old, let new, _):
      "rename field \(schema).\(old) to \(schema).\(new)"
    case .createSchema(let schema): "create schema \(schema.name)"
    case .addField(let schema, let field):
      "add field \(schema).\(field.name): \(field.type.displayName)" + field.filling
    case .changeType(let schema, let field, let old, let new, _):
      "change \(schema).\(field): \(old.displayName) to \(new.displayName)"
    case .changeRules(let schema, let field, let changes, let filling):
      "change \(schema).\(field): " + changes.map(\.words).joined(separator: ", ")
        + (filling.map { ", \(Excerpt.truncated($0.jsonText)) in records without a value" } ?? "")
    case .dropIndex(let schema, let index): "drop index \(schema) (\(index.words))"
    case .addIndex(let schema, let index): "add index \(schema) (\(index.words))"
    case .changeProperties(let schema, let old, let new):
      "change properties of \(schema): \(Self.listed(old)) to \(Self.listed(new))"
    case .changeDoc(let schema, let old, let new):
      old == nil
        ? "add the doc of \(schema)" : "\(new == nil ? "drop" : "change") the doc of \(schema)"
    case .changeAccess(let schema, let rule, let old, let new):
      "change access of \(schema): "
        + RuleChange.words(rule, from: old, to: new)
    case .reorderFields(let schema, _, let new):
      "order the fields of \(schema): " + new.joined(separator: ", ")
    }
  }

  /// Sentences that tell the user how the step changes the input and output of other commands, such
  /// as `get, list, save and delete take job instead of todo`. Empty if the step changes neither.
  package var consequences: [String] {
    switch self {
    case .renameSchema(let old, let new, let oldKey, let newKey):
      ["get, list, save and delete take \(new) instead of \(old)"]
        + (oldKey == newKey
          ? [] : ["get, list and save print \(newKey) instead of \(oldKey), and save reads it"])
    case .renameField(let schema, let old, let new, isHidden: true):
      ["save of \(schema) reads \(new) instead of \(old)"]
    case .renameField(let schema, let old, let new, isHidden: false):
      [
        "get, list and save of \(schema) print \(new) instead of \(old), and save reads it",
        "--where, --order and --fields take \(new) instead of \(old)",
      ]
    case .dropField, .dropSchema, .createSchema, .addField, .changeType, .changeRules, .dropIndex,
      .addIndex, .changeProperties, .changeDoc, .changeAccess, .reorderFields:
      []
    }
  }

  /// Text that says under which condition the step succeeds, such as `existing records must satisfy
  /// the new schema`; nil if it always succeeds.
  package var conditions: String? {
    switch self {
    case .dropField: loss.map { "requires --allow-loss \($0) if any record has a value" }
    case .dropSchema: loss.map { "requires --allow-loss \($0) if the schema has records" }
    case .changeType(_, _, let old, let new, _) where loss != nil:
      loss.map {
        (old == .text ? "existing records must satisfy the new schema; " : "")
          + "requires --allow-loss \($0) if \(old.lossCondition(to: new))"
      }
    case .addField, .changeType, .changeRules:
      validatesRecords ? "existing records must satisfy the new schema" : nil
    case .renameSchema, .renameField, .createSchema, .dropIndex, .addIndex, .changeProperties,
      .changeDoc, .changeAccess, .reorderFields:
      nil
    }
  }

  private static func listed(_ texts: [String]) -> String {
    texts.isEmpty ? "none" : "{\(texts.joined(separator: ", "))}"
  }
}

extension FieldType {
  /// Returns text that says when a conversion to the new type loses information, such as `a value
  /// would be rounded`.
  fileprivate func lossCondition(to new: FieldType) -> String {
    guard isList, !new.isList else { return "a value would be rounded" }
    return relation == nil
      ? "a record does not have exactly one value" : "a record has several values"
  }
}

extension Field {
  /// The end of the text of an `addField` step, which names the default that existing records
  /// receive, such as `, 0 in existing records`. Empty if the field has no default.
  fileprivate var filling: String {
    defaultValue.map { ", \(Excerpt.truncated($0.jsonText)) in existing records" } ?? ""
  }
}

extension Schema.Index {
  fileprivate var words: String { terms.map(\.text).joined(separator: ", ") }
}

extension RuleChange {
  /// The change as text, for example `no longer required`.
  fileprivate var words: String {
    switch rule {
    case .required, .unique, .owned: to == nil ? "no longer \(rule.rawValue)" : rule.rawValue
    case .doc: from == nil ? "doc added" : to == nil ? "doc dropped" : "doc changed"
    case .onDelete: "on_delete \(from ?? "\"nullify\"") to \(to ?? "\"nullify\"")"
    case .defaultValue, .minimum, .maximum, .oneOf, .pattern, .inverse, .position, .access:
      Self.words(rule.rawValue, from: from, to: to)
    }
  }

  /// Returns text for the change of a constraint, such as `maximum 5 to 10`. The old and the new
  /// value are JSON; nil if there is none.
  fileprivate static func words(_ rule: String, from: String?, to: String?) -> String {
    switch (from, to) {
    case (let from?, let to?): "\(rule) \(Excerpt.truncated(from)) to \(Excerpt.truncated(to))"
    case (nil, let to?): "\(rule) \(Excerpt.truncated(to))"
    case (_, nil): "no longer \(rule) \(Excerpt.truncated(from ?? ""))"
    }
  }
}

extension Excerpt {
  /// Returns JSON text, escaped for display and truncated to 60 characters.
  fileprivate static func truncated(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > 60 else { return escaped(text) }
    return escaped(String(String.UnicodeScalarView(scalars.prefix(60)))) + "…"
  }
}

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

  /// The kind of the step, as named in JSON, for example `drop_field`.
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
    case .changeAccess: "change_access"
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
    case .changeAccess(let schema, let rule, let old, let new):
      object.add("schema", text: schema)
      object.add("rule", text: rule)
      object.add("from", json: old ?? "null")
      object.add("to", json: new ?? "null")
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

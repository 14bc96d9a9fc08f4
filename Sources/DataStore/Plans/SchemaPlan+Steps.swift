package import DataModel

extension SchemaPlan {
  /// One change of a plan, as shown to users and scripts.
  package enum Step: Hashable, Sendable {
    case dropField(schema: String, field: String)
    case dropSchema(String)
    case renameSchema(from: String, to: String, keyFrom: String, keyTo: String)
    /// A hidden field is a password, which commands neither print nor accept in conditions.
    case renameField(schema: String, from: String, to: String, isHidden: Bool = false)
    case createSchema(Schema)
    case addField(schema: String, Field)
    /// Existing rules also apply to the converted values.
    case changeType(
      schema: String, field: String, from: FieldType, to: FieldType, hasRules: Bool = false)
    /// A fill value is set in records without a value.
    case changeRules(schema: String, field: String, [RuleChange], filling: Value? = nil)
    case dropIndex(schema: String, Schema.Index)
    case addIndex(schema: String, Schema.Index)
    case changeProperties(schema: String, from: [String], to: [String])
    case changeDoc(schema: String, from: String?, to: String?)
    case reorderFields(schema: String, from: [String], to: [String])
  }
}

extension SchemaPlan.Stage {
  /// The steps of the stage.
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
        $0.rule != .onDelete || new.type.relation != nil
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
    if let orders = fieldOrders { steps.append(orders) }
    return steps
  }

  /// The step that reorders fields, if the existing fields change their relative order.
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
}

extension SchemaPlan.Step {
  /// The name to pass to `--allow-loss`, if the step may lose values.
  package var loss: String? {
    switch self {
    case .dropField(let schema, let field): "\(schema).\(field)"
    case .dropSchema(let schema): schema
    case .changeType(let schema, let field, let old, let new, _):
      Conversion(old, new)?.effect == .lossy ? "\(schema).\(field)" : nil
    case .renameSchema, .renameField, .createSchema, .addField, .changeRules, .dropIndex,
      .addIndex, .changeProperties, .changeDoc, .reorderFields:
      nil
    }
  }

  /// Whether the step validates the records, and fails if some are invalid.
  package var validatesRecords: Bool {
    switch self {
    case .addField(_, let field):
      field.isRequired && field.initialValue == .null || field.isUnique && field.defaultValue != nil
    case .changeType(_, _, let old, let new, let hasRules):
      hasRules || Conversion(old, new)?.effect != .lossless
    case .changeRules(_, _, let changes, _): changes.contains(where: \.isStricter)
    case .dropField, .dropSchema, .renameSchema, .renameField, .createSchema, .dropIndex,
      .addIndex, .changeProperties, .changeDoc, .reorderFields:
      false
    }
  }
}

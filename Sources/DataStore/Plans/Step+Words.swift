import DataModel

extension SchemaPlan.Step {
  /// The step as text, as plans are displayed.
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
    case .reorderFields(let schema, _, let new):
      "order the fields of \(schema): " + new.joined(separator: ", ")
    }
  }

  /// The changes in the input and output of commands that follow from the step.
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
        "--where, --order, --fields and --expand take \(new) instead of \(old)",
      ]
    case .dropField, .dropSchema, .createSchema, .addField, .changeType, .changeRules, .dropIndex,
      .addIndex, .changeProperties, .changeDoc, .reorderFields:
      []
    }
  }

  /// The conditions under which the step can be executed.
  package var conditions: String? {
    switch self {
    case .dropField: loss.map { "if a record has a value there, it needs --allow-loss \($0)" }
    case .dropSchema: loss.map { "if it has records, it needs --allow-loss \($0)" }
    case .changeType(_, _, let old, let new, _) where loss != nil:
      loss.map {
        (old == .text ? "existing records must fit; " : "")
          + "if \(old.lossCondition(to: new)), it needs --allow-loss \($0)"
      }
    case .addField, .changeType, .changeRules:
      validatesRecords ? "existing records must fit" : nil
    case .renameSchema, .renameField, .createSchema, .dropIndex, .addIndex, .changeProperties,
      .changeDoc, .reorderFields:
      nil
    }
  }

  private static func listed(_ texts: [String]) -> String {
    texts.isEmpty ? "none" : "{\(texts.joined(separator: ", "))}"
  }
}

extension FieldType {
  /// The condition under which a value of this type loses something in a conversion.
  fileprivate func lossCondition(to new: FieldType) -> String {
    guard isList, !new.isList else { return "a value would be rounded" }
    return relation == nil
      ? "a record does not have exactly one value there" : "a record has several values there"
  }
}

extension Field {
  /// The suffix of a step that describes the value of a new field in existing records.
  fileprivate var filling: String {
    defaultValue.map { ", \(Excerpt.truncated($0.jsonText)) in existing records" } ?? ""
  }
}

extension Schema.Index {
  fileprivate var words: String { terms.map(\.text).joined(separator: ", ") }
}

extension RuleChange {
  /// The change of the rule as text.
  fileprivate var words: String {
    switch rule {
    case .required, .unique: to == nil ? "no longer \(rule.rawValue)" : rule.rawValue
    case .doc: from == nil ? "doc added" : to == nil ? "doc dropped" : "doc changed"
    case .onDelete: "on_delete \(from ?? "\"nullify\"") to \(to ?? "\"nullify\"")"
    case .defaultValue, .minimum, .maximum, .oneOf, .pattern:
      switch (from, to) {
      case (let from?, let to?):
        "\(rule.rawValue) \(Excerpt.truncated(from)) to \(Excerpt.truncated(to))"
      case (nil, let to?): "\(rule.rawValue) \(Excerpt.truncated(to))"
      case (_, nil): "no longer \(rule.rawValue) \(Excerpt.truncated(from ?? ""))"
      }
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

extension Schema {
  /// The new names to apply to a schema. Names that are not included do not change.
  package struct NewNames: Sendable {
    package var schema: String?
    /// The new field names, with the old names as keys.
    package var fields: [String: String]
    /// The new names of referenced schemas, with the old names as keys.
    package var targets: [String: String]

    package init(
      schema: String? = nil, fields: [String: String] = [:], targets: [String: String] = [:]
    ) {
      self.schema = schema
      self.fields = fields
      self.targets = targets
    }
  }

  /// Returns the schema with the new names. The fields remain in the same order.
  package func renamed(_ names: NewNames) throws(DataError) -> Schema {
    func new(_ name: String) -> String { names.fields[name] ?? name }
    var draft = SchemaDraft(self)
    draft.name = names.schema ?? name
    for slot in draft.fields.indices {
      draft.fields[slot].field.name = new(fields[slot].name)
      if var relation = fields[slot].type.relation {
        relation.target = names.targets[relation.target] ?? relation.target
        relation.position = relation.position.map(new)
        draft.fields[slot].field.type = .relation(relation)
      }
    }
    draft.indexes = indexes.map { index in
      .init(index.terms.map { OrderTerm(new($0.field), isDescending: $0.isDescending) })
    }
    draft.roles = roles.map(new)
    draft.disabled = disabled.map(new)
    // A property with the same name as a renamed field would be invalid. Such a property is
    // dropped, because programs can find the field by its own name.
    draft.properties = []
    for property in properties {
      draft.properties.append(.init(property.name, field: new(property.field)))
      if (try? Schema(checking: draft)) == nil { draft.properties.removeLast() }
    }
    return try Schema(checking: draft)
  }

  /// Returns the schema without the given fields and without the indexes and properties that use
  /// them.
  package func withoutFields(_ slots: [Int]) throws(DataError) -> Schema {
    let removedNames = Set(slots.map { fields[$0].name })
    var draft = SchemaDraft(self)
    draft.fields.removeAll { removedNames.contains($0.field.name) }
    draft.indexes.removeAll { $0.terms.contains { removedNames.contains($0.field) } }
    draft.properties.removeAll { removedNames.contains($0.field) }
    for slot in draft.fields.indices {
      guard var relation = draft.fields[slot].field.type.relation,
        let position = relation.position, removedNames.contains(position)
      else { continue }
      relation.position = nil
      draft.fields[slot].field.type = .relation(relation)
    }
    if let roles, removedNames.contains(roles) { draft.roles = nil }
    if let disabled, removedNames.contains(disabled) { draft.disabled = nil }
    return try Schema(checking: draft)
  }
}

extension Schema {
  /// What is called otherwise from now on; what is not named keeps its name.
  package struct NewNames: Sendable {
    package var schema: String?
    /// The fields' new names by their old ones.
    package var fields: [String: String]
    /// The new names of the schemas that relations lead to, by their old ones.
    package var targets: [String: String]

    package init(
      schema: String? = nil, fields: [String: String] = [:], targets: [String: String] = [:]
    ) {
      self.schema = schema
      self.fields = fields
      self.targets = targets
    }
  }

  /// The schema under new names; its fields stay in their places.
  package func renamed(_ names: NewNames) throws(DataError) -> Schema {
    func new(_ name: String) -> String { names.fields[name] ?? name }
    var draft = SchemaDraft(self)
    draft.name = names.schema ?? name
    for place in draft.fields.indices {
      draft.fields[place].field.name = new(fields[place].name)
      if var relation = fields[place].type.relation {
        relation.target = names.targets[relation.target] ?? relation.target
        draft.fields[place].field.type = .relation(relation)
      }
    }
    draft.indexes = indexes.map { index in
      .init(index.terms.map { OrderTerm(new($0.field), isDescending: $0.isDescending) })
    }
    // A property may now be called like a field: then it goes, and the field is found by its name.
    draft.properties = []
    for property in properties {
      draft.properties.append(.init(property.name, field: new(property.field)))
      if (try? Schema(checking: draft)) == nil { draft.properties.removeLast() }
    }
    return try Schema(checking: draft)
  }

  /// The schema without some of its fields, and without the indexes that need them.
  package func leavingOut(_ slots: [Int]) throws(DataError) -> Schema {
    let gone = Set(slots.map { fields[$0].name })
    var draft = SchemaDraft(self)
    draft.fields.removeAll { gone.contains($0.field.name) }
    draft.indexes.removeAll { $0.terms.contains { gone.contains($0.field) } }
    draft.properties.removeAll { gone.contains($0.field) }
    return try Schema(checking: draft)
  }
}

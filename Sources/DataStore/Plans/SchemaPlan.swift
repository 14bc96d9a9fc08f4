package import DataModel

/// The steps that lead from the schemas of a store to others.
package struct SchemaPlan: Hashable, Sendable {
  /// One change; a step holds the schemas whole, so that an engine needs nothing else.
  ///
  /// A schema's fields may stand in another order after any step: the definition's order rules what
  /// is printed, and an engine finds its columns by their names.
  package enum Step: Hashable, Sendable {
    /// Makes a schema; those that it refers to may come later in the plan.
    case create(Schema)
    /// Adds fields, with their unique values and references, to a schema whose other fields and
    /// indexes stay as they are; records get the defaults.
    case addFields([Int], to: Schema)
    /// Makes the indexes that the new schema has and the old one has not, those of unique fields
    /// included, drops the others, and replaces what is written of the schema like `describe`.
    case changeIndexes(from: Schema, to: Schema)
    /// Replaces what is written of the schema: docs, properties, defaults, looser rules.
    case describe(Schema)
    /// Takes a schema away with its records; nothing refers to it by then.
    case drop(Schema)
  }

  package var steps: [Step]
  /// The version of the catalog that the plan starts from; 0 for a store that is not there yet.
  package var catalogVersion: Int64

  package init(_ steps: [Step], catalogVersion: Int64) {
    self.steps = steps
    self.catalogVersion = catalogVersion
  }
}

extension SchemaPlan.Step {
  /// What the step does, in the words that a plan is shown in.
  package var description: String {
    switch self {
    case .create(let schema): "create schema \(schema.name)"
    case .addFields(let slots, let schema):
      (slots.count == 1 ? "add field " : "add fields ")
        + slots.map { "\(schema.name).\(schema.name(of: $0))" }.joined(separator: ", ")
    case .changeIndexes(let old, let new):
      (old.indexNames(missingFrom: new).map { "drop " + $0 }
        + new.indexNames(missingFrom: old).map { "add " + $0 }).joined(separator: ", ")
    case .describe(let schema): "change what schema \(schema.name) says and allows"
    case .drop(let schema): "drop schema \(schema.name)"
    }
  }
}

extension Schema {
  /// The indexes and unique fields that another version of the schema has not.
  fileprivate func indexNames(missingFrom other: Schema) -> [String] {
    let unique = fields.filter { field in
      field.isUnique && !other.fields.contains { $0.name == field.name && $0.isUnique }
    }
    let declared = indexes.filter { !other.indexes.contains($0) }
    return unique.map { "unique \(name).\($0.name)" }
      + declared.map { "index \(name) (\($0.terms.map(\.text).joined(separator: ", ")))" }
  }
}

package import DataModel

/// The steps that lead from the schemas of a store to others.
package struct SchemaPlan: Hashable, Sendable {
  /// One change; a step holds the schemas whole, so that an engine needs nothing else.
  package enum Step: Hashable, Sendable {
    /// Makes a schema; those that it refers to may come later in the plan.
    case create(Schema)
    /// Adds fields to a schema that stays as it is otherwise; records get the defaults.
    case addFields([Int], to: Schema)
    /// Makes the indexes that the new schema has and the old one has not, and drops the others.
    case changeIndexes(from: Schema, to: Schema)
    /// Replaces what is written of the schema: docs, properties, looser rules.
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

package import DataModel

/// A migration from the schemas of a store to others.
///
/// A plan is a list of stages, which an engine executes in order and in one transaction; `steps` is
/// derived from it for display. Fields and schemas are dropped first, so that their names are free.
/// Then all renamings happen at once, so that names can be exchanged.
package struct SchemaPlan: Hashable, Sendable {
  /// One stage of a plan. It contains complete schemas, so that an engine needs no other input.
  ///
  /// The order of a schema's fields may differ after any stage: the definition determines the order
  /// of output, and engines find columns by name.
  package enum Stage: Hashable, Sendable {
    /// Drops fields, and the indexes that contain them.
    case dropFields([Int], of: Schema, leaving: Schema)
    /// Drops a schema and its records; no remaining field refers to it.
    case dropSchema(Schema)
    /// Renames schemas and fields, all at once, without any other change.
    case rename([Renaming])
    /// Creates a schema. Schemas that it refers to may be created later in the plan.
    case create(Schema)
    /// Adds fields, converts and validates values, creates and drops indexes, and changes rules.
    case change(Alteration)
  }

  /// A schema before and after renaming, with the same slots.
  ///
  /// If only the target of a relation is renamed, the schema itself keeps its names.
  package struct Renaming: Hashable, Sendable {
    package var before: Schema
    package var after: Schema

    package init(before: Schema, after: Schema) {
      self.before = before
      self.after = after
    }
  }

  package var stages: [Stage]
  /// The version of the catalog that the plan starts from; 0 if the store does not exist yet.
  package var catalogVersion: Int64

  package init(_ stages: [Stage], catalogVersion: Int64) {
    self.stages = stages
    self.catalogVersion = catalogVersion
  }

  package var isEmpty: Bool { stages.isEmpty }

  /// The steps of the plan, in the order of execution.
  package var steps: [Step] { stages.flatMap(\.steps) }
}

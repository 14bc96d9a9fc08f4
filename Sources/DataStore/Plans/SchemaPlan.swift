package import DataModel

/// The way that leads from the schemas of a store to others.
///
/// It is a list of stages, which engines carry out in their order, in one transaction; what people
/// read of it, `steps`, follows from them. Names become free before others take them: fields and
/// schemas go first, then all that is renamed is renamed at once, so that names may be exchanged.
package struct SchemaPlan: Hashable, Sendable {
  /// One change; a stage holds the schemas whole, so that an engine needs nothing else.
  ///
  /// A schema's fields may stand in another order after any stage: the definition's order rules what
  /// is printed, and an engine finds its columns by their names.
  package enum Stage: Hashable, Sendable {
    /// Takes fields away, with the indexes that need them.
    case dropFields([Int], of: Schema, leaving: Schema)
    /// Takes a schema away with its records; no field that stays refers to it.
    case dropSchema(Schema)
    /// Gives schemas and fields other names, all at once; nothing else changes.
    case rename([Renaming])
    /// Makes a schema; those that it refers to may come later in the plan.
    case create(Schema)
    /// Adds fields, converts and checks values, makes and drops indexes, changes rules.
    case change(Alteration)
  }

  /// A schema under its old names and under its new ones, slot by slot the same.
  ///
  /// A schema may be here for its relations alone, whose target has another name.
  package struct Renaming: Hashable, Sendable {
    package var before: Schema
    package var after: Schema

    package init(before: Schema, after: Schema) {
      self.before = before
      self.after = after
    }
  }

  package var stages: [Stage]
  /// The version of the catalog that the plan starts from; 0 for a store that is not there yet.
  package var catalogVersion: Int64

  package init(_ stages: [Stage], catalogVersion: Int64) {
    self.stages = stages
    self.catalogVersion = catalogVersion
  }

  package var isEmpty: Bool { stages.isEmpty }

  /// What the plan does, in the order in which it is done.
  package var steps: [Step] { stages.flatMap(\.steps) }
}

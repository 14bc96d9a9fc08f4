package import DataModel

extension SchemaPlan {
  /// What the records of a schema must be like for a step: so few that a new field fits them.
  ///
  /// Only the store can count them, and only within its transaction: it asks each step for its
  /// demands, counts, and refuses with their problems.
  package struct Demand: Hashable, Sendable {
    package var schema: String
    package var field: String
    /// How many records there may be at the most.
    package var most: Int
    private var message: String
    private var hint: String

    fileprivate static func noRecord(schema: Schema, field: Field) -> Demand {
      Demand(
        schema: schema.name, field: field.name, most: 0,
        message: "a new required field has no value for the records that are there",
        hint: "give it a default, or leave required out")
    }

    fileprivate static func oneRecord(schema: Schema, field: Field) -> Demand {
      Demand(
        schema: schema.name, field: field.name, most: 1,
        message: "a new unique field would have its default in each of the records that are there",
        hint: "leave the default out")
    }

    /// What is wrong with so many records, if anything.
    package func problem(withRecords count: Int) -> Problem? {
      guard count > most else { return nil }
      return Problem(
        .misfit, "\(message): \(count)", hint: hint, schema: schema, field: field)
    }
  }
}

extension SchemaPlan.Step {
  /// What the records must be like when the step begins.
  package var demands: [SchemaPlan.Demand] {
    switch self {
    case .addFields(let slots, let schema):
      slots.map { schema.fields[$0] }.flatMap { field -> [SchemaPlan.Demand] in
        if field.isRequired && field.initialValue == .null {
          return [.noRecord(schema: schema, field: field)]
        }
        if field.isUnique && field.initialValue != .null {
          return [.oneRecord(schema: schema, field: field)]
        }
        return []
      }
    case .create, .changeIndexes, .describe, .drop: []
    }
  }
}

import DataClient
import DataModel
import DataStore
import DataText

/// A schema change that is applied in the same transaction as a save.
struct InferredChange {
  let plan: SchemaPlan
  /// The messages that report the change.
  let deeds: [String]
}

/// Infers a schema, or fields missing from it, from the first records of a save.
struct InferredSaving {
  /// A schema that fits the records, and the change that creates it in the store.
  struct Found {
    var schema: Schema
    var change: InferredChange
    /// Keys that are always null and have no field in the schema.
    var emptyKeys: [String]
  }

  /// The whole input, replayed from the start.
  let text: ReadAgain<InputStream>
  /// Whether the first records are all records.
  let isWhole: Bool
  private let schemaName: String
  private let isDryRun: Bool
  private let inference: SchemaInference

  /// Reads the first records.
  init(
    _ schemaName: String, from input: InputStream, format: RecordFormat?, isDryRun: Bool
  ) throws(DataError) {
    self.schemaName = schemaName
    self.isDryRun = isDryRun
    (inference, text, isWhole) = try SchemaInference.head(
      of: input, schema: schemaName, format: format, file: input.file)
  }

  /// Plans the change from the schemas of a store. Returns nil if there is neither a record nor a
  /// schema.
  func found(over stored: StoredCatalog) throws(DataError) -> Found? {
    let existing = stored.catalog[schemaName]
    if existing == nil { _ = try Schema(checking: FieldShorthand.draft(schema: schemaName, [])) }
    guard inference.count > 0 || existing != nil else { return nil }
    let inferred: InferredSchema
    if let existing {
      inferred = try inference.extending(existing)
    } else {
      inferred = try inference.schema()
    }
    let emptyKeys = inference.emptyKeys.filter { existing?.slot(named: $0) == nil }
    return Found(
      schema: inferred.schema,
      change: InferredChange(
        plan: try SchemaPlan(from: stored, to: [inferred.schema], reading: .ofSchemas),
        deeds: deeds(of: inferred, over: existing, emptyKeys)),
      emptyKeys: emptyKeys)
  }

  private func deeds(
    of inferred: InferredSchema, over existing: Schema?, _ emptyKeys: [String]
  ) -> [String] {
    let fields = inferred.schema.fields.filter { field in
      !(existing?.fields.contains { $0.name == field.name } ?? false)
    }
    let words = fields.map { "\($0.name) \($0.type.name)" }.joined(separator: ", ")
    var deeds: [String] = []
    if existing == nil {
      deeds.append("Schema \(schemaName) \(isDryRun ? "would be " : "")created: \(words)")
    } else if !fields.isEmpty {
      deeds.append("\(isDryRun ? "Would be added" : "Added") to \(schemaName): \(words)")
    }
    deeds += inferred.notes
    if !emptyKeys.isEmpty {
      let names = emptyKeys.map { Excerpt.cut($0) }.joined(separator: ", ")
      deeds.append("\(names): only null values; left out")
    }
    return deeds
  }

  /// Returns the error with a hint if it concerns a record after the first ones: `schema infer`
  /// reads all records.
  static func pointing(
    _ error: DataError, schema: Schema, file: String
  ) -> DataError {
    error.changing { problem in
      guard problem.line != nil, problem.code == .invalid || problem.code == .unknownField else {
        return
      }
      problem.hint =
        "--infer used the first \(SchemaInference.headCount.grouped) records; to use all of them: "
        + "datactl schema infer \(schema.name) " + (file == "-" ? "< FILE" : "--file \(file)")
    }
  }
}

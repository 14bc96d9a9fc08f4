import DataClient
import DataModel
import DataStore
import DataText

/// Schemas that are changed together with a save, as its first records ask for it.
struct InferredChange {
  let plan: SchemaPlan
  /// What is said of it when it stands, or would.
  let deeds: [String]
}

/// The schema of records, or what is missing of it, as the first of them tell.
struct InferredSaving {
  /// A schema that takes the records, and how the store comes to have it.
  struct Found {
    var schema: Schema
    var change: InferredChange
    /// Keys that stand in records with null, although the schema does not have them.
    var emptyKeys: [String]
  }

  /// All the records, to be read again.
  let text: ReadAgain<InputStream>
  /// Whether the first records are all of them.
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

  /// Plans the way from the schemas of a store; nil if there is no record and no schema either.
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

  /// An error of records behind those that were looked at leads to what looks at all of them.
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

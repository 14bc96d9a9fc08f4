import ClientCore
import DataModel
import DataOutput
import DataStore
import DataText

/// A schema change that is applied in the same transaction as a save.
struct InferredChange {
  let plan: SchemaPlan
  /// The messages that report the change.
  let messages: [String]
}

/// Infers a schema, or fields missing from it, from the first records of a save.
struct InferredSave {
  /// A schema that fits the records, and the change that creates it in the store.
  struct Proposal {
    var schema: Schema
    var change: InferredChange
    /// Keys that are always null and have no field in the schema.
    var emptyKeys: [String]
  }

  /// The whole input, replayed from the start.
  let text: ReplayedSource<InputStream>
  /// Whether the first records are all records.
  let isComplete: Bool
  private let schemaName: String
  private let isDryRun: Bool
  private let inference: SchemaInference

  /// Reads the first records.
  init(
    _ schemaName: String, from input: InputStream, format: RecordFormat?, isDryRun: Bool
  ) throws(DataError) {
    self.schemaName = schemaName
    self.isDryRun = isDryRun
    (inference, text, isComplete) = try SchemaInference.head(
      of: input, schema: schemaName, format: format, file: input.file)
  }

  /// Plans the change from the schemas of a store. Returns nil if there is neither a record nor a
  /// schema.
  func proposal(over stored: StoredCatalog) throws(DataError) -> Proposal? {
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
    return Proposal(
      schema: inferred.schema,
      change: InferredChange(
        plan: try SchemaPlan(from: stored, to: [inferred.schema], reading: .partial),
        messages: messages(of: inferred, over: existing, emptyKeys)),
      emptyKeys: emptyKeys)
  }

  private func messages(
    of inferred: InferredSchema, over existing: Schema?, _ emptyKeys: [String]
  ) -> [String] {
    let fields = inferred.schema.fields.filter { field in
      !(existing?.fields.contains { $0.name == field.name } ?? false)
    }
    let fieldList = fields.map { "\($0.name) \($0.type.name)" }.joined(separator: ", ")
    var messages: [String] = []
    if existing == nil {
      messages.append("Schema \(schemaName) \(isDryRun ? "would be " : "")created: \(fieldList)")
    } else if !fields.isEmpty {
      messages.append("\(isDryRun ? "Would be added" : "Added") to \(schemaName): \(fieldList)")
    }
    messages += inferred.notes
    if !emptyKeys.isEmpty {
      let names = emptyKeys.map { Excerpt.truncated($0) }.joined(separator: ", ")
      messages.append("\(names): only null values; left out")
    }
    return messages
  }

  /// Returns the error with a hint if it concerns a record after the first ones: `schema infer`
  /// reads all records.
  static func addingHint(
    _ error: DataError, schema: Schema, file: String
  ) -> DataError {
    error.modifyingProblems { problem in
      guard problem.line != nil, problem.code == .invalid || problem.code == .unknownField else {
        return
      }
      problem.hint =
        "--infer used the first \(SchemaInference.headCount.grouped) records; to use all of them: "
        + "datactl schema infer \(schema.name) " + (file == "-" ? "< FILE" : "--file \(file)")
    }
  }
}

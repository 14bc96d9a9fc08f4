import ClientCore
import DataModel
import DataOutput
import DataStore
import DataText
import DataXML

/// A schema change that is applied in the same transaction as a save.
struct InferredChange {
  let plan: SchemaPlan
  /// Messages that describe the change.
  let messages: [String]
}

/// A save that infers the schema, or the fields that the schema does not have yet, from the first
/// records.
struct InferredSave {
  /// A schema for the records, and the change that creates this schema or adds the missing fields
  /// to it.
  struct Proposal {
    var schema: Schema
    var change: InferredChange
    /// The keys for which the schema has no field, because they have only null values in the
    /// records.
    var emptyKeys: [String]
    /// The source of the record ids, or nil if the schema already exists.
    var ids: InferredSchema.IDSource?

    /// Returns the options for saving the records. If the ids of a new schema come from a key of
    /// the records, an id that occurs twice is rejected. Such an id shows that the key is not a
    /// primary key.
    func options(from options: SaveOptions) -> SaveOptions {
      var options = options
      if case .key = ids, options.policy.mode != .update { options.policy.mode = .create }
      return options
    }
  }

  /// The whole input. It includes the records that were already read to infer the schema.
  let text: InputText
  /// Whether the input is XML that is read without a map.
  let isXML: Bool
  /// Whether the schema was inferred from all records.
  let isComplete: Bool
  private let schemaName: String
  private let isDryRun: Bool
  private let inference: SchemaInference

  /// Reads the first records of the input.
  init(
    _ schemaName: String, from input: InputStream, _ form: TextForm, options: SaveOptions,
    map: DataMap?
  ) throws(DataError) {
    var text = try InputText(input, form, file: input.file)
    self.schemaName = schemaName
    isDryRun = options.isDryRun
    let keepsSystemFields = options.policy.systemFields == .given
    if let map {
      let layout = try MapLayout(map, inferring: schemaName)
      let recorded = RecordedSource(text)
      try layout.map.check(form)
      let locations = MapLocations(layout, file: input.file)
      do throws(DataError) {
        (inference, _, isComplete) = try SchemaInference.head(
          of: try MappedSource(recorded, by: layout, locations, form, text.formerEncoding),
          schema: schemaName, TextForm(map.convertedFormat), file: input.file,
          keepsSystemFields: keepsSystemFields, splitting: layout.splitting,
          lines: locations.line(ofRecord:field:))
      } catch {
        throw error.map(locations.located)
      }
      self.text = text.replaced(by: recorded.replayed)
      isXML = false
      return
    }
    isXML = try text.detectXML(form)
    guard isXML else {
      let head = try SchemaInference.head(
        of: text, schema: schemaName, form, file: input.file, keepsSystemFields: keepsSystemFields)
      (inference, isComplete) = (head.inference, head.isComplete)
      self.text = InputText(head.text)
      return
    }
    try form.checkXML(file: input.file)
    let recorded = RecordedSource(text)
    (inference, _, isComplete) = try SchemaInference.head(
      of: try XMLRecordSource(recorded, for: nil, formerEncoding: text.formerEncoding),
      schema: schemaName, TextForm(.xml),
      file: input.file, keepsSystemFields: keepsSystemFields)
    self.text = text.replaced(by: recorded.replayed)
  }

  /// Returns the inferred schema, and the change to the schemas of the store. Returns nil if the
  /// input has no records and the schema does not exist in the store.
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
    let emptyKeys = inference.emptyKeys.filter { existing?.slot(ofForeignKey: $0) == nil }
    return Proposal(
      schema: inferred.schema,
      change: InferredChange(
        plan: try SchemaPlan(from: stored, to: [inferred.schema], reading: .partial),
        messages: messages(of: inferred, over: existing, emptyKeys)),
      emptyKeys: emptyKeys, ids: inferred.ids)
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

  /// Adds a hint to problems in records that were not used to infer the schema. The hint suggests
  /// `schema infer`, which uses all records.
  static func addingHint(
    _ error: DataError, schema: Schema, file: String
  ) -> DataError {
    error.modifyingProblems { problem in
      guard problem.line != nil, problem.code == .invalid || problem.code == .unknownField else {
        return
      }
      problem.hint =
        "--infer used the first \(SchemaInference.headCount.grouped) records; to use all records: "
        + "datactl schema infer \(schema.name) " + (file == "-" ? "< FILE" : "--file \(file)")
    }
  }
}
